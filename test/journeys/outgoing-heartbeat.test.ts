// The outgoing heartbeat of the whole daemon: another service hears that it lives.
import t from 'tap'
import { register } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'
import { startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

t.test('the URL is called once the daemon runs, and stays secret', async (t) => {
  for (const status of [200, 500]) {
    const receiver = await startReceiver()
    t.teardown(() => receiver.close())
    receiver.always({ status })
    const url = `${receiver.url}?token=token-of-the-watchdog`
    const daemon = await startDaemon(t, { env: { HEARTBEAT_URL: url } })
    daemon.secrets.add('token-of-the-watchdog')
    const [call] = await receiver.received(1)
    t.match(call, { method: 'GET', path: '/hook?token=token-of-the-watchdog', body: '' })
    const { cookie } = await register(daemon, 'ada', daemon.setupToken)
    const heartbeat = await until(async () => {
      const info = await daemon.need('GET', '/system/info', { cookie })
      return info.heartbeat.lastSuccessAt || info.heartbeat.lastError ? info.heartbeat : false
    })
    if (status === 200) t.match(heartbeat, { lastSuccessAt: String, lastError: null })
    else t.match(heartbeat, { lastSuccessAt: null, lastError: /answered 500/ })
    const warnings = daemon.lines.filter((line) => line.includes('outgoing heartbeat failed'))
    t.equal(warnings.length, status === 200 ? 0 : 1)
    await daemon.stop()
    t.same(daemon.leaks(), [])
  }
})
