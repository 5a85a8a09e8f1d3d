// Maintenance windows of UptimeRobot.
import { unreachable } from '../../../base/assert.ts'
import { type ForeignItem, type NotesOf, within } from '../foreign.ts'

interface RobotTimes {
  /** `week`: on weekdays, 1 to 7 from Monday; `month`: on days of it, -1 is the last. */
  readonly every: 'day' | 'week' | 'month'
  /** Such as 06:30. */
  readonly time: string
  readonly days: readonly number[]
}

/** A window in either version of the API. */
export interface RobotWindow {
  readonly there: string
  readonly name: string
  readonly isPaused: boolean
  /** The ids in the document. */
  readonly monitorIds: readonly string[]
  readonly durationMinutes: number
  /** Undefined: it is not told. */
  readonly on: { readonly every: 'once'; readonly startMs: number } | RobotTimes | undefined
  /** When it was read; 0 if that is not known. */
  readonly readAtMs: number
  /** Whether its time is one of the account, whose zone is not told. */
  readonly isLocal: boolean
}

const windowMinutesMax = 1_440

/** Undefined, with a note, if it was left out. */
export function windowOf(window: RobotWindow, notesOf: NotesOf): ForeignItem | undefined {
  const { name, monitorIds, on } = window
  const origin = `mwindow/${window.there}`
  const note = notesOf(name, origin)
  const leave = (why: string): undefined => {
    note(`this window was left out: ${why}`)
  }
  if (window.isPaused) return leave('it is paused there')
  if (monitorIds.length === 0) return leave('no monitor has it')
  const durationMinutes = within(window.durationMinutes, 1, windowMinutesMax)
  const head = { name, origin, monitorIds }
  if (on === undefined) return leave('its time is not told')
  const zone = 'its time zone is that of the account there, which is not told: choose it'
  if (on.every === 'once') {
    const endMs = on.startMs + durationMinutes * 60_000
    if (!(endMs > window.readAtMs && window.readAtMs > 0)) return leave('it is over')
    if (window.isLocal) note(zone)
    const [startsAt, endsAt] = [on.startMs, endMs].map((ms) => new Date(ms).toISOString())
    return { ...head, startsAt, endsAt }
  }
  const cron = cronOf(on)
  if (cron === undefined) return leave('its time is not told')
  note(zone)
  return { ...head, cron, durationMinutes }
}

function cronOf({ every, time, days }: RobotTimes): string | undefined {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)/.exec(time) ?? []
  if (hour === undefined || minute === undefined) return undefined
  const at = `${Number(minute)} ${Number(hour)}`
  const areKnown = (most: number, least = 1) =>
    days.length > 0 &&
    days.every((day) => day >= least && day <= most && day % 1 === 0 && day !== 0)
  switch (every) {
    case 'day':
      return `${at} * * *`
    case 'week':
      return areKnown(7) ? `${at} * * ${days.join(',')}` : undefined
    case 'month':
      if (!areKnown(31, -1)) return undefined
      return `${at} ${days.map((day) => (day === -1 ? 'L' : day)).join(',')} * *`
    default:
      return unreachable(every)
  }
}
