// Which settings a reload changes, and how a change is told.
import t from 'tap'
import { createLive, livePaths } from '../../src/config/live.ts'
import { loadSettings } from '../../src/config/load.ts'

function settingsOf(env: Readonly<Record<string, string>> = {}) {
  const loaded = loadSettings({ env, cwd: t.testdirName, isTerminal: false })
  if ('problems' in loaded) throw new Error(JSON.stringify(loaded.problems))
  return loaded.settings
}

t.test('a change is applied where it can be, and the rest is named', async (t) => {
  const live = createLive(settingsOf())
  const heard: number[] = []
  live.listen(({ http }) => void heard.push(http.rateApiPerMinute))
  const next = settingsOf({
    STILLUP_HTTP_LISTEN: '127.0.0.1:9',
    STILLUP_HTTP_RATE_API_PER_MINUTE: '7',
    STILLUP_QUOTAS_CHANNELS: '3',
  })
  t.same(live.apply(next), {
    applied: ['http.rateApiPerMinute', 'quotas.channels'],
    needRestart: ['http.listen'],
  })
  t.equal(live.now().quotas.channels, 3)
  t.same(heard, [7])
  t.same(live.apply(next), { applied: [], needRestart: ['http.listen'] }, 'until it is restarted')
  t.same(heard, [7], 'nothing changed')
})

t.test('a setting that is put back needs no restart any more', async (t) => {
  const live = createLive(settingsOf())
  const other = settingsOf({ STILLUP_HTTP_STATUS_DOMAIN: 'status.example.net' })
  t.same(live.apply(other).needRestart, ['http.statusDomain'])
  t.same(live.apply(settingsOf()), { applied: [], needRestart: [] })
})

t.test('lists are compared by what is in them', async (t) => {
  const env = { STILLUP_HTTP_TRUSTED_PROXIES: '10.0.0.1,10.0.0.2' }
  const live = createLive(settingsOf(env))
  t.same(live.apply(settingsOf(env)).applied, [])
  t.ok(livePaths.includes('http.trustedProxies'))
  t.notOk(livePaths.includes('data.dir'))
})
