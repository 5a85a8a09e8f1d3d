// What a step of the trial was answered: its values become values for later steps, or what is expected.
import { useSignal } from '@preact/signals'
import { tell } from '../../../../parts/dialog/toast.tsx'
import type { Form } from '../../../../parts/form/form.ts'
import { words } from '../../../../words/words.ts'
import { Answer, addAssertion, type PickedValue } from '../trial/answer-picker.tsx'
import { jsonIn } from '../trial/json-path.ts'
import type { MonitorBody } from '../trial/monitor-body.ts'
import { type Capture, captureFor, headerCapture, type TriedStep } from './step-model.ts'

export interface StepAnswerProps {
  readonly form: Form<MonitorBody>
  /** The step in the form. */
  readonly pointer: string
  readonly report: TriedStep
}

const meanings = ['take', 'expect'] as const

export function StepAnswer({ form, pointer, report }: StepAnswerProps) {
  const texts = words.value.editor.steps
  const meaning = useSignal<(typeof meanings)[number]>('take')
  const { headers, body } = report
  // It says not whether it was cut: then it is no JSON as it is.
  const isCut = body !== null && /^\s*[[{]/.test(body) && jsonIn(body, false) === undefined
  // What may be shown has headers at least.
  const note = headers.length === 0 && body === null ? '' : null
  const answer = { status: report.status, headers, body, isCut, note }

  function take({ place }: PickedValue): void {
    if (place === null) return
    const { steps = [], variables = {} } = form.values.value
    const captured = (steps ?? []).flatMap(({ captures = [] }) => captures.map(({ name }) => name))
    const taken = [...Object.keys(variables ?? {}), ...captured]
    const capture =
      'header' in place ? headerCapture(place.header, taken) : captureFor(place.keys, taken)
    const at = `${pointer}/captures`
    const before = (form.get(at) ?? []) as readonly Capture[]
    form.set(at, [...before, capture])
    const { name, path } = capture
    tell(texts.taken({ name: `{{${name}}}`, path }), () => form.set(at, before))
  }

  const expect = (picked: PickedValue) => addAssertion(form, `${pointer}/assertions`, picked)
  return (
    <section class="picker" aria-label={texts.answer}>
      <fieldset class="chips" aria-label={texts.click}>
        <span class="faint">{texts.click}</span>
        {meanings.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={meaning.value === one}
            onClick={() => (meaning.value = one)}
          >
            {texts.meanings[one]}
          </button>
        ))}
      </fieldset>
      <Answer
        answer={answer}
        noBody={words.value.editor.picker.empty}
        noJson={texts.noJson}
        isOfValues={meaning.value === 'take'}
        onPick={meaning.value === 'take' ? take : expect}
      />
    </section>
  )
}
