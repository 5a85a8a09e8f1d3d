// Maintenance of Gatus: a time of day, on all days or on some of the week.
import { isTimezone } from '../../language.ts'
import { type ForeignFields, type ForeignItem, listOf, type Note, textOf } from '../foreign.ts'
import { noteOthers } from './parts.ts'
import { secondsOf } from './request.ts'

interface WindowFrame {
  readonly name: string
  readonly origin: string
  /** The monitors that it is for; none: all. */
  readonly monitorIds: readonly string[]
  readonly note: Note
}

const settings = ['enabled', 'start', 'duration', 'timezone', 'every']
const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const minutesMax = 1_440

/** None if it is switched off, or Gatus would refuse it. */
export function windowsOf(
  item: ForeignFields,
  { name, origin, monitorIds, note }: WindowFrame,
): readonly ForeignItem[] {
  const refuse = (why: string) => {
    note(`its maintenance window was left out: ${why}`)
    return []
  }
  if (item.enabled === false) return refuse('it is switched off there')
  noteOthers(item, settings, note, 'its maintenance window: ')
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(textOf(item.start)) ?? []
  const minutes = Math.ceil((secondsOf(item.duration) ?? 0) / 60)
  const every = listOf(item.every).map(textOf)
  const timezone = textOf(item.timezone) || 'UTC'
  const unknown = every.find((day) => !days.includes(day))
  if (hour === undefined) return refuse('its start is no time such as 23:00')
  if (minutes < 1 || minutes > minutesMax) return refuse('its duration is not up to 24h')
  if (unknown !== undefined) return refuse(`unknown day ${unknown}`)
  if (!isTimezone(timezone)) return refuse(`unknown time zone ${timezone}`)
  const onDays = days.flatMap((day, index) => (every.includes(day) ? [index] : []))
  const isEndless = minutes === minutesMax && onDays.length % days.length === 0
  if (isEndless) note('its maintenance window has no end: a minute of each day is not in it')
  return [
    {
      name,
      origin,
      monitorIds,
      cron: `${Number(minute)} ${Number(hour)} * * ${onDays.join(',') || '*'}`,
      durationMinutes: isEndless ? minutes - 1 : minutes,
      timezone,
    },
  ]
}
