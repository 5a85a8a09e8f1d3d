// What became of the steps of a check: each with its outcome, status and time, and its answer where it was kept.
import type { Data } from '../../../api/client.ts'
import { Said } from '../../../parts/text/said.tsx'
import { milliseconds } from '../../../parts/text/time.tsx'
import { words } from '../../../words/words.ts'

type StepReport = NonNullable<Data<'monitors.test'>['steps']>[number]

/** What is known of a step at least. */
export type StepNumbers = Pick<StepReport, 'name' | 'outcome' | 'status' | 'responseTimeMs'> &
  Partial<StepReport>

const tones = { good: 'is-up', failed: 'is-down', notRun: 'is-none' } as const
const marks = { good: '✓', failed: '✗', notRun: '–' } as const

/** The numbers of steps in what a check found; undefined if it found something else. */
export function stepsIn(found: unknown): readonly StepNumbers[] | undefined {
  const { steps } = (found ?? {}) as { readonly steps?: unknown }
  if (!Array.isArray(steps) || steps.length === 0) return undefined
  const read = steps.flatMap((step) => {
    const { name, outcome, status = null, ms = null } = step ?? {}
    if (typeof name !== 'string' || !Object.hasOwn(tones, outcome)) return []
    return [{ name, outcome, status, responseTimeMs: ms }]
  })
  return read.length === steps.length ? read : undefined
}

function StepMark({ outcome }: Pick<StepReport, 'outcome'>) {
  const text = words.value.monitor.steps.outcomes[outcome]
  return (
    <span class="step-mark" title={text}>
      <span aria-hidden="true">{marks[outcome]}</span>
      <span class="hidden">{text}</span>
    </span>
  )
}

/** The steps one below the other; the bars show which of them take the time. */
export function StepReports({ steps }: { readonly steps: readonly StepNumbers[] }) {
  const total = Math.max(
    1,
    steps.reduce((sum, { responseTimeMs }) => sum + (responseTimeMs ?? 0), 0),
  )
  let before = 0
  return (
    <ol class="step-reports" aria-label={words.value.monitor.steps.title}>
      {steps.map((step, place) => {
        const left = before
        before += step.responseTimeMs ?? 0
        return (
          <li key={place} class={tones[step.outcome]}>
            <StepRow step={step} left={left / total} share={(step.responseTimeMs ?? 0) / total} />
          </li>
        )
      })}
    </ol>
  )
}

interface StepRowProps {
  readonly step: StepNumbers
  /** Where its bar begins, and how long it is, of the whole. */
  readonly left: number
  readonly share: number
}

function StepRow({ step, left, share }: StepRowProps) {
  const { name, outcome, status, responseTimeMs, message, isCleanUp, captures } = step
  return (
    <>
      <StepMark outcome={outcome} />
      <span class="step-title">
        <strong>{name}</strong>
        {isCleanUp && <span class="tag faint">{words.value.editor.steps.cleansUp}</span>}
      </span>
      <span class="step-bar">
        {responseTimeMs !== null && (
          <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
            <rect x={left * 100} y="0" height="8" width={Math.max(0.5, share * 100)} />
          </svg>
        )}
      </span>
      <span class="figure">{status}</span>
      <span class="figure">{responseTimeMs !== null && milliseconds(responseTimeMs)}</span>
      {message != null && (
        <p class="step-message">
          <Said text={message} />
        </p>
      )}
      {captures && <Taken captures={captures} />}
      <KeptAnswer step={step} />
    </>
  )
}

function Taken({ captures }: Pick<StepReport, 'captures'>) {
  const taken = Object.entries(captures)
  if (taken.length === 0) return null
  return (
    <p class="step-captures">
      {taken.map(([name, value]) => (
        <code key={name} class="step-taken">
          {name} = {value}
        </code>
      ))}
    </p>
  )
}

function KeptAnswer({ step }: { readonly step: StepNumbers }) {
  const { method, url, headers = [], body } = step
  if (url === undefined || step.outcome === 'notRun') return null
  return (
    <details>
      <summary>
        <code>
          {method} {url}
        </code>
      </summary>
      {headers.length > 0 && (
        <pre>{headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}</pre>
      )}
      {body != null && body !== '' && <pre>{body}</pre>}
    </details>
  )
}

export interface StepLineProps {
  readonly report: StepReport
  /** The step was changed since. */
  readonly isStale?: boolean
}

/** Its outcome in a line: the status, the time, what failed, and what was taken. */
export function StepLine({ report, isStale = false }: StepLineProps) {
  const { outcome, status, responseTimeMs, message, captures } = report
  return (
    <div class={`step-line ${tones[outcome]}${isStale ? ' is-stale' : ''}`}>
      <StepMark outcome={outcome} />
      {outcome === 'notRun' && words.value.monitor.steps.outcomes.notRun}
      {status !== null && <span class="figure">{status}</span>}
      {responseTimeMs !== null && <span class="figure">{milliseconds(responseTimeMs)}</span>}
      {message !== null && (
        <span class="step-message">
          <Said text={message} />
        </span>
      )}
      <Taken captures={captures} />
    </div>
  )
}
