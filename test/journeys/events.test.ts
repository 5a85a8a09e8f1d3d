// The event stream of an organization: an outage as it happens, and the end of the right to hear.
import t from 'tap'
import { mintKey, register, registerWithKey } from '../support/cast.ts'
import { type Daemon, startDaemon } from '../support/daemon.ts'
import { type EventStream, readEvents } from '../support/event-stream.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { answer, startTarget } from '../support/target.ts'
import { until } from '../support/until.ts'

const daemon = await startDaemon(t)
const alice = await registerWithKey(daemon)
const bob = await register(daemon, 'bob')
const target = await startTarget()
t.teardown(() => target.close())

const listen = (headers: Record<string, string>, org = alice.org, query = '') =>
  listenTo(daemon, headers, org, query)

async function listenTo(
  { url }: Daemon,
  headers: Record<string, string>,
  org: string,
  query = '',
): Promise<EventStream> {
  const stream = await readEvents(`${url}/api/v1${org}/events${query}`, headers)
  t.teardown(stream.stop)
  return stream
}

const cookieOf = ({ cookie }: { cookie: string }) => ({ cookie: `auth-token=${cookie}` })

t.test('an outage is streamed as it happens, only to its organization', async (t) => {
  const [byKey, byCookie, states, others] = await Promise.all([
    listen({ 'x-api-key': alice.key }),
    listen(cookieOf(alice)),
    listen(cookieOf(alice), alice.org, '?types=monitor.state,incident.opened'),
    listen(cookieOf(bob), bob.org),
  ])
  const thresholds = { failureThreshold: 1, recoveryThreshold: 1 }
  const json = { name: 'shop', url: target.url, intervalMinutes: 1_440, ...thresholds }
  const { id } = await daemon.need('POST', `${alice.org}/monitors`, { key: alice.key, json })
  const run = () => daemon.need('POST', `${alice.org}/monitors/${id}`, { key: alice.key })
  // The first check is made by itself: one that is asked for may join it, or come after it.
  await until(() => byKey.events.some(({ event }) => event === 'check.completed'))
  target.script = answer({ status: 503 })
  await run()
  target.script = answer()
  await run()
  await daemon.need('POST', `${alice.org}/monitors/${id}/pause`, { key: alice.key })
  for (const { events } of [byKey, byCookie, states]) {
    await until(() => events.at(-1)?.data.state === 'paused')
  }
  const told = byKey.events.filter(
    ({ event }) => !/^(check.completed|monitor.changed)$/.test(event),
  )
  t.same(
    told.map(({ event, data }) => `${event} ${data.state ?? data.incident.state}`),
    [
      'monitor.state up',
      'incident.opened open',
      'monitor.state down',
      'incident.resolved resolved',
      'monitor.state up',
      'monitor.state paused',
    ],
  )
  t.match(told[1]?.data.incident, { monitorIds: [id], cause: /503/ })
  t.equal(told[1]?.data.incident.startedAtMs, undefined, 'as the API shows it, and no more')
  const checks = byKey.events.filter(({ event }) => event === 'check.completed')
  t.match(
    checks.map(({ data }) => data.outcome),
    ['up', 'down', 'up'],
  )
  const changes = byKey.events.filter(({ event }) => event === 'monitor.changed')
  t.same(
    changes.map(({ data }) => `${data.name} ${data.change}`),
    ['shop created', 'shop changed'],
  )
  t.same(byCookie.events, byKey.events, 'every listener hears the same')
  t.ok(states.events.every(({ event }) => /^(monitor\.state|incident\.opened)$/.test(event)))
  t.same(others.events, [])

  const lastId = told[2]?.id ?? ''
  const again = await listen({ 'x-api-key': alice.key, 'last-event-id': lastId })
  const missed = byKey.events.slice(byKey.events.findIndex((one) => one.id === lastId) + 1)
  await until(() => again.events.length === missed.length)
  t.same(again.events, missed)
  const lost = await listen({ 'x-api-key': alice.key, 'last-event-id': 'another-1' })
  await until(() => lost.events.length > 0)
  t.equal(lost.events[0]?.event, 'stream.gap')
})

t.test('what people do to monitors is streamed', async (t) => {
  const { events } = await listen({ 'x-api-key': alice.key }, alice.org, '?types=monitor.changed')
  const need = (method: string, path: string, json?: object) =>
    daemon.need(method, `${alice.org}${path}`, json ? { key: alice.key, json } : { key: alice.key })
  const json = { name: 'job', checkType: 'push', intervalMinutes: 5 }
  const { id } = await need('POST', '/monitors', json)
  await need('PATCH', `/monitors/${id}`, { name: 'night job' })
  await need('DELETE', `/monitors/${id}`)
  await until(() => events.length === 3)
  t.match(
    events.map(({ data }) => data),
    [
      { monitorId: id, name: 'job', change: 'created' },
      { monitorId: id, name: 'night job', change: 'changed' },
      { monitorId: id, name: 'night job', change: 'deleted' },
    ],
  )
})

t.test('a stream ends at once with the key or the session that opened it', async (t) => {
  // No time passes: what looks after a while would not see it.
  const clock = Object.assign(new FakeClock(), { onJump() {}, stop() {} })
  const daemon = await startDaemon(t, { clock })
  const alice = await registerWithKey(daemon)
  const bob = await register(daemon, 'bob')
  const key = await mintKey(daemon, alice, 'viewer')
  const { data: keys } = (
    await daemon.ask('GET', `/api/v1${alice.org}/api-keys`, { cookie: alice.cookie })
  ).json
  const [byKey, byCookie, stays] = await Promise.all([
    listenTo(daemon, { 'x-api-key': key }, alice.org),
    listenTo(daemon, cookieOf(bob), bob.org),
    listenTo(daemon, { 'x-api-key': alice.key }, alice.org),
  ])
  await daemon.need('DELETE', `${alice.org}/api-keys/${keys[0].id}`, { cookie: alice.cookie })
  await until(byKey.hasEnded)
  await daemon.need('POST', '/auth/logout', { cookie: bob.cookie })
  await until(byCookie.hasEnded)
  t.notOk(stays.hasEnded())
})

t.test('invalid requests are refused before the stream opens', async (t) => {
  const statusOf = async (headers: Record<string, string>, org = alice.org, query = '') =>
    (await listen(headers, org, query)).status
  t.equal(await statusOf({}), 401)
  t.equal(await statusOf({ 'x-api-key': alice.key }, bob.org), 404)
  t.equal(await statusOf({ 'x-api-key': alice.key }, alice.org, '?types=everything'), 400)
})
