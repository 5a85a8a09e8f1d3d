// The form of a status page, with what readers will see beside it.

import schema from 'schema:status-pages.create'
import { fetchData } from '../../api/client.ts'
import { schemaAt } from '../../base/json-schema.ts'
import { CheckField, Field, SelectField, TextField } from '../../parts/form/fields.tsx'
import { type Form, useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { Section } from '../../parts/form/section.tsx'
import { orgId } from '../../stores/session.ts'
import { language, words } from '../../words/words.ts'
import { LinksField } from './links-field.tsx'
import { LookGallery } from './look-gallery.tsx'
import { beginning, bodyOf, type PageBody, type StoredPage } from './page-body.ts'
import { PagePreview } from './page-preview.tsx'
import { PicturesField } from './pictures-field.tsx'
import { SectionsField } from './sections-field.tsx'

export interface PageEditorProps {
  readonly stored: StoredPage | undefined
  readonly onSaved: (page: StoredPage) => void
  /** A picture was set or removed, which is stored at once. */
  readonly onPictures?: (page: StoredPage) => void
}

const shownParts = [
  ...(['showMonitors', 'showUptime', 'showHistory', 'showResponseTimes'] as const),
  ...(['showLocations', 'showIncidents', 'showMonitoredBy'] as const),
]
const accessParts = ['allowsSubscribers', 'noindex', 'isListed', 'isDefault'] as const
const modes = ['auto', 'light', 'dark'] as const
const visibilities = ['everyone', 'members'] as const
const layouts = ['rows', 'compact', 'tiles'] as const

export function PageEditor({ stored, onSaved, onPictures }: PageEditorProps) {
  const { statusPages: texts, common } = words.value
  const { fields, parts } = texts
  const form = useForm<PageBody>(
    () => ({
      schema,
      draft: `status page ${stored?.id ?? 'new'}`,
      initial: beginning(stored),
      stored: stored && {
        record: stored,
        read: () =>
          fetchData('status-pages.get', { path: { orgId: orgId(), statusPageId: stored.id } }),
        shownOf: beginning,
      },
      submit: async (values, revision) => {
        const path = { orgId: orgId() }
        const body = bodyOf(values)
        if (!stored) return void onSaved(await fetchData('status-pages.create', { path, body }))
        const statusPageId = stored.id
        const changed = { path: { ...path, statusPageId }, body, revision }
        const saved = await fetchData('status-pages.change', changed)
        onSaved(saved)
        return saved
      },
    }),
    [stored?.id],
  )
  const address = stored?.url.replace(/[^/]*$/, form.values.value.slug || '…')
  return (
    <div class="page-editor">
      <FormFrame form={form} submitText={stored ? common.actions.save : texts.create}>
        <TextField
          pointer="/name"
          label={fields.name}
          help={fields.nameHelp}
          isRequired
          shouldFocus={!stored}
        />
        <TextField pointer="/title" label={fields.heading} help={fields.headingHelp} />
        <TextField
          pointer="/description"
          label={fields.description}
          help={fields.descriptionHelp}
          rows={3}
        />
        <TextField
          pointer="/slug"
          label={fields.slug}
          isCode
          emptyAs={stored ? '' : undefined}
          help={
            address === undefined
              ? fields.slugNew
              : `${fields.slugHelp({ address })} ${form.values.value.slug === stored?.slug ? '' : fields.slugChanged}`
          }
        />
        {!stored && <CheckField pointer="/isEnabled" label={fields.isEnabled} />}
        <section class="card">
          <h2>{parts.monitors}</h2>
          <SectionsField form={form} />
        </section>
        <Section title={parts.shown}>
          {shownParts.map((name) => (
            <CheckField key={name} pointer={`/${name}`} label={texts.show[name]} />
          ))}
        </Section>
        <Section title={parts.look}>
          {stored && onPictures && <PicturesField page={stored} onChange={onPictures} />}
          <Look form={form} />
        </Section>
        <Section title={parts.words}>
          <TextField
            pointer="/announcement"
            label={fields.announcement}
            help={fields.announcementHelp}
            rows={3}
          />
          <LinksField form={form} />
          <TextField pointer="/footer" label={fields.footer} help={fields.footerHelp} rows={2} />
        </Section>
        <Section title={parts.access}>
          <SelectField
            pointer="/visibility"
            label={texts.access.visibility}
            help={texts.access.visibilityHelp}
            choices={visibilities.map((value) => ({
              value,
              text: texts.access.visibilities[value],
            }))}
          />
          {accessParts.map((name) => (
            <CheckField key={name} pointer={`/${name}`} label={texts.access[name]} />
          ))}
          <Password form={form} isSet={stored?.hasPassword === true} />
        </Section>
      </FormFrame>
      <PagePreview form={form} stored={stored} />
    </div>
  )
}

function Look({ form }: { readonly form: Form<PageBody> }) {
  const { look, fields } = words.value.statusPages
  const tags = (schemaAt(schema, '/language')?.enum ?? []).filter((tag) => typeof tag === 'string')
  const names = new Intl.DisplayNames([language.value], { type: 'language' })
  const accent = form.get('/theme/accent')
  return (
    <>
      <LookGallery form={form} />
      <TextField
        pointer="/logoUrl"
        label={fields.logoUrl}
        help={fields.logoHelp}
        type="url"
        emptyAs={null}
      />
      <SelectField
        pointer="/layout"
        label={look.layout}
        choices={layouts.map((value) => ({ value, text: look.layouts[value] }))}
      />
      <div class="form-row">
        <SelectField
          pointer="/theme/mode"
          label={look.mode}
          choices={modes.map((value) => ({ value, text: look.modes[value] }))}
        />
        <div class="field">
          <label class="inline">
            <input
              type="checkbox"
              checked={typeof accent === 'string'}
              onChange={({ currentTarget: { checked } }) =>
                form.set('/theme/accent', checked ? '#3b46c9' : null)
              }
            />
            {look.ownAccent}
          </label>
          {typeof accent === 'string' && (
            <Field pointer="/theme/accent" label={look.accent}>
              {(control) => (
                <input
                  {...control}
                  type="color"
                  value={accent}
                  onInput={({ currentTarget: { value } }) => form.set('/theme/accent', value)}
                />
              )}
            </Field>
          )}
        </div>
      </div>
      <TextField pointer="/css" label={look.css} help={look.cssHelp} rows={6} isCode />
      <div class="form-row">
        <SelectField
          pointer="/language"
          label={look.language}
          none={look.readers}
          choices={tags.map((value) => ({ value, text: names.of(value) ?? value }))}
        />
        <TextField
          pointer="/timezone"
          label={look.timezone}
          help={look.timezoneHelp}
          emptyAs={null}
        />
      </div>
    </>
  )
}

interface PasswordProps {
  readonly form: Form<PageBody>
  readonly isSet: boolean
}

function Password({ form, isSet }: PasswordProps) {
  const { access } = words.value.statusPages
  return (
    <>
      <TextField
        pointer="/password"
        label={access.password}
        help={isSet ? access.passwordKept : access.passwordHelp}
        type="password"
        autoComplete="new-password"
        emptyAs={undefined}
      />
      {isSet && (
        <label class="inline">
          <input
            type="checkbox"
            checked={form.get('/password') === null}
            onChange={({ currentTarget: { checked } }) =>
              form.set('/password', checked ? null : undefined)
            }
          />
          {access.removePassword}
        </label>
      )}
    </>
  )
}
