// Reminders of outages that nobody takes care of, also over restarts.
import t, { type Test } from 'tap'
import { watchReminders } from '../../../src/actors/alerts/reminders.ts'
import type { OrgId } from '../../../src/base/ids.ts'
import type { Reading } from '../../../src/domain/checks/reading.ts'
import { acknowledged, type Incident } from '../../../src/domain/incidents/incident.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import { orgA } from '../../support/make-incident.ts'
import { failed, good, type MonitorWorld, startMonitorWorld } from '../../support/monitor-world.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** Readings that make a monitor with the default thresholds down, or up again. */
const outage = [failed, failed, failed] as Partial<Reading>[]
const recovery = [good, good] as Partial<Reading>[]

async function begin(t: Test, monitor: Partial<Monitor> = { reminderMinutes: 30 }) {
  const world = startMonitorWorld(t, { inMemory: true })
  const off = new Set<OrgId>()
  const start = () => {
    const { store, clock, log, enqueue } = world
    const reminders = watchReminders({ store, clock, log, enqueue, isOff: (id) => off.has(id) })
    t.teardown(() => reminders.stop())
    return reminders
  }
  const running = { reminders: start() }
  await world.addChannel()
  const shop = await world.add(monitor)
  /** As when the fleet starts a monitor. */
  const load = () => running.reminders.note(shop, world.monitorState(shop).health)
  return {
    world,
    shop,
    off,
    load,
    /** The daemon does not run for so long. */
    async restartAfter(ms: number) {
      running.reminders.stop()
      await world.run(ms)
      running.reminders = start()
      load()
      await world.run(0)
    },
  }
}

/** When reminders were queued, in minutes after the opening. */
function reminded(world: MonitorWorld): number[] {
  const [incident] = world.incidents()
  return world.store.deliveries
    .list(orgA, 'chn_01k0000000000000000000000a' as never, { limit: 1_000 })
    .toReversed()
    .filter(({ event }) => event === 'incident.reminder')
    .map(({ createdAtMs }) => (createdAtMs - (incident?.confirmedAtMs ?? 0)) / minuteMs)
}

function open(world: MonitorWorld): Incident {
  const [incident] = world.incidents()
  if (!incident) throw new Error('no incident is open')
  return incident
}

t.test('an outage is announced again, less and less often', async (t) => {
  const { world, shop } = await begin(t)
  await world.see(shop, outage)
  await world.run(8 * hourMs)
  t.same(reminded(world), [30, 90, 210, 450])
  await world.see(shop, recovery)
  await world.run(48 * hourMs)
  t.equal(reminded(world).length, 4, 'a service that is back needs no reminder')
  t.equal(world.clock.pending, 0)
})

t.test('without reminderMinutes there are none, and no timers', async (t) => {
  const { world, shop } = await begin(t, {})
  await world.see(shop, outage)
  await world.run(48 * hourMs)
  t.same(reminded(world), [])
  t.equal(world.clock.pending, 0)
})

t.test('they end once somebody acknowledges the incident', async (t) => {
  const { world, shop } = await begin(t)
  await world.see(shop, outage)
  await world.run(40 * minuteMs)
  const act = { atMs: world.clock.nowMs(), by: 'usr_a' }
  const incident = acknowledged(open(world), act)
  await world.store.write((tx) => world.store.incidents.put(tx, incident))
  await world.run(48 * hourMs)
  t.same(reminded(world), [30])
  t.equal(world.clock.pending, 0)
})

t.test('a restart loses no reminder and repeats none', async (t) => {
  const { world, shop, restartAfter } = await begin(t)
  await world.see(shop, outage)
  await world.run(31 * minuteMs)
  await restartAfter(0)
  await world.run(minuteMs)
  t.same(reminded(world), [30], 'it was sent before')
  await restartAfter(40 * minuteMs)
  await world.run(30 * minuteMs)
  t.same(reminded(world), [30, 90], 'the next one comes at its time')
  await restartAfter(12 * hourMs)
  const late = reminded(world)
  t.equal(late.length, 3, 'of those that were missed, one is sent')
  await world.run(8 * hourMs)
  const [next] = reminded(world).slice(3)
  t.equal(next, 930, 'then the schedule goes on')
})

t.test('a change of the field takes effect during an outage', async (t) => {
  const { world, shop } = await begin(t, { reminderMinutes: 0 })
  await world.see(shop, outage)
  await world.run(10 * minuteMs)
  const changed = { ...shop, reminderMinutes: 15, revision: 2 }
  await world.store.write((tx) => world.store.monitors.put(tx, changed))
  await world.run(20 * minuteMs)
  t.same(reminded(world), [15])
  await world.store.write((tx) =>
    world.store.monitors.put(tx, { ...changed, reminderMinutes: 0, revision: 3 }),
  )
  await world.run(48 * hourMs)
  t.same(reminded(world), [15])
})

t.test('nobody is reminded for an organization that is switched off', async (t) => {
  const { world, shop, off, load } = await begin(t)
  await world.see(shop, outage)
  off.add(orgA)
  await world.run(4 * hourMs)
  t.same(reminded(world), [])
  t.equal(world.clock.pending, 0)
  off.delete(orgA)
  load()
  await world.run(minuteMs)
  t.equal(reminded(world).length, 1)
})

t.test('a reminder tells people nothing new about the incident', async (t) => {
  const { world, shop } = await begin(t)
  await world.see(shop, outage)
  const { revision } = open(world)
  let changes = 0
  world.store.signals.incidentChanged.listen(() => {
    changes += 1
  })
  await world.run(31 * minuteMs)
  t.same(reminded(world), [30])
  t.equal(open(world).revision, revision)
  t.equal(changes, 0)
})
