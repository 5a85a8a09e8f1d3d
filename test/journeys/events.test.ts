// The event stream of an organization: an outage as it happens, and the end of the right to hear.
import t from 'tap'
import { mintKey, needOf, password, register, registerWithKey } from '../support/cast.ts'
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
  const need = needOf(daemon, alice)
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

t.test('a stream ends at once with the membership or account of who made its key', async (t) => {
  const clock = Object.assign(new FakeClock(), { onJump() {}, stop() {} })
  const daemon = await startDaemon(t, { clock })
  const alice = await register(daemon, 'alice')
  const joined = async (name: string) => {
    const invite = { cookie: alice.cookie, json: { email: `${name}@example.com`, role: 'admin' } }
    const { token } = await daemon.need('POST', `${alice.org}/invites`, invite)
    const json = { email: `${name}@example.com`, password, inviteToken: token }
    const { user, token: cookie } = await daemon.need('POST', '/auth/register', { json })
    const key = await mintKey(daemon, { ...alice, cookie }, 'admin')
    const headers = { 'x-api-key': key }
    const stream = await listenTo(daemon, headers, alice.org)
    return { userId: user.id as string, cookie: cookie as string, key, stream }
  }
  const ann = await joined('ann')
  const ben = await joined('ben')
  const cat = await joined('cat')
  const dan = await joined('dan')
  const members = `${alice.org}/members`
  const demotion = { cookie: alice.cookie, json: { userId: dan.userId, role: 'viewer' } }
  const demoted = await daemon.need('PATCH', members, demotion)
  t.match(demoted.apiKeys, [{ role: 'admin', effectiveRole: 'viewer' }])
  const removed = await daemon.need('DELETE', `${members}/${ann.userId}`, { cookie: alice.cookie })
  t.match(removed.apiKeys, [{ effectiveRole: null, endedBecause: 'maker_left' }])
  await until(ann.stream.hasEnded)
  t.notOk(ben.stream.hasEnded())
  await daemon.need('DELETE', `${members}/${ben.userId}`, { cookie: ben.cookie })
  await until(ben.stream.hasEnded)
  t.notOk(cat.stream.hasEnded())
  await daemon.need('DELETE', '/user', { cookie: cat.cookie })
  await until(cat.stream.hasEnded)
  t.notOk(dan.stream.hasEnded(), 'a viewer may listen')
  const name = { key: dan.key, json: { name: 'x', url: target.url } }
  t.equal((await daemon.ask('POST', `/api/v1${alice.org}/monitors`, name)).status, 403)
  for (const { key } of [ann, ben, cat]) {
    t.equal((await daemon.ask('GET', `/api/v1${alice.org}/monitors`, { key })).status, 401)
  }
  const { id } = removed.apiKeys[0]
  await daemon.need('POST', `${alice.org}/api-keys/${id}/adopt`, { cookie: alice.cookie })
  t.equal((await daemon.ask('GET', `/api/v1${alice.org}/monitors`, { key: ann.key })).status, 200)
})

t.test('invalid requests are refused before the stream opens', async (t) => {
  const statusOf = async (headers: Record<string, string>, org = alice.org, query = '') =>
    (await listen(headers, org, query)).status
  t.equal(await statusOf({}), 401)
  t.equal(await statusOf({ 'x-api-key': alice.key }, bob.org), 404)
  t.equal(await statusOf({ 'x-api-key': alice.key }, alice.org, '?types=everything'), 400)
})
