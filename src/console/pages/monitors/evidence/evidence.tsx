// What a check found: its outcome, its phases as a waterfall, and why it failed.
import { useSignal } from '@preact/signals'
import type { Data } from '../../../api/client.ts'
import { Said } from '../../../parts/text/said.tsx'
import { StateMark } from '../../../parts/text/state-mark.tsx'
import { milliseconds, Time } from '../../../parts/text/time.tsx'
import { words } from '../../../words/words.ts'
import { Requests } from './requests.tsx'
import { StepReports, stepsIn } from './step-reports.tsx'
import { Traceroute } from './traceroute.tsx'

type Result = Pick<
  Data<'monitors.latest'>,
  'outcome' | 'responseTimeMs' | 'error' | 'message' | 'phases' | 'address' | 'failure' | 'found'
>

/** Accepts what an assertion of type `unchanged` found, by its index. */
export type Accept = (assertion: number, found: string) => Promise<void>

interface EvidenceProps {
  readonly result: Result
  /** Absent: nobody is asked. */
  readonly onAccept?: Accept | undefined
}

export function Evidence({ result, onAccept }: EvidenceProps) {
  const { responseTimeMs, error, phases, address, failure, found, outcome } = result
  const texts = words.value.monitor
  const isFailed = failure !== null && (error !== null || failure.at === '')
  const steps = stepsIn(found)
  // Those of the last step alone would be taken for the whole.
  const hasSteps = steps !== undefined || (isFailed && failure.steps.length > 0)
  return (
    <div class="evidence">
      <p>
        {outcome !== null && <StateMark state={outcome} />}{' '}
        {responseTimeMs !== null && <span class="figure">{milliseconds(responseTimeMs)}</span>}{' '}
        {address !== null && <code class="faint">{address}</code>}
      </p>
      <Reason of={result} />
      {phases && !hasSteps && <Waterfall phases={phases} />}
      {isFailed && <Failure failure={failure} onAccept={onAccept} />}
      {steps && !isFailed && <StepReports steps={steps} />}
      {failure && !isFailed && (
        <details>
          <summary>
            {texts.lastFailure} <Time at={failure.at} form="local" />
          </summary>
          <Failure failure={failure} />
        </details>
      )}
      {found !== null && !steps && (
        <details>
          <summary>{texts.found}</summary>
          <pre>{typeof found === 'string' ? found : JSON.stringify(found, null, 2)}</pre>
        </details>
      )}
    </div>
  )
}

/** Why it failed, or what a result says that did not. */
export function Reason({ of }: { readonly of: Pick<Result, 'outcome' | 'error' | 'message'> }) {
  const { outcome, error, message } = of
  const text = error?.message ?? message
  if (text === null) return null
  return (
    <p class={error ? 'reason is-down' : `reason is-${outcome}`}>
      <Said text={text} />
    </p>
  )
}

const phaseNames = ['dns', 'connect', 'tls', 'firstByte', 'download'] as const

function Waterfall({ phases }: { readonly phases: NonNullable<Result['phases']> }) {
  const { phaseTitles } = words.value.monitor
  const steps = phaseNames.flatMap((name) => {
    const ms = phases[name]
    return ms === undefined ? [] : [{ name, ms }]
  })
  const total = Math.max(
    1,
    steps.reduce((sum, { ms }) => sum + ms, 0),
  )
  let before = 0
  return (
    <table class="waterfall">
      <tbody>
        {steps.map(({ name, ms }) => {
          const left = before
          before += ms
          return (
            <tr key={name}>
              <th scope="row">{phaseTitles[name]}</th>
              <td class="waterfall-bar">
                <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                  <rect
                    class={`phase-${name}`}
                    x={(left / total) * 100}
                    y="0"
                    height="8"
                    width={Math.max(0.5, (ms / total) * 100)}
                  />
                </svg>
              </td>
              <td class="figure">{milliseconds(ms)}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

interface FailureProps extends Pick<EvidenceProps, 'onAccept'> {
  readonly failure: NonNullable<Result['failure']>
}

function Failure({ failure, onAccept }: FailureProps) {
  const texts = words.value.monitor
  const { status, headers, body, url, failedAssertions, note, picture, traceroute, requests } =
    failure
  // More is kept of the answer that failed than of the others.
  const failed = failure.steps.findIndex(({ outcome }) => outcome === 'failed')
  const steps = failure.steps.map((step, place) =>
    place === failed ? { ...step, headers, body: body ?? step.body } : step,
  )
  const hasResponse = steps.length === 0 && (status !== null || headers.length > 0 || body !== null)
  return (
    <>
      {picture !== null && <Picture of={picture} />}
      {steps.length > 0 && <StepReports steps={steps} />}
      {traceroute !== null && <Traceroute of={traceroute} />}
      {requests.length > 0 && <Requests of={requests} at={failure.at} />}
      {note !== null && (
        <p>
          <Said text={note} />
        </p>
      )}
      {failedAssertions.length > 0 && (
        <table>
          <thead>
            <tr>
              <th>{texts.expected}</th>
              <th>{texts.foundInstead}</th>
            </tr>
          </thead>
          <tbody>
            {failedAssertions.map(({ expected, found, assertion }) => (
              <tr key={expected}>
                <td>
                  <Said text={expected} />
                </td>
                <td>
                  <code>{found}</code>
                  {assertion !== undefined && onAccept && (
                    <AcceptButton onAccept={() => onAccept(assertion, found)} />
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {hasResponse && (
        <details>
          <summary>
            {texts.response} {status}
          </summary>
          {url !== null && <p class="code">{url}</p>}
          <pre>{headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}</pre>
          {body !== null && <pre>{body}</pre>}
        </details>
      )}
    </>
  )
}

/** What a page looked like in the browser. */
export function Picture({ of }: { readonly of: string }) {
  const text = words.value.monitor.picture
  return <img class="browser-picture" src={`data:image/jpeg;base64,${of}`} alt={text} />
}

function AcceptButton({ onAccept }: { readonly onAccept: () => Promise<void> }) {
  const isBusy = useSignal(false)
  async function accept(): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    await onAccept()
    isBusy.value = false
  }
  return (
    <div>
      <button type="button" aria-busy={isBusy.value} onClick={() => void accept()}>
        {words.value.editor.acceptNow}
      </button>
    </div>
  )
}
