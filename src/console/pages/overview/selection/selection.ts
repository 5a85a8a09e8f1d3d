// The selection of the overview: by pointer, and by x and the arrow keys at the row that the keyboard chose.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useShortcuts } from '../../../base/shortcuts.ts'
import { monitors } from '../../../stores/monitors.ts'
import { mayAs, organization } from '../../../stores/session.ts'
import type { ChosenRow } from '../rows/chosen-row.ts'
import type { Row } from '../rows/filter.ts'
import {
  begunAt,
  extended,
  nonePicked,
  type Picked,
  shareOf,
  toggled,
  withAll,
  withoutGone,
} from './picked-rows.ts'

export interface Selection {
  readonly ids: ReadonlySet<string>
  /** How much of the list is selected. */
  readonly share: 'all' | 'some' | 'none'
  toggle(row: Row): void
  /** All from the row that was selected last to this one. */
  extendTo(row: Row): void
  toggleAll(): void
  clear(): void
}

/** Undefined for people who may change nothing. */
export function useSelection(rows: readonly Row[], chosen: ChosenRow): Selection | undefined {
  const picked = useSignal<Picked>(nonePicked)
  const mayChange = mayAs('member')
  const known = monitors.value
  const ownerId = organization.value?.id
  useEffect(() => {
    picked.value = nonePicked
  }, [ownerId, picked])
  useEffect(() => {
    picked.value = withoutGone(picked.value, known)
  }, [known, picked])

  function extendBy(step: 1 | -1): void {
    const from = chosen.row()
    // The keyboard went elsewhere since.
    if (from && picked.value.endKey !== from.key) picked.value = begunAt(picked.value, from.key)
    const to = chosen.move(step) ?? from
    if (to) picked.value = extended(picked.value, rows, to)
  }
  function clear(): void {
    picked.value = nonePicked
  }
  const toggleChosen = () => {
    const row = chosen.row()
    if (row) picked.value = toggled(picked.value, row)
  }
  useShortcuts(
    mayChange
      ? {
          x: toggleChosen,
          'Shift+ArrowDown': () => extendBy(1),
          'Shift+ArrowUp': () => extendBy(-1),
          Escape: clear,
        }
      : {},
  )
  if (!mayChange) return undefined
  return {
    ids: picked.value.ids,
    share: shareOf(picked.value, rows),
    toggle: (row) => {
      picked.value = toggled(picked.value, row)
    },
    extendTo: (row) => {
      picked.value = extended(picked.value, rows, row)
    },
    toggleAll: () => {
      picked.value = withAll(picked.value, rows)
    },
    clear,
  }
}
