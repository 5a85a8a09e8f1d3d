// What became of the steps of a check: each with its outcome, status and time, and its answer where it was kept.
import type { Data } from '../../api/client.ts'
import { Said } from '../../parts/text/said.tsx'
import { milliseconds } from '../../parts/text/time.tsx'
import { words } from '../../words/words.ts'

type StepReport = NonNullable<Data<'monitors.test'>['steps']>[number]

const tones = { good: 'is-up', failed: 'is-down', notRun: 'is-none' } as const
const marks = { good: '✓', failed: '✗', notRun: '–' } as const

export interface StepLineProps {
  readonly report: StepReport
  /** The step was changed since. */
  readonly isStale?: boolean
}

/** Its outcome in a line: the status, the time, what failed, and what was taken. */
export function StepLine({ report, isStale = false }: StepLineProps) {
  const { outcome, status, responseTimeMs, message, captures } = report
  const texts = words.value.monitor.steps
  const taken = Object.entries(captures)
  return (
    <div class={`step-line ${tones[outcome]}${isStale ? ' is-stale' : ''}`}>
      <span class="step-mark" title={texts.outcomes[outcome]} aria-hidden="true">
        {marks[outcome]}
      </span>
      <span class="hidden">{texts.outcomes[outcome]}</span>
      {status !== null && <span class="figure">{status}</span>}
      {responseTimeMs !== null && <span class="figure">{milliseconds(responseTimeMs)}</span>}
      {message !== null && (
        <span class="step-message">
          <Said text={message} />
        </span>
      )}
      {taken.map(([name, value]) => (
        <code key={name} class="step-taken">
          {name} = {value}
        </code>
      ))}
    </div>
  )
}
