// The overview: every monitor with the state that people see, and the newest hours of some.
import t from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import { initialMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { createMonitorOverviews } from '../../../src/services/monitors/monitor-overviews.ts'
import { orgA } from '../../support/make-incident.ts'
import { makeHealth, makeMonitor, monitorNo, orgTwo } from '../../support/make-page.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'

function open(t: Parameters<typeof startMonitorServices>[0]) {
  const services = startMonitorServices(t)
  return { ...services, overviews: createMonitorOverviews(services, services) }
}

t.test('every monitor of the organization, and no other, with the state people see', async (t) => {
  const { overviews, world, alice, store, clock } = open(t)
  const nowMs = clock.nowMs()
  await world.add({ id: monitorNo(1), name: 'Down' }, { health: makeHealth('down', nowMs - 5_000) })
  await world.add({ id: monitorNo(2), name: 'Up', tags: ['a'] }, { health: makeHealth('up') })
  await world.add(
    { id: monitorNo(3), name: 'Off', isActive: false },
    { health: makeHealth('down') },
  )
  await store.write((tx) => {
    store.monitors.put(tx, makeMonitor({ id: monitorNo(4), orgId: orgTwo }))
    store.monitorStates.put(tx, orgTwo, monitorNo(4), initialMonitorState(0))
  })
  const all = await overviews.reader((glance) => glance)(alice)
  t.same(all.map(({ monitor, state }) => `${monitor.name} ${state}`).toSorted(), [
    'Down down',
    'Off paused',
    'Up up',
  ])
  t.equal(all.find(({ state }) => state === 'down')?.sinceMs, nowMs - 5_000)
})

t.test('the newest hours, oldest first, and nothing of other organizations', async (t) => {
  const { overviews, alice, store, clock, monitors, done } = open(t)
  const { monitor } = await done(monitors.create(alice, { name: 'Job', checkType: 'push' }))
  await store.write((tx) => {
    store.monitors.put(tx, makeMonitor({ id: monitorNo(4), orgId: orgTwo }))
  })
  const [recent, ...others] = await overviews.recent(alice, [
    monitor.id,
    monitorNo(4),
    monitorNo(9),
  ])
  t.same(others, [])
  t.equal(recent?.monitorId, monitor.id)
  t.equal(recent?.hours.length, limits.publicChartHours)
  t.ok((recent?.hours.at(-1)?.startMs ?? 0) <= clock.nowMs())
  t.ok((recent?.hours.at(-1)?.startMs ?? 0) > clock.nowMs() - 3_600_000)
  t.equal(recent?.uptime, null, 'nothing is known of it yet')
  t.equal((await overviews.recent(alice, [])).length, 0)
})

t.test('hours in which it was down are told, and the share of the day', async (t) => {
  const { overviews, monitors, world, alice, store, clock } = open(t)
  const hourMs = 3_600_000
  const thisHourMs = Math.floor(clock.nowMs() / hourMs) * hourMs
  const tally = { upMs: 0, degradedMs: 0, downMs: 0, excludedMs: 0, pausedMs: 0 }
  const none = { ...tally, maintenanceMs: 0, checks: 1, failures: 0 }
  await world.add({ id: monitorNo(1) }, { health: makeHealth('up', 0) })
  await store.write((tx) => {
    const put = (hours: number, times: Partial<typeof none>) =>
      store.hours.put(tx, orgA, monitorNo(1), {
        ...none,
        startMs: thisHourMs - hours * hourMs,
        ...times,
      })
    // Before the first of the hours that are shown, but a part of the day.
    put(24, { downMs: hourMs })
    put(3, { upMs: hourMs })
    put(2, { upMs: hourMs / 2, downMs: hourMs / 2 })
  })
  const [recent] = await overviews.recent(alice, [monitorNo(1)])
  const { uptime } = monitors.get(alice, monitorNo(1))
  t.ok((uptime['24h'] ?? 1) < 0.8)
  t.equal(recent?.uptime, uptime['24h'], 'the row and the page of the monitor say the same')
  await world.add({ id: monitorNo(2), name: 'New' }, { health: makeHealth('pending') })
  const all = await overviews.uptimes(alice)
  t.same(all, [{ monitorId: monitorNo(1), uptime: uptime['24h'] }], 'a new one has none')
  const at = (hours: number) =>
    recent?.hours.find(({ startMs }) => startMs === thisHourMs - hours * hourMs)?.tally
  t.equal(at(3)?.downMs, 0)
  t.equal(at(2)?.downMs, hourMs / 2)
  t.equal(at(20), null)
})

t.test('callers who wait for the same large organization share a reading', async (t) => {
  const { overviews, alice, store } = open(t)
  const count = limits.scanSlice + 1
  await store.write((tx) => {
    for (let no = 1; no <= count; no += 1) {
      store.monitors.put(tx, makeMonitor({ id: monitorNo(no), orgId: alice.orgId }))
    }
  })
  let made = 0
  const read = overviews.reader(({ monitor }) => {
    made += 1
    return monitor.name
  })
  const first = read(alice)
  await Promise.resolve()
  const later = await Promise.all([read(alice), read(alice), read(alice)])
  t.equal((await first).length, count)
  t.ok(later.every((one) => one === later[0]) && later[0] !== (await first))
  t.equal(made, 2 * count)
})
