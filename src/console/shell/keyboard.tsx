// The page that lists the keys.
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { onShortcut } from '../base/shortcuts.ts'
import { Dialog } from '../parts/dialog/dialog.tsx'
import { mayAs } from '../stores/session.ts'
import { words } from '../words/words.ts'

const isHelpOpen = signal(false)

export function openKeys(): void {
  isHelpOpen.value = true
}

export function HelpDialog() {
  useEffect(() => onShortcut('?', openKeys), [])
  if (!isHelpOpen.value) return null
  const { title, keys, onMonitor, onOverview } = words.value.shell.help
  const everywhere = [
    ['Ctrl K', keys.palette],
    ['/', keys.search],
    ['j', keys.down],
    ['k', keys.up],
    ['Enter', keys.open],
    ['Esc', keys.close],
    ['?', keys.help],
  ] as const
  const ofSelection = [
    ['x', keys.pick],
    ['Shift ↓', keys.extend],
    ['.', keys.actions],
    ['Esc', keys.unpick],
  ] as const
  const ofMonitor = [
    ['r', keys.run],
    ['s', keys.silence],
    ['e', keys.edit],
    ['c', keys.clone],
  ] as const
  return (
    <Dialog title={title} onClose={() => (isHelpOpen.value = false)}>
      <Keys rows={everywhere} />
      {mayAs('member') && (
        <>
          <h3>{onOverview}</h3>
          <Keys rows={ofSelection} />
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
