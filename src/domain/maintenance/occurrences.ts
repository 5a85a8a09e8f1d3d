// When a maintenance window is on: each of its occurrences, computed from its schedule.

import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../base/memory/bounds.ts'
import { dayMs } from '../health/span.ts'
import { limits } from '../limits/limits.ts'
import { nextRunAtMs, previousRunAtMs, runsPerDay } from '../schedule/cron.ts'
import { type Interval, merged, without } from './interval.ts'

/** When a window is on: once, or at each run of a cron expression. */
export type WindowTimes =
  | { readonly kind: 'once'; readonly startsAtMs: number; readonly endsAtMs: number }
  | {
      readonly kind: 'recurring'
      readonly cron: string
      readonly timezone: string
      /** Elapsed time, also where the clock changes meanwhile. */
      readonly durationMinutes: number
      /** Time that a person added to an occurrence. */
      readonly extras: readonly Interval[]
      /** Time that a person took away: the rest of an occurrence, or all of one. */
      readonly cuts: readonly Interval[]
    }

type RecurringTimes = Extract<WindowTimes, { kind: 'recurring' }>

/** Occurrences of one window that are remembered around a time, and how many of them before it. */
const maintenanceKept = 1_000
const maintenancePastKept = 500

/**
 * The occurrences that end after a time, in order. Occurrences that touch each other are one. They are
 * remembered, because each check of a monitor asks.
 */
export function* occurrencesFrom(times: WindowTimes, fromMs: number): Generator<Interval> {
  if (times.kind === 'once') {
    if (times.endsAtMs > fromMs) yield { fromMs: times.startsAtMs, toMs: times.endsAtMs }
    return
  }
  const known = stretchAt(times, fromMs)
  const { found } = known
  for (let at = firstEndingAfter(found, fromMs); at < maintenanceKept; at += 1) {
    const occurrence = found[at] ?? nextOf(known)
    if (occurrence === undefined) return
    if (occurrence.toMs > fromMs) yield occurrence
  }
  yield* computedFrom(times, Math.max(fromMs, endOf(found.at(-1))))
}

/** Computed from the time that is asked for, however far away it is. */
function* computedFrom(times: RecurringTimes, fromMs: number): Generator<Interval> {
  for (const whole of joinedRuns(times, fromMs)) {
    const cuts = times.cuts.filter((cut) => cut.toMs > whole.fromMs && cut.fromMs < whole.toMs)
    for (const piece of without(whole, cuts)) if (piece.toMs > fromMs) yield piece
  }
}

/** Occurrences that touch each other and are taken for one. */
const maintenanceJoinedMax = 200

/** The runs and the time added to them. Without a bound if the runs leave no time between them. */
function* joinedRuns(times: RecurringTimes, fromMs: number): Generator<Interval> {
  const runs = runsFrom(times, fromMs)
  let run = runs.next().value
  const extras = [...merged(times.extras.filter(({ toMs }) => toMs > fromMs))]
  const isExtraNext = () => extras[0] !== undefined && (!run || extras[0].fromMs < run.fromMs)
  const taken = () => {
    if (isExtraNext()) return extras.shift()
    const before = run
    run = runs.next().value
    return before
  }
  for (let whole = taken(); whole; whole = taken()) {
    for (let joins = 0; joins < maintenanceJoinedMax; joins += 1) {
      const next: Interval | undefined = isExtraNext() ? extras[0] : run
      if (!next || next.fromMs > whole.toMs) break
      whole = { fromMs: whole.fromMs, toMs: Math.max(whole.toMs, next.toMs) }
      taken()
    }
    yield whole
  }
}

function endOf(interval: Interval | undefined): number {
  return interval?.toMs ?? Number.POSITIVE_INFINITY
}

/** Each run, from the beginning of the occurrence that is on at that time. */
function* runsFrom(times: RecurringTimes, fromMs: number): Generator<Interval, undefined> {
  const lengthMs = times.durationMinutes * 60_000
  let startMs = nextRunAtMs(times, fromMs - lengthMs)
  // Earlier runs that reach into the first one belong to the same occurrence.
  for (let joins = 0; startMs !== null && joins < maintenanceJoinedMax; joins += 1) {
    const earlierMs = previousRunAtMs(times, startMs - 1)
    if (earlierMs === null || earlierMs + lengthMs < startMs) break
    startMs = earlierMs
  }
  yield* runsSince(times, startMs)
  return undefined
}

function* runsSince(times: RecurringTimes, firstMs: number | null): Generator<Interval> {
  const lengthMs = times.durationMinutes * 60_000
  for (let startMs = firstMs; startMs !== null; startMs = nextRunAtMs(times, startMs)) {
    yield { fromMs: startMs, toMs: startMs + lengthMs }
  }
}

/** How often it can be on in a day. */
export function perDayMax(times: WindowTimes): number {
  return times.kind === 'once' ? 1 : runsPerDay(times)
}

/** Whether its occurrences would join without an end. */
export function isEndless(times: WindowTimes, nowMs: number): boolean {
  if (times.kind === 'once') return false
  let joined = 0
  let endMs = Number.POSITIVE_INFINITY
  for (const run of runsSince(times, nextRunAtMs(times, nowMs))) {
    if (run.fromMs > endMs) return false
    joined += 1
    if (joined >= maintenanceJoinedMax) return true
    endMs = run.toMs
  }
  return false
}

/** The occurrences of a stretch of time. The stretch grows when later occurrences are asked for. */
interface KnownStretch {
  readonly fromMs: number
  readonly found: Interval[]
  readonly rest: Generator<Interval>
  /** Infinity once all are found. */
  toMs: number
}

/** Adds the next occurrence; undefined if there is none. */
function nextOf(known: KnownStretch): Interval | undefined {
  const next = known.rest.next()
  known.toMs = next.done ? Number.POSITIVE_INFINITY : next.value.toMs
  if (next.done) return undefined
  known.found.push(next.value)
  return next.value
}

const stretchAt = createMemory()

/** Times around which occurrences of one window are remembered: the times that were asked for last. */
const maintenanceStretchesKept = 4

/**
 * Remembers occurrences by the schedule's own object, which never changes, or by its content, because
 * records are read again.
 */
function createMemory() {
  const own = new WeakMap<WindowTimes, KnownStretch[]>()
  const byContent = new LRUCache<string, KnownStretch[]>(atMostEntries(limits.cronsRemembered))

  function shared(times: RecurringTimes): KnownStretch[] {
    const content = JSON.stringify(times)
    const stretches = byContent.get(content) ?? []
    byContent.set(content, stretches)
    own.set(times, stretches)
    return stretches
  }

  return (times: RecurringTimes, fromMs: number): KnownStretch => {
    const stretches = own.get(times) ?? shared(times)
    const place = stretches.findIndex((one) => reaches(one, fromMs))
    const known = stretches[place] ?? newStretch(times, fromMs)
    if (place === 0) return known
    // The stretch that was asked for last comes first; the one that was not for longest goes.
    if (place > 0) stretches.splice(place, 1)
    stretches.unshift(known)
    stretches.length = Math.min(stretches.length, maintenanceStretchesKept)
    return known
  }
}

/** How far before the asked time occurrences are computed, so that the next question finds them. */
const maintenanceKnownMs = 25 * 3_600_000

function newStretch(times: RecurringTimes, fromMs: number): KnownStretch {
  const sinceMs = fromMs - maintenanceKnownMs
  return { fromMs: sinceMs, toMs: sinceMs, found: [], rest: computedFrom(times, sinceMs) }
}

/**
 * Whether the stretch goes back far enough, has room for what follows, and does not end long before the
 * time: else all occurrences from today to a time in years would be computed.
 */
function reaches({ fromMs: sinceMs, toMs, found }: KnownStretch, fromMs: number): boolean {
  const hasRoom = endOf(found[maintenancePastKept]) > fromMs
  return hasRoom && sinceMs <= fromMs && fromMs <= toMs + maintenanceKnownMs
}

/** The occurrences that touch a stretch of time, whole, in order. */
export function occurrencesIn(
  times: WindowTimes,
  fromMs: number,
  toMs: number,
): readonly Interval[] {
  if (times.kind === 'once') {
    const { startsAtMs, endsAtMs } = times
    return startsAtMs < toMs && endsAtMs > fromMs ? [{ fromMs: startsAtMs, toMs: endsAtMs }] : []
  }
  const occurrences: Interval[] = []
  for (const occurrence of occurrencesFrom(times, fromMs)) {
    if (occurrence.fromMs >= toMs) break
    occurrences.push(occurrence)
  }
  return occurrences
}

/** The newest occurrences that touch a stretch of time, at most so many: it is looked at from its end. */
export function lastOccurrencesIn(
  times: WindowTimes,
  { fromMs, toMs }: Interval,
  most: number,
): readonly Interval[] {
  for (let days = 1 + Math.ceil(most / Math.max(1, perDayMax(times))); ; days *= 4) {
    const sinceMs = Math.max(fromMs, toMs - days * dayMs)
    const found = occurrencesIn(times, sinceMs, toMs)
    if (found.length >= most || sinceMs === fromMs) return found.slice(-most)
  }
}

function firstEndingAfter(occurrences: readonly Interval[], fromMs: number): number {
  let low = 0
  let high = occurrences.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (endOf(occurrences[middle]) > fromMs) high = middle
    else low = middle + 1
  }
  return low
}
