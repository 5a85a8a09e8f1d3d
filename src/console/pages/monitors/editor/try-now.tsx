// Tries what the form says, without storing anything, and offers the answer for assertions.
import { factsOf } from '../../../api/kinds.ts'
import { appliesTo } from '../../../base/json-schema.ts'
import type { Form } from '../../../parts/form/form.ts'
import { later } from '../../../parts/page/later.tsx'
import { ProblemNote } from '../../../parts/page/problem-note.tsx'
import { words } from '../../../words/words.ts'
import { Evidence, Picture } from '../evidence/evidence.tsx'
import { kindIn, type MonitorBody } from './trial/monitor-body.ts'
import { hasAnswer, type Trial } from './trial/trial.ts'

const RunWhileTyping = later(() =>
  import('./steps/run-while-typing.tsx').then((m) => m.RunWhileTyping),
)
const AnswerPicker = later(() => import('./trial/answer-picker.tsx').then((m) => m.AnswerPicker))

export interface TryNowProps {
  readonly form: Form<MonitorBody>
  readonly trial: Trial
}

export function TryNow({ form, trial }: TryNowProps) {
  const texts = words.value.editor
  if (!factsOf(kindIn(form)).isChecked) return null
  const { run, isRunning } = trial
  const problem = trial.problem.value
  const result = trial.result.value
  const isPickable = hasAnswer(form) || result?.answer != null
  return (
    <aside class="card trial" aria-label={texts.tryTitle}>
      <h2>{texts.tryTitle}</h2>
      <p class="faint">{texts.tryAbout}</p>
      <button type="button" aria-busy={isRunning.value} onClick={() => void run()}>
        {texts.tryNow}
      </button>
      {appliesTo(form.schema, 'steps', kindIn(form)) && (
        <RunWhileTyping form={form} trial={trial} />
      )}
      <div class="trial-result" aria-live="polite">
        {problem && <ProblemNote problem={problem} />}
        {problem?.fields.map(({ pointer, message, lang }) => (
          <p key={pointer} class="wrong">
            <code>{pointer.slice(1)}</code> <span lang={lang}>{message}</span>
          </p>
        ))}
        {result && <Evidence result={result} />}
        {result?.picture && !result.failure?.picture && <Picture of={result.picture} />}
      </div>
      {result && isPickable && <AnswerPicker form={form} answer={result.answer} />}
    </aside>
  )
}
