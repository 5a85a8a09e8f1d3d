// A reload: what it reads, what it says, and what it tells systemd.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createLog } from '../../src/base/log/log.ts'
import { createReload } from '../../src/commands/reload.ts'
import type { SettingsChange } from '../../src/config/live.ts'
import { fakeHost } from '../support/fake-host.ts'

function makeReload(t: Test, file: string, change: Partial<SettingsChange> = {}) {
  const host = fakeHost(t.testdir({ 'stillup.toml': file }), { STILLUP_HTTP_LISTEN: '' })
  const lines: string[] = []
  const told: string[] = []
  const levels: string[] = []
  const reload = createReload({
    host,
    options: { configPath: undefined },
    log: createLog({ level: 'info', format: 'json', write: (line) => void lines.push(line) }),
    supervisor: {
      tell: async (...states) => void told.push(...states),
      tellReloading: async () => void told.push('RELOADING=1'),
    },
    apply: async ({ settings }) => {
      levels.push(settings.http.listen.host)
      return { applied: [], needRestart: [], ...change }
    },
  })
  return { host, lines, told, levels, reload }
}

t.test('the log names what was applied, and what needs a restart', async (t) => {
  const change = { applied: ['log.level'], needRestart: ['http.listen', 'data.dir'] }
  const { reload, lines, told } = makeReload(t, '[http]\nlisten = "127.0.0.1:80"\n', change)
  await reload()
  t.match(lines.join(''), /"applied":\["log.level"\],"message":"the settings were reloaded"/)
  t.match(lines.join(''), 'needs a restart: http.listen, data.dir')
  t.same(told, ['RELOADING=1', 'READY=1'])
})

t.test('a file with problems changes nothing, and all of them are told', async (t) => {
  const file = '[http]\nlisten = "nowhere"\nrateApi = 3\n[data]\nmaxMib = -1\n'
  const { reload, lines, told, levels } = makeReload(t, file)
  await reload()
  t.same(levels, [])
  t.equal(lines.length, 1)
  for (const path of ['http.listen', 'http.rateApi', 'data.maxMib']) t.match(lines[0], path)
  t.match(lines[0], 'nothing has changed')
  t.same(told, ['RELOADING=1', 'READY=1'], 'systemd does not wait for ever')
})

t.test('reloads that are asked for meanwhile are followed by one more', async (t) => {
  const { host, reload, levels } = makeReload(t, '')
  const first = reload()
  writeFileSync(join(host.cwd, 'stillup.toml'), '[http]\nlisten = "127.0.0.2:80"\n')
  await Promise.all([first, reload(), reload()])
  t.ok(levels.length <= 2)
  t.equal(levels.at(-1), '127.0.0.2')
})
