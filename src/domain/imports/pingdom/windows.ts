// Maintenance windows of Pingdom; their times are points in time.
import {
  type ForeignFields,
  type ForeignItem,
  fieldsOf,
  listOf,
  type NotesOf,
  nameOf,
  numberOf,
  textOf,
  within,
} from '../foreign.ts'

const windowMinutesMax = 10_080

/** `ids`: those in the document, by the ids of checks. Undefined, with a note, if it was left out. */
export function windowOf(
  item: ForeignFields,
  ids: ReadonlyMap<string, string>,
  readAtMs: number,
  notesOf: NotesOf,
): ForeignItem | undefined {
  const there = textOf(item.id)
  const origin = `maintenance/${there}`
  const name = nameOf(item.description, `Window ${there}`)
  const note = notesOf(name, origin)
  const leave = (why: string): undefined => {
    note(`this window was left out: ${why}`)
  }
  const { uptime, tms } = fieldsOf(item.checks)
  const monitorIds = listOf(uptime).flatMap((id) => ids.get(textOf(id)) ?? [])
  if (monitorIds.length === 0) return leave('no check here has it')
  if (listOf(tms).length > 0) note('its transactions')
  const startMs = (numberOf(item.from) ?? 0) * 1_000
  const endMs = (numberOf(item.to) ?? 0) * 1_000
  const untilMs = (numberOf(item.effectiveto) ?? 0) * 1_000
  if (!(startMs > 0 && endMs > startMs)) return leave('its time is not told')
  const head = { name, origin, monitorIds }
  const every = textOf(item.recurrencetype) || 'none'
  if (every === 'none') {
    if (endMs <= readAtMs) return leave('it is over')
    const [startsAt, endsAt] = [startMs, endMs].map((ms) => new Date(ms).toISOString())
    return { ...head, startsAt, endsAt }
  }
  if (untilMs > 0 && untilMs <= readAtMs) return leave('it is over')
  const count = numberOf(item.repeatevery) ?? 1
  if (count > 1) return leave(`it recurs every ${count} of ${every}, which cron cannot say`)
  const cron = cronOf(every, new Date(startMs))
  if (cron === undefined) return leave(`it recurs by ${every}`)
  if (untilMs > 0) note(`that it ends on ${new Date(untilMs).toISOString().slice(0, 10)}`)
  const durationMinutes = within((endMs - startMs) / 60_000, 1, windowMinutesMax)
  return { ...head, cron, durationMinutes, timezone: 'UTC' }
}

function cronOf(every: string, start: Date): string | undefined {
  const time = `${start.getUTCMinutes()} ${start.getUTCHours()}`
  switch (every) {
    case 'day':
      return `${time} * * *`
    case 'week':
      return `${time} * * ${start.getUTCDay()}`
    case 'month':
      return `${time} ${start.getUTCDate()} * *`
    default:
      return undefined
  }
}
