// A certificate comes near its end: who is told, how often, and when nobody is.
import t, { type Test } from 'tap'
import type { MonitorId } from '../../../src/base/ids.ts'
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

/** The same of one that several monitors may use. */
function sharing(seen: Seen, fingerprint = 'ab12'): Seen {
  return { ...seen, certificate: { expiresAtMs: 0, issuer: '', ...seen.certificate, fingerprint } }
}

const monitorId = (number: number) => `mon_01k0000000000000000000000${number}` as MonitorId

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

const monitorsOf = (id: string) => {
  const shown = { id, name: 'Shop', url: 'https://shop.test/pay', runbookUrl: null }
  return { monitor: shown, monitors: [shown], monitorsTotal: 1 }
}

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
      ...monitorsOf(monitor.id),
      certificate: {
        expiresAt: new Date(atMs - 60_000 + 5 * dayMs).toISOString(),
        issuer: 'Test CA',
        daysLeft: 4,
      },
      thresholdDays: 7,
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

t.test('monitors with the same certificate share one notice for each threshold', async (t) => {
  const world = await begin(t)
  const names = ['Shop', 'Blog', 'Mail']
  const monitors = await Promise.all(
    names.map((name, index) => world.add({ id: monitorId(index + 1), name })),
  )
  const early = sharing(showing(world, 40))
  for (const monitor of monitors) await world.see(monitor, [early], dayMs / 24)
  t.same(told(world), [])
  for (let days = 0; days < 39; days++) {
    for (const monitor of monitors) await world.see(monitor, [early], dayMs / 3)
  }
  t.same(thresholdsTold(world), [30, 14, 7, 3, 1])
  for (const { payload } of told(world)) {
    t.equal(payload.data.monitorsTotal, 3)
    const named = payload.data.monitors.map(({ name }: { name: string }) => name)
    t.same(named.toSorted(), names.toSorted())
  }
})

t.test('each channel is told once, and a new certificate starts over', async (t) => {
  const world = await begin(t)
  const own = await world.addChannel({ id: channelNo(2), isDefault: false })
  const shop = await world.add({ id: monitorId(1) })
  const blog = await world.add({ id: monitorId(2), notifyChannelIds: [own.id] })
  const both = await world.add({ id: monitorId(3), notifyChannelIds: [own.id, channelA] })
  const seen = sharing(showing(world, 5))
  for (const monitor of [shop, blog, both]) await world.see(monitor, [seen])
  t.equal(told(world).length, 1)
  t.equal(told(world, own.id).length, 1)
  const renewed = sharing(showing(world, 6), 'cd34')
  for (const monitor of [both, blog, shop]) await world.see(monitor, [renewed])
  t.equal(told(world).length, 2)
  t.equal(told(world, own.id).length, 2)
  t.equal(told(world).at(-1)?.payload.data.monitorsTotal, 1, 'known to use the new one by then')
})

t.test('monitors that left the certificate, or are deleted, are not named', async (t) => {
  const world = await begin(t)
  const [shop, blog, gone] = await Promise.all(
    [1, 2, 3].map((number) => world.add({ id: monitorId(number), name: `M${number}` })),
  )
  if (!shop || !blog || !gone) throw new Error('three monitors were made')
  const seen = sharing(showing(world, 40))
  for (const monitor of [shop, blog, gone]) await world.see(monitor, [seen])
  await world.see(blog, [sharing(showing(world, 90), 'cd34')])
  const { fingerprint } = world.monitorState(gone).certificate ?? {}
  await world.store.write((tx) => {
    const use = { orgId: orgA, monitorId: gone.id, before: fingerprint, now: undefined }
    world.store.certificates.noteUse(tx, use)
    world.store.monitors.remove(tx, gone)
  })
  await world.see(shop, [seen], 20 * dayMs)
  t.match(told(world), [{ payload: { data: { monitorsTotal: 1, monitors: [{ name: 'M1' }] } } }])
  t.equal(told(world)[0]?.payload.data.monitors.length, 1)
})

t.test('a certificate of a hundred monitors names ten, and says how many there are', async (t) => {
  const world = await begin(t)
  const ids = Array.from(
    { length: 100 },
    (_, index) => `mon_01k${String(index + 10).padStart(23, '0')}`,
  )
  const early = sharing(showing(world, 40))
  for (const id of ids) await world.see(await world.add({ id: id as MonitorId }), [early], 0)
  const last = await world.add({ id: monitorId(1), name: 'Last' })
  await world.see(last, [early], 20 * dayMs)
  const [{ payload } = { payload: { data: {} } }] = told(world)
  t.equal(payload.data.monitors.length, 10)
  t.equal(payload.data.monitors[0].name, 'Last')
  t.equal(payload.data.monitorsTotal, 101)
})

t.test('what channels were told of certificates is forgotten once they have expired', async (t) => {
  const world = await begin(t)
  const monitor = await world.add()
  const { certificates } = world.store
  await world.see(monitor, [sharing(showing(world, 5))])
  t.equal(certificates.toldDays(orgA, 'ab12', channelA), 7)
  await world.see(monitor, [sharing(showing(world, 25), 'cd34')], 10 * dayMs)
  t.equal(certificates.toldDays(orgA, 'ab12', channelA), undefined)
  t.equal(certificates.toldDays(orgA, 'cd34', channelA), 30)
  t.same(certificates.users(orgA, 'ab12'), [])
  await world.store.write((tx) => certificates.forget(tx, orgA, 100))
  t.same(certificates.users(orgA, 'cd34'), [])
  t.equal(certificates.toldDays(orgA, 'cd34', channelA), undefined)
})

t.test('a domain is announced once for each threshold, and again after a renewal', async (t) => {
  const world = await begin(t)
  const monitor = await world.add({ checkType: 'domain', url: 'domain://shop.test' })
  const until = (days: number): Seen => ({
    ...good,
    registration: {
      name: 'shop.test',
      expiresAtMs: world.clock.nowMs() + days * dayMs,
      registrar: 'Example Registrar',
    },
  })
  const seen = until(40)
  await world.see(monitor, Array(79).fill(seen), dayMs / 2)
  t.same(thresholdsTold(world), [30, 14, 7, 3, 1])
  t.match(told(world)[0], {
    event: 'domain.expiring',
    incidentId: null,
    payload: {
      type: 'domain.expiring',
      data: {
        monitor: { id: monitor.id, url: 'domain://shop.test' },
        domain: { name: 'shop.test', registrar: 'Example Registrar', daysLeft: 30 },
        thresholdDays: 30,
      },
    },
  })
  t.same(world.incidents(), [])
  await world.see(monitor, [until(20)])
  t.same(thresholdsTold(world).slice(5), [30])
})

t.test('a domain without thresholds, or without a channel for it, is not announced', async (t) => {
  const world = await begin(t, { events: ['incident.opened'] })
  const registration = {
    name: 'shop.test',
    expiresAtMs: world.clock.nowMs() + 5 * dayMs,
    registrar: null,
  }
  const domain = { checkType: 'domain', url: 'domain://shop.test' } as const
  const monitor = await world.add(domain)
  await world.see(monitor, [{ ...good, registration }])
  t.same(told(world), [])
  await world.addChannel()
  await world.see(monitor, [{ ...good, registration }])
  t.same(thresholdsTold(world), [7], 'a channel that is added later gets it')
  const silent = await world.add({ ...domain, id: monitorId(2), domainWarnDays: [] })
  await world.see(silent, [{ ...good, registration }])
  t.equal(told(world).length, 1)
})
