// Percentiles of any time, within two percent of the truth, from sums that add up in any order.
import fc from 'fast-check'
import t from 'tap'
import type { CheckRow } from '../../../src/domain/checks/check-row.ts'
import {
  bucketMs,
  bucketOf,
  bucketsMax,
  latencyMsMax,
} from '../../../src/domain/checks/histogram.ts'
import {
  createLatencySum,
  type Latencies,
  percentileMs,
} from '../../../src/domain/checks/latencies.ts'
import { packLatencies, unpackLatencies } from '../../../src/domain/checks/packed-latencies.ts'
import { phaseNames } from '../../../src/domain/checks/reading.ts'
import { verdictKinds } from '../../../src/domain/checks/verdict.ts'
import { runs } from '../../support/depth.ts'

const latency = fc.oneof(
  fc.integer({ min: 0, max: 60 }),
  fc.integer({ min: 0, max: 60_000 }),
  fc.integer({ min: 0, max: latencyMsMax }),
)
const phases = fc.record(
  Object.fromEntries(phaseNames.map((name) => [name, fc.integer({ min: 0, max: 9_000 })])),
  { requiredKeys: [] },
)
const row: fc.Arbitrary<CheckRow> = fc
  .record({
    atMs: fc.nat(),
    verdict: fc.constantFrom(...verdictKinds),
    durationMs: latency,
    phases: fc.option(phases, { nil: undefined }),
  })
  .map(({ phases, ...rest }) => (phases ? { ...rest, phases } : rest))

function sumOf(rows: readonly CheckRow[]): Latencies | null {
  const sum = createLatencySum('endpoint')
  for (const one of rows) sum.addRow(one)
  return sum.sum()
}

function merged(...parts: readonly (Latencies | null)[]): Latencies | null {
  const sum = createLatencySum('endpoint')
  for (const part of parts) if (part) sum.add(part)
  return sum.sum()
}

const isGood = ({ verdict }: CheckRow) => verdict === 'up' || verdict === 'degraded'

t.test('a bucket stands for each of its latencies with at most two percent of error', async (t) => {
  fc.assert(
    fc.property(latency, (ms) => {
      const shown = bucketMs(bucketOf(ms))
      return Math.abs(shown - ms) <= 0.02 * ms
    }),
    runs(1_000),
  )
  t.equal(bucketOf(latencyMsMax), bucketsMax - 1)
  for (let bucket = 1; bucket < bucketsMax; bucket += 1) {
    t.ok(bucketMs(bucket) > bucketMs(bucket - 1))
    if (bucketOf(Math.round(bucketMs(bucket))) !== bucket) t.fail(`bucket ${bucket}`)
  }
})

t.test('a percentile is within two percent of that of the sorted latencies', async (t) => {
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 300 }),
      fc.constantFrom(0, 0.01, 0.5, 0.9, 0.95, 0.99, 1),
      (rows, share) => {
        const sum = sumOf(rows)
        const sorted = rows.filter(isGood).map(({ durationMs }) => durationMs)
        sorted.sort((a, b) => a - b)
        const shown = sum && percentileMs(sum, share)
        const exact = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
        if (exact === undefined) return shown === null
        return shown !== null && Math.abs(shown - exact) <= 0.02 * exact
      },
    ),
    runs(300),
  )
  t.pass()
})

t.test('sums of parts are the sum of the whole, in whatever order', async (t) => {
  const rows = fc.array(row, { maxLength: 60 })
  fc.assert(
    fc.property(rows, rows, rows, (a, b, c) => {
      const whole = sumOf([...a, ...b, ...c])
      const [one, two, three] = [sumOf(a), sumOf(b), sumOf(c)]
      for (const parts of [
        merged(one, two, three),
        merged(three, one, two),
        merged(merged(one, two), three),
        merged(one, merged(two, three)),
      ]) {
        if (JSON.stringify(parts) !== JSON.stringify(whole)) return false
      }
      return true
    }),
    runs(150),
  )
  t.pass()
})

t.test('the sum says of the results what the results say', async (t) => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 100 }), (rows) => {
      const sum = sumOf(rows)
      const timed = rows.filter(isGood)
      const durations = timed.map(({ durationMs }) => durationMs)
      const add = (numbers: readonly number[]) => numbers.reduce((all, ms) => all + ms, 0)
      if (!sum || sum.count !== timed.length || sum.sumMs !== add(durations)) return false
      if (durations.length > 0 && sum.minMs !== Math.min(...durations)) return false
      if (durations.length > 0 && sum.maxMs !== Math.max(...durations)) return false
      for (const kind of verdictKinds) {
        if (sum.results[kind] !== rows.filter(({ verdict }) => verdict === kind).length)
          return false
      }
      return phaseNames.every((name) => {
        const had = timed.flatMap(({ phases }) => phases?.[name] ?? [])
        return sum.phases[name].count === had.length && sum.phases[name].sumMs === add(had)
      })
    }),
    runs(200),
  )
  t.pass()
})

t.test('what is packed is unpacked as it was, in few bytes', async (t) => {
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 200 }), (rows) => {
      const sum = sumOf(rows)
      return (
        sum !== null && JSON.stringify(unpackLatencies(packLatencies(sum))) === JSON.stringify(sum)
      )
    }),
    runs(200),
  )
  const usual = sumOf(
    Array.from({ length: 60 }, (_, number) => ({
      atMs: number,
      verdict: 'up',
      durationMs: 180 + ((number * 37) % 90),
      phases: { dns: 1, connect: 12, tls: 25, firstByte: 140, download: 3 },
    })),
  )
  t.ok(usual && packLatencies(usual).length <= 36, 'an hour of checks every minute')
})

t.test('only what a target took to answer is its latency', async (t) => {
  const make = (verdict: CheckRow['verdict'], durationMs: number): CheckRow => ({
    atMs: 0,
    verdict,
    durationMs,
  })
  const rows = [make('up', 10), make('degraded', 50), make('down', 10_000), make('unknown', 7)]
  const sum = sumOf(rows)
  t.match(sum, { count: 2, minMs: 10, maxMs: 50, sumMs: 60 })
  t.same(sum?.results, { up: 1, degraded: 1, down: 1, unknown: 1 })
  const pushed = createLatencySum('push')
  for (const one of [make('up', 0), make('up', 90)]) pushed.addRow(one)
  t.match(pushed.sum(), { count: 1, minMs: 90, results: { up: 2 } }, 'a report may state none')
  t.equal(createLatencySum('endpoint').sum(), null)
})
