// A daemon that may open few files: callers cannot take those that its own work needs.
import { connect, type Socket } from 'node:net'
import t from 'tap'
import { registerWithKey } from '../support/cast.ts'
import { startProcess } from '../support/daemon-process.ts'
import { bodyOf, startReceiver } from '../support/receiver.ts'
import { testFolder } from '../support/test-folder.ts'
import { until } from '../support/until.ts'

const filesMax = 128
const rush = 400
const env = { STILLUP_AUTH_REGISTRATION: 'open', STILLUP_CHECKS_TARGETS: 'any' }

t.test('with 128 files and 400 callers, it commits, alerts and serves', async (t) => {
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const daemon = startProcess(t, testFolder(t), env, filesMax)
  await daemon.ready()
  t.match(daemon.err, /"filesMax":128.*"checksAtOnce":16,"connections":32/, 'it warns')
  const { org, key } = await registerWithKey(daemon)
  await daemon.need('POST', `${org}/alert-channels`, {
    key,
    json: { name: 'On call', type: 'webhook', config: { url: receiver.url } },
  })
  const json = { name: 'Backup', checkType: 'push', intervalMinutes: 5 }
  const { id, pushToken } = await daemon.need('POST', `${org}/monitors`, { key, json })

  const { port } = new URL(daemon.url)
  const closed = new Set<Socket>()
  const callers = Array.from({ length: rush }, () => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
    return socket.resume().once('close', () => closed.add(socket))
  })
  // The client's own connection came before the rush.
  // It stays open as long as it is used: closed for idleness, it would not be let in again.
  const untilUsing = (isReached: () => boolean) =>
    until(async () => {
      await daemon.ask('GET', '/healthz')
      return isReached()
    })
  await untilUsing(() => closed.size >= rush - 32)
  t.ok(closed.size < rush, 'those below the bound stay')
  const { text } = await daemon.ask('GET', '/metrics')
  t.match(text, /^stillup_http_connections_max 32$/m)
  t.ok(Number(/^stillup_http_connections_refused_total (\d+)$/m.exec(text)?.[1]) >= rush - 32)

  t.equal((await daemon.ask('GET', `/api/v1/push/${pushToken}/error`)).status, 200)
  await untilUsing(() => receiver.requests.length > 0)
  const [opened] = receiver.requests
  t.match(bodyOf(opened), { type: 'incident.opened' }, 'a webhook finds its way out')
  t.match(await daemon.need('GET', `${org}/monitors/${id}`, { key }), { state: 'down' })

  for (const socket of callers) socket.destroy()
  const served = await until(async () => {
    const answer = await fetch(`${daemon.url}/readyz`, { headers: { Connection: 'close' } })
    return answer.ok
  })
  t.ok(served, 'whoever comes later is served')
  t.equal((await daemon.stop()).code, 0)
  t.notMatch(daemon.err, /"level":"error"/)
})
