// What clocks on the wall show in a time zone, and when they show it.
import { LRUCache } from 'lru-cache'
import { atMostEntries } from '../base/memory/bounds.ts'
import { timezoneKey } from './language.ts'

/** Days, each in a time zone, whose clocks are remembered. */
const dayClocksRemembered = 5_000

const dayMs = 86_400_000

/** What clocks show is a moment plus an offset, which may change once around a day. */
export interface DayClock {
  readonly earlyMs: number
  readonly lateMs: number
  /** Infinity: the offset is the same before and after. */
  readonly changeAtMs: number
}

/**
 * The clock of a time zone on a day, the one before and the one after; days count from 1 January 1970.
 * The day in the zone and the day in UTC both lie within.
 */
export const dayClock = createDayClocks()

/** Each costs several questions to the system, and neighbouring runs ask for the same. */
function createDayClocks() {
  const known = new LRUCache<string, DayClock>(atMostEntries(dayClocksRemembered))
  let last: { day: number; timezone: string; clock: DayClock } | undefined

  function clockOf(day: number, timezone: string): DayClock {
    const key = `${day} ${timezoneKey(timezone)}`
    const before = known.get(key)
    if (before) return before
    const made = clockBetween((day - 1) * dayMs, (day + 2) * dayMs, timezone)
    known.set(key, made)
    return made
  }

  return (day: number, timezone: string): DayClock => {
    if (last?.day === day && last.timezone === timezone) return last.clock
    last = { day, timezone, clock: clockOf(day, timezone) }
    return last.clock
  }
}

function clockBetween(fromMs: number, toMs: number, timezone: string): DayClock {
  const earlyMs = offsetMs(fromMs, timezone)
  const lateMs = offsetMs(toMs, timezone)
  const isSame = earlyMs === lateMs
  const changeAtMs = isSame ? Number.POSITIVE_INFINITY : changeBetween(fromMs, toMs, timezone)
  return { earlyMs, lateMs, changeAtMs }
}

/** The moments at which a clock shows a time: one; two if it repeats the time; none if it skips it. */
export function showings(wall: number, { earlyMs, lateMs, changeAtMs }: DayClock): number[] {
  const early = wall - earlyMs
  const late = wall - lateMs
  return [...(early < changeAtMs ? [early] : []), ...(late >= changeAtMs ? [late] : [])]
}

/**
 * The moments at which clocks of a time zone show a time, which is given as if it were UTC. One that
 * is skipped when clocks are set forward is the moment of that.
 */
export function instants(wall: number, timezone: string): { firstMs: number; lastMs: number } {
  const clock = clockBetween(wall - dayMs, wall + dayMs, timezone)
  const [firstMs = clock.changeAtMs, lastMs = firstMs] = showings(wall, clock)
  return { firstMs, lastMs }
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

/**
 * Keeps the formats: making one costs a hundred times as much as using it. There are no more of them
 * than time zones.
 */
function createFormats() {
  const formats = new Map<string, Intl.DateTimeFormat>()
  const numeric = 'numeric'

  return (timezone: string): Intl.DateTimeFormat => {
    // One that a later system does not know any more must not stop the channel.
    const timeZone = timezoneKey(timezone) ?? 'utc'
    const known = formats.get(timeZone)
    if (known) return known
    const made = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: numeric,
      month: numeric,
      day: numeric,
      hour: numeric,
      minute: numeric,
      second: numeric,
    })
    formats.set(timeZone, made)
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
