// A message as running text, for platforms that show text with little or no markup.
import { clip } from '../../base/clip.ts'
import type { Locale } from '../../domain/language.ts'
import type { Fact, Instant, Message } from './message.ts'

/** The markup of a platform. */
export interface TextStyle {
  /** Makes a text harmless: no markup, no mention of anybody. */
  readonly escape: (text: string) => string
  readonly bold: (escaped: string) => string
  /** The label is escaped, the URL is not. */
  readonly link: (label: string, url: string) => string
  /** A label that is a link itself. Absent: addresses of facts are left out. */
  readonly linkedLabel?: (label: string, url: string) => string
  /** Absent: times are written in the organization's language and time zone. */
  readonly instant?: (instant: Instant) => string
}

/** No markup at all. */
export const plainStyle: TextStyle = {
  escape: (text) => text,
  bold: (text) => text,
  link: (label, url) => `${label}: ${url}`,
}

export interface TextBounds {
  /** In the unit of `sizeOf`. */
  readonly sizeMax: number
  /** Absent: UTF-16 code units. */
  readonly sizeOf?: (text: string) => number
  /** Without the title, which the platform shows by itself. */
  readonly isUntitled?: boolean
  /** Absent: a line break. */
  readonly lineBreak?: string
  /** Without links, which the platform shows by itself. */
  readonly isUnlinked?: boolean
}

/** From full length to almost nothing: how many characters of each value are shown. */
const valueCharsTried = [2_000, 600, 200, 80] as const
const valueCharsMin = 30

/**
 * The title, a line for each fact, and the links. Links that would take more than half of the room
 * are left out, the last one first. If the rest is too long, values are cut, then facts are left
 * out from the last; the title stays. Nothing is cut inside an escape.
 */
export function textOf(message: Message, style: TextStyle, bounds: TextBounds): string {
  const { sizeMax, sizeOf = (text) => text.length, lineBreak = '\n' } = bounds
  const fits = (lines: readonly string[]) => sizeOf(lines.join(lineBreak)) <= sizeMax
  const links = bounds.isUnlinked ? [] : message.links.map((link) => linkLine(link, style))
  while (sizeOf(links.join(lineBreak)) > sizeMax / 2) links.pop()
  const headOf = (charsMax: number) =>
    bounds.isUntitled ? [] : [style.bold(style.escape(clip(message.title, charsMax)))]
  const factsOf = (charsMax: number) =>
    message.facts.map((fact) => factLine(fact, charsMax, style, message.locale))

  for (const charsMax of valueCharsTried) {
    const lines = [...headOf(charsMax), ...factsOf(charsMax), ...links]
    if (fits(lines)) return lines.join(lineBreak)
  }
  const head = headOf(valueCharsMin)
  const facts = factsOf(valueCharsMin)
  for (let shown = facts.length; shown >= 0; shown--) {
    const lines = [...head, ...facts.slice(0, shown), ...links]
    if (fits(lines)) return lines.join(lineBreak)
  }
  return head.join(lineBreak)
}

function factLine({ label, value, url }: Fact, charsMax: number, style: TextStyle, locale: Locale) {
  const name = style.escape(clip(label, charsMax))
  const text = typeof value === 'string' ? style.escape(clip(value, charsMax)) : timeIn(value)
  const shown = url === undefined ? name : (style.linkedLabel?.(name, url) ?? name)
  return `${style.bold(shown)}: ${text}`

  function timeIn(instant: Instant): string {
    return style.instant?.(instant) ?? style.escape(timeText(instant, locale))
  }
}

function linkLine({ label, url }: Message['links'][number], style: TextStyle): string {
  return style.link(style.escape(label), url)
}

/** A point in time in the language and the time zone, which it names: "Nov 22, 2026, 9:05:00 PM UTC". */
export function timeText({ atMs }: Instant, { language, timezone }: Locale): string {
  return new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'long',
    timeZone: timezone,
  }).format(atMs)
}
