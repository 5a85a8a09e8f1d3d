// Adds an update to an incident, for colleagues or for the readers of status pages.
import schema from 'schema:incidents.update'
import { type Body, fetchData } from '../../api/client.ts'
import { CheckField, SelectField, TextField } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import type { Incident } from './incident.ts'
import { tellIfReopens } from './reopening.ts'

const statuses = ['investigating', 'identified', 'monitoring', 'resolved'] as const

export interface UpdateFormProps {
  readonly incident: Incident
  readonly onDone: () => void
}

export function UpdateForm({ incident, onDone }: UpdateFormProps) {
  const texts = words.value.incidents
  const form = useForm<Body<'incidents.update'>>(
    () => ({
      schema,
      draft: `update ${incident.id}`,
      initial: { message: '' },
      submit: async (body) => {
        const path = { orgId: orgId(), incidentId: incident.id }
        tellIfReopens(await fetchData('incidents.update', { path, body }))
        form.reset({ message: '' })
      },
    }),
    [incident.id],
  )
  return (
    <FormFrame form={form} submitText={texts.publish} onDone={onDone}>
      <SelectField
        pointer="/status"
        label={texts.status}
        none={texts.noStatus}
        choices={statuses.map((value) => ({ value, text: texts.statuses[value] }))}
      />
      <TextField pointer="/message" label={texts.message} rows={4} isRequired />
      <CheckField pointer="/isPublic" label={texts.isPublic} help={texts.markdown} />
    </FormFrame>
  )
}
