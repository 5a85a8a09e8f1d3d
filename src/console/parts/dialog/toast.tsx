// Short notes at the foot of the page: what was done, with a way back where there is one.
import { signal } from '@preact/signals'
import { useLayoutEffect, useMemo } from 'preact/hooks'
import { focusContent } from '../../base/focus.ts'
import { words } from '../../words/words.ts'

interface Toast {
  readonly id: number
  readonly text: string
  readonly isProblem: boolean
  readonly undo: (() => void) | undefined
  /** Called when it goes and was not taken back. */
  readonly gone: (() => void) | undefined
}

const toasts = signal<readonly Toast[]>([])
const shownMs = 8_000
const timers = new Map<number, ReturnType<typeof setTimeout>>()
let lastId = 0

function show(text: string, more: Omit<Toast, 'id' | 'text'>): void {
  lastId += 1
  const toast: Toast = { id: lastId, text, ...more }
  toasts.value = [...toasts.value, toast]
  dismissSoon(toast.id)
}

function dismissSoon(id: number): void {
  hold(id)
  timers.set(
    id,
    setTimeout(() => dismiss(id), shownMs),
  )
}

/** A note stays while somebody points at it or has the focus in it. */
function hold(id: number): void {
  clearTimeout(timers.get(id))
}

function dismiss(id: number): void {
  const toast = takeAway(id)
  toast?.gone?.()
}

function takeAway(id: number): Toast | undefined {
  hold(id)
  timers.delete(id)
  const toast = toasts.value.find((one) => one.id === id)
  toasts.value = toasts.value.filter((one) => one !== toast)
  return toast
}

/**
 * Says what was done; `undo` offers to take it back. `gone` is called when the note goes without that, by
 * itself or because somebody closed it.
 */
export function tell(text: string, undo?: () => void, gone?: () => void): void {
  show(text, { isProblem: false, undo, gone })
}

export function tellProblem(text: string): void {
  show(text, { isProblem: true, undo: undefined, gone: undefined })
}

let cameFrom: HTMLElement | undefined

/** Remembers where the focus was before it moved into a note: it returns there when the note goes. */
function enter({ relatedTarget }: FocusEvent): void {
  if (!(relatedTarget instanceof HTMLElement)) cameFrom = undefined
  else if (!relatedTarget.closest('.toast')) cameFrom = relatedTarget
}

function goBack(): void {
  if (cameFrom?.isConnected) cameFrom.focus({ preventScroll: true })
  else focusContent()
}

/** Where notes can be shown, the uppermost last. */
const layers = signal<readonly object[]>([])

/** The notes, in the page and in each dialog: below an open dialog nobody could hear or click them. */
export function Toasts() {
  const layer = useMemo(() => ({}), [])
  useLayoutEffect(() => {
    layers.value = [...layers.peek(), layer]
    return () => {
      layers.value = layers.peek().filter((one) => one !== layer)
    }
  }, [layer])
  const shown = layers.value.at(-1) === layer ? toasts.value : []
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map(({ id, text, isProblem, undo }) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: its buttons do something, not the note
        <div
          key={id}
          class={isProblem ? 'toast is-problem' : 'toast'}
          onMouseEnter={() => hold(id)}
          onMouseLeave={() => dismissSoon(id)}
          onFocusIn={(event) => {
            hold(id)
            enter(event)
          }}
          onFocusOut={() => dismissSoon(id)}
        >
          <span>{text}</span>
          {undo && (
            <button
              type="button"
              class="link"
              onClick={() => {
                goBack()
                takeAway(id)
                undo()
              }}
            >
              {words.value.common.actions.undo}
            </button>
          )}
          <button
            type="button"
            class="icon"
            aria-label={words.value.common.actions.close}
            onClick={() => {
              goBack()
              dismiss(id)
            }}
          >
            ×
          </button>
        </div>
      ))}
    </div>
  )
}
