// API keys: each is shown once, when it is made.

import schema from 'schema:api-keys.create'
import { useSignal } from '@preact/signals'
import { KeyRound } from 'lucide'
import { type Body, everyPage, fetchData, type Item, wholeList } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { act } from '../../parts/dialog/act.ts'
import { AskButton } from '../../parts/dialog/ask-button.tsx'
import { ShownOnce } from '../../parts/dialog/shown-once.tsx'
import { SelectField, TextField } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { LogTable } from '../../parts/list/log-table.tsx'
import { Time } from '../../parts/text/time.tsx'
import { mayAs, orgId, session } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { adopt } from './member-keys.tsx'
import { PingKeys } from './ping-keys.tsx'

const roles = ['viewer', 'member', 'admin'] as const

export function Keys() {
  const texts = words.value.people
  const made = useSignal<string | undefined>(undefined)
  const path = { orgId: orgId() }
  const keys = useResource(
    (signal) => wholeList(everyPage('api-keys.list', { path, query: { limit: 200 }, signal })),
    [],
  )
  function show(key: string): void {
    made.value = key
    void keys.reload()
  }
  return (
    <div class="page-part">
      {mayAs('admin') && <NewKey onMade={show} />}
      {made.value !== undefined && (
        <ShownOnce
          title={texts.newKey}
          about={texts.newKeyAbout}
          secret={made.value}
          onClose={() => (made.value = undefined)}
        />
      )}
      <LogTable of={keys} none={{ icon: KeyRound, about: texts.noKeys }}>
        {(key) => (
          <KeyRow key={key.id} entry={key} onRotated={show} onChange={() => void keys.reload()} />
        )}
      </LogTable>
      {mayAs('admin') && <PingKeys />}
    </div>
  )
}

function NewKey({ onMade }: { readonly onMade: (key: string) => void }) {
  const { people: texts, common } = words.value
  const form = useForm<Body<'api-keys.create'>>(
    () => ({
      schema,
      draft: 'key',
      initial: { name: '', role: 'member' },
      submit: async (body) => {
        const { key } = await fetchData('api-keys.create', { path: { orgId: orgId() }, body })
        form.reset({ name: '', role: 'member' })
        onMade(key)
      },
    }),
    [],
  )
  return (
    <section class="card">
      <h2>{texts.addKey}</h2>
      <FormFrame form={form} submitText={texts.addKey}>
        <div class="form-row">
          <TextField pointer="/name" label={texts.keyName} isRequired />
          <SelectField
            pointer="/role"
            label={texts.role}
            choices={roles.map((value) => ({ value, text: common.roles[value] }))}
          />
        </div>
      </FormFrame>
    </section>
  )
}

interface KeyRowProps {
  readonly entry: Item<'api-keys.list'>
  readonly onRotated: (key: string) => void
  readonly onChange: () => void
}

function KeyRow({ entry, onRotated, onChange }: KeyRowProps) {
  const { people: texts, common } = words.value
  const { id, name, prefix, lastUsedAt, expiresAt, replacedBy, madeBy } = entry
  const { effectiveRole, endedBecause } = entry
  const isCurrent = replacedBy === null && endedBecause !== 'expired'
  const hasLost = effectiveRole !== entry.role && entry.createdBy !== session.value?.user.id
  const path = { orgId: orgId(), keyId: id }
  const rotate = () =>
    act(async () => {
      const { key } = await fetchData('api-keys.rotate', { path, body: {} })
      onRotated(key)
    })
  async function revoke(): Promise<boolean> {
    const isDone = await act(
      () => fetchData('api-keys.revoke', { path }),
      texts.keyRevoked({ name }),
    )
    if (isDone) onChange()
    return isDone
  }
  return (
    <tr>
      <td>
        <strong>{name}</strong> <code class="faint">{prefix}…</code>
      </td>
      <td>
        <KeyRights entry={entry} />
      </td>
      <td>
        {texts.madeBy} {madeBy?.name ?? madeBy?.email ?? texts.makerUnknown}
      </td>
      <td>
        {texts.lastUsed} {lastUsedAt === null ? common.never : <Time at={lastUsedAt} />}
      </td>
      <td>
        {expiresAt !== null && (
          <>
            {texts.expires} <Time at={expiresAt} form="day" />
          </>
        )}
      </td>
      <td class="actions">
        {mayAs('admin') && (
          <>
            {isCurrent && hasLost && mayAs('owner') && (
              <button
                type="button"
                onClick={async () => {
                  if (await adopt(entry)) onChange()
                }}
              >
                {texts.adopt}
              </button>
            )}
            {isCurrent && effectiveRole !== null && (
              <button type="button" onClick={() => void rotate()}>
                {texts.rotate}
              </button>
            )}
            <AskButton
              text={texts.revoke}
              title={texts.revokeTitle({ name })}
              about={texts.revokeAbout}
              onConfirm={revoke}
            />
          </>
        )}
      </td>
    </tr>
  )
}

/** What it may do now, and why that is less than it was given. */
function KeyRights({ entry }: Pick<KeyRowProps, 'entry'>) {
  const { people: texts, common } = words.value
  const { role, effectiveRole, endedBecause, replacedBy } = entry
  if (effectiveRole === null) {
    return (
      <>
        {common.roles[role]} <span class="tag">{texts.hasEnded}</span>
        {endedBecause && <div class="faint">{texts.keyEndings[endedBecause]}</div>}
      </>
    )
  }
  return (
    <>
      {common.roles[effectiveRole]}
      {replacedBy !== null && <span class="tag">{texts.wasReplaced}</span>}
      {effectiveRole !== role && (
        <div class="faint">{texts.keyLimited({ role: common.roles[role] })}</div>
      )}
    </>
  )
}
