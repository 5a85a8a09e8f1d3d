// Maintenance as a calendar that programs subscribe to (RFC 5545).
import type { AreaTexts } from '../../texts/texts.ts'
import type { PageDocument, PublicMaintenance, PublicPage } from '../view/public-page.ts'
import { hostOf } from './page-identity.ts'

/** An event for each occurrence. */
export function calendarDocument(
  view: PublicPage,
  occurrences: readonly PublicMaintenance[],
  { feeds }: AreaTexts<'status-page'>,
): PageDocument {
  const name = feeds.maintenance({ page: view.title })
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//stillup//status page//EN',
    'CALSCALE:GREGORIAN',
    // The first is RFC 7986; programs know the second.
    `NAME:${textValue(name)}`,
    `X-WR-CALNAME:${textValue(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    ...occurrences.flatMap((one) => eventLines(view, one)),
    'END:VCALENDAR',
  ]
  return {
    contentType: 'text/calendar; charset=utf-8',
    body: lines.map((line) => `${folded(line)}\r\n`).join(''),
  }
}

function eventLines(view: PublicPage, one: PublicMaintenance): string[] {
  const about = [one.monitorNames.join(', '), one.description].filter((text) => text !== '')
  const changed = utcTime(one.changedAtMs)
  return [
    'BEGIN:VEVENT',
    `UID:${one.windowId}-${one.startsAtMs}@${hostOf(view)}`,
    // Without a METHOD it is the time of the last change.
    `DTSTAMP:${changed}`,
    `LAST-MODIFIED:${changed}`,
    `DTSTART:${utcTime(one.startsAtMs)}`,
    `DTEND:${utcTime(one.endsAtMs)}`,
    `SUMMARY:${textValue(one.name)}`,
    ...(about.length > 0 ? [`DESCRIPTION:${textValue(about.join('\n\n'))}`] : []),
    `URL:${view.url}`,
    'STATUS:CONFIRMED',
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

/** `20261112T140500Z` */
function utcTime(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
}

/** RFC 5545 §3.3.11. Controls other than line breaks and tabs cannot be written. */
function textValue(text: string): string {
  return (
    text
      .toWellFormed()
      .replace(/\r\n?/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '')
      .replace(/[\\;,]/g, '\\$&')
      .replaceAll('\n', '\\n')
  )
}

const lineBytesMax = 75

/** RFC 5545 §3.1: a line has at most 75 bytes, and goes on after a break and a space. */
function folded(line: string): string {
  let out = ''
  let bytes = 0
  for (const char of line) {
    const length = Buffer.byteLength(char)
    if (bytes + length > lineBytesMax) {
      out += '\r\n '
      bytes = 1
    }
    out += char
    bytes += length
  }
  return out
}
