// The passkeys of the person: added on this device, and removed.

import schema from 'schema:passkeys.rename'
import { useSignal } from '@preact/signals'
import { KeyRound } from 'lucide'
import { fetchData, type Item } from '../../api/client.ts'
import { addPasskey, hasPasskeys } from '../../api/passkeys.ts'
import { type Resource, useData } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { AskButton } from '../../parts/dialog/ask-button.tsx'
import { Dialog, type DialogProps } from '../../parts/dialog/dialog.tsx'
import { tell, tellProblem } from '../../parts/dialog/toast.tsx'
import { TextField } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { problemOfPasskey } from '../../parts/form/passkey-button.tsx'
import { LogTable } from '../../parts/list/log-table.tsx'
import { Time } from '../../parts/text/time.tsx'
import { loadSession, session } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

export function Passkeys() {
  const texts = words.value.profile.passkeys
  const state = session.value?.passkeyState
  const passkeys = useData('passkeys.list', { query: { limit: 100 } })
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <p class="faint">{texts.about}</p>
      {state === 'needs_https' && <p>{texts.needsHttps}</p>}
      {state === 'needs_name' && <p>{texts.needsName}</p>}
      {state === 'possible' && !hasPasskeys() && <p>{texts.noBrowser}</p>}
      {state === 'possible' && (
        <>
          <LogTable of={passkeys} none={{ icon: KeyRound, about: texts.none }} isInside>
            {(passkey) => <PasskeyRow key={passkey.id} passkey={passkey} list={passkeys} />}
          </LogTable>
          {hasPasskeys() && <AddPasskey list={passkeys} />}
        </>
      )}
    </section>
  )
}

type PasskeyList = Resource<readonly Item<'passkeys.list'>[]>

interface PasskeyRowProps {
  readonly passkey: Item<'passkeys.list'>
  readonly list: PasskeyList
}

function PasskeyRow({ passkey, list }: PasskeyRowProps) {
  const texts = words.value.profile.passkeys
  const { id, name, isSynced, createdAt, lastUsedAt } = passkey
  const isRenaming = useSignal(false)
  const remove = () =>
    act(async () => {
      await fetchData('passkeys.remove', { path: { passkeyId: id } })
      await Promise.all([list.reload(), loadSession()])
    }, texts.removed)
  return (
    <tr>
      <td>
        {name} {isSynced && <span class="tag">{texts.synced}</span>}
      </td>
      <td class="faint">
        {texts.added} <Time at={createdAt} />
      </td>
      <td class="faint">
        {lastUsedAt === null ? (
          texts.neverUsed
        ) : (
          <>
            {texts.used} <Time at={lastUsedAt} />
          </>
        )}
      </td>
      <td class="actions">
        <button type="button" onClick={() => (isRenaming.value = true)}>
          {texts.rename}
        </button>
        {isRenaming.value && (
          <RenameDialog passkey={passkey} list={list} onClose={() => (isRenaming.value = false)} />
        )}
        <AskButton
          text={texts.remove}
          title={texts.removeTitle({ name })}
          about={texts.removeAbout}
          onConfirm={remove}
        />
      </td>
    </tr>
  )
}

function RenameDialog({ passkey, list, onClose }: PasskeyRowProps & Pick<DialogProps, 'onClose'>) {
  const texts = words.value.profile.passkeys
  const form = useForm(
    () => ({
      ids: 'rename',
      schema,
      initial: { name: passkey.name },
      submit: async (body: { name: string }) => {
        await fetchData('passkeys.rename', { path: { passkeyId: passkey.id }, body })
        tell(texts.renamed)
        onClose?.()
        await list.reload()
      },
    }),
    [],
  )
  return (
    <Dialog title={texts.renameTitle({ name: passkey.name })} onClose={onClose}>
      <FormFrame form={form} submitText={words.value.common.actions.save}>
        <TextField pointer="/name" label={words.value.overview.saved.name} isRequired shouldFocus />
      </FormFrame>
    </Dialog>
  )
}

function AddPasskey({ list }: { readonly list: PasskeyList }) {
  const texts = words.value.profile.passkeys
  const form = useForm(
    () => ({
      ids: 'passkey',
      initial: { name: '', totp: '' },
      submit: async ({ name, totp }: { name: string; totp: string }) => {
        const problem = await problemOfPasskey(() =>
          addPasskey(name.trim() || texts.usualName, totp.trim()),
        )
        if (problem === null) return
        if (problem !== undefined) return tellProblem(problem)
        form.reset({ name: '', totp: '' })
        tell(texts.addedNow)
        await Promise.all([list.reload(), loadSession()])
      },
    }),
    [],
  )
  return (
    <FormFrame form={form} submitText={texts.add}>
      <TextField pointer="/name" label={texts.name} help={texts.nameHelp} />
      {session.value?.hasTotp && (
        <TextField
          pointer="/totp"
          label={words.value.shell.signIn.code}
          autoComplete="one-time-code"
          isRequired
        />
      )}
    </FormFrame>
  )
}
