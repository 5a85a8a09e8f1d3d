// What is stored of a finished hour and day is what its results say.
import t from 'tap'
import { percentileMs } from '../../../src/domain/checks/latencies.ts'
import type { Reading } from '../../../src/domain/checks/reading.ts'
import { dayMs, hourMs } from '../../../src/domain/health/span.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import type { Rollup } from '../../../src/store/tables/checks/tallies.ts'
import { countPuts } from '../../support/count-puts.ts'
import { amount, testSeed } from '../../support/depth.ts'
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
import { seededRandom } from '../../support/seeded-random.ts'
import { ever } from '../../support/temp-store.ts'

const hasty = { failureThreshold: 1, recoveryThreshold: 1 }

/** Results at random moments, as their sender saw them. */
async function see(
  world: MonitorWorld,
  monitor: Monitor,
  { random, count, everyMs }: { random: () => number; count: number; everyMs: number },
): Promise<Reading[]> {
  const all: Reading[] = []
  for (let number = 0; number < count; number += 1) {
    await world.clock.advance(Math.ceil(everyMs * (0.5 + random())))
    const dice = random()
    const kind: Seen =
      dice < 0.05
        ? unknown
        : dice < 0.15
          ? failed
          : dice < 0.2
            ? { ...slow, durationMs: 3_500 }
            : good
    const durationMs = kind === good ? Math.round(20 + 900 * random() ** 3) : (kind.durationMs ?? 0)
    const phases = random() < 0.7 ? { dns: 2, connect: 15, firstByte: durationMs } : undefined
    const seen = { ...kind, durationMs, ...(phases ? { phases } : {}) }
    const reading = makeReading(world.clock.nowMs(), seen)
    await settled(world.store, world.commit.reading(monitor, reading))
    all.push(reading)
  }
  return all
}

function expectedOf(readings: readonly Reading[], fromMs: number, toMs: number) {
  const within = readings.filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
  if (within.length === 0) return null
  const timed = within.filter(({ result }) => result === 'good')
  const durations = timed.map(({ durationMs }) => durationMs).sort((a, b) => a - b)
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
  const p95 = durations[Math.ceil(0.95 * durations.length) - 1]
  return {
    results: within.length,
    down: within.filter(({ result }) => result === 'failed').length,
    unknown: within.filter(({ result }) => result === 'unknown').length,
    degraded: timed.filter(({ durationMs }) => durationMs > 3_000).length,
    count: timed.length,
    minMs: durations.at(0) ?? 0,
    maxMs: durations.at(-1) ?? 0,
    sumMs: sum(durations),
    connects: timed.filter(({ phases }) => phases).length,
    p95,
  }
}

function storedOf({ latencies }: Rollup) {
  if (!latencies) return null
  const { results, count, minMs, maxMs, sumMs, phases } = latencies
  const { down, unknown, degraded } = results
  const all = results.up + degraded + down + unknown
  const sums = { count, minMs, maxMs, sumMs, connects: phases.connect.count }
  return { results: all, down, unknown, degraded, ...sums, p95: percentileMs(latencies, 0.95) }
}

t.test('a finished hour and a finished day hold what their results measured', async (t) => {
  const seed = testSeed()
  const everyMs = [90_000, 20 * 60_000, 3 * hourMs]
  for (let run = 0; run < amount(3, 60); run += 1) {
    const random = seededRandom(seed + run)
    const world = startMonitorWorld(t, { inMemory: true })
    const { orgId, id, ...monitor } = await world.add(hasty)
    const pace = everyMs[run % everyMs.length] ?? hourMs
    const readings = await see(
      world,
      { orgId, id, ...monitor },
      { random, count: 300, everyMs: pace },
    )
    const hours = world.store.hours.rollups(orgId, id, ever)
    const days = world.store.days.rollups(orgId, id, ever)
    const current = Math.floor((readings.at(-1)?.atMs ?? 0) / hourMs) * hourMs
    const withResults = new Set(readings.map(({ atMs }) => Math.floor(atMs / hourMs) * hourMs))
    withResults.delete(current)
    const stored = new Set(hours.map(({ tally }) => tally.startMs))
    t.same(
      [...withResults].filter((startMs) => !stored.has(startMs)),
      [],
      'every hour with results is there',
    )
    const rollups = [
      ...hours.map((rollup) => ({ rollup, lengthMs: hourMs })),
      ...days.map((rollup) => ({ rollup, lengthMs: dayMs })),
    ]
    for (const { rollup, lengthMs } of rollups) {
      const { startMs } = rollup.tally
      const expected = expectedOf(readings, startMs, startMs + lengthMs)
      const stored = storedOf(rollup)
      const { p95: exact, ...sums } = expected ?? { p95: undefined }
      const { p95: shown, ...storedSums } = stored ?? { p95: undefined }
      if (!t.same(storedSums, sums, `seed ${seed + run}`)) return
      if (exact !== undefined) t.ok(Math.abs((shown ?? 0) - exact) <= 0.02 * exact)
    }
  }
})

t.test(
  'an outage that is confirmed in the next hour belongs to the results of its own',
  async (t) => {
    const world = startMonitorWorld(t, { inMemory: true })
    const { store, clock } = world
    await clock.advance(57 * 60_000)
    const monitor = await world.add({ failureThreshold: 5, recoveryThreshold: 1 })
    await world.see(monitor, [good, failed, failed, failed, failed])
    t.same(store.hours.within(monitor.orgId, monitor.id, ever), [], 'still to be confirmed')
    await world.see(monitor, [failed])
    const [hour] = store.hours.rollups(monitor.orgId, monitor.id, ever)
    t.match(hour, {
      latencies: { results: { up: 1, down: 1 }, count: 1 },
      tally: { downMs: 60_000 },
    })
  },
)

t.test('years in which nothing was seen are not written hour by hour', async (t) => {
  const world = startMonitorWorld(t, { inMemory: true })
  const { store, clock } = world
  const monitor = await world.add(hasty)
  await world.see(monitor, [good])
  const lostMs = clock.nowMs()
  const yearsMs = 5 * 365 * dayMs
  await clock.advance(yearsMs)
  store.meta.addGap({ fromMs: lostMs, toMs: clock.nowMs() })
  await world.see(monitor, [good])
  const { orgId, id } = monitor
  const hours = store.hours.within(orgId, id, ever)
  t.equal(hours.length, 1, 'the one that was seen in part')
  t.match(hours, [{ checks: 1 }])
  t.equal(store.days.within(orgId, id, ever).length, 1)
})

t.test('half a year in one state is a few records, and is told hour by hour', async (t) => {
  const world = startMonitorWorld(t, { inMemory: true })
  const { store, clock } = world
  const { orgId, id, ...rest } = await world.add({ checkType: 'push', intervalSeconds: 60 })
  const monitor = { orgId, id, ...rest }
  await world.see(monitor, [good])
  const sinceMs = clock.nowMs()
  await clock.advance(180 * dayMs)
  const puts = countPuts(store)
  await world.see(monitor, [good])
  t.ok(puts.records <= 20, `${puts.records} records`)
  const days = store.days.within(orgId, id, ever)
  const hours = store.hours.within(orgId, id, ever)
  t.equal(hours.length, Math.floor(clock.nowMs() / hourMs) - Math.floor(sinceMs / hourMs))
  t.ok(hours.slice(1).every(({ upMs }) => upMs === hourMs))
  t.equal(days.length, 180)
  t.ok(days.slice(1).every(({ upMs }) => upMs === dayMs))
})
