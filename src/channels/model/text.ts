// A message as running text, for platforms that show text with little or no markup.
import { clip } from '../../base/clip.ts'
import { escapedMarkup } from '../../base/formats/markup.ts'
import type { Locale } from '../../domain/language.ts'
import { localeTag } from '../../texts/languages.ts'
import { marksOf } from '../../texts/marks.ts'
import type { Fact, Instant, Link, Message, Tone } from './message.ts'

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

const toneMarks: Readonly<Record<Tone, string>> = {
  bad: '🔴',
  warning: '🟠',
  good: '🟢',
  neutral: '🔵',
}

/** The message with a coloured mark before its title, for platforms that show no colour. */
export function marked(message: Message): Message {
  return { ...message, title: `${toneMarks[message.tone]} ${message.title}` }
}

export interface TextBounds {
  /** The bound, in the unit of `sizeOf`. */
  readonly sizeMax: number
  /** Absent: UTF-16 code units. */
  readonly sizeOf?: (text: string) => number
  /** Leaves out the title, which the platform shows by itself. */
  readonly isUntitled?: boolean
  /** Absent: a line break. */
  readonly lineBreak?: string
  /** Leaves out links, which the platform shows by itself. */
  readonly isUnlinked?: boolean
}

/**
 * The title, a line for each fact, and the links, of the longest form that fits. Links that would
 * take more than half of the room are left out, the last one first. Nothing is cut inside an escape.
 */
export function textOf(message: Message, style: TextStyle, bounds: TextBounds): string {
  const { sizeMax, sizeOf = (text) => text.length, lineBreak = '\n' } = bounds
  const kept = bounds.isUnlinked ? [] : [...message.links]
  const linesOf = (links: readonly Link[]) => links.map((link) => linkLine(link, style))
  while (sizeOf(linesOf(kept).join(lineBreak)) > sizeMax / 2) kept.pop()
  const textFor = ({ title, facts, links, locale }: Message) =>
    [
      ...(bounds.isUntitled ? [] : [style.bold(style.escape(title))]),
      ...facts.map((fact) => factLine(fact, style, locale)),
      ...linesOf(links),
    ].join(lineBreak)
  return longestForm({ ...message, links: kept }, textFor, (text) => sizeOf(text) <= sizeMax)
}

/** What is made of the longest form of a message that fits; of the shortest if none does. */
export function longestForm<Made>(
  message: Message,
  make: (form: Message) => Made,
  fits: (made: Made) => boolean,
): Made {
  const [longest, ...shorter] = shorterForms(message)
  let made = make(longest ?? message)
  for (const form of shorter) {
    if (fits(made)) break
    made = make(form)
  }
  return made
}

/** The numbers of characters of each value that are tried, from full length to almost nothing. */
const valueCharsTried = [2_000, 600, 200, 80] as const
const valueCharsMin = 30

/**
 * Shorter and shorter forms of a message: first values are cut, then facts are left out from the
 * last, then the links but the first, which acknowledges, and at last that too.
 */
export function* shorterForms(message: Message): Generator<Message> {
  for (const charsMax of valueCharsTried) yield clipped(message, charsMax)
  const least = clipped(message, valueCharsMin)
  const { facts, links } = least
  for (let shown = facts.length; shown >= 0; shown--) {
    yield { ...least, facts: facts.slice(0, shown) }
  }
  yield { ...least, facts: [], links: links.slice(0, 1) }
  yield { ...least, facts: [], links: [] }
}

function clipped(message: Message, charsMax: number): Message {
  const facts = message.facts.map(({ label, value, ...rest }) => ({
    ...rest,
    label: clip(label, charsMax),
    value: typeof value === 'string' ? clip(value, charsMax) : value,
  }))
  return { ...message, title: clip(message.title, charsMax), facts }
}

/** A text cut before it is escaped, so that the escaped text has at most `charsMax` characters. */
export function escapedWithin(
  text: string,
  escapeOf: (text: string) => string,
  charsMax: number,
): string {
  const cut = (chars: number) => escapeOf(clip(text, chars))
  let fits = 1
  let tooLong = text.length + 1
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2)
    if (cut(middle).length <= charsMax) fits = middle
    else tooLong = middle
  }
  return cut(fits)
}

/** A URL in which the characters of the pattern (ASCII) are percent-encoded. */
export function encodedFor(url: string, pattern: RegExp): string {
  const encoded = (char: string) => `%${char.charCodeAt(0).toString(16).padStart(2, '0')}`
  return url.replace(pattern, (char) => encoded(char).toUpperCase())
}

/** HTML of a few tags, as chats know it. */
export const htmlStyle: TextStyle = {
  escape: htmlEscaped,
  bold: (text) => `<b>${text}</b>`,
  link: htmlLink,
  linkedLabel: htmlLink,
}

function htmlLink(escapedLabel: string, url: string): string {
  return `<a href="${htmlEscaped(url)}">${escapedLabel}</a>`
}

/** Escapes HTML, and shows line breaks. */
export function htmlEscaped(text: string): string {
  return escapedMarkup(text, /[&<>"]/g).replaceAll('\n', '<br>')
}

/**
 * Puts an invisible space behind characters that platforms without an escape would read as the
 * beginning of a mention or a link.
 */
export function defused(text: string, pattern: RegExp): string {
  return text.replace(pattern, '$&\u200b')
}

/** The text of a fact: a point in time in the platform's own form, or in the organization's. */
export function factText(value: Fact['value'], style: TextStyle, locale: Locale): string {
  if (typeof value === 'string') return style.escape(value)
  return style.instant?.(value) ?? style.escape(timeText(value, locale))
}

function factLine({ label, value, url }: Fact, style: TextStyle, locale: Locale): string {
  const name = style.escape(label)
  const shown = url === undefined ? name : (style.linkedLabel?.(name, url) ?? name)
  return `${style.bold(shown)}${marksOf(locale.language).colon}${factText(value, style, locale)}`
}

function linkLine({ label, url }: Link, style: TextStyle): string {
  return style.link(style.escape(label), url)
}

/** A point in time in the language and the time zone, which it names: "22 Nov 2026, 21:05:00 UTC". */
export function timeText({ atMs }: Instant, { language, timezone }: Locale): string {
  return new Intl.DateTimeFormat(localeTag(language), {
    dateStyle: 'medium',
    timeStyle: 'long',
    timeZone: timezone,
  }).format(atMs)
}
