// What can be done with the selected monitors, at the foot of the page.
import { useSignal } from '@preact/signals'
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import { useShortcuts } from '../../../base/shortcuts.ts'
import { act } from '../../../parts/dialog/act.ts'
import { AskDialog } from '../../../parts/dialog/ask-button.tsx'
import { later } from '../../../parts/page/later.tsx'
import { numberText } from '../../../parts/text/number.ts'
import { monitors } from '../../../stores/monitors.ts'
import { mayAs, orgId } from '../../../stores/session.ts'
import { words } from '../../../words/words.ts'
import type { Row } from '../rows/filter.ts'
import { checkNow, makeChange } from './bulk-change.ts'
import type { BulkDialogProps } from './bulk-dialogs.tsx'
import { deleteNow, heldMax, holdDeletion } from './held-deletion.ts'
import type { Selection } from './selection.ts'

const BulkDialog = later<BulkDialogProps>(
  async () => (await import('./bulk-dialogs.tsx')).BulkDialog,
)

interface SelectionBarProps {
  readonly selection: Selection
  readonly rows: readonly Row[]
}

export function SelectionBar({ selection, rows }: SelectionBarProps) {
  const { ids } = selection
  const dialog = useSignal<BulkDialogProps['kind'] | 'delete' | undefined>(undefined)
  const bar = useRef<HTMLDivElement>(null)
  const listed = useMemo(
    () => new Set(rows.flatMap((row) => (row.kind === 'monitor' ? [row.entry.id] : []))),
    [rows],
  )
  useLayoutEffect(() => {
    document.documentElement.classList.add('has-picks')
    return () => document.documentElement.classList.remove('has-picks')
  }, [])
  useShortcuts({
    '.': () => bar.current?.querySelector<HTMLElement>('.picked-actions button')?.focus(),
  })
  const all = [...ids]
  const paused = all.filter((id) => monitors.value.get(id)?.state === 'paused')
  const active = all.filter((id) => monitors.value.get(id)?.state !== 'paused')
  const unseen = all.filter((id) => !listed.has(id)).length
  const { overview, monitor, common } = words.value
  const texts = overview.bulk
  const ask = (kind: typeof dialog.value) => () => {
    dialog.value = kind
  }
  function close(): void {
    dialog.value = undefined
  }
  const pause = () =>
    active.length === 1 ? makeChange(active, { isActive: false }, texts.paused) : ask('pause')()
  const remove = () =>
    all.length > heldMax ? ask('delete')() : holdDeletion(all, texts.deleted({ count: all.length }))
  return (
    <>
      <div ref={bar} class="picked-bar" role="toolbar" aria-label={texts.label}>
        <p class="picked-count" role="status">
          <strong>{texts.count({ count: all.length })}</strong>
          {unseen > 0 && <span class="faint"> {texts.unseen({ count: unseen })}</span>}
        </p>
        {selection.share !== 'all' && (
          <button type="button" class="link" onClick={selection.toggleAll}>
            {texts.all({ count: numberText(listed.size) })}
          </button>
        )}
        <div class="picked-actions">
          {active.length > 0 && (
            <button type="button" onClick={() => void pause()}>
              {monitor.pause}
            </button>
          )}
          {paused.length > 0 && (
            <button
              type="button"
              onClick={() => void makeChange(paused, { isActive: true }, texts.resumed)}
            >
              {monitor.resume}
            </button>
          )}
          {active.length > 0 && (
            <button type="button" onClick={() => void checkNow(active)}>
              {monitor.run}
            </button>
          )}
          <button type="button" onClick={ask('tags')}>
            {texts.tags.ask}
          </button>
          <button type="button" onClick={ask('interval')}>
            {texts.interval.ask}
          </button>
          <button type="button" onClick={ask('channels')}>
            {texts.channels.ask}
          </button>
          <button type="button" onClick={ask('places')}>
            {texts.places.ask}
          </button>
          {mayAs('admin') && (
            <button type="button" onClick={ask('page')}>
              {texts.page.ask}
            </button>
          )}
          <button type="button" class="danger" onClick={remove}>
            {common.actions.remove}
          </button>
        </div>
        <button type="button" class="icon" aria-label={texts.clear} onClick={selection.clear}>
          ×
        </button>
      </div>
      {dialog.value === 'delete' && (
        <AskDialog
          text={common.actions.remove}
          title={texts.deleteTitle({ count: all.length })}
          about={monitor.deleteAbout}
          onConfirm={() =>
            act(() => deleteNow({ orgId: orgId(), ids: all }), texts.deleted({ count: all.length }))
          }
          onClose={close}
        />
      )}
      {dialog.value !== undefined && dialog.value !== 'delete' && (
        <BulkDialog kind={dialog.value} ids={all} onClose={close} />
      )}
    </>
  )
}
