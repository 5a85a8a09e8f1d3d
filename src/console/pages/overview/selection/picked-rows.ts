// Which monitors are selected: one by one, in ranges, or all that the list shows.
import type { Row } from '../rows/filter.ts'

export interface Picked {
  /** The ids of monitors: one that stands in several groups is selected in each. */
  readonly ids: ReadonlySet<string>
  /** The key of the row at which the next range begins; '' for none. */
  readonly anchorKey: string
  /** The key of the row that was selected last: the end of the range. */
  readonly endKey: string
  /** What was selected before the range that is being drawn out: it shrinks again down to this. */
  readonly before: ReadonlySet<string>
}

const none: ReadonlySet<string> = new Set()

export const nonePicked: Picked = { ids: none, anchorKey: '', endKey: '', before: none }

const idOf = (row: Row | undefined) => (row?.kind === 'monitor' ? row.entry.id : undefined)

/** One more, or one less. */
export function toggled({ ids }: Picked, row: Row): Picked {
  const id = idOf(row)
  if (id === undefined) return begunAt({ ids }, '')
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return begunAt({ ids: next }, row.key)
}

/** A range begins at the row with this key. */
export function begunAt({ ids }: Pick<Picked, 'ids'>, key: string): Picked {
  return { ids, anchorKey: key, endKey: key, before: ids }
}

/** All from the anchor to the row, in place of the range that was drawn out before. */
export function extended(picked: Picked, rows: readonly Row[], to: Row): Picked {
  const { anchorKey, before } = picked
  const anchor = rows.findIndex(({ key }) => key === anchorKey)
  const end = rows.findIndex(({ key }) => key === to.key)
  if (end < 0) return picked
  const start = anchor < 0 ? end : anchor
  const range = rows.slice(Math.min(start, end), Math.max(start, end) + 1)
  return {
    ids: new Set([...before, ...range.flatMap((row) => idOf(row) ?? [])]),
    anchorKey: rows[start]?.key ?? '',
    endKey: to.key,
    before,
  }
}

/** Whether all, some or none of the rows of a list are selected. */
export function shareOf({ ids }: Picked, rows: readonly Row[]): 'all' | 'some' | 'none' {
  if (ids.size === 0) return 'none'
  let has = false
  let lacks = false
  for (const row of rows) {
    const id = idOf(row)
    if (id === undefined) continue
    if (ids.has(id)) has = true
    else lacks = true
    if (has && lacks) return 'some'
  }
  return has ? 'all' : 'none'
}

/** Also all of the list, beside what is selected elsewhere; none of it if all were. */
export function withAll(picked: Picked, rows: readonly Row[]): Picked {
  const ids = new Set(picked.ids)
  const isOff = shareOf(picked, rows) === 'all'
  for (const row of rows) {
    const id = idOf(row)
    if (id === undefined) continue
    if (isOff) ids.delete(id)
    else ids.add(id)
  }
  return begunAt({ ids }, '')
}

/** The selection without monitors that are gone; the same if there are none. */
export function withoutGone(picked: Picked, known: ReadonlyMap<string, unknown>): Picked {
  if ([...picked.ids].every((id) => known.has(id))) return picked
  const only = (ids: ReadonlySet<string>) => new Set([...ids].filter((id) => known.has(id)))
  return { ...picked, ids: only(picked.ids), before: only(picked.before) }
}
