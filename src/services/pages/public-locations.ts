// The locations of monitors for status pages: what each sees, and how long its checks take.
import { createPlaces } from '../../actors/monitor/places.ts'
import { placedId } from '../../domain/locations/place.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { StatusPage } from '../../domain/pages/page.ts'
import type { SeenLocation } from '../../pages/view/public-view.ts'
import { leftOutOf } from '../../store/left-out.ts'
import type { PlaceNameOf } from '../../store/place-names.ts'
import type { Store } from '../../store/store.ts'
import { createNewestResponseTimes } from '../checks/newest-response-times.ts'

export function createPublicLocations(store: Store, placeName: PlaceNameOf) {
  const { groundsOf } = createPlaces({ store, leftOut: leftOutOf(store) })
  const newestResponseTimes = createNewestResponseTimes(store.placed)

  /** All places of a monitor that has several, also those without a name; none where the page shows none. */
  return (page: StatusPage, monitor: Monitor, nowMs: number): SeenLocation[] => {
    if (!page.showLocations || monitor.locations.length < 2) return []
    const { places = [] } = groundsOf(monitor, nowMs) ?? {}
    return places.map(({ place, state }) => {
      const kept = { ...monitor, id: placedId(monitor.id, place) }
      const placed = store.placed.monitorStates.recall(monitor.orgId, kept.id)
      const times = page.showResponseTimes && placed && newestResponseTimes(kept, placed, nowMs)
      return {
        name: placeName(monitor.orgId, place) ?? null,
        state: state === 'silent' || state === 'pending' ? null : state,
        p50Ms: times ? times.p50Ms : null,
      }
    })
  }
}
