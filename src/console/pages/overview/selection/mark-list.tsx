// A list of things that many monitors have or not: each stays as it is, or all get it, or none keeps it.
import type { Signal } from '@preact/signals'
import { words } from '../../../words/words.ts'

export type Mark = 'add' | 'remove'

interface MarkItem {
  readonly id: string
  readonly name: string
  /** Every monitor has it. */
  readonly isOn?: boolean
}

interface MarkListProps {
  readonly label: string
  readonly items: readonly MarkItem[]
  /** By id; absent: as it is. */
  readonly marks: Signal<ReadonlyMap<string, Mark>>
}

export function MarkList({ label, items, marks }: MarkListProps) {
  const texts = words.value.overview.bulk.marks
  function turn({ id, isOn = false }: MarkItem): void {
    const next = new Map(marks.value)
    const mark = marks.value.get(id)
    // What all have cannot be added to them.
    const first = isOn ? 'remove' : 'add'
    if (mark === undefined) next.set(id, first)
    else if (mark === 'add') next.set(id, 'remove')
    else next.delete(id)
    marks.value = next
  }
  return (
    <fieldset class="field mark-list">
      <legend>{label}</legend>
      {items.map((item) => {
        const { id, name, isOn = false } = item
        const mark = marks.value.get(id)
        return (
          <label key={id} class="inline">
            <input
              type="checkbox"
              checked={mark === 'add' || (isOn && mark === undefined)}
              indeterminate={!isOn && mark === undefined}
              onClick={() => turn(item)}
            />
            <span class="mark-name">{name}</span>
            {mark !== undefined && <span class="mark">{texts[mark]}</span>}
          </label>
        )
      })}
    </fieldset>
  )
}
