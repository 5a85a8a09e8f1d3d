// Declares an incident that no monitor noticed.

import schema from 'schema:incidents.declare'
import { useSignal } from '@preact/signals'
import { useLocation } from 'preact-iso/router'
import { type Body, fetchData } from '../../api/client.ts'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { CheckField, SelectField, TextField } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { MonitorsField } from '../../parts/form/monitors-field.tsx'
import { TemplateBar } from '../../parts/form/template-bar.tsx'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

const severities = ['declared', 'down', 'degraded'] as const

export function DeclareIncident() {
  const isOpen = useSignal(false)
  const texts = words.value.incidents
  return (
    <>
      <button type="button" onClick={() => (isOpen.value = true)}>
        {texts.declare}
      </button>
      {isOpen.value && (
        <Dialog title={texts.declare} onClose={() => (isOpen.value = false)}>
          <DeclareForm />
        </Dialog>
      )}
    </>
  )
}

function DeclareForm() {
  const { route } = useLocation()
  const texts = words.value.incidents
  const form = useForm<Body<'incidents.declare'>>(
    () => ({
      schema,
      draft: 'incident',
      initial: { title: '' },
      submit: async (body) => {
        const { id } = await fetchData('incidents.declare', { path: { orgId: orgId() }, body })
        route(`/app/incidents/${id}`)
      },
    }),
    [],
  )
  return (
    <FormFrame form={form} submitText={texts.declare}>
      <TemplateBar
        kind="incident"
        onChoose={({ title, text, severity, monitorIds, isPublic }) => {
          const message = text === '' ? undefined : text
          const values = { title, severity, monitorIds, isPublic, message }
          for (const [name, value] of Object.entries(values)) form.set(`/${name}`, value)
        }}
        made={() => {
          const { title, message = '', severity = 'declared' } = form.values.value
          const { monitorIds = [], isPublic = false } = form.values.value
          return { title, text: message, severity, monitorIds, isPublic }
        }}
      />
      <TextField pointer="/title" label={texts.titleLabel} isRequired shouldFocus />
      <SelectField
        pointer="/severity"
        label={texts.severity}
        choices={severities.map((value) => ({ value, text: texts.severities[value] }))}
      />
      <MonitorsField pointer="/monitorIds" label={texts.monitors} help={texts.monitorsHelp} />
      <TextField pointer="/message" label={texts.message} rows={3} emptyAs={undefined} />
      <CheckField pointer="/isPublic" label={texts.isPublic} />
    </FormFrame>
  )
}
