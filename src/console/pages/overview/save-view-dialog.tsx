// Gives a view of the overview a name.
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { TextField } from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { saveView } from '../../stores/preferences.ts'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'

const nameCharsMax = 60

export interface SaveViewDialogProps {
  readonly query: string
  readonly onClose: () => void
}

export function SaveViewDialog({ query, onClose }: SaveViewDialogProps) {
  const texts = words.value.overview.saved
  const form = useForm<{ name: string }>(
    () => ({
      schema: {
        type: 'object',
        properties: { name: { type: 'string', minLength: 1, maxLength: nameCharsMax } },
        required: ['name'],
      },
      initial: { name: '' },
      submit: async ({ name }) => {
        await saveView({ orgId: orgId(), name: name.trim(), query })
        onClose()
      },
    }),
    [],
  )
  return (
    <Dialog title={texts.title} onClose={onClose}>
      <FormFrame form={form} submitText={words.value.common.actions.save}>
        <TextField pointer="/name" label={texts.name} help={texts.help} isRequired shouldFocus />
      </FormFrame>
    </Dialog>
  )
}
