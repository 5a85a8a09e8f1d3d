// Which rows of a long list are drawn, and how far it must scroll to keep what somebody reads.

export interface Range {
  readonly first: number
  /** -1: none. */
  readonly last: number
}

/** Rows beyond the screen, so that a fast scroll meets no gaps. */
const beyond = 8

export interface ListPlace {
  /** The upper edge of the list, seen from that of the screen: negative after a scroll. */
  readonly topPx: number
  readonly screenPx: number
  readonly rowPx: number
  readonly count: number
}

export function rangeOf({ topPx, screenPx, rowPx, count }: ListPlace): Range {
  const first = Math.floor(-topPx / rowPx) - beyond
  const last = Math.ceil((screenPx - topPx) / rowPx) + beyond
  return { first: Math.max(0, Math.min(first, count - 1)), last: Math.min(last, count - 1) }
}

/**
 * By how many rows the list moved under the reader: as far as the first of the rows in view that is
 * still the same. A row that changed may have gone elsewhere, and nobody wants to follow it.
 */
export function movedBy<Row extends { readonly key: string }>(
  before: readonly Row[],
  after: readonly Row[],
  { first, last }: Range,
  isSame: (before: Row, after: Row) => boolean,
): number {
  const sought = new Map<string, number>()
  for (let index = first; index <= last; index += 1) {
    const row = before[index]
    if (row) sought.set(row.key, index)
  }
  let from = Number.POSITIVE_INFINITY
  let moved = 0
  for (const [index, row] of after.entries()) {
    const old = sought.get(row.key)
    const oldRow = old === undefined ? undefined : before[old]
    if (old === undefined || !oldRow || old >= from || !isSame(oldRow, row)) continue
    from = old
    moved = index - old
  }
  return moved
}
