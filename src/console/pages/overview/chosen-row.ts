// The row that the keyboard chose: j and k move it, Enter opens it.
import { useSignal } from '@preact/signals'
import { useShortcuts } from '../../base/shortcuts.ts'
import type { Row } from './filter.ts'

/** The key of the row; '' until one was chosen. The choice stays with its monitor when rows move. */
export function useChosenRow(rows: readonly Row[], open: (monitorId: string) => void) {
  const chosenKey = useSignal('')
  // Asked at each key: keys may come faster than rows are drawn.
  const indexNow = () =>
    chosenKey.value === '' ? -1 : rows.findIndex(({ key }) => key === chosenKey.value)
  function move(step: 1 | -1): void {
    let next = indexNow() + step
    while (rows[next]?.kind === 'group') next += step
    const row = rows[next]
    if (row) chosenKey.value = row.key
  }
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    Enter: () => {
      const row = rows[indexNow()]
      if (row?.kind === 'monitor') open(row.entry.id)
    },
  })
  return { key: chosenKey.value }
}
