// The organization itself: its name, the language of its messages, and its time zone.

import schema from 'schema:orgs.change'
import { useSignal } from '@preact/signals'
import { type Body, type Data, fetchData, urlOf } from '../../api/client.ts'
import { useData } from '../../api/resource.ts'
import { schemaAt } from '../../base/json-schema.ts'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { tell } from '../../parts/dialog/toast.tsx'
import { SelectField, TextField } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { NewOrganizationForm } from '../../parts/form/new-organization.tsx'
import { Loaded } from '../../parts/page/loaded.tsx'
import { loadSession, mayAs, orgId } from '../../stores/session.ts'
import type { Words } from '../../words/catalogue.ts'
import { language, words } from '../../words/words.ts'
import { HistoryExport } from './history-export.tsx'
import { TagColorsForm } from './tag-colors.tsx'

type OrganizationSettings = Data<'orgs.get'>

export function OrganizationSettings() {
  const organization = useData('orgs.get', { path: { orgId: orgId() } })
  return (
    <div class="page-part is-forms">
      <Loaded of={organization}>
        {(stored) => (
          <>
            <OrganizationForm stored={stored} onSaved={organization.set} />
            {mayAs('admin') && <TagColorsForm />}
            {mayAs('admin') && <Export id={stored.id} />}
            {mayAs('admin') && <HistoryExport id={stored.id} />}
          </>
        )}
      </Loaded>
      <NewOrganization />
    </div>
  )
}

function NewOrganization() {
  const { newOrganization: texts } = words.value.shell
  const isOpen = useSignal(false)
  return (
    <div class="page-part">
      <button type="button" onClick={() => (isOpen.value = true)}>
        {texts.open}
      </button>
      {isOpen.value && (
        <Dialog title={texts.open} onClose={() => (isOpen.value = false)}>
          <NewOrganizationForm />
        </Dialog>
      )}
    </div>
  )
}

type ExportFormat = keyof Words['people']['export']['formats']

/** Prometheus has several files, the others one. */
const prometheusFiles = ['prometheus.yml', 'blackbox.yml', 'targets.json'] as const

function Export({ id }: { readonly id: string }) {
  const { export: texts } = words.value.people
  const chosen = useSignal<ExportFormat>('stillup')
  const formats = Object.keys(texts.formats) as ExportFormat[]
  const format = chosen.value
  const isOwn = format === 'stillup'
  const files = format === 'prometheus' ? prometheusFiles : [undefined]
  const path = { orgId: id }
  return (
    <section class="card">
      <h2>{texts.title}</h2>
      <p>{isOwn ? texts.about : texts.otherFormat}</p>
      {isOwn && <p>{texts.secrets}</p>}
      <label class="field">
        {texts.format}
        <select
          value={format}
          onChange={({ currentTarget: { value } }) => {
            chosen.value = formats.find((one) => one === value) ?? format
          }}
        >
          {formats.map((one) => (
            <option key={one} value={one}>
              {texts.formats[one]}
            </option>
          ))}
        </select>
      </label>
      <div class="actions">
        {files.map((file) => (
          <a
            key={file ?? ''}
            class="button"
            href={urlOf('orgs.export', {
              path,
              query: { ...(isOwn ? {} : { format }), ...(file ? { file } : {}) },
            })}
            download
          >
            {file ?? texts.download}
          </a>
        ))}
      </div>
    </section>
  )
}

const shownOf = ({ name, language, timezone }: OrganizationSettings): Body<'orgs.change'> => ({
  name,
  language,
  timezone,
})

interface OrganizationFormProps {
  readonly stored: OrganizationSettings
  readonly onSaved: (stored: OrganizationSettings) => void
}

function OrganizationForm({ stored, onSaved }: OrganizationFormProps) {
  const { people: texts, profile, common } = words.value
  const path = { orgId: stored.id }
  const form = useForm<Body<'orgs.change'>>(
    () => ({
      schema,
      draft: 'organization',
      initial: shownOf(stored),
      stored: { record: stored, read: () => fetchData('orgs.get', { path }), shownOf },
      submit: async (body, revision) => {
        const saved = await fetchData('orgs.change', { path, body, revision })
        onSaved(saved)
        tell(profile.saved)
        await loadSession()
        return saved
      },
    }),
    [stored.id],
  )
  const names = new Intl.DisplayNames([language.value], { type: 'language' })
  const tags = (schemaAt(schema, '/language')?.enum ?? []).filter((tag) => typeof tag === 'string')
  return (
    <section class="card">
      <FormFrame form={form} submitText={common.actions.save}>
        <TextField pointer="/name" label={texts.organizationName} isRequired />
        <div class="form-row">
          <SelectField
            pointer="/language"
            label={texts.organizationLanguage}
            choices={tags.map((value) => ({ value, text: names.of(value) ?? value }))}
          />
          <TextField
            pointer="/timezone"
            label={texts.organizationZone}
            help={texts.organizationZoneHelp}
            emptyAs={null}
          />
        </div>
      </FormFrame>
    </section>
  )
}
