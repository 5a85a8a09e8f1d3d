// What can be done with a probe: another name, another token, the end of it.
import { useSignal } from '@preact/signals'
import { type Data, fetchData } from '../../api/client.ts'
import { act } from '../../parts/dialog/act.ts'
import { FormDialog } from '../../parts/dialog/form-dialog.tsx'
import { RemovalMenu } from '../../parts/dialog/removal-menu.tsx'
import { clockTime } from '../../parts/text/time.tsx'
import { words } from '../../words/words.ts'
import type { ProbeEntry } from './location.ts'
import { useLocationOwner } from './location-owner.ts'
import { ProbeSetup } from './probe-setup.tsx'

export interface ProbeActionsProps {
  readonly locationId: string
  readonly probe: ProbeEntry
  readonly onChange: () => void
}

type Asked = 'rename' | 'replace'

export function ProbeActions({ locationId, probe, onChange }: ProbeActionsProps) {
  const { locations: texts } = words.value
  const { id: probeId, name } = probe
  const asked = useSignal<Asked | undefined>(undefined)
  const minted = useSignal<Data<'locations.rotateProbe'> | undefined>(undefined)
  const owner = useLocationOwner()
  const path = { ...owner.path, locationId, probeId }
  const ask = (what: Asked) => () => {
    asked.value = what
  }
  function close(): void {
    asked.value = undefined
  }
  async function change(work: () => Promise<unknown>, done?: string): Promise<boolean> {
    const isDone = await act(work, done)
    if (isDone) onChange()
    return isDone
  }
  const replace = (revokeNow: boolean) =>
    change(async () => {
      minted.value = await fetchData(owner.operation('rotateProbe'), { path, body: { revokeNow } })
    })
  return (
    <>
      <RemovalMenu
        items={[
          { text: texts.replace, onSelect: ask('replace') },
          { text: texts.rename, onSelect: ask('rename') },
        ]}
        title={texts.deleteTitle({ name })}
        about={texts.deleteProbeAbout}
        onConfirm={() =>
          change(() => fetchData(owner.operation('removeProbe'), { path }), texts.deleted({ name }))
        }
      />
      {asked.value === 'rename' && (
        <RenameDialog
          name={name}
          onRename={(next) =>
            change(() => fetchData(owner.operation('changeProbe'), { path, body: { name: next } }))
          }
          onClose={close}
        />
      )}
      {asked.value === 'replace' && (
        <ReplaceDialog name={name} onReplace={replace} onClose={close} />
      )}
      {minted.value && (
        <ProbeSetup probe={minted.value} onClose={() => (minted.value = undefined)} />
      )}
    </>
  )
}

interface RenameDialogProps {
  readonly name: string
  readonly onRename: (name: string) => Promise<boolean>
  readonly onClose: () => void
}

function RenameDialog({ name, onRename, onClose }: RenameDialogProps) {
  const texts = words.value.locations
  const typed = useSignal(name)
  return (
    <FormDialog
      title={texts.rename}
      confirmText={texts.rename}
      isReady={typed.value.trim() !== ''}
      onConfirm={() => onRename(typed.value)}
      onClose={onClose}
    >
      <label class="field">
        {texts.probeName}
        <input
          type="text"
          data-focus
          autoComplete="off"
          value={typed.value}
          onInput={({ currentTarget: { value } }) => (typed.value = value)}
        />
      </label>
    </FormDialog>
  )
}

interface ReplaceDialogProps {
  readonly name: string
  readonly onReplace: (revokeNow: boolean) => Promise<boolean>
  readonly onClose: () => void
}

function ReplaceDialog({ name, onReplace, onClose }: ReplaceDialogProps) {
  const texts = words.value.locations
  const isAtOnce = useSignal(false)
  return (
    <FormDialog
      title={texts.replaceTitle({ name })}
      confirmText={texts.replace}
      isReady
      onConfirm={() => onReplace(isAtOnce.value)}
      onClose={onClose}
    >
      <p>{texts.replaceAbout}</p>
      <label class="inline">
        <input
          type="checkbox"
          checked={isAtOnce.value}
          onChange={({ currentTarget: { checked } }) => (isAtOnce.value = checked)}
        />
        {texts.replaceNow}
      </label>
    </FormDialog>
  )
}

/** Until when the token before works, if it does. */
export function FormerToken({ until }: { readonly until: string }) {
  const text = words.value.locations.formerUntil({ time: clockTime(until) })
  return <div class="faint">{text}</div>
}
