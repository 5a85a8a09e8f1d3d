// Of which place results are shown: of one, or of all together.
import type { Signal } from '@preact/signals'
import { type Data, fetchData } from '../../../api/client.ts'
import { useResource } from '../../../api/resource.ts'
import { orgId } from '../../../stores/session.ts'
import { words } from '../../../words/words.ts'
import { hasPlaces, placeName, type SeenPlace } from './seen-place.ts'

/** None where the service alone looks. */
export function usePlaces(
  monitor: Pick<Data<'monitors.get'>, 'id' | 'locations'>,
): readonly SeenPlace[] {
  const path = { orgId: orgId(), monitorId: monitor.id }
  const isVoted = hasPlaces(monitor)
  const seen = useResource(
    async (signal) => (isVoted ? fetchData('monitors.locations', { path, signal }) : undefined),
    [monitor.id],
    [monitor.locations?.join()],
  )
  return seen.value.value?.places ?? []
}

export interface PlaceChoiceProps {
  readonly places: readonly SeenPlace[]
  /** The empty text: all of them together. */
  readonly chosen: Signal<string>
}

export function PlaceChoice({ places, chosen }: PlaceChoiceProps) {
  const texts = words.value.monitor.places
  if (places.length === 0) return null
  return (
    <select
      aria-label={texts.from}
      value={chosen.value}
      onChange={({ currentTarget: { value } }) => (chosen.value = value)}
    >
      <option value="">{texts.allPlaces}</option>
      {places.map((place) => (
        <option key={place.location} value={place.location}>
          {placeName(place)}
        </option>
      ))}
    </select>
  )
}
