// The members of a group, and how its state follows from theirs.
import { useRoute } from 'preact-iso/router'
import { SelectField } from '../../../parts/form/fields.tsx'
import type { Form } from '../../../parts/form/form.ts'
import { MonitorsField } from '../../../parts/form/monitors-field.tsx'
import { words } from '../../../words/words.ts'
import type { MonitorBody } from './trial/monitor-body.ts'

const named = ['worst', 'best'] as const

export function MembersField({ form }: { readonly form: Form<MonitorBody> }) {
  const texts = words.value.editor.members
  const value = String(form.get('/groupState') ?? 'worst')
  const count = (form.values.value.memberIds ?? []).length
  // One of them is the worst, and all of them are the best.
  const counts = Array.from({ length: Math.max(0, count - 2) }, (_, at) => String(at + 2))
  const isKnown = [...named, ...counts].some((one) => one === value)
  const numbers = isKnown ? counts : [...counts, value].sort((a, b) => Number(a) - Number(b))
  return (
    <>
      <MonitorsField
        pointer="/memberIds"
        label={texts.title}
        help={texts.help}
        except={useRoute().params.monitorId}
      />
      <SelectField
        pointer="/groupState"
        label={texts.state}
        choices={[
          ...named.map((name) => ({ value: name, text: texts[name] })),
          ...numbers.map((one) => ({ value: one, text: texts.some({ count: Number(one) }) })),
        ]}
      />
    </>
  )
}
