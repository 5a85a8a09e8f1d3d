// Times, spans, shares, numbers and punctuation of pages, in a language and a time zone.
//
// Making an Intl formatter takes about a hundred microseconds, so they are kept.
import { LRUCache } from 'lru-cache'
import { once } from '../base/per-object.ts'
import { type Language, localeTag } from '../texts/languages.ts'
import { type Marks, marksOf } from '../texts/marks.ts'
import { timeWords } from '../texts/time-words.ts'
import { type Html, html } from './html.ts'
import { percentText, spanText } from './wording.ts'

export interface PageFormats {
  /** `12 November 2026` */
  readonly date: (atMs: number) => string
  /** `12 Nov 2026` */
  readonly shortDate: (atMs: number) => string
  /** `14:05` */
  readonly time: (atMs: number) => string
  /** `12 November 2026 at 14:05 CET`: with its time zone. */
  readonly dateTime: (atMs: number) => string
  /** `12 Nov, 14:05`: within weeks, where the time zone stands elsewhere on the page. */
  readonly shortDateTime: (atMs: number) => string
  /** A time element that machines can read too, with `dateTime` as its text. */
  readonly timeTag: (atMs: number) => Html
  /** The same with `shortDateTime`. */
  readonly shortTimeTag: (atMs: number) => Html
  /** The same with `time`. */
  readonly clockTag: (atMs: number) => Html
  /** `12 Nov`: a day of UTC, as bars and tallies have them. */
  readonly utcDay: (dayStartMs: number) => string
  /** `Thursday, 12 November 2026`: a day of UTC. */
  readonly fullUtcDay: (dayStartMs: number) => string
  /** `Monday`: the weekday of a day of UTC. */
  readonly weekday: (dayStartMs: number) => string
  /** `M` */
  readonly shortWeekday: (dayStartMs: number) => string
  /** `November 2026`, of a month in the form `2026-11`. */
  readonly month: (month: string) => string
  /** The two largest units that matter: `3 h 4 min`. Part of a second counts as one. */
  readonly span: (spanMs: number) => string
  /** `2,678,400 s` */
  readonly seconds: (count: number) => string
  /** `120 ms`, `1.2 s` */
  readonly responseTime: (latencyMs: number) => string
  /** A share of time that never flatters: cut, not rounded. See `percentText`. */
  readonly percent: (ratio: number) => string
  /** A percentage that somebody chose, as it was chosen: `99.9%`. */
  readonly goal: (percentage: number) => string
  readonly number: (count: number) => string
  /** `A, B and C` */
  readonly list: (names: readonly string[]) => string
  readonly marks: Marks
}

/** Pairs of a language and a time zone whose formatters are kept. */
const pageFormatsCachedMax = 64

const kept = new LRUCache<string, PageFormats>({ max: pageFormatsCachedMax })

export function pageFormats(language: Language, timezone: string): PageFormats {
  const key = `${language} ${timezone}`
  const before = kept.get(key)
  if (before) return before
  const formats = formatsOf(language, timezone)
  kept.set(key, formats)
  return formats
}

function formatsOf(language: Language, timezone: string): PageFormats {
  // The same digits everywhere, because figures stand beside drawings.
  const tag = `${localeTag(language)}-u-nu-latn`
  const dates = (options: Intl.DateTimeFormatOptions, timeZone = timezone) =>
    once(() => new Intl.DateTimeFormat(tag, { timeZone, ...options }))
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
  const fullDate = { day: 'numeric', month: 'long', year: 'numeric' } as const
  const shortDate = { day: 'numeric', month: 'short' } as const
  const date = dates(fullDate)
  const dateWithYear = dates({ ...shortDate, year: 'numeric' })
  const time = dates(clock)
  const dateTime = dates({ ...fullDate, ...clock, timeZoneName: 'short' })
  const shortDateTime = dates({ ...shortDate, ...clock })
  const utcDay = dates(shortDate, 'UTC')
  const fullUtcDay = dates({ weekday: 'long', ...fullDate }, 'UTC')
  const weekday = dates({ weekday: 'long' }, 'UTC')
  const shortWeekday = dates({ weekday: 'narrow' }, 'UTC')
  const month = dates({ month: 'long', year: 'numeric' }, 'UTC')
  const numbers = once(() => new Intl.NumberFormat(tag))
  const lists = once(() => new Intl.ListFormat(tag, { type: 'conjunction' }))
  const percents = new Map<number, Intl.NumberFormat>()
  const { amount } = timeWords(tag)

  function percent(figure: string): string {
    const digits = figure.split('.')[1]?.length ?? 0
    const format =
      percents.get(digits) ??
      new Intl.NumberFormat(tag, {
        style: 'percent',
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      })
    percents.set(digits, format)
    // As a decimal text, because 0.99995 has no exact binary fraction and would be rounded.
    return format.format(asDecimal(`${figure}e-2`))
  }

  function responseTime(latencyMs: number): string {
    if (latencyMs < 1000) return amount(Math.round(latencyMs), 'millisecond')
    const seconds = latencyMs / 1000
    return latencyMs < 10_000 ? amount(seconds, 'second', 1) : amount(Math.round(seconds), 'second')
  }

  const tagWith = (textOf: (atMs: number) => string) => (atMs: number) =>
    html`<time datetime="${new Date(atMs).toISOString()}">${textOf(atMs)}</time>`
  const dateTimeText = (atMs: number) => dateTime().format(atMs)
  const timeText = (atMs: number) => time().format(atMs)
  const shortDateTimeText = (atMs: number) => shortDateTime().format(atMs)

  return {
    date: (atMs) => date().format(atMs),
    shortDate: (atMs) => dateWithYear().format(atMs),
    time: timeText,
    dateTime: dateTimeText,
    shortDateTime: shortDateTimeText,
    timeTag: tagWith(dateTimeText),
    shortTimeTag: tagWith(shortDateTimeText),
    clockTag: tagWith(timeText),
    utcDay: (dayStartMs) => utcDay().format(dayStartMs),
    fullUtcDay: (dayStartMs) => fullUtcDay().format(dayStartMs),
    weekday: (dayStartMs) => weekday().format(dayStartMs),
    shortWeekday: (dayStartMs) => shortWeekday().format(dayStartMs),
    month: (text) => month().format(Date.parse(`${text}-01T00:00:00Z`)),
    span: (spanMs) => spanText(spanMs, tag),
    seconds: (count) => amount(count, 'second'),
    responseTime,
    percent: (ratio) => percent(percentText(ratio).slice(0, -1)),
    goal: (percentage) => percent(String(percentage)),
    number: (count) => numbers().format(count),
    list: (names) => lists().format(names),
    marks: marksOf(language),
  }
}

/** The type of TypeScript knows only texts without an exponent; ECMA-402 takes any decimal text. */
function asDecimal(text: string): Intl.StringNumericLiteral {
  return text as Intl.StringNumericLiteral
}
