// Who is told about a page.

import { useSignal } from '@preact/signals'
import { MailPlus } from 'lucide'
import { ask, fetchData, urlOf } from '../../api/client.ts'
import { act } from '../../parts/dialog/act.ts'
import { AskButton } from '../../parts/dialog/ask-button.tsx'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { tell } from '../../parts/dialog/toast.tsx'
import { ListField } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { LogTable } from '../../parts/list/log-table.tsx'
import { More, usePages } from '../../parts/list/more.tsx'
import { Time } from '../../parts/text/time.tsx'
import { orgId } from '../../stores/session.ts'
import { listed, words } from '../../words/words.ts'

const tones = {
  active: 'is-up',
  silent: 'is-paused',
  pending: 'is-pending',
  failed: 'is-down',
} as const

interface SubscribersProps {
  readonly pageId: string
  /** How many hear nothing, because the page is for members. */
  readonly silent: number
}

export function Subscribers({ pageId, silent }: SubscribersProps) {
  const { common, statusPages } = words.value
  const texts = statusPages.subscribers
  const isAdding = useSignal(false)
  const path = { orgId: orgId(), statusPageId: pageId }
  const pages = usePages<'status-pages.listSubscribers'>(
    ({ from, call }) =>
      ask('status-pages.listSubscribers', { path, query: { limit: 100, ...from }, ...call }),
    [pageId],
  )
  const subscribers = pages.entries
  const remove = (subscriberId: string, address: string) =>
    act(async () => {
      await fetchData('status-pages.removeSubscriber', { path: { ...path, subscriberId } })
      await subscribers.reload()
    }, texts.removed({ address }))
  function close(): void {
    isAdding.value = false
  }
  return (
    <div class="page-part">
      <div class="actions">
        <button type="button" class="primary" onClick={() => (isAdding.value = true)}>
          {texts.add}
        </button>
        <a class="button" href={urlOf('status-pages.exportSubscribers', { path })} download>
          {texts.export}
        </a>
      </div>
      {silent > 0 && <p class="note is-degraded">{texts.silent({ count: silent })}</p>}
      <LogTable
        of={subscribers}
        none={{ icon: MailPlus, about: texts.none }}
        heads={[texts.address, texts.kind, texts.state, texts.sections, texts.since, '']}
      >
        {({ id, address, kind, sectionNames, confirmedAt, askedAt, consent, ...one }) => {
          const state = one.state === 'active' && one.isSilent ? 'silent' : one.state
          return (
            <tr key={id}>
              <td>{address}</td>
              <td>{texts.kinds[kind]}</td>
              <td>
                <span class={`state ${tones[state]}`}>{texts.states[state]}</span>
              </td>
              <td>{sectionNames.length === 0 ? texts.everything : listed(sectionNames)}</td>
              <td>
                <Time at={confirmedAt ?? askedAt} />{' '}
                {consent && <span class="faint">{texts.moved({ source: consent.source })}</span>}
              </td>
              <td>
                <AskButton
                  text={common.actions.remove}
                  title={texts.removeTitle({ address })}
                  about={texts.removeAbout}
                  onConfirm={() => remove(id, address)}
                />
              </td>
            </tr>
          )
        }}
      </LogTable>
      <More pages={pages} />
      {isAdding.value && (
        <Dialog title={texts.add} onClose={close}>
          <AddForm
            pageId={pageId}
            onDone={() => {
              close()
              void subscribers.reload()
            }}
          />
        </Dialog>
      )}
    </div>
  )
}

interface AddFormProps {
  readonly pageId: string
  readonly onDone: () => void
}

function AddForm({ pageId, onDone }: AddFormProps) {
  const texts = words.value.statusPages.subscribers
  const form = useForm(
    () => ({
      draft: `subscribers ${pageId}`,
      initial: { emails: [] },
      submit: async (body: { readonly emails: readonly string[] }) => {
        const path = { orgId: orgId(), statusPageId: pageId }
        const { asked } = await fetchData('status-pages.addSubscribers', { path, body })
        tell(texts.asked({ count: asked }))
      },
    }),
    [pageId],
  )
  return (
    <FormFrame form={form} submitText={texts.add} onDone={onDone}>
      <ListField
        pointer="/emails"
        label={texts.emails}
        help={texts.emailsHelp}
        placeholder="grace@example.com"
        isRequired
        shouldFocus
      />
    </FormFrame>
  )
}
