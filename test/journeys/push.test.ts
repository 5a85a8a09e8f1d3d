// Push monitors: senders report, one that falls silent is noticed, and nobody else can speak.
import t, { type Test } from 'tap'
import { registerWithKey } from '../support/cast.ts'
import { type DaemonOptions, startDaemon } from '../support/daemon.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { bodyOf, startReceiver } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const unknownToken = `spp_${'a'.repeat(36)}`

/** A daemon with a receiver and one push monitor; what it tells and what it says of itself. */
async function open(t: Test, options: DaemonOptions = {}) {
  const daemon = await startDaemon(t, options)
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const { org, key } = await registerWithKey(daemon)
  await daemon.need('POST', `${org}/alert-channels`, {
    key,
    json: { name: 'On call', type: 'webhook', config: { url: receiver.url } },
  })
  const { id, pushToken } = await daemon.need('POST', `${org}/monitors`, {
    key,
    json: { name: 'Backup', checkType: 'push', intervalMinutes: 5, graceSeconds: 30 },
  })
  const monitor = `${org}/monitors/${id}`
  return {
    daemon,
    receiver,
    org,
    key,
    monitor,
    pushToken,
    look: () => daemon.need('GET', monitor, { key }),
    push: (how = '', json?: object, token = pushToken) =>
      daemon.ask(json ? 'POST' : 'GET', `/api/v1/push/${token}${how}`, json ? { json } : {}),
  }
}

t.test('an error opens at once with its message, and the next ok ends it', async (t) => {
  const { push, look, receiver, monitor, daemon, key } = await open(t)
  t.match(await look(), { state: 'pending', lastOutcome: null })
  t.equal((await push()).status, 200)
  t.match(await look(), { state: 'up', lastOutcome: 'up' })

  t.equal(
    (await push('', { status: 'error', message: 'disk full', metadata: { left: 0 } })).status,
    200,
  )
  const down = await look()
  t.match(down, { state: 'down', lastError: { kind: 'reported', message: /disk full/ } })
  t.match(down.openIncidentId, /^inc_/)
  const [opened] = await receiver.received(1)
  t.match(bodyOf(opened), { type: 'incident.opened', data: { incident: { cause: /disk full/ } } })
  const latest = await daemon.need('GET', `${monitor}/checks/latest`, { key })
  t.match(latest, { outcome: 'down', report: { metadata: { left: 0 } } })

  t.equal((await push('/error')).status, 200)
  t.equal((await look()).openIncidentId, down.openIncidentId, 'one outage, one incident')
  t.equal((await push('/0')).status, 200)
  t.match(await look(), { state: 'up', openIncidentId: null })
  const told = await receiver.received(2)
  t.equal(bodyOf(told[1]).type, 'incident.resolved')
})

t.test('the last word of the path is the outcome or the exit code of a job', async (t) => {
  const { push, look } = await open(t)
  for (const [word, state] of [
    ['/ok', 'up'],
    ['/1', 'down'],
    ['/0', 'up'],
    ['/255', 'down'],
    ['?status=ok', 'up'],
    ['?status=error&message=late&durationMs=5', 'down'],
  ] as const) {
    t.equal((await push(word)).status, 200, word)
    t.equal((await look()).state, state, word)
  }
  for (const word of ['/256', '/-1', '/maybe', '/ok/more']) {
    t.equal((await push(word)).status, 404, word)
  }
})

t.test('a sender without a valid token is told so and changes nothing', async (t) => {
  const { push, look, daemon, monitor, key } = await open(t)
  for (const token of [unknownToken, 'nonsense', `${unknownToken.slice(0, -1)}b`]) {
    t.match(await push('', { status: 'error' }, token), {
      status: 404,
      json: { code: 'not_found' },
    })
  }
  await daemon.need('POST', `${monitor}/pause`, { key })
  for (const how of ['', '/error', '?status=error']) {
    t.match(await push(how), { status: 410, json: { code: 'monitor_paused' } })
  }
  t.match(await look(), { state: 'paused', openIncidentId: null })
  await daemon.need('POST', `${monitor}/resume`, { key })
  t.equal((await push()).status, 200)
  await daemon.need('DELETE', monitor, { key })
  t.match(await push(), { status: 404, json: { code: 'not_found' } })
})

t.test('a report that is wrong is refused, and counts for nothing', async (t) => {
  const { push, look, daemon, pushToken } = await open(t)
  const table: [object, string][] = [
    [{ status: 'fine' }, '/status'],
    [{ message: 7 }, '/message'],
    [{ message: 'x'.repeat(1_025) }, '/message'],
    [{ metadata: 'text' }, '/metadata'],
    [{ durationMs: -1 }, '/durationMs'],
    [{ outcome: 'error' }, '/outcome'],
  ]
  for (const [json, pointer] of table) {
    const answer = await push('', json)
    t.match(answer, { status: 422, json: { errors: [{ pointer }] } }, pointer)
  }
  const path = `/api/v1/push/${pushToken}`
  const long = { json: { metadata: { text: 'x'.repeat(17_000) } } }
  t.match(await daemon.ask('POST', path, long), { status: 413, json: { code: 'body_too_large' } })
  const typed = { 'content-type': 'application/json' }
  t.equal((await daemon.ask('POST', path, { body: '{', headers: typed })).status, 400)
  t.equal((await daemon.ask('POST', path, { body: 'status=error' })).status, 415)
  t.match(await look(), { state: 'pending', lastCheckAt: null })
})

t.test('a silent sender is down when period and grace are over, exactly', async (t) => {
  const clock = Object.assign(new FakeClock(), { onJump() {}, stop() {} })
  const { push, look, receiver } = await open(t, { clock })
  const first = await push()
  const dueAtMs = clock.nowMs() + 330_000
  t.equal(first.json.data.nextDueAt, new Date(dueAtMs).toISOString())
  await clock.advance(329_999)
  t.match(await look(), { state: 'up', nextCheckAt: new Date(dueAtMs).toISOString() })
  await clock.advance(1)
  const down = await until(async () => {
    const monitor = await look()
    return monitor.state === 'down' && monitor
  })
  t.match(down.lastError, { kind: 'missed', message: /no report within 5 min and 30 s of grace/ })
  t.equal(down.stateSince, new Date(dueAtMs).toISOString())
  await clock.advance(1_000)
  const [opened] = await receiver.received(1)
  t.match(bodyOf(opened), {
    type: 'incident.opened',
    data: { incident: { id: down.openIncidentId, startedAt: new Date(dueAtMs).toISOString() } },
  })
  t.equal((await push()).status, 200)
  t.match(await look(), { state: 'up', openIncidentId: null })
})

t.test('a sender that calls too often must wait, without delaying others', async (t) => {
  const clock = Object.assign(new FakeClock(), { onJump() {}, stop() {} })
  const env = { HTTP_RATE_PUSH_PER_MINUTE: '3' }
  const { push, daemon, org, key } = await open(t, { clock, env })
  for (let report = 0; report < 3; report += 1) t.equal((await push()).status, 200)
  const refused = await push()
  t.match(refused, { status: 429, json: { code: 'rate_limited' } })
  const waitSeconds = Number(refused.headers.get('retry-after'))
  t.ok(waitSeconds > 0 && waitSeconds <= 60, `${waitSeconds}`)
  const other = await daemon.need('POST', `${org}/monitors`, {
    key,
    json: { name: 'Other', checkType: 'push' },
  })
  t.equal((await push('', undefined, other.pushToken)).status, 200)
  await clock.advance(waitSeconds * 1_000)
  t.equal((await push()).status, 200)
})
