// Spans: how long a monitor was in each state, by UTC day, and the resulting uptime.

import type { VerdictKind } from '../checks/verdict.ts'
import { limits } from '../limits/limits.ts'
import { type Health, type ShownState, shownState } from './health.ts'

export const hourMs = 3_600_000
export const dayMs = 86_400_000

/** Rounded down: 0 on the last day before an end, -1 on the first one after it. */
export function wholeDays(leftMs: number): number {
  return Math.floor(leftMs / dayMs)
}

/** Checked, or not checked: time without checks counts in no uptime. */
export type SpanState = ShownState | 'unknown' | 'paused' | 'maintenance'

/** One monitor's day or hour. The four times cover only what is accounted for so far. */
export interface Tally {
  /** UTC. */
  readonly startMs: number
  readonly upMs: number
  readonly degradedMs: number
  readonly downMs: number
  /** Pending, unknown, paused or under maintenance: excluded from uptime. */
  readonly excludedMs: number
  /** The parts of excludedMs that people chose. Earlier versions did not tell them apart: 0. */
  readonly pausedMs: number
  readonly maintenanceMs: number
  readonly checks: number
  readonly failures: number
}

/** A stretch of time in one state. */
export interface Span {
  readonly state: SpanState
  readonly fromMs: number
  readonly toMs: number
}

/** A time in which the daemon did not run, so that nobody looked. */
export interface Gap {
  readonly fromMs: number
  readonly toMs: number
}

/** The spans with the gaps, oldest first, cut out of them as time without checks. */
export function withGaps(spans: readonly Span[], gaps: readonly Gap[]): readonly Span[] {
  return withCuts(spans, gaps, 'unknown')
}

/** The same for time under maintenance, whose checks do not count. */
export function withMaintenance(
  spans: readonly Span[],
  covered: readonly Pick<Span, 'fromMs' | 'toMs'>[],
): readonly Span[] {
  return withCuts(spans, covered, 'maintenance')
}

/** The spans with some stretches of time, oldest first, in another state. */
function withCuts(
  spans: readonly Span[],
  cuts: readonly Pick<Span, 'fromMs' | 'toMs'>[],
  state: SpanState,
): readonly Span[] {
  const startMs = spans.at(0)?.fromMs ?? 0
  if ((cuts.at(-1)?.toMs ?? 0) <= startMs) return spans
  const cut: Span[] = []
  let first = 0
  for (const span of spans) {
    // Both are in order, and there may be thousands of each.
    while ((cuts[first]?.toMs ?? Number.POSITIVE_INFINITY) <= span.fromMs) first += 1
    let atMs = span.fromMs
    for (let at = first; at < cuts.length; at += 1) {
      const next = cuts[at]
      if (!next || next.fromMs >= span.toMs) break
      const beginMs = Math.max(next.fromMs, atMs)
      const endMs = Math.min(next.toMs, span.toMs)
      if (endMs <= beginMs) continue
      if (beginMs > atMs) cut.push({ ...span, fromMs: atMs, toMs: beginMs })
      cut.push({ state, fromMs: beginMs, toMs: endMs })
      atMs = endMs
    }
    if (span.toMs > atMs) cut.push({ ...span, fromMs: atMs })
  }
  return cut
}

/** The empty tally of the UTC day (or hour) that contains a time. */
export function tallyOf(atMs: number, bucketMs = dayMs): Tally {
  const startMs = Math.floor(atMs / bucketMs) * bucketMs
  const none = { upMs: 0, degradedMs: 0, downMs: 0, excludedMs: 0, pausedMs: 0, maintenanceMs: 0 }
  return { startMs, ...none, checks: 0, failures: 0 }
}

/** Where the time in each state is counted. */
export const spanColumns = {
  up: 'upMs',
  degraded: 'degradedMs',
  down: 'downMs',
  pending: 'excludedMs',
  unknown: 'excludedMs',
  paused: 'excludedMs',
  maintenance: 'excludedMs',
} as const satisfies Record<SpanState, keyof Tally>

/** The tally with time in a state added, which it must contain. */
function withTime(tally: Tally, state: SpanState, ms: number): Tally {
  const column = spanColumns[state]
  const added = { ...tally, [column]: tally[column] + ms }
  if (state === 'paused') return { ...added, pausedMs: tally.pausedMs + ms }
  if (state === 'maintenance') return { ...added, maintenanceMs: tally.maintenanceMs + ms }
  return added
}

/** What was counted in all of them, of the day (or hour) of the first. */
export function sumOfTallies([first, ...others]: readonly [Tally, ...Tally[]]): Tally {
  return others.reduce(
    (sum, one) => ({
      startMs: sum.startMs,
      upMs: sum.upMs + one.upMs,
      degradedMs: sum.degradedMs + one.degradedMs,
      downMs: sum.downMs + one.downMs,
      excludedMs: sum.excludedMs + one.excludedMs,
      pausedMs: sum.pausedMs + one.pausedMs,
      maintenanceMs: sum.maintenanceMs + one.maintenanceMs,
      checks: sum.checks + one.checks,
      failures: sum.failures + one.failures,
    }),
    first,
  )
}

/**
 * Adds a span to its day (or hour): returns the finished ones, oldest first, then the current one.
 * Time before the tally's own day is over and not counted again.
 */
export function accrue(
  tally: Tally,
  state: SpanState,
  fromMs: number,
  toMs: number,
  bucketMs = dayMs,
): Tally[] {
  const earliestMs = Math.max(fromMs, tally.startMs, toMs - limits.spanDaysMax * dayMs)
  if (toMs <= earliestMs) return [tally]
  const tallies: Tally[] = []
  let current = tally
  for (let atMs = earliestMs; atMs < toMs; ) {
    if (atMs >= current.startMs + bucketMs) {
      tallies.push(current)
      current = tallyOf(atMs, bucketMs)
    }
    const endMs = Math.min(toMs, current.startMs + bucketMs)
    current = withTime(current, state, endMs - atMs)
    atMs = endMs
  }
  tallies.push(current)
  return tallies
}

/** The same for spans, one after the other. */
export function accrueAll(tally: Tally, spans: readonly Span[], bucketMs: number): Tally[] {
  const tallies = [tally]
  for (const { state, fromMs, toMs } of spans) {
    tallies.push(...accrue(tallies.pop() ?? tally, state, fromMs, toMs, bucketMs))
  }
  return tallies
}

/** Counts one check. A check that could not be made does not count. */
export function withCheck(tally: Tally, verdict: VerdictKind): Tally {
  if (verdict === 'unknown') return tally
  const failures = tally.failures + (verdict === 'down' ? 1 : 0)
  return { ...tally, checks: tally.checks + 1, failures }
}

/** The time that counts for uptime. */
export interface WorkedTime {
  readonly workedMs: number
  readonly downMs: number
}

/** Adds up the tallies from one time on to `sum`. */
export function workedTime(
  tallies: readonly Tally[],
  fromMs = Number.NEGATIVE_INFINITY,
  sum: WorkedTime = { workedMs: 0, downMs: 0 },
): WorkedTime {
  let { workedMs, downMs } = sum
  for (const tally of tallies) {
    if (tally.startMs < fromMs) continue
    workedMs += tally.upMs + tally.degradedMs
    downMs += tally.downMs
  }
  return { workedMs, downMs }
}

/** The time that counts, in all. */
export function countedMs({ workedMs, downMs }: WorkedTime): number {
  return workedMs + downMs
}

/** The share of the counted time in which it worked, 0..1; slow counts as working. Null: none. */
export function workedRatio(worked: WorkedTime): number | null {
  const allMs = countedMs(worked)
  return allMs === 0 ? null : worked.workedMs / allMs
}

/**
 * The uptime that people see. Null while less than an hour counts: a share of some minutes would
 * look like one of the whole window.
 */
export function uptimeRatio(worked: WorkedTime): number | null {
  return countedMs(worked) < limits.uptimeCountedMsMin ? null : workedRatio(worked)
}

/**
 * The time since `accountedMs` whose state is now certain. A result that is still being confirmed
 * leaves the time since it open, so that an outage counts from its first failing result and a
 * recovery from its first good one, as the incident does. The end of the last span (else
 * `accountedMs`) is the next `accountedMs`. After the clock was set back, nothing is added until it
 * passes `accountedMs` again.
 */
export function certainSpans(
  before: Health,
  after: Health,
  accountedMs: number,
  atMs: number,
): Span[] {
  const shown = shownState(before)
  const turnMs = Math.min(atMs, Math.max(accountedMs, turnAtMs(before, after) ?? atMs))
  const spans: Span[] = [{ state: shown, fromMs: accountedMs, toMs: turnMs }]
  if (shownState(after) !== shown) {
    spans.push({ state: shownState(after), fromMs: turnMs, toMs: atMs })
  }
  return spans.filter((span) => span.toMs > span.fromMs)
}

/** When another state began or may have begun; null if there is no sign of one. */
function turnAtMs(before: Health, after: Health): number | null {
  if (shownState(after) !== shownState(before)) return after.sinceMs
  if (after.state === 'confirming') return after.failedAtMs.at(0) ?? null
  return after.streakSinceMs
}
