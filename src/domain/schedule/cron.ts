// Cron schedules: when the next and the previous run are, in a time zone. Only computes; timers and
// clocks are elsewhere.
import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../../base/memory/bounds.ts'
import { isTimezone, timezoneRule } from '../language.ts'
import { limits } from '../limits/limits.ts'
import { type DayClock, dayClock, showings } from '../wall-clock.ts'
import {
  type CronFields,
  cronFields,
  dayFrom,
  dayThrough,
  minuteFrom,
  minuteThrough,
} from './cron-fields.ts'

/** Five fields as in crontab(5), or a nickname such as `@daily`. */
export interface CronSchedule {
  readonly cron: string
  /** IANA. */
  readonly timezone: string
}

const fieldsRule =
  'must be a cron expression of five fields, such as "30 2 * * 1-5", or a nickname such as @daily'

/**
 * The rule that a schedule breaks, and its field; null if it has a next run. The fields alone decide that,
 * so the answer costs the same for every expression.
 */
export function cronProblem({
  cron,
  timezone,
}: CronSchedule): { readonly field: 'cron' | 'timezone'; readonly rule: string } | null {
  if (!isTimezone(timezone)) return { field: 'timezone', rule: timezoneRule }
  const rule = fieldsProblem(cron)
  return rule === null ? null : { field: 'cron', rule }
}

/** Nth weekdays in a cron expression. */
const cronNthsMax = 2

function fieldsProblem(cron: string): string | null {
  if (cron.length > limits.cronCharsMax) return fieldsRule
  if (cron.includes('+')) return 'must not contain +: a day is restricted by date or by weekday'
  if (cron.split('#').length > cronNthsMax + 1) return `must contain # at most ${cronNthsMax} times`
  const fields = fieldsOf(cron)
  if (fields === null) return fieldsRule
  return fields.everRuns ? null : 'must have a next run'
}

/** Days of a cron schedule in a row on which the clock skips every run: then there is no next run. */
const cronDaysTried = 20

/**
 * The first run strictly after a time; null if there is none. Where the clock skips the hour of a
 * run, it takes place right after the gap; where the clock repeats an hour, a run at a fixed time
 * takes place once, one at each step of a wildcard every time.
 */
export function nextRunAtMs({ cron, timezone }: CronSchedule, afterMs: number): number | null {
  const fields = fieldsOf(cron)
  if (fields === null) return null
  const { earlyMs, lateMs } = dayClock(dayOf(afterMs), timezone)
  let day = dayFrom(fields, dayOf(afterMs + Math.min(earlyMs, lateMs)))
  for (let tried = 0; day !== null && tried < cronDaysTried; tried += 1) {
    const clock = dayClock(day, timezone)
    const found = firstAfter(fields, day, clock, afterMs)
    // A clock that is set back over midnight shows the following day for a while before that.
    const alsoMs =
      found !== null && isSetBack(clock) ? firstAfter(fields, day + 1, clock, afterMs) : null
    if (found !== null) return Math.min(found, alsoMs ?? found)
    day = dayFrom(fields, day + 1)
  }
  return null
}

/** The newest run at a time or before; null if there was none. */
export function previousRunAtMs(
  { cron, timezone }: CronSchedule,
  throughMs: number,
): number | null {
  const fields = fieldsOf(cron)
  if (fields === null) return null
  const { earlyMs, lateMs } = dayClock(dayOf(throughMs), timezone)
  let day = dayThrough(fields, dayOf(throughMs + Math.max(earlyMs, lateMs)))
  for (let tried = 0; day !== null && tried < cronDaysTried; tried += 1) {
    const clock = dayClock(day, timezone)
    const found = lastThrough(fields, day, clock, throughMs)
    const alsoMs =
      found !== null && isSetBack(clock) ? lastThrough(fields, day - 1, clock, throughMs) : null
    if (found !== null) return Math.max(found, alsoMs ?? found)
    day = dayThrough(fields, day - 1)
  }
  return null
}

/** How often it runs on a day on which it does. */
export function runsPerDay({ cron }: Pick<CronSchedule, 'cron'>): number {
  const fields = fieldsOf(cron)
  return fields === null ? 0 : fields.hours.length * fields.minutes.length
}

const minuteMs = 60_000
const dayMs = 86_400_000

function dayOf(ms: number): number {
  return Math.floor(ms / dayMs)
}

function isChanged({ changeAtMs }: DayClock): boolean {
  return changeAtMs !== Number.POSITIVE_INFINITY
}

function isSetBack({ earlyMs, lateMs }: DayClock): boolean {
  return lateMs < earlyMs
}

function firstAfter(fields: CronFields, day: number, clock: DayClock, afterMs: number) {
  if (!isOneOf(fields, day)) return null
  if (isChanged(clock)) return runsOn(fields, day, clock).find((atMs) => atMs > afterMs) ?? null
  const dayAtMs = day * dayMs - clock.earlyMs
  const minute = minuteFrom(fields, Math.floor((afterMs - dayAtMs) / minuteMs) + 1)
  return minute === null ? null : dayAtMs + minute * minuteMs
}

function lastThrough(fields: CronFields, day: number, clock: DayClock, throughMs: number) {
  if (!isOneOf(fields, day)) return null
  if (isChanged(clock))
    return runsOn(fields, day, clock).findLast((atMs) => atMs <= throughMs) ?? null
  const dayAtMs = day * dayMs - clock.earlyMs
  const minute = minuteThrough(fields, Math.floor((throughMs - dayAtMs) / minuteMs))
  return minute === null ? null : dayAtMs + minute * minuteMs
}

function isOneOf(fields: CronFields, day: number): boolean {
  return dayFrom(fields, day) === day
}

/** All runs of a day on which the clock changes, or of one beside it, in order. */
function runsOn(fields: CronFields, day: number, clock: DayClock): readonly number[] {
  const { hours, minutes, isFixedTime } = fields
  const { changeAtMs, lateMs } = clock
  const runs = hours.flatMap((hour) =>
    minutes.flatMap((minute) => {
      const shown = showings(day * dayMs + (hour * 60 + minute) * minuteMs, clock)
      if (!isFixedTime) return shown
      if (shown.length > 0) return shown.slice(0, 1)
      return dayOf(changeAtMs + lateMs) === day ? [changeAtMs] : []
    }),
  )
  return runs.sort((a, b) => a - b)
}

/** Null: it is no cron expression. */
const fieldsOf = createFieldsReader()

function createFieldsReader() {
  const known = new LRUCache<string, { readonly fields: CronFields | null }>(
    atMostEntries(limits.cronsRemembered),
  )
  return (cron: string): CronFields | null => {
    const before = known.get(cron)
    if (before) return before.fields
    const made = { fields: readFields(cron) }
    known.set(cron, made)
    return made.fields
  }
}

function readFields(cron: string): CronFields | null {
  try {
    return cronFields(cron)
  } catch {
    return null
  }
}
