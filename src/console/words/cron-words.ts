// A cron expression in words. They are made of what the daemon's parser reads, not of how it is written, and
// say neither more nor less: two expressions with the same words run at the same times.
import type { CronPattern } from 'croner'
import { cronPattern } from '../base/cron.ts'
import type { Words } from './catalogue.ts'

type ScheduleWords = Words['common']['schedule']

/** As many times of a day are named one by one. */
const timesNamed = 6
/** As many numbers of a regular series are named; of a longer one, the first three and the last. */
const seriesNamed = 6

const dayMs = 86_400_000
/** The first of January 2023 is a Sunday. */
const sundayMs = Date.UTC(2023, 0, 1)

/** As the library has them in bits; `other` is the last of a month. */
const nths = ['first', 'second', 'third', 'fourth', 'fifth', 'other'] as const
const everyNth = 2 ** nths.length - 1

/** Undefined where the daemon would not take the expression. */
export function cronWords(cron: string, texts: ScheduleWords, locale: string): string | undefined {
  const pattern = cronPattern(cron)
  if (pattern === undefined) return undefined
  const say = sayerOf(texts, locale)
  const [time, isTimes] = timeOf(pattern, texts, say)
  const months = placesOf(pattern.month)
  const days = daysOf(pattern, texts, say)
  if (isTimes && months.length === 12) {
    const sentence = usual(pattern, days, time, texts, say)
    if (sentence !== undefined) return sentence
  }
  const parts = [isTimes ? texts.at({ time }) : time, say.either(days)]
  if (months.length < 12) parts.push(texts.inMonths({ months: say.spans(months, say.month) }))
  return parts.filter(Boolean).reduce((first, second) => texts.joined({ first, second }))
}

const placesOf = (field: readonly number[]) => field.flatMap((isOne, at) => (isOne ? at : []))

type Sayer = ReturnType<typeof sayerOf>

function sayerOf(texts: ScheduleWords, locale: string) {
  const utc = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
    return (atMs: number) => format.format(atMs)
  }
  const clock = utc({ hour: '2-digit', minute: '2-digit' })
  const weekday = utc({ weekday: 'long' })
  const month = utc({ month: 'long' })
  const all = new Intl.ListFormat(locale)
  const either = new Intl.ListFormat(locale, { type: 'disjunction' })
  const span = (first: string, last: string) => texts.range({ first, last })
  return {
    all: (items: readonly string[]) => all.format(items),
    either: (items: readonly string[]) => either.format(items),
    span,
    time: (hour: number, minute: number) => clock(sundayMs + (hour * 60 + minute) * 60_000),
    weekday: (day: number) => weekday(sundayMs + day * dayMs),
    month: (index: number) => month(Date.UTC(2023, index, 1)),
    /** Rising numbers, three or more in a row from the first to the last. */
    spans: (values: readonly number[], text: (value: number) => string) =>
      all.format(
        runsOf(values).flatMap(([first, last]) =>
          last - first < 2
            ? values.filter((value) => value >= first && value <= last).map(text)
            : span(text(first), text(last)),
        ),
      ),
  }
}

/** The first and the last of each row without a gap. */
function runsOf(values: readonly number[]): readonly (readonly [number, number])[] {
  const firsts = values.filter((value) => !values.includes(value - 1))
  const lasts = values.filter((value) => !values.includes(value + 1))
  return firsts.map((first, at) => [first, lasts[at] ?? first])
}

/** How far numbers are apart, where that is the same for all, and there are three or more. */
function stepOf([first = 0, second = 0, ...more]: readonly number[]): number | undefined {
  const step = second - first
  const isSeries = more.length > 0 && more.every((value, at) => value === second + (at + 1) * step)
  return isSeries ? step : undefined
}

/** As `stepOf`, where the series never stops: it fills the hour, or the day. */
function endlessStepOf(values: readonly number[], size: number): number | undefined {
  if (values[0] !== 0 || size % values.length !== 0) return undefined
  const step = size / values.length
  return values.every((value, at) => value === at * step) ? step : undefined
}

function numbers(values: readonly number[], say: Sayer): string {
  const step = stepOf(values) ?? 1
  if (step === 1 || values.length <= seriesNamed) return say.spans(values, String)
  return say.all([...values.slice(0, 3).map(String), '…', String(values.at(-1))])
}

/** When on a day, and whether these are times that can be named one by one. */
function timeOf(pattern: CronPattern, texts: ScheduleWords, say: Sayer): [string, boolean] {
  const [hours, minutes] = [placesOf(pattern.hour), placesOf(pattern.minute)]
  if (hours.length * minutes.length <= timesNamed) {
    const times = hours.flatMap((hour) => minutes.map((minute) => say.time(hour, minute)))
    return [say.all(times), true]
  }
  return [oftenOf(hours, minutes, texts, say), false]
}

function oftenOf(
  hours: readonly number[],
  minutes: readonly number[],
  texts: ScheduleWords,
  say: Sayer,
): string {
  const during = (first: string, second: string) => texts.joined({ first, second })
  const hoursStep = endlessStepOf(hours, 24)
  const minutesStep = endlessStepOf(minutes, 60)
  const wholeHours = () =>
    say.all(runsOf(hours).map(([first, last]) => say.span(say.time(first, 0), say.time(last, 59))))
  if (minutesStep !== undefined && minutesStep < 60) {
    const often = texts.everyMinutes({ count: minutesStep })
    return hours.length === 24 ? often : during(often, wholeHours())
  }
  const [minute = 0, lastMinute = minute] = [minutes[0], minutes.at(-1)]
  const often = hoursStep && texts.everyHours({ count: hoursStep })
  if (minutes.length === 1 && minute === 0 && often) return often
  if (minutes.length === 1 && !often) {
    const [first = 0, last = first] = [hours[0], hours.at(-1)]
    const step = stepOf(hours) ?? 1
    const at = (hour: number) => say.time(hour, minute)
    return during(
      texts.everyHours({ count: step }),
      step > 1 ? say.span(at(first), at(last)) : say.spans(hours, at),
    )
  }
  const step = stepOf(minutes)
  const [hour, ...otherHours] = hours
  if (hour !== undefined && otherHours.length === 0 && step !== undefined) {
    const ends = say.span(say.time(hour, minute), say.time(hour, lastMinute))
    return during(texts.everyMinutes({ count: step }), ends)
  }
  return texts.atMinutes({
    hours: often ?? wholeHours(),
    count: minutes.length,
    minutes: numbers(minutes, say),
  })
}

/** Monday first, as calendars have it. */
const weekdays = [1, 2, 3, 4, 5, 6, 0]

function plainWeekdays({ dayOfWeek }: CronPattern): readonly number[] {
  return weekdays.flatMap((day, place) => (dayOfWeek[day] === everyNth ? place : []))
}

/** On which days, each of them enough; none: on every day. */
function daysOf(pattern: CronPattern, texts: ScheduleWords, say: Sayer): readonly string[] {
  const isEveryDate = pattern.starDOM || placesOf(pattern.day).length === 31
  const isEveryWeekday = pattern.starDOW || plainWeekdays(pattern).length === 7
  // As in crontab(5): where both are restricted, one of them is enough.
  if (pattern.starDOW) return isEveryDate ? [] : datesOf(pattern, texts, say)
  if (isEveryWeekday) return []
  if (pattern.starDOM) return weekdaysOf(pattern, texts, say)
  if (isEveryDate) return []
  return [...datesOf(pattern, texts, say), ...weekdaysOf(pattern, texts, say)]
}

function datesOf(pattern: CronPattern, texts: ScheduleWords, say: Sayer): readonly string[] {
  const dates = placesOf(pattern.day).map((place) => place + 1)
  return [
    dates.length > 0 && texts.monthDays({ count: dates.length, days: numbers(dates, say) }),
    ...placesOf(pattern.nearestWeekdays).map((place) => texts.nearWorkday({ day: place + 1 })),
    pattern.lastDayOfMonth && texts.lastDay,
    pattern.lastWeekday && texts.lastWorkday,
  ].filter((text) => text !== false)
}

function weekdaysOf(pattern: CronPattern, texts: ScheduleWords, say: Sayer): readonly string[] {
  const plain = plainWeekdays(pattern)
  const nthDays = weekdays.flatMap((day) => {
    const bits = pattern.dayOfWeek[day] ?? 0
    const ofMonth = nths.filter((_, at) => bits !== everyNth && (bits & (1 << at)) !== 0)
    return ofMonth.map((nth) => texts.nth({ nth, weekday: say.weekday(day) }))
  })
  return [
    ...(plain.length > 0 ? [texts.onWeekdays({ days: weekdayNames(plain, say) })] : []),
    ...nthDays,
  ]
}

const weekdayNames = (places: readonly number[], say: Sayer) =>
  say.spans(places, (place) => say.weekday(weekdays[place] ?? 0))

/** The sentences for what most people write; undefined for all else. */
function usual(
  pattern: CronPattern,
  days: readonly string[],
  time: string,
  texts: ScheduleWords,
  say: Sayer,
): string | undefined {
  if (days.length === 0) return texts.daily({ time })
  if (days.length > 1) return undefined
  const [dates, places] = [placesOf(pattern.day), plainWeekdays(pattern)]
  if (pattern.starDOW && dates.length === 1) {
    return texts.monthly({ day: (dates[0] ?? 0) + 1, time })
  }
  if (pattern.starDOW || places.length === 0) return undefined
  if (places.join() === '0,1,2,3,4') return texts.workdays({ time })
  return texts.weekly({ days: weekdayNames(places, say), time })
}
