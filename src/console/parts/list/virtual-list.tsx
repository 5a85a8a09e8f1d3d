// A list of any length: only the rows in view are in the document. The window scrolls. Rows that come
// or go above do not move what somebody reads.
import { useSignal } from '@preact/signals'
import type { ComponentChildren, VNode } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { movedBy, offsetsOf, type Range, rangeOf, rowFrom } from '../../base/list-range.ts'

export interface VirtualListProps<Row extends { readonly key: string }> {
  readonly rows: readonly Row[]
  /** Whether a row of the same key did not change: then it tells how far the list moved. */
  readonly isSame: (before: Row, after: Row) => boolean
  /** The height of a row in CSS pixels. The same function: no height changed. */
  readonly heightOf: (row: Row) => number
  /** The same function: a row that did not change is not drawn again. */
  readonly children: (row: Row) => ComponentChildren
  /** The key of a row that is scrolled into view when another one is named; not when it moves. */
  readonly shownKey?: string | undefined
  /** Called with the first and the last row in view, when they change. */
  readonly onRange?: (first: number, last: number) => void
}

interface Drawn<Row> {
  readonly row: Row
  readonly topPx: number
  readonly node: VNode
}

export function VirtualList<Row extends { readonly key: string }>(props: VirtualListProps<Row>) {
  const { rows, isSame, heightOf, children, shownKey = '', onRange } = props
  const list = useRef<HTMLDivElement>(null)
  const topPx = useRef(0)
  const offsets = useMemo(() => offsetsOf(rows, heightOf), [rows, heightOf])
  const place = () => ({ topPx: topPx.current, screenPx: window.innerHeight, offsets })
  const range = useSignal<Range>(rangeOf(place()))
  const look = useRef(() => {})
  look.current = () => {
    topPx.current = list.current?.getBoundingClientRect().top ?? 0
    const next = rangeOf(place())
    const { first, last } = range.value
    if (next.first !== first || next.last !== last) range.value = next
  }
  useEffect(() => {
    const lookAgain = () => look.current()
    window.addEventListener('scroll', lookAgain, { passive: true })
    window.addEventListener('resize', lookAgain)
    return () => {
      window.removeEventListener('scroll', lookAgain)
      window.removeEventListener('resize', lookAgain)
    }
  }, [])
  const before = useRef({ rows, offsets })
  useLayoutEffect(() => {
    const old = before.current
    before.current = { rows, offsets }
    const hidden = rowFrom(old.offsets, -topPx.current)
    // At its beginning the list shows what is new.
    if (old.rows !== rows && hidden > 0) {
      const { from, to } = movedBy(
        old.rows,
        rows,
        { first: hidden, last: range.value.last },
        isSame,
      )
      const moved = (offsets[to] ?? 0) - (old.offsets[from] ?? 0)
      if (moved !== 0) window.scrollBy({ top: moved, behavior: 'instant' })
    }
    // Asking where it is costs a layout, and most changes leave it there. So do the first rows: an empty
    // list was asked, and what comes above it moves it by less than is drawn beyond the screen.
    if (old.rows !== rows && old.rows.length === 0) range.value = rangeOf(place())
    else if (old.rows === rows || old.rows.length !== rows.length) look.current()
  }, [rows, offsets, isSame, range])
  useEffect(() => {
    const shown = rows.findIndex(({ key }) => key === shownKey)
    const row = rows[shown]
    if (!row) return
    look.current()
    const rowPx = topPx.current + (offsets[shown] ?? 0)
    const highPx = heightOf(row)
    // The rows beside it stay in view, and nothing that sticks to the edge hides it.
    const above = rowPx - highPx
    const below = rowPx + 2 * highPx - window.innerHeight
    if (above < 0) window.scrollBy(0, above)
    else if (below > 0) window.scrollBy(0, below)
  }, [shownKey, heightOf])
  const first = Math.max(0, Math.min(range.value.first, rows.length - 1))
  const last = Math.min(range.value.last, rows.length - 1)
  useEffect(() => onRange?.(first, last), [first, last, rows, onRange])
  // A scroll draws the rows that come into view, and no other: the same node is the same row.
  const drawn = useMemo(() => ({ rows: new Map<string, Drawn<Row>>() }), [heightOf, children])
  const next = new Map<string, Drawn<Row>>()
  for (let at = first; at <= last; at += 1) {
    const row = rows[at]
    if (!row) continue
    const known = drawn.rows.get(row.key)
    const topPx = offsets[at] ?? 0
    const node =
      known?.topPx === topPx && isSame(known.row, row) ? (
        known.node
      ) : (
        <div
          key={row.key}
          class="virtual-row"
          style={{ transform: `translateY(${topPx}px)`, height: `${heightOf(row)}px` }}
        >
          {children(row)}
        </div>
      )
    next.set(row.key, { row, topPx, node })
  }
  drawn.rows = next
  return (
    <div ref={list} class="virtual" style={{ height: `${offsets.at(-1) ?? 0}px` }}>
      {Array.from(next.values(), ({ node }) => node)}
    </div>
  )
}
