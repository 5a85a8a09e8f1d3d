// Times as people read them: local, relative where it is recent, and UTC on hover.
import { signal } from '@preact/signals'
import { locale } from '../../words/words.ts'
import { numberText } from './number.ts'

/** The time of this moment, in milliseconds; moves every 10 s, so that "3 min ago" does too. */
export const now = signal(Date.now())
setInterval(() => {
  now.value = Date.now()
}, 10_000)

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

/** Such as "3 min ago" or "in 2 days". */
function relativeTime(iso: string): string {
  // What was just measured is not in the future because the text was last made 10 s ago.
  const seconds = (Date.parse(iso) - Math.max(now.value, Date.now())) / 1_000
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  const count = Math.trunc(seconds / size)
  // "Now", but never "yesterday" or "next year": 40 hours ago may be two days before.
  const numeric = count === 0 ? 'auto' : 'always'
  const made = format(
    `relative ${numeric}`,
    (tag) => new Intl.RelativeTimeFormat(tag, { numeric, style: 'short' }),
  )
  return made.format(count, unit)
}

/** Date and time in the zone of the person. */
export function localTime(iso: string): string {
  return format(
    'local',
    (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium' }),
  ).format(new Date(iso))
}

/** The time of day, and the date if that is another day. */
function clockTime(iso: string): string {
  const isToday = new Date(iso).toDateString() === new Date(now.value).toDateString()
  const made = isToday
    ? format('clock', (tag) => new Intl.DateTimeFormat(tag, { timeStyle: 'medium' }))
    : format(
        'dated clock',
        (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'short', timeStyle: 'short' }),
      )
  return made.format(new Date(iso))
}

function localDay(iso: string): string {
  return format('day', (tag) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium' })).format(
    new Date(iso),
  )
}

const utcTime = (iso: string) => `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`

/** How long, in its two largest units: 3 h 12 min. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  const parts: readonly [number, string][] = [
    [Math.floor(whole / 86_400), 'd'],
    [Math.floor(whole / 3_600) % 24, 'h'],
    [Math.floor(whole / 60) % 60, 'min'],
    [whole % 60, 's'],
  ]
  const first = parts.findIndex(([count]) => count > 0)
  if (first < 0) return '0 s'
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')
}

/** Milliseconds as people read them: 85 ms, 1.24 s, 1 min 4 s. */
export function milliseconds(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  return ms < 60_000 ? `${numberText(ms / 1_000, 2)} s` : duration(ms / 1_000)
}

/** A share of 0 to 1 as a percentage that never rounds an outage away. */
export function percent(ratio: number | null): string {
  if (ratio === null) return '–'
  const floored = Math.floor(ratio * 100_000) / 1_000
  return `${numberText(floored, 0, floored < 99 ? 1 : 3)} %`
}

export interface TimeProps {
  readonly at: string
  /** Default: relative. */
  readonly form?: 'relative' | 'local' | 'clock' | 'day'
}

export function Time({ at, form = 'relative' }: TimeProps) {
  const forms = { relative: relativeTime, local: localTime, clock: clockTime, day: localDay }
  return (
    <time dateTime={at} title={`${localTime(at)}\n${utcTime(at)}`}>
      {forms[form](at)}
    </time>
  )
}
