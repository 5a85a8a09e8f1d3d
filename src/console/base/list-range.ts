// Which rows of a long list are drawn, and how far it must scroll to keep what somebody reads.

export interface Range {
  readonly first: number
  /** -1: none. */
  readonly last: number
}

/** Rows beyond the screen, so that a fast scroll meets no gaps. */
const beyond = 8

/** Where each row begins below the upper edge of the list, in CSS pixels, and where the last one ends. */
export function offsetsOf<Row>(
  rows: readonly Row[],
  heightOf: (row: Row) => number,
): readonly number[] {
  let end = 0
  return [0, ...rows.map((row) => (end += heightOf(row)))]
}

/** The first row that begins there or below; the count of rows if none does. */
export function rowFrom(offsets: readonly number[], px: number): number {
  let low = 0
  let high = offsets.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((offsets[middle] ?? 0) < px) low = middle + 1
    else high = middle
  }
  return low
}

export interface ListPlace {
  /** The upper edge of the list, seen from that of the screen: negative after a scroll. */
  readonly topPx: number
  readonly screenPx: number
  readonly offsets: readonly number[]
}

export function rangeOf({ topPx, screenPx, offsets }: ListPlace): Range {
  const count = offsets.length - 1
  const above = rowFrom(offsets, -topPx)
  // One that the edge of the screen cuts is in view.
  const cut = (offsets[above] ?? 0) > -topPx ? 1 : 0
  const first = above >= count ? count - 1 : above - cut - beyond
  return {
    first: Math.max(0, first),
    last: Math.min(rowFrom(offsets, screenPx - topPx) + beyond, count - 1),
  }
}

export interface Move {
  /** The place of a row before, and after. */
  readonly from: number
  readonly to: number
}

/**
 * How the list moved under the reader: by the first of the rows in view that is still the same. A row
 * that changed may have gone elsewhere, and nobody wants to follow it.
 */
export function movedBy<Row extends { readonly key: string }>(
  before: readonly Row[],
  after: readonly Row[],
  { first, last }: Range,
  isSame: (before: Row, after: Row) => boolean,
): Move {
  const sought = new Map<string, number>()
  for (let index = first; index <= last; index += 1) {
    const row = before[index]
    if (row) sought.set(row.key, index)
  }
  let found: Move | undefined
  for (const [to, row] of after.entries()) {
    const from = sought.get(row.key)
    const oldRow = from === undefined ? undefined : before[from]
    if (from === undefined || !oldRow || (found && from >= found.from) || !isSame(oldRow, row))
      continue
    found = { from, to }
  }
  return found ?? { from: 0, to: 0 }
}
