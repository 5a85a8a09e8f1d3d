// The five fields of a cron expression: on which days it runs, and at which minutes of them.
import { CronPattern } from 'croner'

export interface CronFields {
  /** The hours of a day, in order. */
  readonly hours: readonly number[]
  readonly minutes: readonly number[]
  /** One hour and one minute, without a wildcard. */
  readonly isFixedTime: boolean
  /** Whether any year has a day on which it runs. */
  readonly everRuns: boolean
  /** January first. */
  readonly months: readonly boolean[]
  /** The days of each kind of month as bits, the first day lowest: see `kindOf`. */
  readonly days: Uint32Array
}

const dayMs = 86_400_000
const shortest = 28
const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const february = 1

/**
 * Throws if it is no cron expression. The library only reads it: its search for a run goes through
 * centuries minute by minute where there is none.
 */
export function cronFields(expression: string): CronFields {
  const pattern = new CronPattern(expression, undefined, { mode: '5-part' })
  const months = pattern.month.map(Boolean)
  const days = daysOf(pattern)
  return {
    hours: placesOf(pattern.hour),
    minutes: placesOf(pattern.minute),
    isFixedTime: pattern.isFixedTime,
    // Within 400 years, each month begins on every weekday in each of its lengths.
    everRuns: months.some((isOne, month) => isOne && hasDays(days, month)),
    months,
    days,
  }
}

function placesOf(field: readonly number[]): number[] {
  return field.flatMap((isOne, place) => (isOne ? place : []))
}

function hasDays(days: Uint32Array, month: number): boolean {
  const longest = lengthOf(month, true)
  const from = kindOf(lengthOf(month, false), 0)
  return days.subarray(from, kindOf(longest, 6) + 1).some((bits) => bits !== 0)
}

/** Months differ by their length and the weekday of their first day, nothing else. */
function kindOf(length: number, firstWeekday: number): number {
  return (length - shortest) * 7 + firstWeekday
}

function daysOf(pattern: CronPattern): Uint32Array {
  const days = new Uint32Array(kindOf(31, 6) + 1)
  for (let length = shortest; length <= 31; length += 1) {
    for (let firstWeekday = 0; firstWeekday < 7; firstWeekday += 1) {
      let bits = 0
      for (let day = 1; day <= length; day += 1) {
        if (isDay(pattern, day, length, firstWeekday)) bits |= 1 << (day - 1)
      }
      days[kindOf(length, firstWeekday)] = bits
    }
  }
  return days
}

function isDay(pattern: CronPattern, day: number, length: number, firstWeekday: number): boolean {
  const weekdayOf = (other: number) => (firstWeekday + other - 1) % 7
  const isOfMonth =
    pattern.day[day - 1] === 1 ||
    (pattern.lastDayOfMonth && day === length) ||
    (pattern.lastWeekday && day === nearestWeekday(length, length, weekdayOf)) ||
    pattern.nearestWeekdays.some(
      (isOne, place) =>
        isOne === 1 && place < length && day === nearestWeekday(place + 1, length, weekdayOf),
    )
  if (pattern.starDOW) return isOfMonth
  const isOfWeek = isNth(pattern.dayOfWeek[weekdayOf(day)] ?? 0, day, length)
  // As in crontab(5): where both are restricted, one of them is enough.
  return pattern.useAndLogic || pattern.starDOM ? isOfMonth && isOfWeek : isOfMonth || isOfWeek
}

/** `nths`: bits, the first of a month lowest; the sixth is the last. */
function isNth(nths: number, day: number, length: number): boolean {
  const nth = Math.floor((day - 1) / 7)
  const last = 0b10_0000
  return (nths & (1 << nth)) !== 0 || ((nths & last) !== 0 && day + 7 > length)
}

/** Monday to Friday, in the same month. */
function nearestWeekday(day: number, length: number, weekdayOf: (day: number) => number): number {
  const weekday = weekdayOf(day)
  if (weekday === 0) return day === length ? day - 2 : day + 1
  if (weekday === 6) return day === 1 ? day + 2 : day - 1
  return day
}

function lengthOf(month: number, isLeap: boolean): number {
  return month === february && isLeap ? 29 : (lengths[month] ?? 0)
}

function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

/** 1 January 1970 was a Thursday. */
const weekdayOfFirst = 4

interface Month {
  readonly year: number
  readonly month: number
  /** The number of its first day, from 1 January 1970. */
  readonly firstDay: number
}

function monthOf(day: number): Month {
  const date = new Date(day * dayMs)
  const firstDay = day - date.getUTCDate() + 1
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), firstDay }
}

function bitsOf({ days, months }: CronFields, { year, month, firstDay }: Month): number {
  if (!months[month]) return 0
  const weekday = (((firstDay + weekdayOfFirst) % 7) + 7) % 7
  return days[kindOf(lengthOf(month, isLeapYear(year)), weekday)] ?? 0
}

/** The first day on which it runs, that day or later; days count from 1 January 1970. */
export function dayFrom(fields: CronFields, day: number): number | null {
  if (!fields.everRuns) return null
  let month = monthOf(day)
  let bits = bitsOf(fields, month) & (-1 << (day - month.firstDay))
  while (bits === 0) {
    month = monthOf(month.firstDay + lengthOf(month.month, isLeapYear(month.year)))
    if (Number.isNaN(month.firstDay)) return null
    bits = bitsOf(fields, month)
  }
  return month.firstDay + 31 - Math.clz32(bits & -bits)
}

/** The last day on which it runs, that day or before. */
export function dayThrough(fields: CronFields, day: number): number | null {
  if (!fields.everRuns) return null
  let month = monthOf(day)
  let bits = bitsOf(fields, month) & (-1 >>> (31 - (day - month.firstDay)))
  while (bits === 0) {
    month = monthOf(month.firstDay - 1)
    if (Number.isNaN(month.firstDay)) return null
    bits = bitsOf(fields, month)
  }
  return month.firstDay + 31 - Math.clz32(bits)
}

/** The first minute of a day at which it runs, that one or later. */
export function minuteFrom({ hours, minutes }: CronFields, from: number): number | null {
  for (const hour of hours) {
    if (hour * 60 + 59 < from) continue
    const minute = minutes.find((one) => hour * 60 + one >= from)
    if (minute !== undefined) return hour * 60 + minute
  }
  return null
}

/** The last minute of a day at which it runs, that one or before. */
export function minuteThrough({ hours, minutes }: CronFields, through: number): number | null {
  for (const hour of hours.toReversed()) {
    if (hour * 60 > through) continue
    const minute = minutes.findLast((one) => hour * 60 + one <= through)
    if (minute !== undefined) return hour * 60 + minute
  }
  return null
}
