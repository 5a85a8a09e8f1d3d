// The notes of a conversion for a terminal: by what became of the items, and each item once.
import { exportedNames } from '../../base/nouns.ts'
import { isRecord } from '../../base/schema/pick.ts'
import type { ForeignNote } from '../../domain/imports/foreign.ts'
import type { PlanLine } from '../../domain/imports/import-record.ts'
import { shown } from '../people/columns.ts'

const groups = {
  waiting: 'Not running yet: paused there, or until this is done',
  leftOut: 'Left out',
  otherwise: 'Comes in another way, or without this',
  general: 'For the whole organization, or for the operator of the service',
} as const
type NoteGroup = keyof typeof groups

/** Lines with how many there are of each group, which are to be read after the counts of the import. */
export function noteLines(notes: readonly ForeignNote[], document: unknown): string[] {
  const states = statesOf(document)
  const found: Record<NoteGroup, Map<string, ForeignNote[]>> = {
    waiting: new Map(),
    leftOut: new Map(),
    otherwise: new Map(),
    general: new Map(),
  }
  const keyOf = ({ name, origin }: ForeignNote, no: number) => origin ?? name ?? String(no)
  // Some notes of an item that was left out only say what else it had.
  const left = new Set(notes.flatMap((note, no) => (isLeftOut(note) ? [keyOf(note, no)] : [])))
  for (const [no, note] of notes.entries()) {
    const key = keyOf(note, no)
    const runs = states.get(key)
    const of = found[groupOf(runs, left.has(key) && runs === undefined)]
    of.set(key, [...(of.get(key) ?? []), note])
  }
  return Object.entries(groups).flatMap(([group, title]) => {
    const items = [...found[group as NoteGroup].values()]
    return items.length === 0 ? [] : [`${title} (${items.length}):`, ...items.map(lineOf)]
  })
}

/** The origins of the items that the daemon left out: the plan says why, and nothing else of them matters. */
export function leftOutOrigins(plan: readonly PlanLine[]): ReadonlySet<string> {
  const left = plan.filter(({ action }) => action === 'leftOut')
  return new Set(left.flatMap(({ origin }) => origin ?? []))
}

function groupOf(runs: boolean | undefined, isLeft: boolean): NoteGroup {
  if (isLeft) return 'leftOut'
  if (runs === undefined) return 'general'
  return runs ? 'otherwise' : 'waiting'
}

/** Converters say so in these words. */
const isLeftOut = ({ text }: ForeignNote) => /\bleft out\b/.test(text)

/** Whether the items of the document run as they are made, by their origins and names. */
function statesOf(document: unknown): ReadonlyMap<unknown, boolean> {
  const items = exportedNames.flatMap((list) => {
    const some: unknown = isRecord(document) ? document[list] : undefined
    return Array.isArray(some) ? some.filter(isRecord) : []
  })
  const states = items.map(({ isActive, isEnabled }) => isActive !== false && isEnabled !== false)
  const by = (key: string) => items.map((item, no) => [item[key], states[no] ?? true] as const)
  return new Map([...by('name'), ...by('origin')])
}

function lineOf(notes: readonly ForeignNote[]): string {
  const [first] = notes
  const whose = (first?.name ?? null) === null ? '' : `"${shown(first?.name ?? '')}": `
  // The heading has said so.
  const texts = notes.map(({ text }) => shown(text.replace(/^(?:was )?left out: /, '')))
  const whence = first?.origin === undefined ? '' : ` (${shown(first.origin)})`
  return `  ${whose}${texts.join('; ')}${whence}`
}
