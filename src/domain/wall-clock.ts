// What clocks on the wall show in a time zone, and when they show it.
import { isTimezone } from './language.ts'
import { limits } from './limits/limits.ts'

const dayMs = 86_400_000

/**
 * The moments at which clocks of a time zone show a time, which is given as if it were UTC. One that
 * is skipped when clocks are set forward is the moment of that.
 */
export function instants(wall: number, timezone: string): { firstMs: number; lastMs: number } {
  const found = [wall - dayMs, wall + dayMs].map((aroundMs) => wall - offsetMs(aroundMs, timezone))
  const firstMs = Math.min(...found)
  const lastMs = Math.max(...found)
  const shown = found.filter((atMs) => wallMs(atMs, timezone) === wall)
  if (shown.length > 0) return { firstMs: Math.min(...shown), lastMs: Math.max(...shown) }
  const changeMs = changeBetween(firstMs, lastMs, timezone)
  return { firstMs: changeMs, lastMs: changeMs }
}

/** When the offset of a time zone changes between two moments, to the second. */
function changeBetween(beforeMs: number, afterMs: number, timezone: string): number {
  const offset = offsetMs(beforeMs, timezone)
  let earlyMs = beforeMs
  let lateMs = afterMs
  while (lateMs - earlyMs > 1_000) {
    const middleMs = earlyMs + Math.floor((lateMs - earlyMs) / 2_000) * 1_000
    if (offsetMs(middleMs, timezone) === offset) earlyMs = middleMs
    else lateMs = middleMs
  }
  return lateMs
}

function offsetMs(atMs: number, timezone: string): number {
  return wallMs(atMs, timezone) - Math.floor(atMs / 1_000) * 1_000
}

/** Keeps the formats: making one costs a hundred times as much as using it. */
function createFormats() {
  const formats = new Map<string, Intl.DateTimeFormat>()
  const numeric = 'numeric'

  return (timezone: string): Intl.DateTimeFormat => {
    const known = formats.get(timezone)
    if (known) return known
    const made = new Intl.DateTimeFormat('en-US', {
      // One that a later system does not know any more must not stop the channel.
      timeZone: isTimezone(timezone) ? timezone : 'UTC',
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    })
    if (formats.size >= limits.timezoneFormatsKept) formats.clear()
    formats.set(timezone, made)
    return made
  }
}

const formatOf = createFormats()

/** What the clocks of a time zone show, in whole seconds, as if it were UTC. */
export function wallMs(atMs: number, timezone: string): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {}
  for (const { type, value } of formatOf(timezone).formatToParts(atMs)) parts[type] = Number(value)
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second)
}
