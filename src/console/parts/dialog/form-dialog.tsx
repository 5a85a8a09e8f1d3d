// A dialog that asks for something, and does it once that is confirmed.
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { words } from '../../words/words.ts'
import { Dialog } from './dialog.tsx'

interface FormDialogProps {
  readonly title: string
  readonly confirmText: string
  /** Whether enough is chosen. */
  readonly isReady: boolean
  /** Resolves with whether it is done; then the dialog closes. */
  readonly onConfirm: () => Promise<boolean>
  readonly onClose: () => void
  readonly children: ComponentChildren
}

export function FormDialog(props: FormDialogProps) {
  const { title, confirmText, isReady, onConfirm, onClose, children } = props
  const isRunning = useSignal(false)
  async function confirm(event: Event): Promise<void> {
    event.preventDefault()
    if (!isReady) return
    isRunning.value = true
    if (await onConfirm()) onClose()
    isRunning.value = false
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form class="form" onSubmit={(event) => void confirm(event)}>
        {children}
        <div class="form-foot">
          <button type="submit" class="primary" disabled={!isReady} aria-busy={isRunning.value}>
            {confirmText}
          </button>
          <button type="button" onClick={onClose}>
            {words.value.common.actions.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
