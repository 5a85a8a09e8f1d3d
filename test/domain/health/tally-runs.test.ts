// Runs of days and hours say the same as each of them alone, whatever a monitor lived through.
import t from 'tap'
import {
  accrueAll,
  dayMs,
  hourMs,
  type Span,
  type SpanState,
  spanColumns,
  type Tally,
  tallyOf,
  withCheck,
} from '../../../src/domain/health/span.ts'
import { accrueRuns, partsOfRun, type TallyRun } from '../../../src/domain/health/tally-runs.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { amount, testSeed } from '../../support/depth.ts'
import { seededRandom } from '../../support/seeded-random.ts'

const states = Object.keys(spanColumns) as SpanState[]

/** Spans that follow each other: seconds, days, or months; many begin or end with an hour or a day. */
function someSpans(sinceMs: number, random: () => number): Span[] {
  const spans: Span[] = []
  let fromMs = sinceMs
  for (let count = Math.ceil(random() * 6); count > 0; count -= 1) {
    const lengthMs = [2 * hourMs, 3 * dayMs, 60 * dayMs][Math.floor(random() * 3)] ?? hourMs
    const unitMs = [1, 1_000, hourMs, dayMs][Math.floor(random() * 4)] ?? 1
    const toMs = Math.max(fromMs, Math.floor((fromMs + random() ** 2 * lengthMs) / unitMs) * unitMs)
    const state = states[Math.floor(random() * states.length)] ?? 'up'
    if (toMs > fromMs) spans.push({ state, fromMs, toMs })
    fromMs = toMs
  }
  return spans
}

const eachOf = (runs: readonly TallyRun[], bucketMs: number): Tally[] =>
  runs.flatMap(({ tally, count }) =>
    Array.from({ length: count }, (_, at) => ({
      ...tally,
      startMs: tally.startMs + at * bucketMs,
    })),
  )

/** The tallies with a time that people see; nothing is kept of the others. */
const told = (tallies: readonly Tally[]) =>
  tallies.filter(
    ({ upMs, degradedMs, downMs, pausedMs, maintenanceMs, checks }) =>
      upMs + degradedMs + downMs + pausedMs + maintenanceMs + checks > 0,
  )

t.test('a life in runs is the life hour by hour, and day by day', async (t) => {
  const seed = testSeed()
  for (let life = 0; life < amount(15, 3_000); life += 1) {
    const random = seededRandom(seed + life)
    for (const bucketMs of [hourMs, dayMs]) {
      let sinceMs = Math.floor(random() * 1_000 * dayMs)
      let counted = tallyOf(sinceMs, bucketMs)
      let current = counted
      for (let step = 0; step < 10; step += 1) {
        const spans = someSpans(sinceMs, random)
        const all = accrueAll(counted, spans, bucketMs)
        const runs = accrueRuns(current, spans, bucketMs)
        counted = all.pop() ?? counted
        current = runs.current
        const about = `seed ${seed + life}, step ${step}`
        t.same(told(eachOf(runs.finished, bucketMs)), told(all), about)
        t.same(current, counted, about)
        if (random() < 0.5) {
          counted = withCheck(counted, 'up')
          current = withCheck(current, 'up')
        }
        sinceMs = spans.at(-1)?.toMs ?? sinceMs
      }
      if (!t.passing()) return
    }
  }
})

t.test('a state of years is a few runs', async (t) => {
  for (const state of states) {
    const span = { state, fromMs: 0, toMs: 399 * dayMs + hourMs / 2 }
    for (const bucketMs of [hourMs, dayMs]) {
      const { finished } = accrueRuns(tallyOf(0, bucketMs), [span], bucketMs)
      t.ok(finished.length <= 2)
    }
  }
  const long = { state: 'paused', fromMs: 0, toMs: 3_000 * dayMs } as const
  const { finished } = accrueRuns(tallyOf(0), [long], dayMs)
  t.ok(eachOf(finished, dayMs).length <= limits.spanDaysMax + 1, 'the newest part of it')
})

t.test('a run in parts has each of its days once', async (t) => {
  const run = { tally: tallyOf(10 * dayMs), count: 20 }
  for (const aloneMs of [[], [10], [29], [9, 12, 13, 30], [10, 11, 28, 29]]) {
    const parts = partsOfRun(
      run,
      aloneMs.map((day) => day * dayMs),
      dayMs,
    )
    t.same(eachOf(parts, dayMs), eachOf([run], dayMs))
    const alone = parts.filter(({ count }) => count === 1).map(({ tally }) => tally.startMs / dayMs)
    for (const day of aloneMs) t.equal(alone.includes(day), day >= 10 && day < 30)
  }
})
