// Times as people read them: local, relative where it is recent, and UTC on hover.
import { type Signal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { timeWords } from '../../../texts/time-words.ts'
import { locale } from '../../words/words.ts'
import { numberText, percentText, timeText } from './number.ts'

/** The time of this moment, in milliseconds; moves every 10 s, so that "3 min ago" does too. */
export const now = signal(Date.now())
setInterval(() => {
  now.value = Date.now()
}, 10_000)

/** The same to the second, while something that somebody sees counts down. */
const second: Signal<number> = signal(now.value, {
  watched() {
    ticks = window.setInterval(() => {
      if (document.visibilityState === 'visible') second.value = Date.now()
    }, 1_000)
  },
  unwatched: () => clearInterval(ticks),
})
let ticks: number | undefined

/** The longest time that a timer of a browser takes. */
const timerMsMax = 2 ** 31 - 1

/** Moves `now` at this moment too, so that what begins or ends then is shown on time. */
export function useTurnAt(atMs: number | undefined): void {
  useEffect(() => {
    const leftMs = atMs === undefined ? Number.NaN : atMs - Date.now()
    if (atMs === undefined || !(leftMs >= 0 && leftMs <= timerMsMax)) return
    const timer = setTimeout(() => {
      now.value = Math.max(atMs, Date.now())
    }, leftMs)
    return () => clearTimeout(timer)
  }, [atMs])
}

const units: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
]

const formats = new Map<string, Intl.DateTimeFormat | Intl.RelativeTimeFormat>()

function format<Format extends Intl.DateTimeFormat | Intl.RelativeTimeFormat>(
  name: string,
  make: (locale: string) => Format,
): Format {
  const key = `${name} ${locale.value}`
  let made = formats.get(key)
  if (made === undefined) {
    made = make(locale.value)
    formats.set(key, made)
  }
  return made as Format
}

/** The time that texts are made for: now, also if the clock of the page has not moved since. */
const atMsOf = (clock: typeof now) => Math.max(clock.value, Date.now())

/** Such as "3 min ago" or "in 2 days". */
function relativeTime(iso: string, atMs = atMsOf(now)): string {
  const seconds = (Date.parse(iso) - atMs) / 1_000
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  const count = Math.trunc(seconds / size)
  // "Now", but never "yesterday" or "next year": 40 hours ago may be two days before.
  const numeric = count === 0 ? 'auto' : 'always'
  const made = format(`relative ${numeric}`, (tag) => {
    // The short style of Arabic says of three months ago that they are to come: the table has an error.
    const style = tag.startsWith('ar') ? 'narrow' : 'short'
    return new Intl.RelativeTimeFormat(tag, { numeric, style })
  })
  return made.format(count, unit)
}

/** What is overdue for so long is not said to be about to come. */
const overdueMs = 60_000

/** Such as "in 42 sec.", second by second, then "now", and how late it is after a minute. */
function countdown(iso: string): string {
  const dueAtMs = Date.parse(iso)
  const atMs = atMsOf(second)
  return relativeTime(iso, atMs > dueAtMs + overdueMs ? atMs : Math.min(dueAtMs, atMs))
}

/** Date and time to the second, in the zone of the person. */
export function localTime(iso: string): string {
  return format(
    'exact',
    (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' }),
  ).format(new Date(iso))
}

const minute = { hour: '2-digit', minute: '2-digit' } as const

/** Date and time as sentences and lists need them: without seconds, and without this year. */
function shortTime(iso: string): string {
  const date = new Date(iso)
  const isThisYear = date.getFullYear() === new Date(now.value).getFullYear()
  const day = { day: 'numeric', month: 'short', ...minute } as const
  const made = isThisYear
    ? format('short', (tag) => new Intl.DateTimeFormat(tag, day))
    : format('short of a year', (tag) => new Intl.DateTimeFormat(tag, { year: 'numeric', ...day }))
  return made.format(date)
}

/** The time of day, and the date if that is another day. */
export function clockTime(iso: string): string {
  const isToday = new Date(iso).toDateString() === new Date(now.value).toDateString()
  if (!isToday) return shortTime(iso)
  return format('clock', (tag) => new Intl.DateTimeFormat(tag, minute)).format(new Date(iso))
}

/** The date, in the zone of the person. */
export function localDay(iso: string): string {
  return format('day', (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium' })).format(
    new Date(iso),
  )
}

const utcTime = (iso: string) => `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** From one time to another, in the zone of the person: a day that both have is said once. */
export function rangeText(from: string, to: string): string {
  const made = format(
    'range',
    (tag) =>
      new Intl.DateTimeFormat(tag, { weekday: 'short', day: 'numeric', month: 'short', ...minute }),
  )
  return made.formatRange(new Date(from), new Date(to))
}

/** What a tooltip says of a time: exactly when, here and in UTC. */
export const timeTitle = (iso: string) => `${localTime(iso)}\n${utcTime(iso)}`

/** Loads what the browser needs to write numbers and times, which takes longer than to draw a list. */
export function prepareTexts(): void {
  const iso = new Date(now.value).toISOString()
  numberText(1_000)
  relativeTime(iso)
  localTime(iso)
}

/** How long, in its two largest units: 3 h 12 min. */
export const duration = (seconds: number) => timeWords(locale.value).span(seconds)

/** Milliseconds as people read them: 85 ms, 1.24 s, 1 min 4 s. */
export function milliseconds(ms: number): string {
  if (ms < 1_000) return timeText(Math.round(ms), 'millisecond')
  return ms < 60_000 ? timeText(ms / 1_000, 'second', 2) : duration(ms / 1_000)
}

/** A share of 0 to 1 as a percentage that never rounds an outage away. */
export function percent(ratio: number | null): string {
  if (ratio === null) return '–'
  const floored = Math.floor(ratio * 100_000) / 1_000
  return percentText(floored, 0, floored < 99 ? 1 : 3)
}

const forms = {
  relative: relativeTime,
  countdown,
  local: shortTime,
  exact: localTime,
  clock: clockTime,
  day: localDay,
}

export interface TimeProps {
  readonly at: string
  /** Default: relative. `exact` has seconds, for timelines and results. */
  readonly form?: keyof typeof forms
}

export function Time({ at, form = 'relative' }: TimeProps) {
  return (
    <time dateTime={at} title={timeTitle(at)}>
      {forms[form](at)}
    </time>
  )
}
