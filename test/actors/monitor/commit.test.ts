// One verdict, one transaction: what is stored of a result, and all that follows from it.

import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { readRows } from '../../../src/domain/checks/check-row.ts'
import { dayMs, hourMs } from '../../../src/domain/health/span.ts'
import { shownMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { orgA } from '../../support/make-incident.ts'
import {
  failed,
  failedBy,
  good,
  makeReading,
  settled,
  slow,
  startMonitorWorld,
  unknown,
} from '../../support/monitor-world.ts'
import { ever } from '../../support/temp-store.ts'

const minuteMs = 60_000
/** Believed at the first failure, over at the first good result. */
const hasty = { failureThreshold: 1, recoveryThreshold: 1 }

t.test('a result is stored: the state, its row, its share of the day', async (t) => {
  const world = startMonitorWorld(t)
  const { store, commit, clock } = world
  const monitor = await world.add()
  await clock.advance(1_000)
  const certificate = { expiresAtMs: 5, issuer: 'Test CA' }
  const seen = { ...good, phases: { dns: 3 }, address: '192.0.2.1', certificate }
  const reading = makeReading(clock.nowMs(), seen)
  const committed = await settled(store, commit.reading(monitor, reading))
  const monitorState = world.monitorState(monitor)
  t.same(committed?.monitorState, monitorState)
  t.match(monitorState, {
    lastAtMs: clock.nowMs(),
    lastVerdict: 'up',
    lastError: null,
    responseTimeMs: 100,
    lastPhases: { dns: 3 },
    address: '192.0.2.1',
    certificate,
    recentRowCount: 1,
    health: { state: 'up', sinceMs: clock.nowMs() },
    tally: { checks: 1, failures: 0, excludedMs: 1_000, upMs: 0 },
    hour: { checks: 1 },
  })
  t.match(readRows(monitorState.recentRows), [{ atMs: clock.nowMs(), verdict: 'up', status: 200 }])
  t.match(world.news, [{ monitorId: monitor.id, committed: { isNews: true } }])
  await world.see(monitor, [{ ...good, durationMs: 120 }])
  t.equal(world.news.length, 1, 'the same again is no news')
  t.match(world.monitorState(monitor), { certificate, address: null, responseTimeMs: 120 })
})

t.test('time in each state is counted to the millisecond, over hours and midnight', async (t) => {
  const world = startMonitorWorld(t)
  const { store, clock } = world
  const halfMs = minuteMs / 2
  await clock.advance(dayMs - 10 * minuteMs + halfMs)
  const monitor = await world.add(hasty)
  const midnightMs = clock.nowMs() + 10 * minuteMs - halfMs
  // Up from 23:51:30, down from 23:58:30, up from 00:06:30.
  const seen = [good, good, good, good, good, good, good, failed, failed]
  await world.see(monitor, [...seen, ...Array(6).fill(failed), good, good])
  const [yesterday] = store.days.within(orgA, monitor.id, ever)
  t.same(yesterday, {
    startMs: midnightMs - dayMs,
    excludedMs: minuteMs,
    pausedMs: 0,
    maintenanceMs: 0,
    upMs: 7 * minuteMs,
    degradedMs: 0,
    downMs: minuteMs + halfMs,
    checks: 9,
    failures: 2,
  })
  const [hour] = store.hours.within(orgA, monitor.id, ever)
  t.match(hour, { startMs: midnightMs - hourMs, upMs: 7 * minuteMs, downMs: minuteMs + halfMs })
  t.match(world.monitorState(monitor).tally, {
    startMs: midnightMs,
    downMs: 6 * minuteMs + halfMs,
    upMs: minuteMs,
    excludedMs: 0,
    checks: 8,
    failures: 6,
  })
})

t.test('an outage is an incident, its timeline and a pending message, all at once', async (t) => {
  const world = startMonitorWorld(t)
  const { clock, store } = world
  await world.addChannel()
  const monitor = await world.add()
  await world.see(monitor, [good])
  const startedAtMs = clock.nowMs() + minuteMs
  await world.see(monitor, [failed, failed])
  t.same(world.incidents(), [], 'not believed yet')
  t.equal(world.monitorState(monitor).health.state, 'confirming')
  const before = { ...failedBy('timeout', 'no answer'), evidence: { body: 'oops', status: 504 } }
  await world.see(monitor, [before])
  const [incident] = world.incidents()
  t.match(incident, {
    monitorIds: [monitor.id],
    state: 'open',
    severity: 'down',
    startedAtMs,
    confirmedAtMs: clock.nowMs(),
    cause: 'no answer',
    title: 'Website is down',
    timeline: [{ kind: 'opened', atMs: clock.nowMs() }],
    evidence: { error: { kind: 'timeout' }, body: 'oops', status: 504 },
  })
  t.equal(world.monitorState(monitor).health.openIncidentId, incident?.id)
  t.same(world.events(), ['incident.opened'])
  t.match(world.news.at(-1)?.committed, {
    isNews: true,
    monitorState: { health: { openIncidentId: incident?.id } },
  })
  t.equal(world.woken.length, 1)
  t.match(store.checks.evidence(orgA, monitor.id), {
    atMs: clock.nowMs(),
    error: { kind: 'timeout' },
    evidence: { body: 'oops' },
  })
  const resolvedAtMs = clock.nowMs() + minuteMs
  await world.see(monitor, [good, good])
  t.match(world.incidents(), [{ state: 'resolved', resolution: 'recovered', resolvedAtMs }])
  t.same(world.events(), ['incident.opened', 'incident.resolved'])
  t.match(store.checks.evidence(orgA, monitor.id), { evidence: { body: 'oops' } }, 'still there')
  const { tally } = world.monitorState(monitor)
  t.match(tally, { downMs: 3 * minuteMs, failures: 3, checks: 6 })
})

t.test('if one part cannot be written, nothing is', async (t) => {
  let isBroken = false
  const world = startMonitorWorld(t, {
    enqueueIncident() {
      if (isBroken) throw new Error('killed')
    },
  })
  const { store, commit, clock } = world
  const monitor = await world.add(hasty)
  await world.see(monitor, [good])
  const before = world.monitorState(monitor)
  isBroken = true
  await clock.advance(minuteMs)
  const reading = makeReading(clock.nowMs(), failed)
  await t.rejects(settled(store, commit.reading(monitor, reading)), { message: 'killed' })
  t.same(world.monitorState(monitor), before)
  t.same(world.incidents(), [])
  t.equal(store.checks.evidence(orgA, monitor.id), undefined)
  t.equal(world.news.length, 1)
  isBroken = false
  await settled(store, commit.reading(monitor, reading))
  t.equal(world.incidents().length, 1)
})

t.test('a monitor has at most one open incident, whatever the order of readings', async (t) => {
  const world = startMonitorWorld(t)
  const { store, commit, clock } = world
  const monitor = await world.add(hasty)
  const at = (seen: object) => commit.reading(monitor, makeReading(clock.nowMs(), seen))
  await settled(store, Promise.all([at(failed), at(failed), at(failed), at(good), at(failed)]))
  t.equal(world.incidents().filter(({ state }) => state !== 'resolved').length, 1)
  t.equal(world.incidents().length, 1, 'the good one between ended it, the next took it up again')
})

t.test('time without checks counts in no uptime', async (t) => {
  const world = startMonitorWorld(t)
  const monitor = await world.add({ intervalSeconds: 60, graceSeconds: 0 })
  await world.see(monitor, [good, good])
  await world.see(monitor, [good], 5 * hourMs)
  const { tally } = world.monitorState(monitor)
  t.match(tally, { upMs: minuteMs, excludedMs: minuteMs + 5 * hourMs, downMs: 0 })
})

t.test('an outage that began before the daemon stopped continues after it', async (t) => {
  const world = startMonitorWorld(t)
  const monitor = await world.add({ ...hasty, intervalSeconds: 60, graceSeconds: 0 })
  await world.see(monitor, [good, failed])
  await world.see(monitor, [failed], 5 * hourMs)
  t.equal(world.incidents().length, 1)
  await world.see(monitor, [good])
  t.match(world.incidents(), [{ state: 'resolved' }])
  t.match(world.monitorState(monitor).tally, { downMs: minuteMs, upMs: minuteMs })
})

t.test('an unknown result changes nothing but the history', async (t) => {
  const world = startMonitorWorld(t)
  const monitor = await world.add()
  await world.see(monitor, [good, failed, failed])
  const before = world.monitorState(monitor)
  await world.see(monitor, [unknown, unknown, unknown])
  const after = world.monitorState(monitor)
  t.same(after.health, before.health)
  t.same(world.incidents(), [])
  t.equal(after.tally.checks, before.tally.checks)
  t.equal(after.responseTimeMs, before.responseTimeMs)
  t.equal(after.lastVerdict, 'unknown')
  t.equal(shownMonitorState(after), 'unknown', 'but that nobody sees anything is shown')
  t.equal(readRows(after.recentRows).at(-1)?.verdict, 'unknown')
  const { upMs, downMs, excludedMs } = after.tally
  t.equal(upMs + downMs + excludedMs, after.accountedToMs - Date.UTC(2026, 0, 1))
  t.equal(downMs, 0)
})

t.test('a monitor that was deleted or paused meanwhile accepts no result', async (t) => {
  const world = startMonitorWorld(t)
  const { store, commit, clock } = world
  const monitor = await world.add(hasty)
  const paused = await world.add({ ...hasty, id: `${monitor.id.slice(0, -1)}9` as never })
  await store.write((tx) => {
    store.monitorStates.remove(tx, orgA, monitor.id)
    store.monitorStates.put(tx, orgA, paused.id, { ...world.monitorState(paused), isPaused: true })
  })
  for (const one of [monitor, paused]) {
    const late = commit.reading(one, makeReading(clock.nowMs(), failed))
    t.equal(await settled(store, late), null)
    t.equal(await settled(store, commit.settle(one)), null)
  }
  t.equal(commit.look(monitor), null)
  t.same(world.incidents(), [])
  t.equal(store.monitorStates.get(orgA, monitor.id), undefined)
})

t.test('a routine result may be delayed; one that somebody waits for may not', async (t) => {
  const world = startMonitorWorld(t, { commitDelayMs: 50 })
  const { store, commit, clock } = world
  const monitor = await world.add(hasty)
  const seen = (one: object) => makeReading(clock.nowMs(), one)
  await commit.reading(monitor, seen(good))
  const options = { steady: 'up' } as const
  const state = () => world.monitorState(monitor).recentRowCount
  const routine = commit.reading(monitor, seen(good), options)
  for (let turns = 0; turns < 100; turns += 1) await nextTurn()
  t.equal(state(), 1, 'it lies')
  await commit.reading(monitor, seen(failed), options)
  t.equal(world.incidents().length, 1, 'an outage is written at once')
  await clock.advance(50)
  await routine
  t.equal(state(), 3)
  t.ok(store)
})

t.test('slow is distinguished from down, and becomes an incident if configured', async (t) => {
  const world = startMonitorWorld(t)
  const calm = await world.add()
  const strict = await world.add({
    id: `${calm.id.slice(0, -1)}9` as never,
    degradedOpensIncident: true,
  })
  for (const monitor of [calm, strict]) await world.see(monitor, [good, slow, slow, slow])
  t.equal(world.monitorState(calm).health.state, 'degraded')
  t.match(world.incidents(), [{ monitorIds: [strict.id], severity: 'degraded' }])
  t.equal(world.incidents()[0]?.cause, 'the check took 9000 ms; the limit is 3000 ms')
  await world.see(strict, [failed, failed, failed])
  t.match(world.incidents(), [{ severity: 'down', timeline: [{}, { kind: 'worsened' }] }])
})

t.test('a monitor that fails again within five minutes continues its incident', async (t) => {
  const world = startMonitorWorld(t)
  await world.addChannel()
  const monitor = await world.add(hasty)
  await world.see(monitor, [good, failed, good])
  await world.see(monitor, [failed], 5 * minuteMs)
  t.match(world.incidents(), [{ state: 'open', resolvedAtMs: null, resolution: null }])
  t.same(
    world.incidents()[0]?.timeline.map(({ kind }) => kind),
    ['opened', 'resolved', 'reopened'],
  )
  t.same(world.events(), ['incident.opened', 'incident.resolved', 'incident.opened'])
  const other = await world.add({ ...hasty, id: `${monitor.id.slice(0, -1)}9` as never })
  await world.see(other, [good, failed, good])
  await world.see(other, [failed], 5 * minuteMs + 1)
  t.equal(world.incidents().length, 3, 'later it is another one')
})

t.test('the message about flapping is sent once, and a timer ends the flapping', async (t) => {
  const world = startMonitorWorld(t)
  await world.addChannel()
  const monitor = await world.add({ ...hasty, intervalSeconds: 86_400 })
  world.fleet.start(monitor, 'start', world.monitorState(monitor))
  await world.see(monitor, [good, failed, good, failed, good, failed, good, failed])
  t.match(world.incidents(), [{ flapping: true, state: 'open' }])
  const events = world.events()
  await world.see(monitor, [good])
  t.same(world.events(), events, 'silence')
  await world.run(30 * minuteMs - 1)
  t.match(world.incidents(), [{ flapping: true, state: 'open' }])
  await world.run(1)
  t.match(world.incidents(), [{ flapping: false, state: 'resolved', resolution: 'recovered' }])
  t.equal(world.monitorState(monitor).health.flapping, false)
  t.equal(world.events().at(-1), 'incident.resolved')
})

t.test('a wall clock that was set back makes no negative time', async (t) => {
  const world = startMonitorWorld(t)
  const { clock } = world
  const monitor = await world.add(hasty)
  await world.see(monitor, [good, good])
  clock.jump(-hourMs)
  await world.see(monitor, [failed, failed, good])
  t.match(world.incidents(), [{ state: 'resolved' }])
  const [incident] = world.incidents()
  t.ok((incident?.resolvedAtMs ?? 0) >= (incident?.startedAtMs ?? 0))
  const { upMs, downMs, excludedMs, degradedMs } = world.monitorState(monitor).tally
  for (const ms of [upMs, downMs, excludedMs, degradedMs]) t.ok(ms >= 0 && ms <= dayMs)
})
