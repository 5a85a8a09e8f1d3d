// stillup check-config: the commented file, and the settings that a start would take.
import t from 'tap'
import { exampleFile } from '../../src/config/example.ts'
import { fakeHost, typed } from '../support/fake-host.ts'

t.test('check-config --defaults prints the commented file', async (t) => {
  const host = fakeHost(t.testdir())
  t.equal(await typed(host, 'check-config', '--defaults'), 0)
  t.equal(`${host.printed[0]}\n`, exampleFile())
})

t.test('valid but unwise settings are noted, invalid ones end with 78', async (t) => {
  const good = fakeHost(t.testdir())
  t.equal(await typed(good, 'check-config'), 0)
  t.match(good.complaints, [/^note: the master key is stored next to/])
  const bad = fakeHost(t.testdir(), { STILLUP_CHECKS_PER_HOST: '0' })
  t.equal(await typed(bad, 'check-config'), 78)
  t.match(bad.complaints, [/^checks\.perHost \(STILLUP_CHECKS_PER_HOST\): found 0/])
})

t.test('a status domain that contains the service is refused, also at start', async (t) => {
  const env = {
    STILLUP_HTTP_BASE_URL: 'https://status.example.com',
    STILLUP_HTTP_STATUS_DOMAIN: 'example.com',
  }
  for (const verb of ['check-config', 'serve']) {
    const host = fakeHost(t.testdir(), env)
    t.equal(await typed(host, verb), 78, verb)
    t.match(host.complaints.join('\n'), /http\.statusDomain \(STILLUP_HTTP_STATUS_DOMAIN\): found/)
  }
})

t.test('with --json the result is one document, and says the same', async (t) => {
  const good = fakeHost(t.testdir())
  t.equal(await typed(good, 'check-config', '--json'), 0)
  t.match(JSON.parse(good.printed.join('')), { isValid: true, source: null, warnings: [String] })
  const bad = fakeHost(t.testdir(), { STILLUP_CHECKS_PER_HOST: '0' })
  t.equal(await typed(bad, 'check-config', '--json'), 78)
  const { isValid, problems } = JSON.parse(bad.printed.join(''))
  t.match({ isValid, problems }, { isValid: false, problems: [{ path: 'checks.perHost' }] })
  t.same([...good.complaints, ...bad.complaints], [])
})
