// What each place sees that checks a monitor; nothing if only the service itself does.
import { useData } from '../../api/resource.ts'
import { usePoll } from '../../parts/page/poll.ts'
import { Said } from '../../parts/text/said.tsx'
import { SeenFrom } from '../../parts/text/seen-from.tsx'
import { StateMark } from '../../parts/text/state-mark.tsx'
import { milliseconds, percent } from '../../parts/text/time.tsx'
import { orgId } from '../../stores/session.ts'
import { words } from '../../words/words.ts'
import { placeName, type SeenPlace } from './history/seen-place.ts'
import { Since } from './since.tsx'

export interface MonitorPlacesProps {
  readonly monitorId: string
  /** Changes when there are new results. */
  readonly version: string
}

const lookMs = 10_000

export function MonitorPlaces({ monitorId, version }: MonitorPlacesProps) {
  const path = { orgId: orgId(), monitorId }
  const resource = useData('monitors.locations', { path }, [version])
  usePoll(true, resource.reload, lookMs)
  const { monitor: texts, locations } = words.value
  const shown = resource.value.value
  if (!shown?.vote) return null
  const { places, vote } = shown
  return (
    <section class="card">
      <h2>{locations.title}</h2>
      <SeenFrom places={places} />
      <table class="log">
        <thead>
          <tr>
            <th>{texts.places.place}</th>
            <th>{texts.places.sees}</th>
            <th>{texts.responseTime}</th>
            <th>{texts.uptimes['24h']}</th>
            <th>{texts.uptimes['30d']}</th>
          </tr>
        </thead>
        <tbody>
          {places.map((place) => (
            <PlaceRow key={place.location} place={place} />
          ))}
        </tbody>
      </table>
      <p class="faint">{texts.places.vote(vote)}</p>
    </section>
  )
}

function PlaceRow({ place }: { readonly place: SeenPlace }) {
  const { state, stateSince, responseTimeMs, error, isShared, uptime } = place
  const { locations } = words.value
  return (
    <tr>
      <td>
        <bdi>{placeName(place)}</bdi>
        {isShared && <span class="tag">{locations.shared}</span>}
      </td>
      <td>
        {state === 'silent' ? (
          <span class="state is-none">{locations.states.silent}</span>
        ) : (
          <StateMark state={state} />
        )}{' '}
        {stateSince !== null && <Since at={stateSince} />}
        {error && (
          <div class="faint">
            <Said text={error.message} />
          </div>
        )}
      </td>
      <td class="figure">{responseTimeMs !== null && milliseconds(responseTimeMs)}</td>
      <td class="figure">{uptime['24h'] !== null && percent(uptime['24h'])}</td>
      <td class="figure">{uptime['30d'] !== null && percent(uptime['30d'])}</td>
    </tr>
  )
}
