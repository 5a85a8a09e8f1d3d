// The head of a column of the overview: a click puts the list in its order.
import { words } from '../../words/words.ts'
import { type Filter, nextOrder, type SortKey } from './rows/filter.ts'

interface ColumnHeadProps {
  readonly by: SortKey
  readonly isStart?: boolean
  readonly filter: Filter
  readonly onChange: (changes: Partial<Filter>) => void
}

export function ColumnHead({ by, isStart = false, filter: { order }, onChange }: ColumnHeadProps) {
  const { columns, sorted } = words.value.overview
  const own = order?.by === by ? order : undefined
  return (
    <button
      type="button"
      class={isStart ? 'column-head is-start' : 'column-head'}
      aria-pressed={own !== undefined}
      onClick={() => onChange({ order: nextOrder(order, by) })}
    >
      {columns[by]}
      {own && (
        <>
          <span aria-hidden="true">{own.isDown ? '↓' : '↑'}</span>
          <span class="hidden">{own.isDown ? sorted.down : sorted.up}</span>
        </>
      )}
    </button>
  )
}
