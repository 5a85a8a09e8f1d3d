// A result under maintenance: it is stored, but nothing opens, and no uptime counts the time.
import t, { type Test } from 'tap'
import type { MaintenanceWindow } from '../../../src/domain/maintenance/window.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import { createNewestDays } from '../../../src/services/checks/tally-memory.ts'
import { leftOutOf } from '../../../src/store/left-out.ts'
import { monitorNo } from '../../support/make-page.ts'
import { makeWindow } from '../../support/make-window.ts'
import {
  failed,
  good,
  type MonitorWorld,
  makeReading,
  settled,
  slow,
  startMonitorWorld,
} from '../../support/monitor-world.ts'

const minuteMs = 60_000
/** Believed at the first failure, over at the first good result. */
const hasty = { failureThreshold: 1, recoveryThreshold: 1 }

/** With one monitor, one default channel, and a window from minute 10 to minute 20. */
async function startWorld(t: Test, monitor: Partial<Monitor> = {}) {
  const world = startMonitorWorld(t, { inMemory: true })
  await world.addChannel()
  const startMs = world.clock.nowMs()
  const made = await world.add({ ...hasty, intervalSeconds: 60, ...monitor })
  const window = await addWindow(world, 10, 20)
  return { ...world, world, startMs, monitor: made, window }
}

async function addWindow(
  { store, clock }: MonitorWorld,
  fromMinute: number,
  toMinute: number,
  more: Partial<MaintenanceWindow> = {},
): Promise<MaintenanceWindow> {
  const nowMs = clock.nowMs()
  const startsAtMs = nowMs + fromMinute * minuteMs
  const endsAtMs = nowMs + toMinute * minuteMs
  const times = { kind: 'once', startsAtMs, endsAtMs } as const
  const window = makeWindow({ times, coversFromMs: nowMs, ...more })
  await store.write((tx) => store.windows.put(tx, window))
  return window
}

const times = <Seen>(count: number, seen: Seen): Seen[] => Array(count).fill(seen)

/** Seconds of the first day, as people see them now. */
function counted({ store, clock, monitorState }: MonitorWorld, monitor: Monitor) {
  const newest = createNewestDays(store.days, leftOutOf(store))
  const days = newest(monitor, monitorState(monitor), clock.nowMs())
  const sum = (of: 'upMs' | 'downMs' | 'excludedMs') =>
    days.reduce((total, day) => total + day[of], 0) / 1_000
  return { up: sum('upMs'), down: sum('downMs'), excluded: sum('excludedMs') }
}

t.test('an outage within a window opens nothing, and counts in no uptime', async (t) => {
  const { world, monitor, startMs } = await startWorld(t)
  await world.see(monitor, [...times(12, good), ...times(4, failed)])
  t.same(world.incidents(), [])
  t.equal(world.monitorState(monitor).health.state, 'down', 'its health is known all the same')
  t.same(counted(world, monitor), { up: 9 * 60, down: 0, excluded: 7 * 60 }, 'while it is on')
  await world.see(monitor, times(6, good))
  t.same(world.incidents(), [])
  t.same(world.events(), [])
  // A minute was pending, ten were under maintenance.
  t.same(counted(world, monitor), { up: 11 * 60, down: 0, excluded: 11 * 60 })
  t.equal(world.monitorState(monitor).recentRowCount, 22, 'every result is kept')
  t.equal(world.clock.nowMs(), startMs + 22 * minuteMs)
})

t.test('a monitor that still fails after a window opens then, from its end on', async (t) => {
  const { world, monitor, startMs } = await startWorld(t)
  await world.see(monitor, [...times(12, good), ...times(7, failed)])
  t.same(world.incidents(), [])
  const endMs = startMs + 20 * minuteMs
  await world.see(monitor, [failed], 90_000)
  const [incident] = world.incidents()
  t.match(incident, { state: 'open', severity: 'down', startedAtMs: endMs })
  t.same(world.events(), ['incident.opened'])
  await world.see(monitor, [good])
  t.match(world.incidents(), [{ state: 'resolved', resolution: 'recovered' }])
  // It counts as down from the end of the window to the first good result.
  t.match(counted(world, monitor), { up: 9 * 60, down: 90 })
})

t.test('a failure that is confirmed only after a window counts from its end', async (t) => {
  const { world, monitor, startMs } = await startWorld(t, { failureThreshold: 3 })
  await world.see(monitor, [...times(17, good), ...times(2, failed)])
  t.equal(world.monitorState(monitor).health.state, 'confirming')
  await world.see(monitor, [failed])
  t.match(world.incidents(), [{ startedAtMs: startMs + 20 * minuteMs }])
})

t.test('an incident from before a window may end within it, and that is announced', async (t) => {
  const { world, monitor } = await startWorld(t)
  await world.see(monitor, [...times(8, good), ...times(4, failed), good])
  t.match(world.incidents(), [{ state: 'resolved', resolution: 'recovered' }])
  t.same(world.events(), ['incident.opened', 'incident.resolved'])
  await world.see(monitor, times(3, failed))
  t.equal(world.incidents().length, 1, 'it does not reopen while the window is on')
  await world.see(monitor, times(6, failed))
  t.match(
    world.incidents(),
    [{ state: 'resolved' }, { state: 'open' }],
    'more than five minutes later it is a new one',
  )
})

t.test('going down and up within a window is no flapping', async (t) => {
  const { world, monitor } = await startWorld(t)
  await world.see(monitor, [...times(10, good), ...times(8, [failed, good]).flat()], 30_000)
  await world.see(monitor, times(30, good))
  await world.see(monitor, [failed])
  t.match(world.incidents(), [{ state: 'open', flapping: false }])
  t.same(world.monitorState(monitor).health.turnsAtMs.length, 1)
})

t.test('slowness that becomes an outage within a window is told after it', async (t) => {
  const { world, monitor } = await startWorld(t, {
    degradedOpensIncident: true,
    degradedThreshold: 1,
  })
  await world.see(monitor, [...times(8, good), slow, slow, ...times(8, failed)])
  t.match(world.incidents(), [{ severity: 'degraded', state: 'open' }])
  t.same(world.events(), ['incident.opened'])
  await world.see(monitor, times(3, failed))
  t.match(world.incidents(), [{ severity: 'down', state: 'open' }])
  t.same(world.events(), ['incident.opened', 'incident.updated'])
})

t.test('an incident that a person closed reopens only after the window', async (t) => {
  const { world, monitor } = await startWorld(t)
  const { store } = world
  const { incident, health } = await (async () => {
    await world.see(monitor, [...times(8, good), failed])
    const [incident] = world.incidents()
    return { incident, health: world.monitorState(monitor).health }
  })()
  if (!incident) throw new Error('it opened')
  await store.write((tx) => {
    store.incidents.put(tx, { ...incident, state: 'resolved', resolution: 'manual' })
    const closed = { openIncidentId: null, openSeverity: null, badSinceClosed: 0 }
    const last = { lastIncidentId: incident.id, lastSeverity: 'down' as const }
    store.monitorStates.put(tx, monitor.orgId, monitor.id, {
      ...world.monitorState(monitor),
      health: { ...health, ...closed, ...last },
    })
  })
  await world.see(monitor, times(9, failed), 61_000)
  t.match(world.incidents(), [{ state: 'resolved' }])
  await world.see(monitor, times(3, failed))
  t.match(world.incidents(), [{ state: 'open' }])
})

t.test('a window for other monitors excuses nothing', async (t) => {
  const world = startMonitorWorld(t, { inMemory: true })
  const named = await world.add({ ...hasty, id: monitorNo(1) })
  const window = { monitorIds: [named.id], tags: ['db'] }
  const tagged = await world.add({ ...hasty, id: monitorNo(2), tags: ['web', 'db'] })
  const other = await world.add({ ...hasty, id: monitorNo(3), tags: ['web'] })
  await addWindow(world, 0, 20, window)
  await world.clock.advance(minuteMs)
  for (const monitor of [named, tagged, other]) {
    const reading = makeReading(world.clock.nowMs(), failed)
    await settled(world.store, world.commit.reading(monitor, reading))
  }
  t.same(
    world.incidents().flatMap(({ monitorIds }) => monitorIds),
    [other.id],
  )
})

t.test('what a window covered stays covered when it is deleted or changed', async (t) => {
  for (const change of ['delete', 'move'] as const) {
    const { world, store, clock, monitor, window } = await startWorld(t, { intervalSeconds: 600 })
    await world.see(monitor, times(9, good))
    await clock.advance(6 * minuteMs)
    await store.write((tx) => {
      const nowMs = clock.nowMs()
      if (change === 'delete') return store.windows.remove(tx, window, nowMs)
      const later = { kind: 'once', startsAtMs: nowMs + 1e9, endsAtMs: nowMs + 2e9 } as const
      const after = { ...window, times: later, coversFromMs: nowMs }
      return store.windows.replace(tx, window, after, nowMs)
    })
    t.same(counted(world, monitor), { up: 9 * 60, down: 0, excluded: 6 * 60 }, change)
    await world.see(monitor, [good], 2 * minuteMs)
    t.same(counted(world, monitor), { up: 11 * 60, down: 0, excluded: 6 * 60 }, change)
  }
})
