// The past of a monitor of Uptime Kuma: counts of its checks by day and hour, and the beats that changed its
// state (server/uptime-calculator.js, server/model/heartbeat.js).
import { clip } from '../../../base/clip.ts'
import { limits } from '../../limits/limits.ts'
import {
  type ForeignFields,
  type ForeignOutage,
  type ForeignPeriod,
  fieldsOf,
  numberOf,
  textOf,
} from '../foreign.ts'
import { jsonOf } from './kuma-columns.ts'

export const dayMs = 86_400_000
export const hourMs = 3_600_000

/** What a monitor's past is read with: times are in ms. */
export interface KumaPace {
  /** The interval of today; that of then is not known. */
  readonly intervalMs: number
  readonly nowMs: number
  /** When it was made. */
  readonly madeAtMs?: number | undefined
  /** When the check ended that its newest beat stands for. */
  readonly untilMs?: number | undefined
}

/** A row of stat_daily or stat_hourly, whose `timestamp` is in seconds. */
export function statPeriods(
  rows: readonly ForeignFields[],
  lengthMs: number,
  pace: KumaPace,
): readonly ForeignPeriod[] {
  return periodsOf(
    rows.map((row) => {
      const { maintenance } = fieldsOf(jsonOf(row.extras))
      const { up, down, ping: mean, ping_min: min, ping_max: max } = row
      return { atMs: (numberOf(row.timestamp) ?? 0) * 1_000, up, down, maintenance, mean, min, max }
    }),
    lengthMs,
    pace,
  )
}

/** A row for each day of heartbeats, as `2026-11-30`, where nothing else counted them. */
export function beatPeriods(
  rows: readonly ForeignFields[],
  pace: KumaPace,
): readonly ForeignPeriod[] {
  return periodsOf(
    rows.map(({ day, first, last, ...counts }) => {
      const [fromMs, lastMs] = [timeOf(first), timeOf(last)]
      return { ...counts, atMs: Date.parse(textOf(day)), fromMs, lastMs }
    }),
    dayMs,
    pace,
  )
}

interface CountedPeriod extends ForeignFields {
  readonly atMs: number
  /** Its first and last beat, where they are known. */
  readonly fromMs?: number | undefined
  readonly lastMs?: number | undefined
}

interface BeatCounts {
  readonly startMs: number
  readonly up: number
  readonly down: number
  readonly maintenance: number
  readonly all: number
  /** How much of it lies between the first beat and the last one. */
  readonly passedMs: number
  readonly latencyMs: ForeignPeriod['latencyMs']
}

/** In order, each once; what is not a period of the past is left out. */
function periodsOf(
  counted: readonly CountedPeriod[],
  lengthMs: number,
  pace: KumaPace,
): readonly ForeignPeriod[] {
  const periods = new Map<number, BeatCounts>()
  for (const one of counted) {
    const counts = countsOf(one, lengthMs, pace)
    if (counts !== undefined) periods.set(counts.startMs, counts)
  }
  const all = [...periods.values()].toSorted((a, b) => a.startMs - b.startMs)
  return all.map((one, at) => {
    const beside = all.slice(Math.max(0, at - besideMax), at + besideMax + 1)
    const eachMs = coveredMs(one, beside, lengthMs, pace) / one.all
    return {
      startMs: one.startMs,
      upMs: Math.round(one.up * eachMs),
      downMs: Math.round(one.down * eachMs),
      maintenanceMs: Math.round(one.maintenance * eachMs),
      checks: one.up + one.down,
      failures: one.down,
      latencyMs: one.latencyMs,
    }
  })
}

function countsOf(
  counted: CountedPeriod,
  lengthMs: number,
  { intervalMs, nowMs, madeAtMs = 0, untilMs = nowMs }: KumaPace,
): BeatCounts | undefined {
  const startMs = Math.floor(counted.atMs / lengthMs) * lengthMs
  const endMs = startMs + lengthMs
  const up = countOf(counted.up)
  const down = countOf(counted.down)
  const maintenance = countOf(counted.maintenance)
  const all = up + down + maintenance
  if (!(startMs > 0) || startMs >= nowMs || all === 0) return undefined
  const isWithin = (atMs: number) => atMs > startMs && atMs < endMs
  const { fromMs = isWithin(madeAtMs) ? madeAtMs : startMs, lastMs } = counted
  const betweenMs = lastMs === undefined || all === 1 ? intervalMs : (lastMs - fromMs) / (all - 1)
  const beatenMs = lastMs === undefined ? endMs : lastMs + betweenMs
  const toMs = Math.min(endMs, nowMs, beatenMs, isWithin(untilMs) ? untilMs : endMs)
  const passedMs = Math.max(1, toMs - fromMs)
  return { startMs, up, down, maintenance, all, passedMs, latencyMs: latencyOf(counted, up) }
}

/** How many periods before and after one say how many checks are usual. */
const besideMax = 3
const besideMin = 3
/** A period with so many of the usual checks had no pause. */
const wholeShare = 0.75

/**
 * How much of a period its checks stand for: all that passed of it, unless there were fewer than usual. What is usual
 * say the periods around it, because the interval may have been another one then; where there are none, the interval.
 */
function coveredMs(
  { all, passedMs }: BeatCounts,
  beside: readonly BeatCounts[],
  lengthMs: number,
  { intervalMs }: KumaPace,
): number {
  const countedMs = all * intervalMs
  if (countedMs >= wholeShare * passedMs) return passedMs
  if (beside.length < besideMin) return countedMs
  const counts = beside.map((one) => one.all).toSorted((a, b) => a - b)
  const usual = (counts[Math.floor(counts.length / 2)] ?? 1) * (passedMs / lengthMs)
  const share = all / Math.max(1, usual)
  return share >= wholeShare ? passedMs : Math.max(countedMs, share * passedMs)
}

/** Days of which the hours are known have their times: these tell pauses more finely. */
export function withTimesOfHours(
  days: readonly ForeignPeriod[],
  hours: readonly ForeignPeriod[],
): readonly ForeignPeriod[] {
  const [first] = hours
  if (first === undefined) return days
  const ofDay = Map.groupBy(hours, ({ startMs }) => Math.floor(startMs / dayMs) * dayMs)
  return days.map((day) => {
    const own = ofDay.get(day.startMs)
    // The hours of the first day may be forgotten in part.
    if (own === undefined || day.startMs <= first.startMs - (first.startMs % dayMs)) return day
    const sum = (name: 'upMs' | 'downMs' | 'maintenanceMs') =>
      own.reduce((all, hour) => all + hour[name], 0)
    return {
      ...day,
      upMs: sum('upMs'),
      downMs: sum('downMs'),
      maintenanceMs: sum('maintenanceMs'),
    }
  })
}

/** A day has no more checks than milliseconds. */
function countOf(value: unknown): number {
  const count = numberOf(value) ?? 0
  return count > 0 && count <= dayMs ? Math.round(count) : 0
}

/** Null where nothing was measured: Kuma writes 0 for it, too. */
function latencyOf({ mean, min, max }: ForeignFields, up: number): ForeignPeriod['latencyMs'] {
  if (up === 0) return null
  const average = numberOf(mean) ?? 0
  if (average <= 0 || average > dayMs) return null
  // Kuma 2.0 kept no extremes at first, and has 0 for those of that time.
  const least = numberOf(min) || average
  const most = numberOf(max) || average
  return { mean: average, min: Math.min(least, average), max: Math.max(most, average) }
}

/** What Kuma calls the states of a monitor. */
const states = { down: 0, up: 1, maintenance: 3 } as const

/**
 * The times in which it was down, of the beats at which its state changed, in order. `endMs`: when an outage
 * of which no end is known ended; null if it goes on.
 */
export function outagesOf(
  beats: readonly ForeignFields[],
  endMs: number | null,
): readonly ForeignOutage[] {
  const outages: ForeignOutage[] = []
  let open: { readonly fromMs: number; readonly text: string } | undefined
  for (const { status, time, msg } of beats) {
    const atMs = timeOf(time)
    if (atMs === undefined) continue
    if (status === states.down) {
      open ??= { fromMs: atMs, text: clip(textOf(msg), limits.importNoteCharsMax) }
    } else if (open !== undefined && (status === states.up || status === states.maintenance)) {
      if (atMs > open.fromMs) outages.push({ ...open, toMs: atMs })
      open = undefined
    }
  }
  if (open !== undefined && (endMs === null || endMs > open.fromMs)) {
    outages.push({ ...open, toMs: endMs })
  }
  return outages
}

/** Kuma writes times in UTC, as `2026-11-30 12:00:00.000`. */
export function timeOf(text: unknown): number | undefined {
  const [, day, clock] =
    /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,3})?)/.exec(textOf(text)) ?? []
  if (clock === undefined) return undefined
  const atMs = Date.parse(`${day}T${clock}Z`)
  return Number.isNaN(atMs) ? undefined : atMs
}
