// A button for what cannot be taken back: it names what is lost, and asks.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { focusContent } from '../../base/focus.ts'
import { words } from '../../words/words.ts'
import { Dialog } from './dialog.tsx'

export interface Question {
  /** On the button that confirms. */
  readonly text: string
  readonly title: string
  readonly about: string
  /** Resolves with whether it is done; then the question closes. */
  readonly onConfirm: () => Promise<boolean>
}

export function AskButton(question: Question) {
  const isOpen = useSignal(false)
  return (
    <>
      <button type="button" class="danger" onClick={() => (isOpen.value = true)}>
        {question.text}
      </button>
      {isOpen.value && <AskDialog {...question} onClose={() => (isOpen.value = false)} />}
    </>
  )
}

export interface AskDialogProps extends Question {
  /** More about it, below. */
  readonly children?: ComponentChildren
  readonly onClose: () => void
}

export function AskDialog(props: AskDialogProps) {
  const { text, title, about, onConfirm, children, onClose } = props
  const isRunning = useSignal(false)
  async function confirm(): Promise<void> {
    isRunning.value = true
    if (await onConfirm()) {
      onClose()
      // What the button belongs to is gone, or soon will be.
      requestAnimationFrame(focusContent)
    }
    isRunning.value = false
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{about}</p>
      {children}
      <div class="form-foot">
        <button
          type="button"
          class="danger"
          aria-busy={isRunning.value}
          onClick={() => void confirm()}
        >
          {text}
        </button>
        <button type="button" autoFocus onClick={onClose}>
          {words.value.common.actions.cancel}
        </button>
      </div>
    </Dialog>
  )
}
