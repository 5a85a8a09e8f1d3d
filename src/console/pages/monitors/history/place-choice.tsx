// Of which place results are shown: of one, or of all together.
import type { Signal } from '@preact/signals'
import type { Data } from '../../../api/client.ts'
import { useData } from '../../../api/resource.ts'
import { orgId } from '../../../stores/session.ts'
import { words } from '../../../words/words.ts'
import { hasPlaces, placeName } from './seen-place.ts'

export interface PlaceChoiceProps {
  readonly monitor: Pick<Data<'monitors.get'>, 'id' | 'locations'>
  /** The empty text: all of them together. */
  readonly chosen: Signal<string>
}

/** Nothing where the service alone looks. */
export function PlaceChoice(props: PlaceChoiceProps) {
  return hasPlaces(props.monitor) && <PlacesToChoose {...props} />
}

function PlacesToChoose({ monitor: { id, locations }, chosen }: PlaceChoiceProps) {
  const texts = words.value.monitor.places
  const path = { orgId: orgId(), monitorId: id }
  const places = useData('monitors.locations', { path }, [locations?.join()]).value.value?.places
  return (
    <select
      aria-label={texts.from}
      value={chosen.value}
      onChange={({ currentTarget: { value } }) => (chosen.value = value)}
    >
      <option value="">{texts.allPlaces}</option>
      {places?.map((place) => (
        <option key={place.location} value={place.location}>
          {placeName(place)}
        </option>
      ))}
    </select>
  )
}
