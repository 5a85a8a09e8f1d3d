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
} from '../foreign.ts'
import { pointWindow } from '../point-windows.ts'

/** `ids`: those in the document, by the ids of checks and of transactions. Undefined, with a note, if it was left out. */
export function windowOf(
  item: ForeignFields,
  ids: Readonly<Record<'uptime' | 'tms', ReadonlyMap<string, string>>>,
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
  const monitorIds = [
    ...listOf(uptime).flatMap((id) => ids.uptime.get(textOf(id)) ?? []),
    ...listOf(tms).flatMap((id) => ids.tms.get(textOf(id)) ?? []),
  ]
  if (monitorIds.length === 0) return leave('no check here has it')
  const startMs = (numberOf(item.from) ?? 0) * 1_000
  const endMs = (numberOf(item.to) ?? 0) * 1_000
  const untilMs = (numberOf(item.effectiveto) ?? 0) * 1_000
  const times = { startMs, endMs, untilMs, readAtMs }
  const every = textOf(item.recurrencetype)
  const found = pointWindow({ ...times, every, count: numberOf(item.repeatevery) ?? 1 }, note)
  return typeof found === 'string' ? leave(found) : { name, origin, monitorIds, ...found }
}
