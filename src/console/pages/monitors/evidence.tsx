// What a check found: its outcome, its phases as a waterfall, and why it failed.
import type { Data } from '../../api/client.ts'
import { Said } from '../../parts/text/said.tsx'
import { StateMark } from '../../parts/text/state-mark.tsx'
import { milliseconds, Time } from '../../parts/text/time.tsx'
import { words } from '../../words/words.ts'

type Result = Pick<
  Data<'monitors.latest'>,
  'outcome' | 'responseTimeMs' | 'error' | 'phases' | 'address' | 'failure' | 'found'
>

export function Evidence({ result }: { readonly result: Result }) {
  const { outcome, responseTimeMs, error, phases, address, failure, found } = result
  const texts = words.value.monitor
  return (
    <div class="evidence">
      <p>
        {outcome !== null && <StateMark state={outcome} />}{' '}
        {responseTimeMs !== null && <span class="figure">{milliseconds(responseTimeMs)}</span>}{' '}
        {address !== null && <code class="faint">{address}</code>}
      </p>
      {error && (
        <p class="reason is-down">
          <Said text={error.message} />
        </p>
      )}
      {phases && <Waterfall phases={phases} />}
      {failure && (error || failure.at === '') && <Failure failure={failure} />}
      {failure && !error && failure.at !== '' && (
        <details>
          <summary>
            {texts.lastFailure} <Time at={failure.at} form="local" />
          </summary>
          <Failure failure={failure} />
        </details>
      )}
      {found !== null && (
        <details>
          <summary>{texts.found}</summary>
          <pre>{typeof found === 'string' ? found : JSON.stringify(found, null, 2)}</pre>
        </details>
      )}
    </div>
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

function Failure({ failure }: { readonly failure: NonNullable<Result['failure']> }) {
  const texts = words.value.monitor
  const { status, headers, body, url, failedAssertions, note } = failure
  return (
    <>
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
            {failedAssertions.map(({ expected, found }) => (
              <tr key={expected}>
                <td>
                  <Said text={expected} />
                </td>
                <td>
                  <code>{found}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {(status !== null || headers.length > 0 || body !== null) && (
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
