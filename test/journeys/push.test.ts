// Push monitors: senders report, one that falls silent is noticed, and nobody else can speak.
import t, { type Test } from 'tap'
import type { KeyRole } from '../../src/domain/access.ts'
import { mintKey, registerWithKey } from '../support/cast.ts'
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
  const owner = await registerWithKey(daemon)
  const { org, key } = owner
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
    mint: (role: KeyRole) => mintKey(daemon, owner, role),
    owner,
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
    ['/start', 'down'],
    ['/log', 'down'],
    ['?status=ok', 'up'],
    ['/fail', 'down'],
    ['?status=up&msg=OK&ping=', 'up'],
    ['/start', 'up'],
    ['?status=down&msg=N/A&ping=12', 'down'],
    ['/ok', 'up'],
    ['?status=error&message=late&durationMs=5', 'down'],
  ] as const) {
    t.equal((await push(word)).status, 200, word)
    t.equal((await look()).state, state, word)
  }
  for (const word of ['/256', '/-1', '/maybe', '/ok/more', '/constructor']) {
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
  for (const type of [
    'application/xml',
    'multipart/form-data',
    'application/json; charset=latin1',
  ]) {
    const headers = { 'content-type': type }
    t.equal((await daemon.ask('POST', path, { body: '<a/>', headers })).status, 415, type)
  }
  const output = { body: 'x'.repeat(140_000), headers: { 'content-type': 'text/plain' } }
  t.match(await daemon.ask('POST', path, output), { status: 413 })
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  for (const body of ['status=fine', 'status=ok&durationMs=x']) {
    t.equal((await daemon.ask('POST', path, { body, headers: form })).status, 400, body)
  }
  for (const query of ['?status=fine', '?durationMs=-1', `?rid=${'x'.repeat(101)}`]) {
    t.equal((await daemon.ask('GET', `${path}${query}`)).status, 400, query)
  }
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
  // The message may wait for a moment of this time, and is on its way in the real one.
  const [opened] = await until(async () => {
    await clock.advance(100)
    return receiver.requests.length > 0 && receiver.requests
  })
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

const clockOf = () => Object.assign(new FakeClock(), { onJump() {}, stop() {} })

t.test('a job reports its start, its output and its exit code, as with Healthchecks', async (t) => {
  const clock = clockOf()
  const { daemon, monitor, key, pushToken, look, push } = await open(t, { clock })
  const path = `/api/v1/push/${pushToken}`
  const curl = { 'content-type': 'application/x-www-form-urlencoded' }
  const send = (how: string, body: string, headers: Readonly<Record<string, string>> = curl) =>
    daemon.ask('POST', `${path}${how}`, { body, headers })
  const runs = () => daemon.need('GET', `${monitor}/runs`, { key })
  t.same(await runs(), [])

  t.equal((await push('/start?rid=first')).status, 200)
  t.match(await look(), { state: 'pending' })
  t.match(await runs(), [{ number: 1, status: 'running', runId: 'first', durationMs: null }])
  await clock.advance(61_000)
  t.equal((await send('/0?rid=first', 'copied 3 files\nstatus=done & dusted\n')).status, 200)
  t.match(await look(), { state: 'up', responseTimeMs: 61_000 })
  t.match(await runs(), [
    { number: 1, status: 'ok', exitCode: 0, durationMs: 61_000, hasLog: true, runId: 'first' },
  ])
  const first = await daemon.need('GET', `${monitor}/runs/1`, { key })
  t.equal(first.log, 'copied 3 files\nstatus=done & dusted\n')

  const noise = `${'noise\n'.repeat(5_000)}tar: /srv: Cannot open`
  t.equal((await send('/2', noise, { 'content-type': 'text/plain; charset=utf-8' })).status, 200)
  t.match(await look(), { state: 'down', lastError: { message: 'the job ended with exit code 2' } })
  const failed = await daemon.need('GET', `${monitor}/runs/2`, { key })
  t.match(failed, { status: 'error', exitCode: 2, startedAt: null })
  t.match(failed.log, /^\[the first \d+ bytes are not kept\]\n(?:noise\n)*tar: \/srv: Cannot open$/)
  t.equal((await send('', 'status=ok&message=by+hand&durationMs=5')).status, 200)
  t.match(await look(), { state: 'up', responseTimeMs: 5 }, 'a form with the fields of a report')
  t.equal((await runs()).length, 2)

  t.equal((await send('/log', 'a note')).status, 200)
  t.equal((await push('?status=ok')).status, 200)
  t.match(await runs(), [{ number: 3, status: 'log', hasLog: true }, {}, {}])
  const page = await daemon.ask('GET', `/api/v1${monitor}/runs?limit=2`, { key })
  t.match(page.json.data, [{ number: 3 }, { number: 2 }])
  const { nextCursor } = page.json.meta
  t.match(await daemon.need('GET', `${monitor}/runs?limit=2&cursor=${nextCursor}`, { key }), [
    { number: 1 },
  ])
  for (const number of ['4', '0', 'x', '1e0']) {
    t.equal(
      (await daemon.ask('GET', `/api/v1${monitor}/runs/${number}`, { key })).status,
      404,
      number,
    )
  }
})

t.test('only members read the output of a job', async (t) => {
  const { daemon, org, monitor, pushToken, mint } = await open(t)
  await daemon.ask('POST', `/api/v1/push/${pushToken}/0`, {
    body: 'password=hunter2',
    headers: { 'content-type': 'text/plain' },
  })
  const viewer = await mint('viewer')
  t.match(await daemon.need('GET', `${monitor}/runs/1`, { key: viewer }), {
    hasLog: true,
    log: null,
  })
  t.equal((await daemon.ask('POST', `/api/v1${monitor}/push-token`, { key: viewer })).status, 403)
  t.equal((await daemon.ask('GET', `/api/v1${org}/monitors`, { key: viewer })).status, 200)
})

t.test(
  'a schedule and a limit for runs are judged, and changes of them count at once',
  async (t) => {
    const clock = clockOf()
    const { daemon, monitor, key, push, look } = await open(t, { clock })
    const change = (json: object) => daemon.need('PATCH', monitor, { key, json })
    await push()
    const fields = { schedule: '0 4 * * *', timezone: 'Asia/Tokyo', graceSeconds: 0 }
    const { nextCheckAt } = await change(fields)
    t.match(nextCheckAt, /T19:00:00.000Z$/)
    const started = await push('/start?runId=x')
    t.equal(started.json.data.nextDueAt, nextCheckAt, 'without a limit the next run counts')
    const limited = await change({ maxRunSeconds: 600 })
    t.equal(Date.parse(limited.nextCheckAt), clock.nowMs() + 600_000)
    await clock.advance(600_000)
    const down = await until(async () => {
      const now = await look()
      return now.state === 'down' && now
    })
    t.match(down.lastError, {
      kind: 'missed',
      message: /^the run x that began at .* within 10 min$/,
    })
    t.match(await daemon.need('GET', `${monitor}/runs`, { key }), [{ status: 'timeout' }])
    t.match(
      await daemon.ask('PATCH', `/api/v1${monitor}`, { key, json: { schedule: '61 * * * *' } }),
      {
        status: 422,
        json: { errors: [{ pointer: '/schedule' }] },
      },
    )
  },
)

t.test('a replaced token works for a day, or not at all', async (t) => {
  const clock = clockOf()
  const { daemon, monitor, key, pushToken, push, org, owner } = await open(t, { clock })
  const replace = (json: object) => daemon.need('POST', `${monitor}/push-token`, { key, json })
  const { status: before } = await push()
  t.equal(before, 200)
  const second = await replace({})
  t.match(second.pushToken, /^spp_/)
  t.equal(Date.parse(second.formerTokenUntil), clock.nowMs() + 86_400_000)
  t.ok(second.pushUrl.endsWith(second.pushToken))
  t.match(await daemon.need('GET', monitor, { key }), { pushToken: second.pushToken })
  const statusWith = async (token: string) => (await push('', undefined, token)).status
  t.equal(await statusWith(pushToken), 200)
  t.equal(await statusWith(second.pushToken), 200)
  const third = await replace({ revokeNow: true })
  t.equal(third.formerTokenUntil, null)
  t.equal(await statusWith(pushToken), 404)
  t.equal(await statusWith(second.pushToken), 404)
  t.equal(await statusWith(third.pushToken), 200)
  const entries = await daemon.need('GET', `${org}/audit-log?limit=2`, { cookie: owner.cookie })
  t.match(entries, [{ action: 'monitor.token_replaced' }, { action: 'monitor.token_replaced' }])
})

t.test('an old sender names the monitor and an API key of its organization', async (t) => {
  const { daemon, monitor, look, mint } = await open(t)
  const id = monitor.split('/').at(-1)
  const key = await mint('member')
  const send = async (how: string, apiKey: string | undefined) => {
    const query = apiKey === undefined ? '' : `?apiKey=${apiKey}`
    return (await daemon.ask('GET', `/api/v1/push/${id}${how}${query}`)).status
  }
  t.equal(await send('', key), 200)
  t.equal((await look()).state, 'up')
  t.equal(await send('/fail', key), 200)
  t.equal((await look()).state, 'down')
  const foreign = await registerWithKey(daemon, 'eve')
  for (const wrong of [undefined, '', 'x', foreign.key, await mint('viewer'), unknownToken]) {
    t.equal(await send('', wrong), 404, `${wrong}`)
  }
  t.equal((await look()).state, 'down')
})
