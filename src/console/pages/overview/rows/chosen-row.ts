// The row that the keyboard chose: j and k move it, Enter opens it.
import { useSignal } from '@preact/signals'
import { useShortcuts } from '../../../base/shortcuts.ts'
import type { Row } from './filter.ts'

export type ChosenRow = ReturnType<typeof useChosenRow>

/** The key of the row; '' until one was chosen. The choice stays with its monitor when rows move. */
export function useChosenRow(rows: readonly Row[], open: (monitorId: string) => void) {
  const chosenKey = useSignal('')
  /** A row that somebody points at stays where it is. */
  const shownKey = useSignal('')
  // Asked at each key: keys may come faster than rows are drawn.
  const indexNow = () =>
    chosenKey.value === '' ? -1 : rows.findIndex(({ key }) => key === chosenKey.value)
  const row = (): Row | undefined => rows[indexNow()]
  function move(step: 1 | -1): Row | undefined {
    let next = indexNow() + step
    while (rows[next]?.kind === 'group') next += step
    const moved = rows[next]
    if (moved) {
      chosenKey.value = moved.key
      shownKey.value = moved.key
    }
    return moved
  }
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => {
      const chosen = row()
      if (chosen?.kind === 'monitor') open(chosen.entry.id)
    },
  })
  return {
    key: chosenKey.value,
    shownKey: shownKey.value,
    row,
    move,
    /** The row that the focus came to by itself. */
    enter(key: string): void {
      chosenKey.value = key
    },
  }
}
