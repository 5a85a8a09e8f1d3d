// The places that check a monitor, as the API has them.
import { home } from '../../../../domain/locations/choice.ts'
import type { Data } from '../../../api/client.ts'
import { words } from '../../../words/words.ts'

export type SeenPlace = Data<'monitors.locations'>['places'][number]

/** Whether it is checked from elsewhere, too: some kinds never are. */
export const hasPlaces = ({ locations }: Pick<Data<'monitors.get'>, 'locations'>) =>
  locations !== undefined && locations.length > 0

/** The name of a place for people; a location that was deleted has none. */
export function placeName({ location, name }: Pick<SeenPlace, 'location' | 'name'>): string {
  const texts = words.value.monitor.places
  return name ?? (location === home ? texts.home : texts.gone)
}
