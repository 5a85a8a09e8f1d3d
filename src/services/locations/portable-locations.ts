// Exports and imports locations, by name and description. Their probes stay: no document has a token.
import type { LocationId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Location } from '../../domain/locations/location.ts'
import type { Core } from '../core.ts'
import { type Portable, type WithId, withFields } from '../portable.ts'
import { createRecords } from '../records.ts'
import { locationNamed, type NewLocation, nameTaken, newLocation } from './locations.ts'

type LocationItem = NewLocation & WithId

export function portableLocations(core: Core): Portable<LocationItem, Location> {
  const { store, clock } = core
  const records = createRecords(core, 'locations', store.locations)
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
      const named = locationNamed(store, orgId, input.name)
      const location = newLocation(orgId, input, clock.nowMs())
      return references.note(id, named ? { ...location, id: named.id } : location)
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
    again: {
      find: (orgId, id) => store.locations.readable(orgId, id as LocationId),
      fixed: ['name'],
      merged: withFields,
      replace(tx, scope, stored, merged, fields) {
        records.replace(tx, scope, stored, merged, { fields })
        return undefined
      },
    },
  }
}
