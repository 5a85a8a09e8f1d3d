// Spans: how long a monitor was in which state, by UTC day, and the uptime that follows.

import type { VerdictKind } from '../checks/verdict.ts'
import { limits } from '../limits/limits.ts'
import { type Health, type ShownState, shownState } from './health.ts'

export const hourMs = 3_600_000
export const dayMs = 86_400_000

/** Rounded down: 0 in the last day before an end, -1 in the first one after it. */
export function wholeDays(leftMs: number): number {
  return Math.floor(leftMs / dayMs)
}

/** Seen, or not seen: nobody's uptime counts what we did not look at. */
export type SpanState = ShownState | 'unknown' | 'paused' | 'maintenance'

/** One monitor's day or hour. The four times are what is accounted for so far, not all of it. */
export interface Tally {
  /** UTC. */
  readonly startMs: number
  readonly upMs: number
  readonly degradedMs: number
  readonly downMs: number
  /** Pending, unknown, paused or under maintenance: in nobody's uptime. */
  readonly excludedMs: number
  readonly checks: number
  readonly failures: number
}

/** A stretch of time in one state. */
export interface Span {
  readonly state: SpanState
  readonly fromMs: number
  readonly toMs: number
}

/** The empty tally of the UTC day (or hour) that a time lies in. */
export function tallyOf(atMs: number, bucketMs = dayMs): Tally {
  const startMs = Math.floor(atMs / bucketMs) * bucketMs
  const none = { upMs: 0, degradedMs: 0, downMs: 0, excludedMs: 0 }
  return { startMs, ...none, checks: 0, failures: 0 }
}

const columns = {
  up: 'upMs',
  degraded: 'degradedMs',
  down: 'downMs',
  pending: 'excludedMs',
  unknown: 'excludedMs',
  paused: 'excludedMs',
  maintenance: 'excludedMs',
} as const satisfies Record<SpanState, keyof Tally>

/**
 * Adds a stretch of time to the day (or hour) it lies in: the finished ones, oldest first, then the
 * current one. What lies before the tally's own day is over and is not counted again.
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
  const column = columns[state]
  let current = tally
  for (let atMs = earliestMs; atMs < toMs; ) {
    if (atMs >= current.startMs + bucketMs) {
      tallies.push(current)
      current = tallyOf(atMs, bucketMs)
    }
    const endMs = Math.min(toMs, current.startMs + bucketMs)
    current = { ...current, [column]: current[column] + (endMs - atMs) }
    atMs = endMs
  }
  tallies.push(current)
  return tallies
}

/** Counts one check. A prober that could not look has checked nothing. */
export function withCheck(tally: Tally, verdict: VerdictKind): Tally {
  if (verdict === 'unknown') return tally
  const failures = tally.failures + (verdict === 'down' ? 1 : 0)
  return { ...tally, checks: tally.checks + 1, failures }
}

/** The part of the time looked at in which it worked, 0..1; slow counts. Null: nobody looked. */
export function uptimeRatio(tallies: readonly Tally[]): number | null {
  let workedMs = 0
  let downMs = 0
  for (const tally of tallies) {
    workedMs += tally.upMs + tally.degradedMs
    downMs += tally.downMs
  }
  const countedMs = workedMs + downMs
  return countedMs === 0 ? null : workedMs / countedMs
}

/**
 * What is now certain of the time since `accountedMs`, up to which it was certain before. A result
 * that is still being confirmed leaves the time since it open, so that an outage counts from its
 * first failing result and a recovery from its first good one, as the incident says. The end of
 * the last span (else `accountedMs`) is the next `accountedMs`. A clock that was set back adds
 * nothing until it is past `accountedMs` again.
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

/** When another state may have begun or has begun; null where nothing speaks for one. */
function turnAtMs(before: Health, after: Health): number | null {
  if (shownState(after) !== shownState(before)) return after.sinceMs
  if (after.state === 'confirming') return after.failedAtMs.at(0) ?? null
  return after.streakSinceMs
}
