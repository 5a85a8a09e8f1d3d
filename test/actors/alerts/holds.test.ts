// Alerts of what depends on something that is down: held, and told later or not at all.
import t, { type Test } from 'tap'
import { heldLookMs } from '../../../src/actors/alerts/holds.ts'
import type { MonitorId } from '../../../src/base/ids.ts'
import type { Channel } from '../../../src/domain/alerts/channel.ts'
import { acknowledged } from '../../../src/domain/incidents/incident.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import { initialMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { amount } from '../../support/depth.ts'
import { monitorNo } from '../../support/make-page.ts'
import { makeWindow } from '../../support/make-window.ts'
import { failed, good, type MonitorWorld, startMonitorWorld } from '../../support/monitor-world.ts'

const minuteMs = 60_000

/** A router and a shop behind it, both watched each minute; what fails is named in `down`. */
async function begin(t: Test, router: Partial<Monitor> = {}, shop: Partial<Monitor> = {}) {
  const world = startMonitorWorld(t, { inMemory: true })
  const down = new Set<string>()
  world.answer = ({ name }) => (down.has(name) ? failed : good)
  await world.addChannel()
  const pace = { intervalSeconds: 60 }
  const above = await world.add({ id: monitorNo(1), name: 'Router', ...pace, ...router })
  const dependsOn = [above.id]
  const below = await world.add({ id: monitorNo(2), name: 'Shop', ...pace, dependsOn, ...shop })
  const start = () => {
    for (const monitor of [above, below]) {
      world.fleet.start(monitor, 'start', world.monitorState(monitor))
    }
  }
  start()
  await world.run(3 * minuteMs)
  return { world, down, router: above, shop: below, start }
}

/** What the channel is told, by the name of the monitor. */
function told({ store, incidents }: MonitorWorld, channel?: Channel): string[] {
  const id = channel?.id ?? ('chn_01k0000000000000000000000a' as Channel['id'])
  const orgId = incidents()[0]?.orgId
  if (!orgId) return []
  const names = new Map(incidents().map((one) => [one.id, one.title.split(' ')[0]]))
  return store.deliveries
    .list(orgId, id, { limit: 2_000 })
    .toReversed()
    .map(({ event, incidentId }) => `${incidentId && names.get(incidentId)} ${event.slice(9)}`)
}

function incidentOf(world: MonitorWorld, { id }: { readonly id: MonitorId }) {
  const found = world.incidents().findLast(({ monitorIds }) => monitorIds.includes(id))
  if (!found) throw new Error('it has no incident')
  return found
}

const kindsOf = (world: MonitorWorld, monitor: { readonly id: MonitorId }) =>
  incidentOf(world, monitor).timeline.map(({ kind }) => kind)

t.test('what comes back with what it depends on is told to nobody', async (t) => {
  const { world, down, shop } = await begin(t)
  down.add('Router').add('Shop')
  await world.run(20 * minuteMs)
  t.same(told(world), ['Router opened'])
  t.match(incidentOf(world, shop), { state: 'open', heldBy: monitorNo(1) })
  const [, held] = incidentOf(world, shop).timeline
  t.match(held, { kind: 'held', isPublic: false })
  t.match(held?.message, /^Alerts are held: "Router" (is down|may be down as well)\.$/)
  down.clear()
  await world.run(20 * minuteMs)
  t.same(told(world), ['Router opened', 'Router resolved'])
  t.same(kindsOf(world, shop), ['opened', 'held', 'resolved'])
  t.notOk(incidentOf(world, shop).heldBy)
})

t.test('what stays down is told after a new check, once what it depends on is back', async (t) => {
  const { world, down, shop } = await begin(
    t,
    {},
    { intervalSeconds: 3_600, retryIntervalSeconds: 30 },
  )
  down.add('Router').add('Shop')
  await world.run(90 * minuteMs)
  t.same(told(world), ['Router opened'])
  down.delete('Router')
  const checksBefore = world.checksOf(shop).length
  await world.run(2 * minuteMs)
  t.same(told(world), ['Router opened', 'Router resolved', 'Shop opened'])
  t.equal(
    world.checksOf(shop).length,
    checksBefore + 1,
    'it was checked although it is checked hourly',
  )
  t.same(kindsOf(world, shop), ['opened', 'held', 'released'])
  down.clear()
  await world.run(90 * minuteMs)
  t.same(told(world).slice(-2), ['Shop opened', 'Shop resolved'])
})

t.test('an outage that was told before goes on being told', async (t) => {
  const { world, down, shop } = await begin(t)
  down.add('Shop')
  await world.run(5 * minuteMs)
  down.add('Router')
  await world.run(5 * minuteMs)
  t.same(told(world), ['Shop opened', 'Router opened'])
  down.delete('Shop')
  await world.run(5 * minuteMs)
  t.same(told(world).slice(2), ['Shop resolved'])
  t.same(kindsOf(world, shop), ['opened', 'resolved'])
})

t.test('a parent that is checked rarely is checked as soon as a child fails', async (t) => {
  const { world, down, router } = await begin(t, { intervalSeconds: 3_600 })
  down.add('Router').add('Shop')
  await world.run(4 * minuteMs)
  t.same(told(world), ['Router opened'])
  t.ok(world.checksOf(router).length < 8, 'but not each time')
})

t.test('what only seems to fail above holds alerts for seconds, not longer', async (t) => {
  const { world, router, shop } = await begin(t)
  await world.fleet.drain()
  await world.see(shop, [failed, failed], 10_000)
  await world.see(router, [failed], 10_000)
  // The outage of the shop is confirmed while the router is in doubt.
  await world.see(shop, [failed], 10_000)
  t.match(incidentOf(world, shop), { heldBy: router.id })
  t.match(incidentOf(world, shop).timeline[1]?.message, /may be down as well/)
  await world.see(router, [good], 10_000)
  await world.run(heldLookMs)
  t.same(told(world), [], 'the shop may have come back with it')
  await world.see(shop, [failed], 1_000)
  await world.run(heldLookMs)
  t.same(told(world), ['Shop opened'])
})

t.test('an outage further up holds alerts, too, and names the nearest that is down', async (t) => {
  const { world, down, shop, router } = await begin(t)
  const between = await world.add({ id: monitorNo(3), name: 'Switch', dependsOn: [router.id] })
  await world.store.write((tx) =>
    world.store.monitors.put(tx, { ...shop, dependsOn: [between.id] }),
  )
  world.fleet.start({ ...shop, dependsOn: [between.id] }, 'start', world.monitorState(shop))
  down.add('Router').add('Shop')
  await world.run(5 * minuteMs)
  t.same(told(world), ['Router opened'])
  t.match(incidentOf(world, shop), { heldBy: router.id })
})

for (const [what, end] of [
  [
    'paused',
    async ({ store, clock }: MonitorWorld, router: Monitor) => {
      await store.write((tx) => {
        store.monitors.put(tx, { ...router, isActive: false })
        const state = { ...initialMonitorState(clock.nowMs()), isPaused: true }
        store.monitorStates.put(tx, router.orgId, router.id, state)
      })
    },
  ],
  [
    'deleted',
    async ({ store }: MonitorWorld, router: Monitor) => {
      await store.write((tx) => {
        store.monitors.remove(tx, router)
        store.monitors.leaveDependents(tx, router.orgId, router.id, 10)
        store.monitorStates.remove(tx, router.orgId, router.id)
      })
    },
  ],
  [
    'under maintenance',
    async ({ store, clock }: MonitorWorld, router: Monitor) => {
      const startsAtMs = clock.nowMs()
      const endsAtMs = startsAtMs + 3_600_000
      const times = { kind: 'once', startsAtMs, endsAtMs } as const
      const window = makeWindow({ times, monitorIds: [router.id], coversFromMs: startsAtMs })
      await store.write((tx) => store.windows.put(tx, window))
    },
  ],
  [
    'taken out of the list',
    async ({ store }: MonitorWorld, { orgId }: Monitor) => {
      const shop = store.monitors.get(orgId, monitorNo(2))
      await store.write((tx) => shop && store.monitors.put(tx, { ...shop, dependsOn: [] }))
    },
  ],
] as const) {
  t.test(`once what it depends on is ${what}, an outage is told`, async (t) => {
    const { world, down, router, shop } = await begin(t)
    down.add('Router').add('Shop')
    await world.run(10 * minuteMs)
    t.same(told(world), ['Router opened'])
    if (what === 'paused' || what === 'deleted') world.fleet.stop(router.id)
    await end(world, router)
    await world.run(minuteMs / 2)
    t.same(told(world), ['Router opened', 'Shop opened'])
    t.notOk(incidentOf(world, shop).heldBy)
  })
}

t.test('once what it depends on is suspended, an outage is told', async (t) => {
  const { world, down, router, shop } = await begin(t)
  down.add('Router').add('Shop')
  await world.run(10 * minuteMs)
  t.same(told(world), ['Router opened'])
  const answer = world.answer
  world.answer = (monitor, signal) => {
    if (monitor.id === router.id) throw new TypeError('a bug of ours')
    return answer(monitor, signal)
  }
  await world.run(10 * minuteMs)
  t.ok(world.fleet.isSuspended(router.id))
  t.same(told(world), ['Router opened', 'Shop opened'])
  t.notOk(incidentOf(world, shop).heldBy)
  down.delete('Shop')
  await world.run(10 * minuteMs)
  down.add('Shop')
  await world.run(10 * minuteMs)
  t.same(told(world).slice(2), ['Shop resolved', 'Shop opened'], 'nor does it hold new ones')
})

t.test('no alert is held for more than a day, whatever goes on above', async (t) => {
  const hourly = { intervalSeconds: 3_600 }
  const { world, down, shop } = await begin(t, hourly, hourly)
  const flaky = await world.add({ id: monitorNo(3), name: 'Switch', intervalSeconds: 60 })
  const fields = { ...hourly, timeoutMs: 30_000, dependsOn: [flaky.id] }
  const behind = await world.add({ id: monitorNo(4), name: 'Till', ...fields })
  for (const one of [flaky, behind]) world.fleet.start(one, 'start', world.monitorState(one))
  const ofRouter = () => told(world).filter((one) => /^(Router|Shop) /.test(one))
  await world.run(3 * minuteMs)
  down.add('Router').add('Shop').add('Switch').add('Till')
  await world.run(4 * 60 * minuteMs)
  // Each outage of the switch is short, and the till is never seen between two of them.
  world.fleet.stop(behind.id)
  for (let hour = 4; hour < 26; hour++) {
    if (hour === 24) t.same(ofRouter(), ['Router opened'])
    await world.run(56 * minuteMs)
    down.delete('Switch')
    await world.run(4 * minuteMs)
    down.add('Switch')
  }
  await world.run(60 * minuteMs)
  const { orgId } = flaky
  const [opening] = world.store.deliveries
    .list(orgId, 'chn_01k0000000000000000000000a' as Channel['id'], { limit: 500 })
    .filter(({ incidentId }) => incidentId === incidentOf(world, behind).id)
  const [, hold] = incidentOf(world, behind).timeline
  const heldMs = (opening?.createdAtMs ?? 0) - (hold?.atMs ?? 0)
  t.ok(heldMs <= limits.heldInAllMsMax + 10_000, `${Math.round(heldMs / minuteMs)} minutes`)
  t.ok(heldMs > 20 * 60 * minuteMs, `${Math.round(heldMs / minuteMs)} minutes`)

  t.same(ofRouter(), ['Router opened', 'Shop opened'])
  t.match(incidentOf(world, shop).timeline.at(-1), {
    kind: 'released',
    message: 'Alerts are no longer held: what it depends on has been down for 24 hours.',
  })
  down.delete('Shop')
  await world.run(3 * 60 * minuteMs)
  down.add('Shop')
  await world.run(3 * 60 * minuteMs)
  t.same(ofRouter().slice(2), ['Shop resolved', 'Shop opened'], 'nor does it hold new ones')
  t.notOk(kindsOf(world, shop).includes('held'))
})

t.test('a restart while alerts are held loses none of them', async (t) => {
  const { world, down, router, shop, start } = await begin(t)
  down.add('Router').add('Shop')
  await world.run(10 * minuteMs)
  world.holds.stop()
  await world.fleet.drain()
  world.fleet = world.newFleet()
  const holds = world.newHolds()
  for (const one of [router, shop]) holds.noteMonitor(one, world.monitorState(one).health)
  t.ok(holds.isWatched(incidentOf(world, shop).id))
  start()
  await world.run(10 * minuteMs)
  t.same(told(world), ['Router opened'])
  down.delete('Router')
  await world.run(5 * minuteMs)
  t.same(told(world), ['Router opened', 'Router resolved', 'Shop opened'])
})

t.test('an acknowledged outage is no escalation when it is released', async (t) => {
  const { world, down, shop } = await begin(t)
  const escalation = await world.addChannel({
    id: 'chn_01k0000000000000000000000b' as Channel['id'],
    delayMinutes: 5,
  })
  down.add('Router').add('Shop')
  await world.run(10 * minuteMs)
  const act = { atMs: world.clock.nowMs(), by: 'usr_a' }
  const known = acknowledged(incidentOf(world, shop), act)
  await world.store.write((tx) => world.store.incidents.put(tx, known))
  down.delete('Router')
  await world.run(5 * minuteMs)
  t.same(told(world), ['Router opened', 'Router resolved', 'Shop opened'])
  t.same(told(world, escalation), ['Router opened', 'Router resolved'])
})

t.test('a delay counts from the release', async (t) => {
  const { world, down, shop } = await begin(t)
  const escalation = await world.addChannel({
    id: 'chn_01k0000000000000000000000b' as Channel['id'],
    delayMinutes: 30,
  })
  down.add('Router').add('Shop')
  await world.run(60 * minuteMs)
  down.delete('Router')
  await world.run(5 * minuteMs)
  const { releasedAtMs = 0, orgId } = incidentOf(world, shop)
  const [opening] = world.store.deliveries.list(orgId, escalation.id, { limit: 1 })
  t.match(opening, { event: 'incident.opened', dueAtMs: releasedAtMs + 30 * minuteMs })
})

t.test('a push monitor gets the time of a report before it is told', async (t) => {
  const push = { checkType: 'push', url: null, intervalSeconds: 120, graceSeconds: 60 } as const
  const { world, down, shop } = await begin(t, {}, push)
  down.add('Router')
  await world.run(5 * minuteMs)
  const report = { status: 'error', message: 'it failed' } as const
  await world.commit.report(shop, report, world.clock.nowMs())
  t.match(incidentOf(world, shop), { heldBy: monitorNo(1) })
  down.clear()
  await world.run(2 * minuteMs)
  t.same(told(world), ['Router opened', 'Router resolved'])
  await world.run(3 * minuteMs)
  t.same(told(world).slice(2), ['Shop opened'])
})

t.test(
  'a parent that fails now and then, and is never down, holds alerts for minutes',
  async (t) => {
    const push = { checkType: 'push', url: null, intervalSeconds: 120, graceSeconds: 60 } as const
    const { world, router, shop } = await begin(t, {}, push)
    world.fleet.stop(router.id)
    await world.see(router, [failed], 10_000)
    const report = { status: 'error', message: 'it failed' } as const
    await world.commit.report(shop, report, world.clock.nowMs())
    t.match(incidentOf(world, shop), { heldBy: router.id })
    for (let minute = 0; minute < 6; minute += 1) {
      await world.see(router, [good, good, good, good], 10_000)
      await world.run(10_000)
      await world.see(router, [failed], 10_000)
      await world.run(10_000)
    }
    t.same(told(world), ['Shop opened'])
  },
)

t.test('something above that goes down and up again and again causes few messages', async (t) => {
  const { world, down, shop } = await begin(t)
  down.add('Shop')
  for (let round = 0; round < 40; round++) {
    down.add('Router')
    if (round % 3 === 0) down.add('Shop')
    await world.run(7 * minuteMs)
    down.delete('Router')
    if (round % 3 === 1) down.delete('Shop')
    await world.run(4 * minuteMs)
  }
  down.clear()
  await world.run(120 * minuteMs)
  const messages = told(world)
  const ofShop = messages.filter((one) => one.startsWith('Shop'))
  t.ok(ofShop.length <= 20, `${ofShop.length} messages in seven hours`)
  t.notOk(incidentOf(world, shop).heldBy)
  for (const [at, one] of ofShop.entries()) {
    const isOpening = one.endsWith('opened')
    if (isOpening && at > 0) t.match(ofShop[at - 1], /resolved/)
  }
})

t.test(
  'a router and many monitors behind it: two messages, and those that stay down',
  async (t) => {
    const { world, down, router } = await begin(t)
    const names = Array.from({ length: amount(80, 500) }, (_, at) => `Host${at}`)
    for (const [at, name] of names.entries()) {
      const id = monitorNo(10 + at)
      const monitor = await world.add({ id, name, intervalSeconds: 120, dependsOn: [router.id] })
      world.fleet.start(monitor, 'start', world.monitorState(monitor))
    }
    await world.run(2 * minuteMs)
    down.add('Router')
    for (const name of names) down.add(name)
    await world.run(6 * minuteMs)
    t.equal(world.incidents().length, names.length + 1)
    t.same(told(world), ['Router opened'])
    down.clear()
    for (const name of names.slice(0, 3)) down.add(name)
    await world.run(5 * minuteMs)
    const [first, second, ...rest] = told(world)
    t.same([first, second], ['Router opened', 'Router resolved'])
    t.same(rest.toSorted(), ['Host0 opened', 'Host1 opened', 'Host2 opened'])
    t.equal(world.incidents().filter(({ state }) => state === 'open').length, 3)
    down.clear()
    await world.run(5 * minuteMs)
    await world.fleet.drain()
    await world.run(heldLookMs)
    t.equal(world.clock.pending, 0, 'nothing waits when nothing is held')
  },
)
