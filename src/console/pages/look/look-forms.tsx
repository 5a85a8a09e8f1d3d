// The forms of the page of parts: every field, with help and unit, refused, and disabled.
import { useLayoutEffect } from 'preact/hooks'
import { ApiProblem } from '../../api/problem.ts'
import {
  CheckField,
  type FieldProps,
  ListField,
  NumberField,
  SelectField,
  TextField,
} from '../../parts/form/fields.tsx'
import { useForm } from '../../parts/form/form.ts'
import { FormFrame } from '../../parts/form/form-frame.tsx'
import { MonitorsField } from '../../parts/form/monitors-field.tsx'
import { PasswordField } from '../../parts/form/proof-fields.tsx'
import { RecordField } from '../../parts/form/record-field.tsx'

const initial = {
  name: 'Web',
  about: 'Two lines\nof text',
  seconds: 30,
  kind: 'b',
  isOn: true,
  tags: ['shop', 'eu'],
  labels: { team: 'web' },
  monitorIds: [],
  password: '',
}

const refusal = new ApiProblem('', {
  status: 422,
  fields: Object.keys(initial).map((name) => ({ pointer: `/${name}`, message: 'is not allowed' })),
})

const looks = ['usual', 'refused', 'disabled'] as const

export function LookForms({ mode }: { readonly mode: string }) {
  return (
    <>
      {looks.map((look) => (
        <section key={look} class="form" aria-label={`Fields, ${look}`}>
          <h3>Fields, {look}</h3>
          <Fields ids={`look-${mode}-${look}`} look={look} />
        </section>
      ))}
    </>
  )
}

interface FieldsProps {
  readonly ids: string
  readonly look: (typeof looks)[number]
}

function Fields({ ids, look }: FieldsProps) {
  const form = useForm(() => ({ ids, initial, submit: () => Promise.reject(refusal) }), [])
  useLayoutEffect(() => {
    if (look === 'refused') void form.submit()
  }, [])
  const shared = (pointer: string, label: string): FieldProps => ({
    ...{ pointer, label, help: 'What it is for.', isDisabled: look === 'disabled' },
  })
  return (
    <FormFrame form={form} submitText="Save" more={<button type="button">Cancel</button>}>
      <TextField {...shared('/name', 'A text')} isRequired />
      <TextField {...shared('/about', 'Lines')} rows={3} />
      <div class="form-row">
        <NumberField {...shared('/seconds', 'A number')} unit="seconds" />
        <SelectField
          {...shared('/kind', 'A choice')}
          none="None"
          choices={[
            { value: 'a', text: 'One' },
            { value: 'b', text: 'Another' },
          ]}
        />
      </div>
      <ListField {...shared('/tags', 'A list')} isRequired />
      <CheckField {...shared('/isOn', 'A box')} />
      <PasswordField />
      <RecordField
        pointer="/labels"
        label="A record"
        nameLabel="Name"
        valueLabel="Value"
        placeholder="team"
        addText="Add a label"
      />
      <MonitorsField {...shared('/monitorIds', 'Monitors')} />
    </FormFrame>
  )
}
