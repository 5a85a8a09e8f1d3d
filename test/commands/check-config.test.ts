// stillup check-config: the commented file, and the settings that a start would take.
import t from 'tap'
import { checkConfig } from '../../src/commands/check-config.ts'
import { exampleFile } from '../../src/config/example.ts'
import { fakeHost } from '../support/fake-host.ts'

t.test('check-config --defaults prints the commented file', async (t) => {
  const host = fakeHost(t.testdir())
  t.equal(await checkConfig(host, { configPath: undefined, defaults: true }), 0)
  t.equal(`${host.printed[0]}\n`, exampleFile())
})

t.test('valid but unwise settings are noted, invalid ones end with 78', async (t) => {
  const options = { configPath: undefined, defaults: false }
  const good = fakeHost(t.testdir())
  t.equal(await checkConfig(good, options), 0)
  t.match(good.complaints, [/^note: the master key is stored next to/])
  const bad = fakeHost(t.testdir(), { STILLUP_CHECKS_PER_HOST: '0' })
  t.equal(await checkConfig(bad, options), 78)
  t.match(bad.complaints, [/^checks\.perHost \(STILLUP_CHECKS_PER_HOST\): found 0/])
})
