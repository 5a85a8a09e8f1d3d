// Moves rows in the own order, by pointer and by menu, and says where they are now.
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { act } from '../../../parts/dialog/act.ts'
import { monitors } from '../../../stores/monitors.ts'
import { orderMonitors, ownOrder } from '../../../stores/preferences.ts'
import { words } from '../../../words/words.ts'
import { dragRow } from './dragging.ts'
import type { MonitorItem, Row } from './filter.ts'
import { inOwnOrder, movedTo } from './own-order.ts'
import type { GripProps } from './row-grip.tsx'

/** `rows` are those of a list without groups. */
export function useOwnMoves(rows: readonly Row[], rowPx: number) {
  const line = useRef<HTMLDivElement>(null)
  const told = useSignal('')
  const list = () => line.current?.parentElement?.querySelector<HTMLElement>('.virtual')
  const newest = useRef({ rows, rowPx })
  newest.current = { rows, rowPx }

  function moveTo({ entry: { id, name } }: MonitorItem, wanted: number): void {
    const shown = newest.current.rows.map(({ key }) => key)
    const place = Math.max(0, Math.min(shown.length - 1, wanted))
    const all = inOwnOrder([...monitors.value.values()], ownOrder.value).map(({ id }) => id)
    void act(() => orderMonitors(movedTo(all, shown, { id, place })))
    const { sort } = words.value.statusPages
    told.value = sort.moved({ name, place: place + 1, count: shown.length })
  }

  const placeOf = ({ key }: Row) => newest.current.rows.findIndex((one) => one.key === key)

  /** The focus goes with the row, so that it can be moved on. */
  function focusGripAt(place: number): void {
    requestAnimationFrame(() => {
      const shown = list()
      const topPx = (shown?.getBoundingClientRect().top ?? 0) + place * newest.current.rowPx
      const isInView = topPx > 0 && topPx + 2 * newest.current.rowPx < window.innerHeight
      if (!isInView) window.scrollBy({ top: topPx - window.innerHeight / 3, behavior: 'instant' })
      requestAnimationFrame(() => {
        const key = newest.current.rows[place]?.key
        const grip = shown?.querySelector<HTMLElement>(`[data-grip="${key}"] button`)
        grip?.focus({ preventScroll: true })
      })
    })
  }

  const gripOf = (row: MonitorItem): GripProps => ({
    onPress(event) {
      const shown = list()
      if (event.button !== 0 || !shown || !line.current) return
      // It would select texts.
      event.preventDefault()
      const { rows, rowPx } = newest.current
      dragRow(event, {
        ...{ list: shown, rowPx, count: rows.length, line: line.current },
        onDrop(gap) {
          const from = placeOf(row)
          // The gaps on both of its sides are where it is.
          if (gap !== from && gap !== from + 1) moveTo(row, gap > from ? gap - 1 : gap)
        },
      })
    },
    onMove(to) {
      const place = to === 'top' ? 0 : placeOf(row) + to
      moveTo(row, place)
      focusGripAt(Math.max(0, Math.min(newest.current.rows.length - 1, place)))
    },
  })

  return { line, told, gripOf }
}
