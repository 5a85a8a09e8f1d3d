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
  readonly intervalMs: number
  readonly nowMs: number
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
    rows.map(({ day, ...counts }) => ({ ...counts, atMs: Date.parse(textOf(day)) })),
    dayMs,
    pace,
  )
}

interface CountedPeriod extends ForeignFields {
  readonly atMs: number
}

/** In order, each once; what is not a period of the past is left out. */
function periodsOf(
  counted: readonly CountedPeriod[],
  lengthMs: number,
  pace: KumaPace,
): readonly ForeignPeriod[] {
  const periods = new Map<number, ForeignPeriod>()
  for (const one of counted) {
    const startMs = Math.floor(one.atMs / lengthMs) * lengthMs
    const period = periodOf(one, startMs, lengthMs, pace)
    if (period !== undefined) periods.set(startMs, period)
  }
  return [...periods.values()].toSorted((a, b) => a.startMs - b.startMs)
}

/** Kuma counts checks: each stands for an interval, and all of them for no more than the period. */
function periodOf(
  counted: CountedPeriod,
  startMs: number,
  lengthMs: number,
  { intervalMs, nowMs }: KumaPace,
): ForeignPeriod | undefined {
  const up = countOf(counted.up)
  const down = countOf(counted.down)
  const maintenance = countOf(counted.maintenance)
  const all = up + down + maintenance
  const passedMs = Math.min(lengthMs, nowMs - startMs)
  if (!(startMs > 0) || passedMs <= 0 || all === 0) return undefined
  const eachMs = Math.min(intervalMs, passedMs / all)
  return {
    startMs,
    upMs: Math.round(up * eachMs),
    downMs: Math.round(down * eachMs),
    maintenanceMs: Math.round(maintenance * eachMs),
    checks: up + down,
    failures: down,
    latencyMs: up > 0 ? latencyOf(counted) : null,
  }
}

/** A day has no more checks than milliseconds. */
function countOf(value: unknown): number {
  const count = numberOf(value) ?? 0
  return count > 0 && count <= dayMs ? Math.round(count) : 0
}

/** Null where nothing was measured: Kuma writes 0 for it, too. */
function latencyOf({ mean, min, max }: ForeignFields): ForeignPeriod['latencyMs'] {
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
