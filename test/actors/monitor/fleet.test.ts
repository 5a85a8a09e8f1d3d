// The fleet: when monitors are checked, what a run on demand gets, and what a bug of ours costs.
import t from 'tap'
import { gapMsMax, observerRecheckMs } from '../../../src/actors/monitor/fleet.ts'
import { actorsPerParent } from '../../../src/actors/monitor/nursery.ts'
import type { MonitorId } from '../../../src/base/ids.ts'
import { readRows } from '../../../src/domain/checks/check-row.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { slotOf, stalledRetryMs, unseenRetryMs } from '../../../src/domain/schedule/schedule.ts'
import { monitorNo } from '../../support/make-page.ts'
import {
  failed,
  good,
  type MonitorWorld,
  type Seen,
  settled,
  slow,
  startMonitorWorld,
  unknown,
} from '../../support/monitor-world.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** A promise that the test ends. */
function pending<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

async function start(world: MonitorWorld, ...fields: Parameters<MonitorWorld['add']>[0][]) {
  const monitors = []
  for (const one of fields) monitors.push(await world.add(one))
  for (const monitor of monitors) world.fleet.start(monitor, 'created', world.monitorState(monitor))
  return monitors
}

t.test('a new monitor is checked at once, then at its slots, without drift', async (t) => {
  const world = startMonitorWorld(t, { inMemory: true })
  const startMs = world.clock.nowMs()
  world.answer = () => ({ ...good, durationMs: 2_345 })
  const [monitor] = await start(world, { intervalSeconds: 300 })
  if (!monitor) return
  await world.run(24 * hourMs)
  const [first, ...rest] = world.checksOf(monitor)
  t.equal(first, startMs)
  const slotMs = slotOf(monitor.id, 300_000)
  t.equal(rest.length, 288)
  t.ok(rest.every((atMs, index) => atMs === (rest[0] ?? 0) + index * 300_000))
  t.ok(rest.every((atMs) => atMs % 300_000 === slotMs))
  t.ok(world.latenessMs.every((ms) => ms === 0))
})

t.test('after a restart checks are spread, and each keeps its slot', async (t) => {
  const world = startMonitorWorld(t, { inMemory: true })
  const ids = Array.from({ length: 40 }, (_, index) => monitorNo(index + 1))
  const monitors = []
  for (const id of ids) monitors.push(await world.add({ id, intervalSeconds: 60 }))
  const slots: Map<MonitorId, number>[] = []
  for (let restart = 0; restart < 3; restart++) {
    const fleet = world.newFleet()
    const fromMs = world.clock.nowMs()
    for (const monitor of monitors) fleet.start(monitor, 'start', world.monitorState(monitor))
    await world.run(minuteMs - 1)
    const seen = world.checks.filter(({ atMs }) => atMs >= fromMs)
    t.equal(seen.length, 40, 'each once')
    const perSecond = Map.groupBy(seen, ({ atMs }) => Math.floor(atMs / 1_000))
    t.ok(Math.max(...[...perSecond.values()].map(({ length }) => length)) <= 6, 'no herd')
    slots.push(new Map(seen.map(({ monitorId, atMs }) => [monitorId, atMs % minuteMs])))
    await fleet.drain()
    await world.run(17_321)
  }
  t.same(slots[1], slots[0])
  t.same(slots[2], slots[0])
})

t.test('a check longer than its interval runs alone, and nothing is made up for', async (t) => {
  const world = startMonitorWorld(t)
  const { clock } = world
  let inside = 0
  let most = 0
  world.answer = () =>
    new Promise<Seen>((resolve) => {
      inside++
      most = Math.max(most, inside)
      clock.setTimeout(() => {
        inside--
        resolve(good)
      }, 45_000)
    })
  const [monitor] = await start(world, { intervalSeconds: 10 })
  if (!monitor) return
  await world.run(10 * minuteMs)
  const times = world.checksOf(monitor)
  t.equal(most, 1)
  const gaps = times.slice(2).map((atMs, index) => atMs - (times[index + 1] ?? 0))
  t.ok(
    gaps.every((ms) => ms === 50_000),
    `${gaps}`,
  )
})

t.test('while an outage is confirmed and while it ends, checks run faster', async (t) => {
  const world = startMonitorWorld(t)
  let seen: Seen = good
  world.answer = () => seen
  const [monitor] = await start(world, { intervalSeconds: 3_600 })
  if (!monitor) return
  await world.run(1)
  seen = failed
  await world.run(hourMs + minuteMs)
  const [, firstMs = 0, ...retries] = world.checksOf(monitor)
  t.same(
    retries.map((atMs) => atMs - firstMs),
    [30_000, 60_000],
    'a minute after it was first seen it is believed',
  )
  t.match(world.incidents(), [{ startedAtMs: firstMs, confirmedAtMs: firstMs + 60_000 }])
  seen = good
  const nextMs = world.fleet.nextAtMs(monitor.id) ?? 0
  t.equal(nextMs, firstMs + hourMs, 'then it goes back to its slot')
  await world.run(hourMs)
  t.match(world.incidents(), [{ state: 'resolved', resolvedAtMs: nextMs }])
  t.equal(world.checksOf(monitor).at(-1), nextMs + 30_000)
})

t.test('a restart in the middle of a confirmation keeps the faster pace', async (t) => {
  const world = startMonitorWorld(t)
  world.answer = () => failed
  const [monitor] = await start(world, { intervalSeconds: 86_400 })
  if (!monitor) return
  await world.run(1)
  t.equal(world.monitorState(monitor).health.state, 'confirming')
  await world.fleet.drain()
  world.newFleet().start(monitor, 'start', world.monitorState(monitor))
  await world.run(90_000)
  t.equal(world.incidents().length, 1)
})

t.test('a manual run returns its own result, and the schedule stays', async (t) => {
  const world = startMonitorWorld(t)
  const { store, fleet, clock } = world
  const [monitor] = await start(world, { intervalSeconds: 86_400 })
  if (!monitor) return
  await world.run(hourMs)
  const dueAtMs = fleet.nextAtMs(monitor.id)
  world.answer = () => failed
  const { reading, committed } = await settled(store, fleet.check(monitor.id))
  t.match(reading, { result: 'failed', atMs: clock.nowMs() })
  t.same(committed.monitorState, world.monitorState(monitor), 'durable when it is answered')
  world.answer = () => good
  await world.run(30_000)
  t.equal(fleet.nextAtMs(monitor.id), dueAtMs, 'the run that was due next is not skipped')
  t.ok(world.latenessMs.every((ms) => ms === 0))
})

t.test('a manual run joins the check in progress', async (t) => {
  const world = startMonitorWorld(t)
  const { store, fleet } = world
  const flight = pending<Seen>()
  world.answer = () => flight.promise
  const [monitor] = await start(world, {})
  if (!monitor) return
  await world.run(5)
  const asked = [fleet.check(monitor.id), fleet.check(monitor.id)]
  await world.run(5)
  flight.resolve({ ...good, durationMs: 77 })
  const results = await settled(store, Promise.all(asked))
  t.same(
    results.map(({ reading }) => reading.durationMs),
    [77, 77],
  )
  t.equal(world.checksOf(monitor).length, 1)
})

t.test('a routine result that somebody waits for is written at once', async (t) => {
  const world = startMonitorWorld(t, { commitDelayMs: 60_000 })
  const [monitor] = await start(world, { intervalSeconds: 3_600 })
  if (!monitor) return
  await world.run(1)
  await world.fleet.check(monitor.id)
  t.equal(world.monitorState(monitor).tally.checks, 2)
})

t.test('a changed monitor is checked only with its new settings', async (t) => {
  const world = startMonitorWorld(t)
  const urls: (string | null)[] = []
  world.answer = (monitor) => {
    urls.push(monitor.url)
    return good
  }
  const [monitor] = await start(world, { intervalSeconds: 60 })
  if (!monitor) return
  await world.run(minuteMs)
  const changed = { ...monitor, url: 'https://new.test/', revision: 2 }
  world.fleet.start(changed, 'start', world.monitorState(monitor))
  t.same(world.fleet.monitor(monitor.id), changed)
  t.equal(world.fleet.size(), 1)
  urls.length = 0
  await world.run(10 * minuteMs)
  t.same([...new Set(urls)], ['https://new.test/'])
  t.equal(urls.length, 10)
})

t.test('a caller waiting for a check learns that its monitor changed', async (t) => {
  const world = startMonitorWorld(t)
  const { store, fleet } = world
  const signals: AbortSignal[] = []
  world.answer = (_, signal) => {
    signals.push(signal)
    return pending<Seen>().promise
  }
  const [monitor] = await start(world, {})
  if (!monitor) return
  await world.run(1)
  const asked = fleet.check(monitor.id)
  fleet.stop(monitor.id)
  await t.rejects(settled(store, asked), { code: 'conflict' })
  t.equal(signals[0]?.aborted, true, 'the check is cut')
  await t.rejects(fleet.check(monitor.id), { code: 'unavailable' })
  fleet.start({ ...monitor, isActive: false }, 'start', world.monitorState(monitor))
  t.equal(fleet.monitor(monitor.id), undefined, 'a paused monitor has no actor')
  t.equal(fleet.nextAtMs(monitor.id), null)
})

t.test('a result that comes after the monitor was deleted is discarded', async (t) => {
  const world = startMonitorWorld(t)
  const { store, fleet } = world
  const [monitor] = await start(world, {})
  if (!monitor) return
  await world.run(1)
  const flight = pending<Seen>()
  world.answer = () => flight.promise
  const asked = fleet.check(monitor.id)
  asked.catch(() => {})
  await world.run(1)
  await store.write((tx) => store.monitorStates.remove(tx, monitor.orgId, monitor.id))
  flight.resolve(failed)
  await t.rejects(settled(store, asked), { code: 'not_found' })
  t.same(world.incidents(), [])
})

t.test('the number of checks at once is bounded; the others are late, not lost', async (t) => {
  const world = startMonitorWorld(t, { gate: { total: 100, perKey: 1 } })
  const { clock } = world
  world.answer = () => new Promise<Seen>((resolve) => clock.setTimeout(() => resolve(good), 1_000))
  const same = [1, 2, 3].map((number) => ({ id: monitorNo(number), intervalSeconds: 3_600 }))
  await start(world, ...same, { id: monitorNo(4), url: 'https://elsewhere.test/' })
  await world.run(10_000)
  t.same(world.latenessMs.slice(0, 4).toSorted(), [0, 0, 1_000, 2_000])
  t.same(world.gate.load(), { inside: 0, waiting: 0 })
})

t.test('a bug in one monitor affects that monitor only, and finally suspends it', async (t) => {
  const world = startMonitorWorld(t)
  const { clock, fleet, store } = world
  const [sick, well] = await start(
    world,
    { id: monitorNo(1), intervalSeconds: 10 },
    { id: monitorNo(2), intervalSeconds: 10 },
  )
  if (!sick || !well) return
  await world.run(1)
  world.answer = (monitor) => {
    if (monitor.id === sick.id) throw new TypeError('a bug of ours')
    return good
  }
  const asked = fleet.check(sick.id)
  await t.rejects(settled(store, asked), { message: 'a bug of ours' })
  await t.rejects(settled(store, fleet.check(sick.id)), { code: 'unavailable' })
  await world.run(hourMs)
  const crashes = world.logged.filter(({ message }) => message === 'monitor actor crashed')
  t.same(
    crashes.map(({ fields }) => fields.crashes),
    [1, 2, 3, 4, limits.actorCrashesMax],
  )
  const times = world.checksOf(sick).slice(1)
  const gaps = times.slice(1).map((atMs, index) => atMs - (times[index] ?? 0))
  t.ok(
    gaps.every((ms, index) => ms >= limits.actorRestartMs * 2 ** index),
    `${gaps}`,
  )
  t.match(world.logged.at(-1)?.message, /suspended/)
  const atLeast = (hourMs - 1) / 10_000
  t.ok(world.checksOf(well).length >= atLeast, 'the others go on')
  world.answer = () => good
  fleet.start(sick, 'created', world.monitorState(sick))
  await world.run(minuteMs)
  t.ok(world.checksOf(sick).length >= times.length + 6, 'a change starts it anew')
  t.ok(clock.pending < 10)
})

t.test('in a large fleet monitors crash, stop and change one by one', async (t) => {
  const world = startMonitorWorld(t, { inMemory: true })
  const { fleet } = world
  const ids = Array.from({ length: 2 * actorsPerParent + 3 }, (_, at) => monitorNo(at + 1))
  const monitors = await start(world, ...ids.map((id) => ({ id, intervalSeconds: 10 })))
  const [sick, gone, changed, ...others] = monitors
  if (!sick || !gone || !changed) return
  await world.run(1)
  world.answer = ({ id }) => {
    if (id === sick.id) throw new Error('a bug of ours')
    return good
  }
  fleet.stop(gone.id)
  fleet.start(changed, 'created', world.monitorState(changed))
  const sinceMs = world.clock.nowMs()
  await world.run(minuteMs)
  const countOf = ({ id }: { id: MonitorId }) =>
    world.checks.filter(({ monitorId, atMs }) => monitorId === id && atMs >= sinceMs).length
  t.same(new Set(others.map(countOf)), new Set([6]))
  t.equal(countOf(gone), 0)
  t.ok(countOf(changed) >= 6)
  t.ok(countOf(sick) >= 2, 'it is restarted')
  t.equal(fleet.size(), monitors.length - 1)
})

t.test('a crash now and then does not add up to a suspension', async (t) => {
  const world = startMonitorWorld(t)
  const [monitor] = await start(world, { intervalSeconds: 10 })
  if (!monitor) return
  let count = 0
  world.answer = () => {
    count++
    if (count % 4 === 0) throw new Error('now and then')
    return good
  }
  await world.run(hourMs)
  t.notOk(world.logged.some(({ message }) => /suspended/.test(message)))
  t.ok(world.checksOf(monitor).length > 200)
})

t.test('a stop ends every check and leaves no partial result', async (t) => {
  const world = startMonitorWorld(t)
  const { fleet, clock } = world
  world.answer = (_monitor, signal) =>
    new Promise<Seen>((resolve) => {
      // A probe never rejects: one that is cut has seen nothing.
      signal.addEventListener('abort', () => clock.setTimeout(() => resolve(failed), 50))
    })
  const monitors = await start(
    world,
    ...[1, 2, 3].map((number) => ({ id: monitorNo(number), failureThreshold: 1 })),
  )
  await world.run(1_000)
  let isDrained = false
  const draining = fleet.drain().then(() => {
    isDrained = true
  })
  await world.run(40)
  t.notOk(isDrained)
  await world.run(100)
  t.ok(isDrained)
  await draining
  t.equal(fleet.size(), 0)
  t.same(world.incidents(), [])
  for (const monitor of monitors) t.equal(world.monitorState(monitor).tally.checks, 0)
  await world.run(hourMs)
  t.equal(world.checks.length, 3)
})

t.test('neither a step of the wall clock nor a stall makes a storm or a silence', async (t) => {
  for (const stepMs of [hourMs, -hourMs, 24 * hourMs, -24 * hourMs]) {
    const world = startMonitorWorld(t, { inMemory: true })
    const { clock } = world
    const monitors = await start(
      world,
      ...Array.from({ length: 20 }, (_, at) => ({ id: monitorNo(at + 1), intervalSeconds: 60 })),
    )
    await world.run(90_000)
    clock.jump(stepMs)
    const before = world.checks.length
    const fromMs = clock.monoMs()
    await world.run(5 * minuteMs)
    t.equal(clock.monoMs() - fromMs, 5 * minuteMs)
    const perMonitor = (world.checks.length - before) / monitors.length
    t.ok(perMonitor >= 4 && perMonitor <= 6, `${perMonitor} checks each in 5 min after ${stepMs}`)
    clock.stall(10 * minuteMs)
    const late = world.checks.length
    await world.run(59_000)
    t.ok(world.checks.length - late <= 40, 'one late run and one on time at most')
    t.same(world.incidents(), [])
    await world.fleet.drain()
  }
})

t.test('a check that could not be made is repeated soon, however long the interval', async (t) => {
  const world = startMonitorWorld(t, { inMemory: true })
  world.answer = () => unknown
  const [daily] = await start(world, { intervalSeconds: 86_400 })
  if (!daily) return
  await world.run(15 * minuteMs)
  const startMs = world.checksOf(daily)[0] ?? 0
  t.same(
    world.checksOf(daily).map((atMs) => atMs - startMs),
    [0, 1, 2, 3].map((count) => count * unseenRetryMs),
  )
  world.answer = () => good
  await world.run(hourMs)
  t.equal(world.checksOf(daily).length, 5, 'then it is back at its pace')
})

t.test('monitors to be checked again are, soon and not all at once', async (t) => {
  const world = startMonitorWorld(t, { inMemory: true })
  const ids = Array.from({ length: 60 }, (_, index) => monitorNo(index + 1))
  const monitors = await start(world, ...ids.map((id) => ({ id, intervalSeconds: 86_400 })))
  await world.run(minuteMs)
  const fromMs = world.clock.nowMs()
  world.fleet.checkSoon([...ids, monitorNo(999)])
  await world.run(observerRecheckMs)
  const delaysMs = monitors.map((monitor) => (world.checksOf(monitor)[1] ?? Infinity) - fromMs)
  t.ok(Math.max(...delaysMs) <= observerRecheckMs, 'each was checked once more')
  const busiest = Math.max(
    ...delaysMs.map((one) => delaysMs.filter((other) => Math.abs(other - one) < 500).length),
  )
  t.ok(busiest <= 3, 'spread over the time')
})

t.test(
  'a result taken across a stall of ours counts nowhere, and is taken again soon',
  async (t) => {
    for (const seen of [failed, slow, good]) {
      const world = startMonitorWorld(t, { inMemory: true })
      const { clock, store } = world
      const settings = {
        intervalSeconds: 3_600,
        failureThreshold: 1,
        degradedThreshold: 1,
        degradedThresholdMs: 1_000,
      }
      const ids = Array.from({ length: 30 }, (_, index) => monitorNo(index + 1))
      const monitors = await start(world, ...ids.map((id) => ({ ...settings, id })))
      await world.run(1_000)
      const before = monitors.map((monitor) => world.monitorState(monitor))
      world.answer = () => new Promise((resolve) => clock.setTimeout(() => resolve(seen), 300))
      const news = world.news.length
      for (const { id } of monitors) void world.fleet.check(id)
      await world.run(100)
      clock.stall(1_600)
      await world.run(200)
      world.answer = () => good
      const afterMs = clock.nowMs()
      for (const [at, monitor] of monitors.entries()) {
        const { recentRows, recentRowCount, recentLastMs, ...rest } = world.monitorState(monitor)
        t.match(before[at], rest, 'nothing but the history changed')
        t.match(readRows(recentRows).at(-1), {
          verdict: 'unknown',
          message: /stood still for 1\.6 s/,
        })
      }
      t.equal(world.news.length, news)
      const checks = world.checks.length
      await world.run(stalledRetryMs)
      const again = world.checks.slice(checks).map(({ atMs }) => atMs)
      t.equal(again.length, monitors.length, 'each is checked again, within seconds')
      const busiest = again.map((one) => again.filter((at) => at >= one && at < one + 1_000).length)
      t.ok(Math.max(...busiest) <= 9, `spread: ${Math.max(...busiest)} in a second`)
      t.ok(Math.min(...again) >= afterMs)
      t.same(world.incidents(), [])
      await world.fleet.drain()
      await store.flush()
    }
  },
)

t.test('an outage is found even if every check of it meets a stall', async (t) => {
  const world = startMonitorWorld(t, { inMemory: true })
  const { clock } = world
  const [monitor] = await start(world, { intervalSeconds: 60, failureThreshold: 2 })
  if (!monitor) return
  await world.run(1_000)
  world.answer = () => new Promise((resolve) => clock.setTimeout(() => resolve(failed), 10_000))
  const stall = () => {
    clock.stall(600)
    clock.setTimeout(stall, 2_000)
  }
  stall()
  const fromMs = clock.nowMs()
  await world.run(15 * minuteMs)
  const [incident] = world.incidents()
  t.match(incident, { state: 'open' })
  const tookMs = (incident?.confirmedAtMs ?? Infinity) - fromMs
  t.ok(tookMs < 6 * minuteMs, `after ${tookMs} ms`)
  const rows = readRows(world.monitorState(monitor).recentRows)
  const verdicts = rows.map(({ verdict }) => verdict)
  t.same(verdicts.slice(0, 8), [
    'up',
    ...Array(limits.stalledResultsMax).fill('unknown'),
    'down',
    'unknown',
  ])
})

t.test('what is due after a stall comes as evenly as before', async (t) => {
  const world = startMonitorWorld(t, { inMemory: true })
  const { clock } = world
  const ids = Array.from({ length: 360 }, (_, index) => monitorNo(index + 1))
  await start(world, ...ids.map((id) => ({ id, intervalSeconds: 60 })))
  await world.run(minuteMs)
  /** The most checks in any second of the next minute. */
  const busiest = async () => {
    const before = world.checks.length
    await world.run(minuteMs)
    const times = world.checks.slice(before).map(({ atMs }) => Math.floor(atMs / 1_000))
    t.ok(new Set(world.checks.slice(before).map(({ monitorId }) => monitorId)).size === ids.length)
    return Math.max(...[...Map.groupBy(times, (at) => at).values()].map(({ length }) => length))
  }
  const usual = await busiest()
  for (const stallMs of [700, 1_600, 10_000, 10 * minuteMs]) {
    clock.stall(stallMs)
    const most = await busiest()
    t.ok(most <= 1.75 * usual, `${most} in a second after ${stallMs} ms; else ${usual}`)
  }
})

t.test('after a long gap, a daily check that fell into it is made within a minute', async (t) => {
  for (const gap of ['stall', 'jump'] as const) {
    const world = startMonitorWorld(t, { inMemory: true })
    const { clock } = world
    const ids = Array.from({ length: 60 }, (_, index) => monitorNo(index + 1))
    const monitors = await start(world, ...ids.map((id) => ({ id, intervalSeconds: 86_400 })))
    await world.run(minuteMs)
    const fromMs = clock.nowMs()
    clock[gap](8 * hourMs)
    const toMs = clock.nowMs()
    await world.run(gapMsMax)
    const inGap = monitors.filter(({ id }) => {
      const slotMs = Math.floor(fromMs / 86_400_000) * 86_400_000 + slotOf(id, 86_400_000)
      return [slotMs, slotMs + 86_400_000].some((atMs) => atMs > fromMs && atMs <= toMs)
    })
    t.ok(inGap.length > 10)
    for (const monitor of inGap) t.equal(world.checksOf(monitor).length, 2)
    t.equal(world.checks.length, monitors.length + inGap.length, 'and no other')
    await world.run(24 * hourMs)
    for (const monitor of monitors) {
      const lastMs = world.checksOf(monitor).at(-1) ?? 0
      t.equal(lastMs % 86_400_000, slotOf(monitor.id, 86_400_000), 'then each is at its slot')
    }
    await world.fleet.drain()
  }
})
