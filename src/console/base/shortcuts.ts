// Keys that do something: the first letter of what a page offers, and the keys that work everywhere.
import { useEffect } from 'preact/hooks'

export interface ShortcutOptions {
  /** With Ctrl, or Cmd on a Mac; then it also works while somebody types. */
  readonly withControl?: boolean
}

/**
 * Calls `run` for a key, which may begin with `Shift+`, but not while somebody types or a dialog is open. Returns
 * what ends it.
 */
export function onShortcut(
  keyName: string,
  run: (event: KeyboardEvent) => void,
  { withControl = false }: ShortcutOptions = {},
): () => void {
  const key = keyName.replace(/^Shift\+/, '')
  const listen = (event: KeyboardEvent) => {
    if (event.key !== key || event.altKey) return
    // Without it, some keyboards need Shift for the key.
    if (key !== keyName && !event.shiftKey) return
    if ((event.ctrlKey || event.metaKey) !== withControl) return
    if (!withControl && (isTyping(event.target) || document.querySelector('dialog[open]'))) return
    // What has the focus comes first: Enter follows its link or presses its button.
    if (key === 'Enter' && isPressed(event.target)) return
    event.preventDefault()
    run(event)
  }
  document.addEventListener('keydown', listen)
  return () => document.removeEventListener('keydown', listen)
}

export const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input:not([type=checkbox]), textarea, select') !== null

const isPressed = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('a, button, summary') !== null

/** Keys of a component. */
export function useShortcuts(keys: Readonly<Record<string, (event: KeyboardEvent) => void>>): void {
  useEffect(() => {
    const ends = Object.entries(keys).map(([key, run]) => onShortcut(key, run))
    return () => {
      for (const end of ends) end()
    }
  })
}
