// Secrets of the organization: values that checks send and nobody is shown. They are made, replaced and deleted
// here, and not read.

import schema from 'schema:secrets.create'
import { useSignal } from '@preact/signals'
import { KeySquare } from 'lucide'
import { type Body, everyPage, fetchData, type Item, wholeList } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { changeOf } from '../../base/merge.ts'
import { act } from '../../parts/dialog/act.ts'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { RemovalMenu } from '../../parts/dialog/removal-menu.tsx'
import { tell } from '../../parts/dialog/toast.tsx'
import { ListField, TextField } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { LogTable } from '../../parts/list/log-table.tsx'
import { Time } from '../../parts/text/time.tsx'
import { monitors } from '../../stores/monitors.ts'
import { mayAs, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

type SecretEntry = Item<'secrets.list'>
type SecretBody = Partial<Body<'secrets.create'>>

/** What is open: the form of a new one, of all that may be changed of one, or of its value alone. */
type Opened =
  | { readonly as: 'new'; readonly secret?: undefined }
  | { readonly as: 'whole' | 'value'; readonly secret: SecretEntry }

/** Monitors that a row names. */
const namedMax = 3

export function Secrets() {
  const texts = words.value.secrets
  const opened = useSignal<Opened | undefined>(undefined)
  const path = { orgId: orgId() }
  const secrets = useResource(
    (signal) => wholeList(everyPage('secrets.list', { path, query: { limit: 200 }, signal })),
    [],
  )
  const close = () => {
    opened.value = undefined
  }
  const reload = () => void secrets.reload()
  return (
    <div class="page-part secrets">
      <p class="faint">
        {texts.about} <code>{'{{secret.NAME}}'}</code>
      </p>
      {mayAs('admin') && (
        <button type="button" class="primary" onClick={() => (opened.value = { as: 'new' })}>
          {texts.add}
        </button>
      )}
      <LogTable of={secrets} none={{ icon: KeySquare, about: texts.none }}>
        {(secret) => (
          <SecretRow
            key={secret.id}
            secret={secret}
            onOpen={(as) => (opened.value = { as, secret })}
            onChange={reload}
          />
        )}
      </LogTable>
      {opened.value && (
        <SecretDialog
          opened={opened.value}
          onClose={close}
          onDone={() => {
            close()
            reload()
          }}
        />
      )}
    </div>
  )
}

interface SecretRowProps {
  readonly secret: SecretEntry
  readonly onOpen: (as: 'whole' | 'value') => void
  readonly onChange: () => void
}

function SecretRow({ secret, onOpen, onChange }: SecretRowProps) {
  const texts = words.value.secrets
  const { name, value, description, hosts, updatedAt } = secret
  return (
    <tr>
      <td>
        <code>{name}</code>
        {value === null && (
          <>
            {' '}
            <span class="tag is-wrong" title={texts.valuelessAbout}>
              {texts.valueless}
            </span>
          </>
        )}
        {description !== null && (
          <div class="faint lines">
            <bdi>{description}</bdi>
          </div>
        )}
      </td>
      <td>
        {hosts.length === 0 ? (
          texts.everywhere
        ) : (
          <>
            {texts.hosts}
            {hosts.map((host) => (
              <div key={host} class="faint">
                <bdi>{host}</bdi>
              </div>
            ))}
          </>
        )}
      </td>
      <td>
        <Senders secret={secret} />
      </td>
      <td>
        {texts.changedAt} <Time at={updatedAt} />
      </td>
      <td class="actions">
        {mayAs('admin') && <SecretActions secret={secret} onOpen={onOpen} onChange={onChange} />}
      </td>
    </tr>
  )
}

function Senders({ secret: { monitors: count, monitorIds } }: Pick<SecretRowProps, 'secret'>) {
  const texts = words.value.secrets
  if (count === 0) return <span class="faint">{texts.unused}</span>
  const named = monitorIds.slice(0, namedMax)
  return (
    <>
      {texts.usedBy}
      {named.map((id) => (
        <div key={id}>
          <a href={`/app/monitors/${id}`}>{monitors.value.get(id)?.name ?? id}</a>
        </div>
      ))}
      {count > named.length && (
        <div class="faint">{texts.more({ count: count - named.length })}</div>
      )}
    </>
  )
}

function SecretActions({ secret: { id, name }, onOpen, onChange }: SecretRowProps) {
  const { secrets: texts, common } = words.value
  async function remove(): Promise<boolean> {
    const path = { orgId: orgId(), secretId: id }
    const isDone = await act(() => fetchData('secrets.remove', { path }), texts.deleted({ name }))
    if (isDone) onChange()
    return isDone
  }
  return (
    <>
      <button type="button" onClick={() => onOpen('value')}>
        {texts.replace}
      </button>
      <RemovalMenu
        items={[{ text: common.actions.edit, onSelect: () => onOpen('whole') }]}
        title={texts.deleteTitle({ name })}
        about={texts.deleteAbout}
        onConfirm={remove}
      />
    </>
  )
}

interface SecretDialogProps {
  readonly opened: Opened
  readonly onClose: () => void
  readonly onDone: () => void
}

/** The value is in none of them: the field is for another one. */
const bodyOf = ({ name, hosts, description }: SecretEntry): SecretBody => ({
  ...{ name, hosts, description },
})

function SecretDialog({ opened, onClose, onDone }: SecretDialogProps) {
  const { secrets: texts, common } = words.value
  const { as, secret } = opened
  const form = useForm<SecretBody>(
    () => ({
      // Who changes one may leave the value as it is.
      schema: as === 'whole' ? { ...schema, required: ['name'] } : schema,
      draft: `secret ${secret?.id ?? 'new'} ${as}`,
      initial: secret ? bodyOf(secret) : { name: '', value: '' },
      stored: secret && {
        record: secret,
        read: () => fetchData('secrets.get', { path: { orgId: orgId(), secretId: secret.id } }),
        shownOf: bodyOf,
      },
      submit: async (body, revision, before) => {
        const path = { orgId: orgId() }
        const { name = '', value = '', ...more } = body
        if (!secret) {
          return void (await fetchData('secrets.create', { path, body: { name, value, ...more } }))
        }
        const changed = as === 'value' ? { value } : changeOf(before, body)
        await fetchData('secrets.change', {
          path: { ...path, secretId: secret.id },
          body: changed,
          revision,
        })
        if (as === 'value') tell(texts.replaced({ name }))
      },
    }),
    [],
  )
  const name = secret?.name ?? ''
  const titles = {
    new: texts.add,
    whole: texts.change({ name }),
    value: texts.replaceTitle({ name }),
  }
  const submits = { new: texts.add, whole: common.actions.save, value: texts.replace }
  const valueHelps = { new: texts.valueHelp, whole: texts.newHosts, value: texts.valueHelp }
  return (
    <Dialog title={titles[as]} onClose={onClose}>
      {as === 'value' && <p>{texts.replaceAbout}</p>}
      <FormFrame
        form={form}
        submitText={submits[as]}
        onDone={onDone}
        more={
          <button type="button" onClick={onClose}>
            {common.actions.cancel}
          </button>
        }
      >
        {as !== 'value' && (
          <TextField
            pointer="/name"
            label={texts.name}
            help={texts.nameHelp}
            placeholder="SHOP_TOKEN"
            isCode
            isRequired
            isDisabled={secret !== undefined && secret.monitors > 0}
            shouldFocus
          />
        )}
        <TextField
          pointer="/value"
          label={texts.value}
          help={valueHelps[as]}
          type="password"
          rows={2}
          emptyAs={undefined}
          isRequired={as !== 'whole'}
          shouldFocus={as === 'value'}
        />
        {as !== 'value' && (
          <>
            <ListField
              pointer="/hosts"
              label={texts.hosts}
              help={texts.hostsHelp}
              placeholder="api.example.com"
            />
            <TextField
              pointer="/description"
              label={texts.description}
              help=""
              rows={2}
              emptyAs={null}
            />
          </>
        )}
      </FormFrame>
    </Dialog>
  )
}
