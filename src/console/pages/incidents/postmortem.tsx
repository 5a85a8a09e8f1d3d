// The post-mortem: what was learned, in Markdown.

import schema from 'schema:incidents.change'
import { useSignal } from '@preact/signals'
import { type Body, fetchData } from '../../api/client.ts'
import { TextField } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { mayAs, orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import type { Incident } from './incident.ts'
import { PostmortemPreview, PostmortemText } from './postmortem-text.tsx'

export interface PostmortemProps {
  readonly incident: Incident
  readonly onDone: () => void
}

export function Postmortem({ incident, onDone }: PostmortemProps) {
  const texts = words.value.incidents
  const isEditing = useSignal(false)
  if (incident.state !== 'resolved' && incident.postmortem === null) return null
  return (
    <section class="card">
      <header class="card-head">
        <h2>{texts.postmortem}</h2>
        {mayAs('member') && !isEditing.value && (
          <button type="button" onClick={() => (isEditing.value = true)}>
            {words.value.common.actions.edit}
          </button>
        )}
      </header>
      {isEditing.value ? (
        <PostmortemForm
          incident={incident}
          onDone={() => {
            isEditing.value = false
            onDone()
          }}
        />
      ) : (
        <PostmortemText text={incident.postmortem ?? ''} title={texts.postmortem} />
      )}
    </section>
  )
}

type Changes = Pick<Body<'incidents.change'>, 'postmortem'>

const shownOf = ({ postmortem }: Incident): Changes => ({ postmortem })

function PostmortemForm({ incident, onDone }: PostmortemProps) {
  const texts = words.value.incidents
  const path = { orgId: orgId(), incidentId: incident.id }
  const form = useForm<Changes>(
    () => ({
      schema,
      draft: `postmortem ${incident.id}`,
      initial: shownOf(incident),
      stored: { record: incident, read: () => fetchData('incidents.get', { path }), shownOf },
      submit: async (body, revision) => {
        await fetchData('incidents.change', { path, body, revision })
      },
    }),
    [incident.id],
  )
  return (
    <>
      <FormFrame form={form} submitText={words.value.common.actions.save} onDone={onDone}>
        <TextField
          pointer="/postmortem"
          label={texts.postmortem}
          rows={12}
          emptyAs={null}
          help={texts.markdown}
          shouldFocus
        />
      </FormFrame>
      <PostmortemPreview text={form.values.value.postmortem ?? ''} />
    </>
  )
}
