// Why it opened, changed and ended: the decisions as a path, each with its reason.
import type { Data } from '../../api/client.ts'
import type { Resource } from '../../api/resource.ts'
import { Loaded } from '../../parts/page/loaded.tsx'
import { Said } from '../../parts/text/said.tsx'
import { SeenFrom } from '../../parts/text/seen-from.tsx'
import { StateMark } from '../../parts/text/state-mark.tsx'
import { milliseconds, Time } from '../../parts/text/time.tsx'
import { words } from '../../words/words.ts'

export interface ExplanationProps {
  readonly of: Resource<Data<'incidents.explain'>>
}

export function Explanation({ of: explained }: ExplanationProps) {
  const texts = words.value.incidents
  return (
    <section class="card">
      <h2>{texts.explain}</h2>
      <Loaded of={explained}>
        {({ decisions }) => (
          <ol class="timeline">
            {decisions.map(({ at, kind, explanation, basis, checks }) => (
              <li key={`${at} ${kind}`}>
                <p>
                  <strong>{texts.kinds[kind]}</strong> <Time at={at} form="exact" />
                </p>
                <p>
                  <Said text={explanation} />
                </p>
                <SeenFrom places={basis?.locations} />
                {checks.length > 0 && (
                  <details>
                    <summary>{texts.checks({ count: checks.length })}</summary>
                    <table class="log">
                      <tbody>
                        {checks.map(({ at, outcome, responseTimeMs, message, counted }) => (
                          <tr key={at} class={counted ? undefined : 'faint'}>
                            <td>
                              <Time at={at} form="exact" />
                            </td>
                            <td>
                              <StateMark state={outcome} />
                            </td>
                            <td class="figure">{milliseconds(responseTimeMs)}</td>
                            <td>
                              {message !== null && <Said text={message} />}{' '}
                              {!counted && `(${texts.notCounted})`}
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
        )}
      </Loaded>
    </section>
  )
}
