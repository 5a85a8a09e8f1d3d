// Maintenance begins and ends: what listeners are told, and what is still bad afterwards.
import t, { type Test } from 'tap'
import { escalationHeldUntilMs } from '../../../src/actors/alerts/held-alerts.ts'
import { watchReminders } from '../../../src/actors/alerts/reminders.ts'
import { tidyWindows } from '../../../src/actors/maintenance/tidy-windows.ts'
import { watchMaintenance } from '../../../src/actors/maintenance/watch-maintenance.ts'
import type { ChannelId, IncidentId, OrgId } from '../../../src/base/ids.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import type { MaintenanceWindow } from '../../../src/domain/maintenance/window.ts'
import { endedWindow } from '../../../src/domain/maintenance/window.ts'
import { makeIncident, orgA } from '../../support/make-incident.ts'
import { monitorNo } from '../../support/make-page.ts'
import { makeWindow } from '../../support/make-window.ts'
import { failed, good, settled, startMonitorWorld } from '../../support/monitor-world.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
const hasty = { failureThreshold: 1, recoveryThreshold: 1 }

async function startWorld(t: Test) {
  const world = startMonitorWorld(t, { inMemory: true })
  await world.addChannel()
  const { store, clock, log, commit, fleet, enqueue } = world
  const turns: string[] = []
  const looked: string[] = []
  const reminders = watchReminders({ store, clock, log, enqueue, isOff: () => false })
  const onLooked = (orgId: OrgId) => {
    looked.push(orgId)
    return reminders.lookAgain(orgId)
  }
  const start = (sinceMs = clock.nowMs()) => {
    const watch = watchMaintenance({
      store,
      clock,
      log,
      commit,
      fleet,
      isOff: () => false,
      onTurned: ({ id }, maintenance) =>
        void turns.push(`${id.slice(-1)} ${maintenance ? 'on' : 'off'}`),
      onLooked,
    })
    t.teardown(() => watch.stop())
    watch.start(sinceMs)
    return watch
  }
  t.teardown(() => reminders.stop())
  async function addWindow(fromMs: number, toMs: number, more: Partial<MaintenanceWindow> = {}) {
    const nowMs = clock.nowMs()
    const times = {
      kind: 'once',
      startsAtMs: nowMs + fromMs,
      endsAtMs: nowMs + toMs,
    } as const
    const window = makeWindow({ times, coversFromMs: nowMs, ...more })
    await store.write((tx) => store.windows.put(tx, window))
    return window
  }
  return { ...world, world, turns, looked, reminders, start, addWindow }
}

t.test('who listens learns of each begin and end, also of an early end', async (t) => {
  const { world, turns, start, addWindow, run, clock, store } = await startWorld(t)
  await world.add({ ...hasty, tags: ['db'] })
  await world.add({ ...hasty, id: monitorNo(2) })
  start()
  const first = await addWindow(hourMs, 2 * hourMs, { tags: ['db'] })
  await run(hourMs - 1)
  t.same(turns, [])
  await run(1)
  t.same(turns.splice(0), ['1 on'])
  await run(30 * minuteMs)
  const window = { ...endedWindow(first, clock.nowMs()), coversFromMs: clock.nowMs() }
  await store.write((tx) => store.windows.replace(tx, first, window, clock.nowMs()))
  await run(0)
  t.same(turns.splice(0), ['1 off'])
  await run(dayMs)
  t.same(turns, [], 'its planned end is none any more')

  const all = await addWindow(-hourMs, hourMs)
  await run(0)
  t.same(turns.splice(0).toSorted(), ['1 on', '2 on'])
  await run(minuteMs)
  await store.write((tx) => store.windows.remove(tx, all, clock.nowMs()))
  await run(0)
  t.same(turns.splice(0).toSorted(), ['1 off', '2 off'])

  const cron = { kind: 'recurring', cron: '0 3 * * *', timezone: 'UTC' } as const
  const nightly = { ...cron, durationMinutes: 60, extras: [], cuts: [] }
  const recurring = makeWindow({ times: nightly, coversFromMs: clock.nowMs(), tags: ['db'] })
  await store.write((tx) => store.windows.put(tx, recurring))
  await run(3 * dayMs)
  t.same(turns, ['1 on', '1 off', '1 on', '1 off', '1 on', '1 off'])
})

t.test('a monitor that is checked once a day is checked soon after maintenance', async (t) => {
  const { world, start, addWindow, run, fleet, clock } = await startWorld(t)
  const monitor = await world.add({ ...hasty, intervalSeconds: 86_400 })
  fleet.start(monitor, 'created')
  await run(0)
  start()
  world.answer = () => failed
  const endMs = clock.nowMs() + 2 * hourMs
  await addWindow(hourMs, 2 * hourMs)
  await run(2 * hourMs + minuteMs)
  const [, after = 0] = world.checksOf(monitor)
  t.ok(after >= endMs && after < endMs + minuteMs, 'within a minute')
  t.match(world.incidents(), [{ state: 'open', startedAtMs: after }])
})

t.test('a job that reported an error, or nothing, opens at the end itself', async (t) => {
  const { world, start, addWindow, run, fleet, clock, commit, store } = await startWorld(t)
  const push = { checkType: 'push', url: null, intervalSeconds: 3_600, graceSeconds: 0 } as const
  const silent = await world.add({ ...push })
  const failing = await world.add({ ...push, id: monitorNo(2) })
  const fine = await world.add({ ...push, id: monitorNo(3) })
  const report = async (monitor: typeof silent, status: 'ok' | 'error') => {
    const sent = settled(store, commit.report(monitor, { status }, clock.nowMs()))
    const committed = await sent
    if (committed) fleet.reported(monitor.id, committed.monitorState)
  }
  for (const monitor of [silent, failing, fine]) {
    fleet.start(monitor, 'created')
    await report(monitor, 'ok')
  }
  start()
  const endMs = clock.nowMs() + 90 * minuteMs
  await addWindow(30 * minuteMs, 90 * minuteMs)
  await run(45 * minuteMs)
  await report(failing, 'error')
  await report(fine, 'error')
  await run(40 * minuteMs)
  await report(fine, 'ok')
  t.equal(world.monitorState(silent).health.state, 'down', 'the missing report is known')
  t.same(world.incidents(), [])
  await run(5 * minuteMs)
  t.same(
    world
      .incidents()
      .map(({ monitorIds, startedAtMs }) => [...monitorIds, startedAtMs])
      .toSorted(),
    [
      [silent.id, endMs],
      [failing.id, endMs],
    ],
  )
})

t.test('a restart during a window, or over its end, loses nothing', async (t) => {
  for (const downMs of [10 * minuteMs, 2 * hourMs]) {
    const { world, start, addWindow, run, fleet, clock, commit, store } = await startWorld(t)
    const push = { checkType: 'push', url: null, intervalSeconds: 86_400 } as const
    const monitor = await world.add({ ...push })
    fleet.start(monitor, 'created')
    const first = start()
    const endMs = clock.nowMs() + hourMs
    await addWindow(0, hourMs)
    await settled(store, commit.report(monitor, { status: 'error' }, clock.nowMs()))
    await run(minuteMs)
    first.stop()
    const aliveMs = clock.nowMs()
    await run(downMs)
    t.same(world.incidents(), [])
    start(aliveMs - minuteMs)
    await run(2 * hourMs)
    t.match(world.incidents(), [{ state: 'open', startedAtMs: endMs }])
  }
})

t.test('reminders and escalations wait for the end of maintenance', async (t) => {
  const { world, start, addWindow, run, store, clock, events } = await startWorld(t)
  const monitor = await world.add({ ...hasty, reminderMinutes: 30 })
  const escalation = await world.addChannel({
    id: 'chn_01k0000000000000000000000z' as ChannelId,
    delayMinutes: 40,
  })
  start()
  await world.see(monitor, [good, failed])
  t.same(events(), ['incident.opened'])
  const window = await addWindow(20 * minuteMs, 90 * minuteMs)
  await run(85 * minuteMs)
  t.same(events(), ['incident.opened'], 'no reminder after 30 minutes')
  const [delayed] = store.deliveries.pending(orgA, escalation.id, 10)
  if (!delayed) throw new Error('the escalation waits')
  t.equal(
    escalationHeldUntilMs(store, delayed, clock.nowMs()),
    window.times.kind === 'once' ? window.times.endsAtMs : 0,
  )
  await run(10 * minuteMs)
  t.same(events(), ['incident.opened', 'incident.reminder'])
  t.equal(escalationHeldUntilMs(store, delayed, clock.nowMs()), null)
})

t.test('an early end releases also the reminder of the oldest of many incidents', async (t) => {
  const { world, start, addWindow, run, store, clock, events } = await startWorld(t)
  const monitor = await world.add({ ...hasty, reminderMinutes: 30 })
  start()
  await world.see(monitor, [good, failed])
  const window = await addWindow(20 * minuteMs, 90 * minuteMs)
  await run(40 * minuteMs)
  await store.write((tx) => {
    for (let index = 0; index < limits.scanSlice; index += 1) {
      const id = `inc_7${String(index).padStart(25, '0')}` as IncidentId
      store.incidents.put(tx, makeIncident({ id, monitorIds: [] }))
    }
  })
  await run(10 * minuteMs)
  t.same(events(), ['incident.opened'])
  const ended = endedWindow(window, clock.nowMs())
  await store.write((tx) => store.windows.replace(tx, window, ended, clock.nowMs()))
  await run(minuteMs)
  t.same(events(), ['incident.opened', 'incident.reminder'])
})

t.test('what windows covered is deleted once no result can need it', async (t) => {
  const { world, addWindow, clock, store } = await startWorld(t)
  const monitor = await world.add(hasty)
  const window = await addWindow(0, hourMs)
  await world.see(monitor, [good])
  await clock.advance(minuteMs)
  await store.write((tx) => store.windows.remove(tx, window, clock.nowMs()))
  const tidy = () =>
    settled(
      store,
      tidyWindows(store, clock.nowMs(), () => true),
    )
  t.equal(await tidy(), 0, 'the time since the last result is not counted yet')
  await world.see(monitor, [good])
  t.equal(await tidy(), 1)
  t.same(store.windows.orgIds(), [])

  await addWindow(0, hourMs)
  await clock.advance(364 * dayMs)
  await world.see(monitor, [good])
  t.equal(await tidy(), 0, 'a window that is over is kept for a year')
  await clock.advance(2 * dayMs)
  await world.see(monitor, [good])
  t.equal(await tidy(), 2)
  t.same(store.windows.orgIds(), [])
})
