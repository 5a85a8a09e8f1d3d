// The way to a target that gave no answer: the routers in between, and where packets ended.
import type { Data } from '../../../api/client.ts'
import { milliseconds } from '../../../parts/text/time.tsx'
import { words } from '../../../words/words.ts'

type Failure = NonNullable<Data<'monitors.latest'>['failure']>
type Way = NonNullable<Failure['traceroute']>

export function Traceroute({ of: { ageSeconds, hops } }: { readonly of: Way }) {
  const texts = words.value.monitor.traceroute
  return (
    <details open>
      <summary>{texts.title}</summary>
      {ageSeconds > 0 && <p class="faint">{texts.earlier({ seconds: ageSeconds })}</p>}
      {hops.length === 0 ? <p>{texts.none}</p> : <Hops hops={hops} />}
    </details>
  )
}

function Hops({ hops }: Pick<Way, 'hops'>) {
  const texts = words.value.monitor.traceroute
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{texts.hop}</th>
          <th scope="col">{texts.address}</th>
          <th scope="col">{texts.time}</th>
          <td />
        </tr>
      </thead>
      <tbody>
        {hops.map(({ outcome, address, isPrivate, roundTripMs }, place) => (
          <tr key={place}>
            <th scope="row" class="figure">
              {place + 1}
            </th>
            <td>{isPrivate ? texts.isPrivate : <code>{address}</code>}</td>
            <td class="figure">{roundTripMs !== null && milliseconds(roundTripMs)}</td>
            <td class={outcome === 'refused' ? 'is-down' : 'faint'}>
              {outcome !== 'passed' && texts.outcomes[outcome]}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
