// Keys that work everywhere, and the page that lists them.
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Dialog } from '../parts/dialog.tsx'
import { mayAs } from '../session.ts'
import { words } from '../words/words.ts'

const isHelpOpen = signal(false)

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

export function HelpDialog() {
  useEffect(
    () =>
      onShortcut('?', () => {
        isHelpOpen.value = true
      }),
    [],
  )
  if (!isHelpOpen.value) return null
  const { title, keys, onMonitor } = words.value.shell.help
  const everywhere = [
    ['Ctrl K', keys.palette],
    ['/', keys.search],
    ['j', keys.down],
    ['k', keys.up],
    ['Enter', keys.open],
    ['Esc', keys.close],
    ['?', keys.help],
  ] as const
  const ofMonitor = [
    ['r', keys.run],
    ['s', keys.silence],
    ['e', keys.edit],
    ['c', keys.clone],
  ] as const
  return (
    <Dialog
      title={title}
      onClose={() => {
        isHelpOpen.value = false
      }}
    >
      <Keys rows={everywhere} />
      {mayAs('member') && (
        <>
          <h3>{onMonitor}</h3>
          <Keys rows={ofMonitor} />
        </>
      )}
    </Dialog>
  )
}

function Keys({ rows }: { readonly rows: readonly (readonly [key: string, text: string])[] }) {
  return (
    <dl class="keys">
      {rows.map(([key, text]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
