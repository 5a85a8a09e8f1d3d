// Runs: days or hours that follow each other and are alike, kept as one, so that a pause of half a year
// costs no more than one of a week.
import { limits } from '../limits/limits.ts'
import { accrue, dayMs, type Span, type Tally, tallyOf } from './span.ts'
import { ceilTo, floorTo } from './time-window.ts'

export interface TallyRun {
  /** The first of them. */
  readonly tally: Tally
  readonly count: number
}

export function endOfRun({ tally, count }: TallyRun, bucketMs: number): number {
  return tally.startMs + count * bucketMs
}

/** What of a run lies between two times, which are starts of days (or hours); null if nothing does. */
export function partOfRun<Run extends TallyRun>(
  run: Run,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
  bucketMs: number,
): Run | null {
  const startMs = Math.max(run.tally.startMs, fromMs)
  const count = (Math.min(endOfRun(run, bucketMs), toMs) - startMs) / bucketMs
  if (count <= 0) return null
  if (count === run.count) return run
  return { ...run, tally: { ...run.tally, startMs }, count }
}

/**
 * The run in parts: each of some days (or hours), oldest first, alone, and the days between them
 * together.
 */
export function partsOfRun(
  run: TallyRun,
  aloneMs: readonly number[],
  bucketMs: number,
): readonly TallyRun[] {
  if (run.count === 1) return [run]
  const parts: TallyRun[] = []
  let fromMs = run.tally.startMs
  const add = (toMs: number) => {
    const part = partOfRun(run, { fromMs, toMs }, bucketMs)
    if (part) parts.push(part)
    fromMs = toMs
  }
  const endMs = endOfRun(run, bucketMs)
  for (const startMs of aloneMs) {
    if (startMs < fromMs || startMs >= endMs) continue
    add(startMs)
    add(startMs + bucketMs)
  }
  add(endMs)
  return parts
}

/**
 * Adds spans to their days (or hours): returns the ones that are over, oldest first, and the one that is
 * not. Days with unknown time only are left out.
 */
export function accrueRuns(
  tally: Tally,
  spans: readonly Span[],
  bucketMs: number,
): { readonly finished: readonly TallyRun[]; readonly current: Tally } {
  const finished: TallyRun[] = []
  let current = tally
  const over = (tallies: readonly Tally[]) => {
    for (const one of tallies) finished.push({ tally: one, count: 1 })
  }
  for (const { state, fromMs: sinceMs, toMs } of spans) {
    const fromMs = Math.max(sinceMs, current.startMs, toMs - limits.spanDaysMax * dayMs)
    if (toMs <= fromMs) continue
    const firstEndMs = Math.max(ceilTo(bucketMs, fromMs), current.startMs + bucketMs)
    // As in `accrue`, one that ends with the span is not over yet.
    const lastStartMs = floorTo(bucketMs, toMs - 1)
    if (firstEndMs >= lastStartMs) {
      const tallies = accrue(current, state, fromMs, toMs, bucketMs)
      over(tallies.slice(0, -1))
      current = tallies.at(-1) ?? current
      continue
    }
    over(accrue(current, state, fromMs, firstEndMs, bucketMs))
    if (state !== 'unknown') {
      const first = tallyOf(firstEndMs, bucketMs)
      const [whole = first] = accrue(first, state, firstEndMs, firstEndMs + bucketMs, bucketMs)
      finished.push({ tally: whole, count: (lastStartMs - firstEndMs) / bucketMs })
    }
    const last = tallyOf(lastStartMs, bucketMs)
    current = accrue(last, state, lastStartMs, toMs, bucketMs).at(-1) ?? last
  }
  return { finished, current }
}
