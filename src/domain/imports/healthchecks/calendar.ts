// Calendar expressions of systemd as cron expressions: OnCalendar schedules.
//
// The form: systemd.time(7), "Calendar Events". As in Healthchecks, several stand on a line each, and what
// comes first counts.
import { isTimezone } from '../../language.ts'
import { limits } from '../../limits/limits.ts'

/** A cron expression that runs in the same minutes, or why there is none: a sentence without its subject. */
export type CalendarCron =
  | {
      readonly cron: string
      /** The zone that the expression names; null: none. */
      readonly timezone: string | null
      /** How long after the beginning of its minute the last event is. */
      readonly lateSeconds: number
    }
  | { readonly problem: string }

/** Throws nothing: whatever cannot be read is a problem. */
export function cronOfCalendar(text: string): CalendarCron {
  // What Healthchecks takes is shorter.
  if (text.length > limits.cronCharsMax) return { problem: 'is too long' }
  try {
    const [line = '', ...lines] = text.trim().split('\n')
    const event = readEvent(line)
    const others = lines.map(readEvent)
    const { timezone } = event
    if (others.some((one) => one.timezone !== timezone)) {
      throw new Unlike('names several time zones')
    }
    return cronOf(joined(event, others), timezone)
  } catch (error) {
    if (error instanceof Unlike) return { problem: error.message }
    throw error
  }
}

/** The expression means what no cron expression does, or nothing. */
class Unlike extends Error {}

const places = ['weekdays', 'months', 'days', 'hours', 'minutes', 'seconds'] as const
type CalendarPart = (typeof places)[number]

/** The values at each place. Weekdays: 0 is Monday. Days: -1 is the last of a month. */
type Values = Readonly<Record<CalendarPart, ReadonlySet<number>>>

interface CalendarEvent {
  readonly values: Values
  readonly timezone: string | null
}

const ranges: Readonly<Record<CalendarPart, readonly [min: number, max: number]>> = {
  weekdays: [0, 6],
  months: [1, 12],
  days: [1, 31],
  hours: [0, 23],
  minutes: [0, 59],
  seconds: [0, 59],
}

const nicknames = new Map(
  Object.entries({
    minutely: '*-*-* *:*:00',
    hourly: '*-*-* *:00:00',
    daily: '*-*-* 00:00:00',
    monthly: '*-*-01 00:00:00',
    weekly: 'Mon *-*-* 00:00:00',
    yearly: '*-01-01 00:00:00',
    annually: '*-01-01 00:00:00',
    quarterly: '*-01,04,07,10-01 00:00:00',
    semiannually: '*-01,07-01 00:00:00',
  }),
)

function readEvent(line: string): CalendarEvent {
  const words = line.trim().split(/\s+/)
  const last = words.at(-1) ?? ''
  const isZone = words.length > 1 && /^[A-Za-z]/.test(last) && isTimezone(last)
  const timezone = isZone ? (words.pop() ?? null) : null
  return { values: valuesOf(words), timezone }
}

function valuesOf(given: readonly string[]): Values {
  const known = nicknames.get(given.join(' ').toLowerCase())
  const words = known === undefined ? [...given] : known.split(' ')
  const time = words.at(-1)?.includes(':') ? (words.pop() ?? '') : '00:00:00'
  const date = /^[\d*].*[-~]/.test(words.at(-1) ?? '') ? (words.pop() ?? '') : '*-*-*'
  const weekdays = words.shift()
  if (words.length > 0) throw unread()
  return { ...timeOf(time), ...dateOf(date), weekdays: weekdaysOf(weekdays) }
}

function timeOf(time: string): Pick<Values, 'hours' | 'minutes' | 'seconds'> {
  const [hours = '', minutes = '', seconds = '0', ...rest] = time.split(':')
  if (rest.length > 0) throw unread()
  return {
    hours: listOf('hours', hours),
    minutes: listOf('minutes', minutes),
    seconds: listOf('seconds', seconds),
  }
}

function dateOf(date: string): Pick<Values, 'months' | 'days'> {
  const parts = date.replace('~', '-~').split('-')
  const [days = '', months = '', year = '*', ...rest] = parts.toReversed()
  if (rest.length > 0) throw unread()
  if (year !== '*') throw new Unlike('names years')
  return { months: listOf('months', months), days: daysOf(days) }
}

/** Days that are counted from the end of a month are below 0. */
function daysOf(text: string): ReadonlySet<number> {
  if (!text.startsWith('~')) return listOf('days', text)
  const values = text
    .slice(1)
    .split(',')
    .flatMap((term) => {
      const [range = '', step] = term.split('/')
      const counted = itemsOf('days', range)
      if (step === undefined) return counted.map((day) => -day)
      // A step goes on from one day to the end of the month.
      const [first = 0] = counted
      const all = counted.length === 1 ? numbers(1, first).toReversed() : counted.toReversed()
      return everyOf(all, step).map((day) => -day)
    })
  return new Set(values)
}

const weekdayNames = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

function weekdaysOf(text: string | undefined): ReadonlySet<number> {
  if (text === undefined) return new Set(numbers(...ranges.weekdays))
  const terms = text.toLowerCase().replace(/,$/, '').split(',')
  return new Set(
    terms.flatMap((term) => {
      const ends = term.split(/\.\.|-/).map((name) => {
        const found = weekdayNames.findIndex((one) => one === name || one.slice(0, 3) === name)
        if (found === -1) throw unread()
        return found
      })
      const [from = 0, to = from, ...rest] = ends
      if (rest.length > 0 || to < from) throw unread()
      return numbers(from, to)
    }),
  )
}

function listOf(place: CalendarPart, text: string): ReadonlySet<number> {
  const values = text.split(',').flatMap((term) => {
    const [range = '', step, ...rest] = term.split('/')
    if (rest.length > 0) throw unread()
    const items = itemsOf(place, range)
    if (step === undefined) return items
    const [first = 0] = items
    const [, max] = ranges[place]
    return everyOf(items.length === 1 ? numbers(first, max) : items, step)
  })
  return new Set(values)
}

/** `*`, one number, or a range. */
function itemsOf(place: CalendarPart, text: string): readonly number[] {
  const [min, max] = ranges[place]
  if (text === '*') return numbers(min, max)
  const [from = Number.NaN, to = from, ...rest] = text
    .split('..')
    .map((one) => (/^\d{1,4}$/.test(one) ? Number(one) : Number.NaN))
  if (rest.length > 0 || !(from >= min && to >= from && to <= max)) throw unread()
  return numbers(from, to)
}

function everyOf(items: readonly number[], step: string): readonly number[] {
  const count = /^\d{1,4}$/.test(step) ? Number(step) : 0
  if (count === 0) throw unread()
  return items.filter((_, index) => index % count === 0)
}

function numbers(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** One event in place of several that differ at one place only. */
function joined(first: CalendarEvent, others: readonly CalendarEvent[]): Values {
  let whole = first.values
  for (const { values } of others) {
    const [place, ...more] = places.filter((name) => !isSame(whole[name], values[name]))
    if (more.length > 0) throw new Unlike('has several events that no cron expression joins')
    if (place !== undefined) {
      whole = { ...whole, [place]: new Set([...whole[place], ...values[place]]) }
    }
  }
  return whole
}

function isSame(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  return one.size === other.size && [...one].every((value) => other.has(value))
}

function cronOf(values: Values, timezone: string | null): CalendarCron {
  const { minutes, hours, months, seconds } = values
  const [days, weekdays] = daysInCron(values)
  const cron = [
    fieldOf('minutes', minutes),
    fieldOf('hours', hours),
    days,
    fieldOf('months', months),
    weekdays,
  ].join(' ')
  return { cron, timezone, lateSeconds: Math.max(...seconds) }
}

/** In cron a day is restricted by date or by weekday: where both are, the nth weekdays are left. */
function daysInCron({ days, weekdays }: Values): [days: string, weekdays: string] {
  const isAnyDay = numbers(...ranges.days).every((day) => days.has(day))
  const isAnyWeekday = weekdays.size === 7
  const fromEnd = [...days].filter((day) => day < 0)
  if (isAnyDay) return ['*', isAnyWeekday ? '*' : weekdaysIn(weekdays)]
  if (isAnyWeekday) {
    if (fromEnd.some((day) => day !== -1)) throw new Unlike('counts days from the end of a month')
    const counted = [...days].filter((day) => day > 0)
    const dates = counted.length === 0 ? [] : [fieldOf('days', new Set(counted))]
    return [[...dates, ...fromEnd.map(() => 'L')].join(','), '*']
  }
  const nth = nthWeek(days)
  const named = [...weekdays].sort((a, b) => a - b)
  if (nth === undefined || (nth !== 'L' && named.length > nthsMax)) {
    throw new Unlike('restricts a day by date and by weekday')
  }
  const of = (weekday: number) => (nth === 'L' ? `${weekday}L` : `${weekday}#${nth}`)
  return ['*', named.map((weekday) => of(weekday + 1)).join(',')]
}

/** Nth weekdays in a cron expression of ours. */
const nthsMax = 2

/** The week of a month whose days these are; L: the last one. */
function nthWeek(days: ReadonlySet<number>): number | 'L' | undefined {
  if (isSame(days, new Set(numbers(-7, -1)))) return 'L'
  const weeks = [1, 2, 3, 4, 5]
  return weeks.find((nth) => isSame(days, new Set(numbers(nth * 7 - 6, Math.min(31, nth * 7)))))
}

function weekdaysIn(weekdays: ReadonlySet<number>): string {
  return runsOf([...weekdays].map((weekday) => weekday + 1)).join(',')
}

function fieldOf(
  place: Exclude<CalendarPart, 'weekdays' | 'seconds'>,
  set: ReadonlySet<number>,
): string {
  const [min, max] = ranges[place]
  if (set.size === max - min + 1) return '*'
  const values = [...set].sort((a, b) => a - b)
  const [first = 0, second = first] = values
  const step = second - first
  const last = values.at(-1) ?? first
  const isEven = values.every((value, index) => value === first + index * step)
  if (values.length > 2 && step > 1 && isEven) return `${first}-${last}/${step}`
  return runsOf(values).join(',')
}

/** `1-5` for numbers that follow each other. */
function runsOf(values: readonly number[]): string[] {
  const runs: { from: number; to: number }[] = []
  for (const value of [...values].sort((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run && run.to === value - 1) run.to = value
    else runs.push({ from: value, to: value })
  }
  return runs.flatMap(({ from, to }) => {
    if (to - from > 1) return `${from}-${to}`
    return from === to ? `${from}` : [`${from}`, `${to}`]
  })
}

const unread = () => new Unlike('is no calendar expression')
