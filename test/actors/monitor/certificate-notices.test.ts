// A certificate comes near its end: who is told, how often, and when nobody is.
import t, { type Test } from 'tap'
import { dayMs } from '../../../src/domain/health/span.ts'
import { channelNo } from '../../support/make-channel.ts'
import { channelA, orgA } from '../../support/make-incident.ts'
import {
  failed,
  good,
  type MonitorWorld,
  makeReading,
  type Seen,
  settled,
  slow,
  startMonitorWorld,
  unknown,
} from '../../support/monitor-world.ts'

const url = 'https://user:pass@shop.test/pay?token=hidden'

async function begin(t: Test, channel = {}) {
  const world = startMonitorWorld(t, { inMemory: true })
  await world.clock.advance(1_000)
  await world.addChannel(channel)
  return world
}

/** What a check sees of a certificate that ends so many days from now. */
function showing(world: MonitorWorld, days: number, seen: Seen = good): Seen {
  const expiresAtMs = world.clock.nowMs() + days * dayMs
  return { ...seen, certificate: { expiresAtMs, issuer: 'Test CA' } }
}

/** What a channel is owed or was told, oldest first. */
function told(world: MonitorWorld, channelId = channelA) {
  return world.store.deliveries
    .list(orgA, channelId, { limit: 1_000 })
    .toReversed()
    .map(({ payloadJson, ...delivery }) => ({ ...delivery, payload: JSON.parse(payloadJson) }))
}

const thresholdsTold = (world: MonitorWorld) =>
  told(world).map(({ payload }) => payload.data.thresholdDays)

t.test('each threshold is announced once, while the monitor stays up', async (t) => {
  const world = await begin(t)
  const monitor = await world.add({ url })
  const seen = showing(world, 40)
  await world.see(monitor, Array(82).fill(seen), dayMs / 2)
  t.same(thresholdsTold(world), [30, 14, 7, 3, 1])
  t.match(world.monitorState(monitor), { health: { state: 'up', openIncidentId: null } })
  t.same(world.incidents(), [])
  const events = told(world).map(({ event, incidentId }) => [event, incidentId])
  t.same(events, Array(5).fill(['certificate.expiring', null]))
  t.equal(new Set(told(world).map(({ webhookId }) => webhookId)).size, 5)
  t.match(world.news.at(-1)?.committed, { isNews: true, hasTurned: false })
  t.same(world.woken, Array(5).fill(channelA))
  t.equal(world.news.length, 6, 'the first look, and each notice')
})

t.test('a message names the certificate and its monitor, and no secret', async (t) => {
  const world = await begin(t)
  const monitor = await world.add({ url, name: 'Shop' })
  const seen = showing(world, 5)
  const atMs = world.clock.nowMs() + 60_000
  await world.see(monitor, [seen, seen])
  const [delivery, ...more] = told(world)
  t.same(more, [])
  t.same(delivery?.payload, {
    type: 'certificate.expiring',
    timestamp: new Date(atMs).toISOString(),
    data: {
      orgId: orgA,
      monitor: { id: monitor.id, name: 'Shop', url: 'https://shop.test/pay' },
      certificate: {
        expiresAt: new Date(atMs - 60_000 + 5 * dayMs).toISOString(),
        issuer: 'Test CA',
        daysLeft: 4,
      },
      thresholdDays: 7,
      url: `https://up.test/api/v1/orgs/${orgA}/monitors/${monitor.id}`,
    },
  })
})

t.test('a new certificate starts over; two that alternate are announced once each', async (t) => {
  const world = await begin(t)
  const monitor = await world.add()
  const [old, other, renewed] = [5, 6, 90].map((days) => showing(world, days))
  await world.see(monitor, [old, other, renewed, old, other, renewed] as Seen[])
  t.same(thresholdsTold(world), [7, 7])
  await world.see(monitor, [renewed] as Seen[], 80 * dayMs)
  t.same(thresholdsTold(world), [7, 7, 14])
})

t.test('a failed or unknown check, and one after a pause, announce nothing', async (t) => {
  const world = await begin(t)
  const monitor = await world.add({ failureThreshold: 9 })
  const [bad, blind, late] = [failed, unknown, slow].map((seen) => showing(world, 5, seen))
  await world.see(monitor, [bad, blind] as Seen[])
  await world.see(monitor, [showing(world, -1)])
  t.same(told(world), [])
  const paused = await world.add({ id: `${monitor.id.slice(0, -1)}9` as never, isActive: false })
  await world.see(paused, [late] as Seen[])
  t.same(told(world), [])
  await world.see(monitor, [late] as Seen[])
  t.same(thresholdsTold(world), [7], 'a slow answer shows its certificate as well')
})

t.test("the thresholds are the monitor's own, and there may be none", async (t) => {
  const world = await begin(t)
  const seen = showing(world, 5)
  const silent = await world.add({ certificateWarnDays: [] })
  await world.see(silent, [seen])
  t.same(told(world), [])
  const other = { id: `${silent.id.slice(0, -1)}9` as never, certificateWarnDays: [2, 100] }
  await world.see(await world.add(other), [seen, seen])
  t.same(thresholdsTold(world), [100])
})

t.test('notices go to the channels for outages, if they subscribed', async (t) => {
  const world = await begin(t, { delayMinutes: 10 })
  await world.addChannel({ id: channelNo(2), isDefault: true, events: ['incident.opened'] })
  await world.addChannel({ id: channelNo(3), isDefault: true, minSeverity: 'down' })
  await world.addChannel({ id: channelNo(4), isDefault: true, isActive: false })
  await world.addChannel({ id: channelNo(5), isDefault: false })
  const seen = showing(world, 5)
  await world.see(await world.add(), [seen])
  const heard = () => [2, 3, 4, 5].map((number) => told(world, channelNo(number)).length)
  t.match(told(world), [{ state: 'pending', dueAtMs: world.clock.nowMs() }], 'without a delay')
  t.same(heard(), [0, 0, 0, 0])
  const own = { id: 'mon_01k00000000000000000000009' as never, notifyChannelIds: [channelNo(5)] }
  await world.see(await world.add(own), [seen])
  t.same(heard(), [0, 0, 0, 1])
  t.equal(told(world).length, 1)
})

t.test('a notice without a channel is announced to a channel that is added later', async (t) => {
  const world = await begin(t, { events: ['incident.opened'] })
  const monitor = await world.add()
  const seen = showing(world, 5)
  await world.see(monitor, [seen, seen])
  t.same(told(world), [])
  await world.addChannel()
  await world.see(monitor, [seen, seen])
  t.same(thresholdsTold(world), [7])
})

t.test('a notice and an outage of the same check are queued in one transaction', async (t) => {
  const world = startMonitorWorld(t, { inMemory: true })
  await world.addChannel()
  const hasty = { degradedOpensIncident: true, degradedThreshold: 1 }
  const monitor = await world.add({ ...hasty, degradedThresholdMs: 1_000 })
  await world.see(monitor, [showing(world, 5, slow)])
  t.same(world.events(), ['incident.opened', 'certificate.expiring'])
  t.same(world.woken, [channelA, channelA])
})

t.test('a notice that cannot be written leaves no trace and comes again', async (t) => {
  let isBroken = true
  const world = startMonitorWorld(t, {
    inMemory: true,
    afterNotice() {
      if (isBroken) throw new Error('killed')
    },
  })
  await world.addChannel()
  const monitor = await world.add()
  const before = world.monitorState(monitor)
  const reading = makeReading(world.clock.nowMs(), showing(world, 5))
  const commit = () => settled(world.store, world.commit.reading(monitor, reading))
  await t.rejects(commit(), { message: 'killed' })
  t.same(told(world), [])
  t.same(world.monitorState(monitor), before)
  isBroken = false
  await commit()
  await commit()
  t.same(thresholdsTold(world), [7])
  const expiresAtMs = reading.certificate?.expiresAtMs
  t.same(world.monitorState(monitor).certificatesTold, [{ expiresAtMs, thresholdDays: 7 }])
})

t.test('a check without news about its certificate reads no channels', async (t) => {
  const world = await begin(t)
  const monitor = await world.add()
  const seen = showing(world, 5)
  await world.see(monitor, [seen])
  const { channels } = world.store
  let looks = 0
  const counted =
    <Args extends unknown[], Value>(read: (...args: Args) => Value) =>
    (...args: Args) => {
      looks += 1
      return read(...args)
    }
  Object.assign(channels, {
    get: counted(channels.get),
    defaults: counted(channels.defaults),
  })
  await world.see(monitor, [seen, showing(world, 90), good, seen])
  t.equal(looks, 0)
  await world.see(monitor, [showing(world, 6)])
  t.equal(looks, 1)
})
