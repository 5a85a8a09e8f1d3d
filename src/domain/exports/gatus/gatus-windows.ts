// Maintenance windows that begin at a time of day, as Gatus has them.
import { type ForeignFields, listOf, type Note, numberOf, textOf } from '../../imports/foreign.ts'

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const durationMinutesMax = 1_440

/** Undefined, with a note, if it is on once, or at other times than those of a week. */
export function gatusWindow(window: ForeignFields, note: Note): ForeignFields | undefined {
  const duration = numberOf(window.durationMinutes) ?? 0
  const [minute = '', hour = '', day, month, weekdays = ''] = textOf(window.cron).split(/\s+/)
  const isDaily = /^\d{1,2}$/.test(minute) && /^\d{1,2}$/.test(hour) && day === '*' && month === '*'
  const every = daysOf(weekdays)
  if (!isDaily || every === undefined || duration > durationMinutesMax) {
    note('left out: maintenance of Gatus is at a time of day, at most 24 hours long')
    return undefined
  }
  return {
    start: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`,
    duration: `${duration}m`,
    timezone: textOf(window.timezone) || 'UTC',
    ...(every.length === 0 ? {} : { every }),
  }
}

/** Empty: all days. Undefined for another form than numbers and ranges of them. */
function daysOf(weekdays: string): readonly string[] | undefined {
  if (weekdays === '*') return []
  const numbers: number[] = []
  for (const part of weekdays.split(',')) {
    const [, first, last = first] = /^([0-7])(?:-([0-7]))?$/.exec(part) ?? []
    if (first === undefined || Number(last) < Number(first)) return undefined
    for (let day = Number(first); day <= Number(last); day += 1) numbers.push(day % days.length)
  }
  return days.filter((_, index) => numbers.includes(index))
}

/** The monitors that a window is for: by their ids, or by their tags. Undefined: all. */
export function coveredBy(window: ForeignFields) {
  const ids = new Set(listOf(window.monitorIds).map(textOf))
  const tags = new Set(listOf(window.tags).map(textOf))
  if (ids.size + tags.size === 0) return undefined
  return (id: string, tagsOfMonitor: readonly string[]) =>
    ids.has(id) || tagsOfMonitor.some((tag) => tags.has(tag))
}
