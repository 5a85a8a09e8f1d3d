// Why it opened, and who was told or not: the decisions as a path, each with its reason.
import { type Data, fetchData } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { StateMark } from '../../parts/state-mark.tsx'
import { milliseconds, Time, withLocalTimes } from '../../parts/time.tsx'
import { orgId } from '../../session.ts'
import { words } from '../../words/words.ts'

export interface ExplanationProps {
  readonly incidentId: string
  readonly version: number
}

const tones = {
  sent: 'is-up',
  waiting: 'is-pending',
  merged: 'is-up',
  folded: 'is-up',
  given_up: 'is-down',
  not_sent: 'is-none',
} as const

type Told = Data<'incidents.explain'>['channels'][number]

/** So that nothing must be opened to see who was told. What went wrong comes first, then what arrived. */
const tellingFirst = ['given_up', 'waiting', 'sent', 'merged', 'folded', 'not_sent'] as const

function WholeOutcome({ events }: Pick<Told, 'events'>) {
  const whole = tellingFirst.find((one) => events.some(({ outcome }) => outcome === one))
  if (!whole) return null
  return <span class={`state ${tones[whole]}`}>{words.value.incidents.outcomes[whole]}</span>
}

export function Explanation({ incidentId, version }: ExplanationProps) {
  const texts = words.value.incidents
  const explained = useResource(
    (signal) => fetchData('incidents.explain', { path: { orgId: orgId(), incidentId }, signal }),
    [incidentId],
    [version],
  )
  return (
    <section class="card">
      <h2>{texts.explain}</h2>
      <Loaded of={explained}>
        {({ decisions, channels }) => (
          <>
            <ol class="timeline">
              {decisions.map(({ at, kind, explanation, checks }) => (
                <li key={`${at} ${kind}`}>
                  <p>
                    <strong>{texts.kinds[kind]}</strong> <Time at={at} form="local" />
                  </p>
                  <p lang="en">{explanation}</p>
                  {checks.length > 0 && (
                    <details>
                      <summary>{texts.checks(checks.length)}</summary>
                      <table class="log">
                        <tbody>
                          {checks.map(({ at, outcome, responseTimeMs, message, counted }) => (
                            <tr key={at} class={counted ? undefined : 'faint'}>
                              <td>
                                <Time at={at} form="local" />
                              </td>
                              <td>
                                <StateMark state={outcome} />
                              </td>
                              <td class="figure">{milliseconds(responseTimeMs)}</td>
                              <td>
                                {message} {!counted && `(${texts.notCounted})`}
                              </td>
                            </tr>
                          ))}
                        </tbody>
                      </table>
                    </details>
                  )}
                </li>
              ))}
            </ol>
            <h3>{texts.told}</h3>
            {channels.length === 0 && <p class="faint">{texts.nobody}</p>}
            {channels.map(({ channelId, name, events, now }) => (
              <details key={channelId} class="told" open={channels.length <= 3}>
                <summary>
                  {name} <WholeOutcome events={events} />
                </summary>
                <ul>
                  {events.map(({ event, at, outcome, explanation, deliveredAt }) => (
                    <li key={`${event} ${at}`}>
                      <span class={`state ${tones[outcome]}`}>{texts.outcomes[outcome]}</span>{' '}
                      {words.value.channels.events[event]}{' '}
                      <Time at={deliveredAt ?? at} form="local" />
                      <p class="faint" lang="en">
                        {withLocalTimes(explanation)}
                      </p>
                    </li>
                  ))}
                  <li class="faint">
                    <span lang="en">{withLocalTimes(now.explanation)}</span>{' '}
                    <a href={`/app/channels/${channelId}`}>{texts.toChannel}</a>
                  </li>
                </ul>
              </details>
            ))}
          </>
        )}
      </Loaded>
    </section>
  )
}
