// A list that people put in order: by its handle with the pointer, or by buttons.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { words } from '../../words/words.ts'

export interface SortableProps<Item> {
  readonly items: readonly Item[]
  readonly label: string
  readonly nameOf: (item: Item, index: number) => string
  /** Where an item keeps something that its fields do not say, such as that it is open. */
  readonly keyOf?: (item: Item, index: number) => number
  readonly onChange: (items: readonly Item[]) => void
  readonly children: (item: Item, index: number) => ComponentChildren
}

function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const taken = items.slice(from, from + 1)
  return items.toSpliced(from, 1).toSpliced(to, 0, ...taken)
}

export function Sortable<Item>(props: SortableProps<Item>) {
  const { items, label, nameOf, keyOf, onChange, children } = props
  const { sort } = words.value.statusPages
  const list = useRef<HTMLOListElement>(null)
  const dragged = useSignal(-1)
  const told = useSignal('')

  function move(from: number, to: number): void {
    const item = items[from]
    if (item === undefined || to < 0 || to >= items.length) return
    onChange(moved(items, from, to))
    told.value = sort.moved({ name: nameOf(item, to), place: to + 1, count: items.length })
  }

  /** The focus goes with what was moved, so that it can be moved on. */
  function moveByButton(from: number, to: number): void {
    move(from, to)
    requestAnimationFrame(() => {
      const buttons = list.current?.children[to]?.querySelectorAll<HTMLButtonElement>(
        ':scope > .sort-buttons > [data-move]:not(:disabled)',
      )
      const way = to < from ? 'up' : 'down'
      const all = [...(buttons ?? [])]
      const same = all.find((one) => one.dataset.move === way)
      ;(same ?? all[0])?.focus()
    })
  }

  /** Past the middle of a neighbour, the two change places. */
  function drag({ clientY }: PointerEvent): void {
    const at = dragged.value
    if (at < 0) return
    const middle = (index: number) => {
      const box = list.current?.children[index]?.getBoundingClientRect()
      return box && box.top + box.height / 2
    }
    const [before, after] = [middle(at - 1), middle(at + 1)]
    const to =
      before !== undefined && clientY < before
        ? at - 1
        : after !== undefined && clientY > after
          ? at + 1
          : at
    if (to === at) return
    move(at, to)
    dragged.value = to
  }

  function drop(): void {
    dragged.value = -1
  }

  return (
    <>
      <ol ref={list} class="sortable" aria-label={label}>
        {items.map((item, index) => {
          const name = nameOf(item, index)
          return (
            <li
              key={keyOf?.(item, index) ?? index}
              class={dragged.value === index ? 'is-dragged' : undefined}
            >
              <span
                class="handle"
                title={sort.drag({ name })}
                aria-hidden="true"
                onPointerDown={(event) => {
                  event.preventDefault()
                  event.currentTarget.setPointerCapture(event.pointerId)
                  dragged.value = index
                }}
                onPointerMove={drag}
                onPointerUp={drop}
                onPointerCancel={drop}
              >
                ⠿
              </span>
              <div class="sort-content">{children(item, index)}</div>
              <span class="sort-buttons">
                <button
                  type="button"
                  class="icon"
                  data-move="up"
                  aria-label={sort.up({ name })}
                  disabled={index === 0}
                  onClick={() => moveByButton(index, index - 1)}
                >
                  ↑
                </button>
                <button
                  type="button"
                  class="icon"
                  data-move="down"
                  aria-label={sort.down({ name })}
                  disabled={index === items.length - 1}
                  onClick={() => moveByButton(index, index + 1)}
                >
                  ↓
                </button>
                <button
                  type="button"
                  class="icon"
                  aria-label={sort.remove({ name })}
                  onClick={() => onChange(items.toSpliced(index, 1))}
                >
                  ×
                </button>
              </span>
            </li>
          )
        })}
      </ol>
      <span class="hidden" role="status">
        {told.value}
      </span>
    </>
  )
}
