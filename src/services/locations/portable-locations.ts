// Exports and imports locations, by name and description. Their probes stay: no document has a token.
import { limits } from '../../domain/limits/limits.ts'
import type { Location } from '../../domain/locations/location.ts'
import type { Core } from '../core.ts'
import type { Portable, WithId } from '../portable.ts'
import { locationNamed, type NewLocation, nameTaken, newLocation } from './locations.ts'

type LocationItem = NewLocation & WithId

export function portableLocations({ store, clock }: Core): Portable<LocationItem, Location> {
  return {
    async export(orgId) {
      const locations = store.locations.list(orgId, limits.quotaMax).toReversed()
      return locations.map(({ id, name, description }) => ({
        item: { id, name, description },
        secrets: [],
      }))
    },
    /** One that is there already under this name takes the place of that of the document. */
    prepare({ id, ...input }, orgId, references) {
      const location = locationNamed(store, orgId, input.name)
      return references.note(id, location ?? newLocation(orgId, input, clock.nowMs()))
    },
    countNew: (orgId, locations) =>
      locations.filter(({ id }) => !store.locations.readable(orgId, id)).length,
    put(tx, orgId, locations, pointer) {
      for (const [index, location] of locations.entries()) {
        const named = locationNamed(store, orgId, location.name)
        if (named && named.id !== location.id) throw nameTaken(`${pointer}/${index}/name`)
        if (!named) store.locations.put(tx, location)
      }
    },
  }
}
