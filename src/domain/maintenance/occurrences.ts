// When a maintenance window is on: each of its occurrences, computed from its schedule.
import { limits } from '../limits/limits.ts'
import { nextRunAtMs, previousRunAtMs } from '../schedule/cron.ts'
import { type Interval, merged, without } from './interval.ts'

/** It is on once, or at each run of a cron expression. */
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

/** The occurrences that end after a time, in order. Those that touch each other are one. */
export function* occurrencesFrom(times: WindowTimes, fromMs: number): Generator<Interval> {
  if (times.kind === 'once') {
    if (times.endsAtMs > fromMs) yield { fromMs: times.startsAtMs, toMs: times.endsAtMs }
    return
  }
  const occurrences = knownFrom(times, fromMs)
  for (let at = firstEndingAfter(occurrences.found, fromMs); ; at += 1) {
    const occurrence = occurrenceAt(occurrences, at)
    if (occurrence === undefined) return
    if (occurrence.toMs > fromMs) yield occurrence
  }
}

function* generated(times: RecurringTimes, fromMs: number): Generator<Interval> {
  for (const whole of joinedRuns(times, fromMs)) {
    for (const piece of without(whole, times.cuts)) if (piece.toMs > fromMs) yield piece
  }
}

/** The runs and the time added to them. Without a bound if the runs leave no time between them. */
function* joinedRuns(times: RecurringTimes, fromMs: number): Generator<Interval> {
  const runs = runsFrom(times, fromMs)
  let run = runs.next().value
  const extras = [...merged(times.extras.filter(({ toMs }) => toMs > fromMs))]
  for (;;) {
    const [extra] = extras
    let whole = run
    if (extra && (!run || extra.fromMs < run.fromMs)) whole = extras.shift()
    else run = runs.next().value
    if (!whole) return
    for (let joins = 0; joins < limits.maintenanceJoinedMax; joins += 1) {
      const touching: Interval | undefined =
        run && run.fromMs <= whole.toMs ? run : extras.find((one) => one.fromMs <= endOf(whole))
      if (!touching) break
      whole = { fromMs: whole.fromMs, toMs: Math.max(whole.toMs, touching.toMs) }
      if (touching === run) run = runs.next().value
      else extras.splice(extras.indexOf(touching), 1)
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
  for (let joins = 0; startMs !== null && joins < limits.maintenanceJoinedMax; joins += 1) {
    const earlierMs = previousRunAtMs(times, startMs - 1)
    if (earlierMs === null || earlierMs + lengthMs < startMs) break
    startMs = earlierMs
  }
  while (startMs !== null) {
    yield { fromMs: startMs, toMs: startMs + lengthMs }
    startMs = nextRunAtMs(times, startMs)
  }
  return undefined
}

/** Whether its occurrences would join without an end. */
export function isEndless(times: WindowTimes, nowMs: number): boolean {
  if (times.kind === 'once') return false
  const plain = { ...times, extras: [], cuts: [] }
  const lengthMs = times.durationMinutes * 60_000
  let joined = 0
  let endMs = Number.NEGATIVE_INFINITY
  for (const run of runsFrom(plain, nowMs + lengthMs)) {
    if (endMs !== Number.NEGATIVE_INFINITY && run.fromMs > endMs) return false
    joined += 1
    if (joined >= limits.maintenanceJoinedMax) return true
    endMs = run.toMs
  }
  return false
}

/** Occurrences that were computed, from a time on; more follow when they are asked for. */
interface KnownOccurrences {
  readonly fromMs: number
  readonly found: Interval[]
  readonly rest: Generator<Interval>
}

/** Computing is expensive, and each check of a monitor asks: so nothing is computed twice. */
const knownFrom = createMemory()

/** By the schedule's own object, which never changes, or its content: records are read again. */
function createMemory() {
  const own = new WeakMap<WindowTimes, KnownOccurrences>()
  const byContent = new Map<string, KnownOccurrences>()

  function made(content: string, times: RecurringTimes, fromMs: number): KnownOccurrences {
    const sinceMs = fromMs - limits.maintenanceKnownMs
    const occurrences = { fromMs: sinceMs, found: [], rest: generated(times, sinceMs) }
    if (byContent.size >= limits.cronsRemembered) byContent.clear()
    byContent.set(content, occurrences)
    return occurrences
  }

  return (times: RecurringTimes, fromMs: number): KnownOccurrences => {
    const before = own.get(times)
    if (before && isFresh(before, fromMs)) return before
    const content = JSON.stringify(times)
    const shared = byContent.get(content)
    const known = shared && isFresh(shared, fromMs) ? shared : made(content, times, fromMs)
    own.set(times, known)
    return known
  }
}

/** It goes back far enough, and does not remember a long past. */
function isFresh({ fromMs: sinceMs, found }: KnownOccurrences, fromMs: number): boolean {
  return sinceMs <= fromMs && endOf(found[limits.maintenancePastKept]) > fromMs
}

/** The occurrence at that place, computed if need be; undefined if there are not so many. */
function occurrenceAt({ found, rest }: KnownOccurrences, at: number): Interval | undefined {
  while (found.length <= at) {
    const next = rest.next()
    if (next.done) return undefined
    found.push(next.value)
  }
  return found[at]
}

/**
 * The occurrences that touch a stretch of time, whole, in order. They are remembered, because each
 * check of a monitor asks.
 */
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
