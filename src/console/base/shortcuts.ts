// Keys that do something: the first letter of what a page offers, and the keys that work everywhere.
import { useEffect } from 'preact/hooks'

export interface ShortcutOptions {
  /** With Ctrl, or Cmd on a Mac; then it also works while somebody types. */
  readonly withControl?: boolean
}

/** Calls `run` for a key, but not while somebody types or a dialog is open. Returns what ends it. */
export function onShortcut(
  key: string,
  run: (event: KeyboardEvent) => void,
  { withControl = false }: ShortcutOptions = {},
): () => void {
  const listen = (event: KeyboardEvent) => {
    if (event.key !== key || event.altKey) return
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

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, textarea, select') !== null

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
