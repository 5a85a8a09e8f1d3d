// A dialog above the page: the browser's own, which keeps the focus inside, closes by Escape, and gives
// the focus back to where it was, or to the content if that is gone.
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { focusContent } from '../../base/focus.ts'
import { words } from '../../words/words.ts'
import { Toasts } from './toast.tsx'

export interface DialogProps {
  readonly title: string
  readonly children: ComponentChildren
  /** Absent: it cannot be closed without an answer. */
  readonly onClose?: (() => void) | undefined
  readonly isWide?: boolean
}

/** Not `:has()` in the style sheet: each row that a list draws would ask it again. */
function markRoot(): void {
  const isAny = document.querySelector('.dialog[open]') !== null
  document.documentElement.classList.toggle('has-dialog', isAny)
}

export function Dialog({ title, children, onClose, isWide = false }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const shown = element.current
    shown?.showModal()
    markRoot()
    // Before, it could not have the focus.
    shown?.querySelector<HTMLElement>('[data-focus]')?.focus()
    // A dialog that only leaves the document gives the focus to nothing.
    return () => {
      shown?.close()
      markRoot()
      if (document.activeElement === document.body) focusContent()
    }
  }, [])
  return (
    <dialog
      ref={element}
      class={isWide ? 'dialog is-wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
      onClose={({ currentTarget }) => {
        // Browsers close it by a second Escape, whatever the page says to the first.
        if (!currentTarget.isConnected) return
        if (onClose) onClose()
        else currentTarget.showModal()
      }}
      onMouseDown={(event) => {
        if (event.target === element.current) onClose?.()
      }}
    >
      <div class="dialog-inside">
        <header class="dialog-head">
          <h2 id={titleId}>{title}</h2>
          {onClose && (
            <button
              type="button"
              class="icon"
              aria-label={words.value.common.actions.close}
              onClick={onClose}
            >
              ×
            </button>
          )}
        </header>
        {children}
      </div>
      <Toasts />
    </dialog>
  )
}
