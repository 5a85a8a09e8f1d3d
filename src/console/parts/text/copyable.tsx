// A text that people take elsewhere: an address, a key, a DNS record.
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { words } from '../../words/words.ts'

async function isWritten(text: string): Promise<true> {
  await navigator.clipboard.writeText(text)
  return true
}

/**
 * Copies by selecting the text: over plain HTTP a browser gives no clipboard to a page, but copies what
 * is selected. If it does not, the selection stays for the keys that copy.
 */
function isSelectionCopied(shown: HTMLElement | null): boolean {
  if (shown) getSelection()?.selectAllChildren(shown)
  return document.execCommand('copy')
}

export interface CopyableProps {
  readonly text: string
  readonly label?: string
  /** It has lines, which stay as they are. */
  readonly isBlock?: boolean
}

export function Copyable({ text, label, isBlock = false }: CopyableProps) {
  const isCopied = useSignal(false)
  const shown = useRef<HTMLElement>(null)
  const { actions } = words.value.common
  async function copy(): Promise<void> {
    isCopied.value = await isWritten(text).catch(() => isSelectionCopied(shown.current))
    setTimeout(() => {
      isCopied.value = false
    }, 2_000)
  }
  return (
    <span class={isBlock ? 'copyable is-block' : 'copyable'}>
      <code ref={shown}>{text}</code>
      <button
        type="button"
        aria-label={`${actions.copy} ${label ?? ''}`}
        onClick={() => void copy()}
      >
        {isCopied.value ? actions.copied : actions.copy}
      </button>
    </span>
  )
}
