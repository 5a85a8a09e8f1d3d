// Quiet hours: when a channel is left in peace. What happens then is held, and summed up afterwards.
import { isOutage, type Severity } from '../incidents/incident.ts'
import { isTimezone, timezoneRule } from '../language.ts'
import { instants, wallMs } from '../wall-clock.ts'

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
type Weekday = (typeof weekdays)[number]

export interface QuietHours {
  /** A name of the IANA time zone database. */
  readonly timezone: string
  /** `HH:MM` on the clocks of the time zone. An end that is not after the start is on the next day. */
  readonly from: string
  readonly to: string
  /** The days on which they start; absent: every day. */
  readonly days?: readonly Weekday[]
  /** Outages go out at once, and everything that follows on them. */
  readonly allowDown?: boolean
}

export interface QuietPeriod {
  readonly startMs: number
  /** The first moment after it. */
  readonly endMs: number
}

/** What is wrong with quiet hours that their schema cannot express: the field, and the rule. */
export function quietHoursProblem({
  timezone,
  from,
  to,
  days = weekdays,
}: QuietHours): { readonly field: keyof QuietHours; readonly rule: string } | null {
  if (!isTimezone(timezone)) return { field: 'timezone', rule: timezoneRule }
  if (from === to && new Set(days).size === weekdays.length) {
    const rule = 'must differ from from: quiet hours without an end would hold every message'
    return { field: 'to', rule }
  }
  return null
}

/**
 * The quiet hours that are on, or else the ones that ended last, within the last week; null if there
 * are none. Quiet hours that follow each other without a pause are one period.
 */
export function quietPeriod(quiet: QuietHours, nowMs: number): QuietPeriod | null {
  const today = dayNumber(wallMs(nowMs, quiet.timezone))
  for (let day = today; day >= today - daysPerWeek; day--) {
    const found = periodOn(quiet, day)
    if (found !== null && found.startMs <= nowMs) return extended(quiet, day, found)
  }
  return null
}

/** When the quiet hours that are on will end; null if none are on. */
export function quietUntilMs(quiet: QuietHours | null, nowMs: number): number | null {
  const period = quiet && quietPeriod(quiet, nowMs)
  return period && nowMs < period.endMs ? period.endMs : null
}

/** Whether news of an incident of this severity goes out in quiet hours. */
export function isLetOut({ allowDown = false }: QuietHours, severity: Severity | null): boolean {
  return allowDown && severity !== null && isOutage(severity)
}

const dayMs = 86_400_000
const daysPerWeek = 7

/** Joins the quiet hours that end where the period begins, and the ones that begin where it ends. */
function extended(quiet: QuietHours, day: number, period: QuietPeriod): QuietPeriod {
  let { startMs, endMs } = period
  for (let step = 1; step <= daysPerWeek; step++) {
    const earlier = periodOn(quiet, day - step)
    if (earlier === null || earlier.endMs < startMs) break
    startMs = earlier.startMs
  }
  for (let step = 1; step <= daysPerWeek; step++) {
    const later = periodOn(quiet, day + step)
    if (later === null || later.startMs > endMs) break
    endMs = later.endMs
  }
  return { startMs, endMs }
}

/** The quiet hours that start on a day, counted from 1970; null if none do. */
function periodOn({ timezone, from, to, days }: QuietHours, day: number): QuietPeriod | null {
  // 1970 began on a Thursday.
  const weekday = weekdays[(((day + 3) % daysPerWeek) + daysPerWeek) % daysPerWeek]
  if (weekday === undefined || (days && !days.includes(weekday))) return null
  const fromMs = day * dayMs + clockMs(from)
  const toMs = day * dayMs + clockMs(to) + (clockMs(to) <= clockMs(from) ? dayMs : 0)
  // If clocks are set back, a time comes twice: quiet hours last from the first to the second.
  const startMs = instants(fromMs, timezone).firstMs
  const endMs = instants(toMs, timezone).lastMs
  // A short one may lie within the hour that is skipped when clocks are set forward.
  return startMs < endMs ? { startMs, endMs } : null
}

function clockMs(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number)
  return (hours * 60 + minutes) * 60_000
}

function dayNumber(wall: number): number {
  return Math.floor(wall / dayMs)
}
