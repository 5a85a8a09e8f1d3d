// Intervals as people say them; any other one is typed in the field above.
import type { Form } from '../../../parts/form/form.ts'
import { Choices } from '../../../parts/page/choices.tsx'
import { duration } from '../../../parts/text/time.tsx'
import { words } from '../../../words/words.ts'
import type { MonitorBody } from './trial/monitor-body.ts'

const checks = [30, 60, 300, 900, 3_600]
const reports = [300, 900, 3_600, 21_600, 86_400]

/** What the service takes where none is given. */
const usualSeconds = 300

export interface IntervalChipsProps {
  readonly form: Form<MonitorBody>
  readonly isPush: boolean
}

export function IntervalChips({ form, isPush }: IntervalChipsProps) {
  const texts = words.value.editor
  const seconds = form.values.value.intervalSeconds ?? usualSeconds
  return (
    <Choices
      label={isPush ? texts.period : texts.interval}
      all={isPush ? reports : checks}
      chosen={seconds}
      textOf={(one) => duration(one)}
      onChoose={(one) => form.set('/intervalSeconds', one)}
    />
  )
}
