// The names of the places that monitors are checked from.

import type { OrgId } from '../base/ids.ts'
import { home } from '../domain/locations/choice.ts'
import { sharedOwner } from '../domain/locations/location.ts'
import type { PlaceId } from '../domain/locations/place.ts'
import type { PlaceStory } from '../domain/locations/vote.ts'
import type { Store } from './store.ts'

/** The name of a place for an organization; undefined if nobody has named it, or it is gone. */
export type PlaceNameOf = (orgId: OrgId, place: PlaceId) => string | undefined

export function placeNames(
  { locations }: Pick<Store, 'locations'>,
  homeName: () => string | null,
): PlaceNameOf {
  return (orgId, place) => {
    if (place === home) return homeName() ?? undefined
    const location = locations.readable(orgId, place) ?? locations.readable(sharedOwner, place)
    return location?.name
  }
}

/** What places saw, under their present names. */
export const namedStories = (
  placeName: PlaceNameOf,
  orgId: OrgId,
  places: readonly PlaceStory[],
): PlaceStory[] =>
  places.map((story) => {
    const name = placeName(orgId, story.place)
    return name === undefined ? story : { ...story, name }
  })
