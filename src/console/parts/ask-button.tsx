// A button for what cannot be taken back: it names what is lost, and asks.
import { useSignal } from '@preact/signals'
import { words } from '../words/words.ts'
import { Dialog } from './dialog.tsx'
import { focusContent } from './focus.ts'

export interface AskButtonProps {
  /** On the button, and on the one that confirms. */
  readonly text: string
  readonly title: string
  readonly about: string
  /** Resolves with whether it is done; then the question closes. */
  readonly onConfirm: () => Promise<boolean>
}

export function AskButton({ text, title, about, onConfirm }: AskButtonProps) {
  const isOpen = useSignal(false)
  const isRunning = useSignal(false)
  function close(): void {
    isOpen.value = false
  }
  async function confirm(): Promise<void> {
    isRunning.value = true
    if (await onConfirm()) {
      close()
      // What the button belongs to is gone, or soon will be.
      requestAnimationFrame(focusContent)
    }
    isRunning.value = false
  }
  return (
    <>
      <button
        type="button"
        class="danger"
        onClick={() => {
          isOpen.value = true
        }}
      >
        {text}
      </button>
      {isOpen.value && (
        <Dialog title={title} onClose={close}>
          <p>{about}</p>
          <div class="form-foot">
            <button
              type="button"
              class="danger"
              aria-busy={isRunning.value}
              onClick={() => void confirm()}
            >
              {text}
            </button>
            <button type="button" autoFocus onClick={close}>
              {words.value.common.actions.cancel}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}
