// From where a monitor fails that is up all the same, because its other locations see it working.
import { createPlaces } from '../../actors/monitor/places.ts'
import { type FailingFrom, shownPlace } from '../../domain/locations/shown-places.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { leftOutOf } from '../../store/left-out.ts'
import { namedStories, type PlaceNameOf } from '../../store/place-names.ts'
import type { Core } from '../core.ts'

/**
 * From where a monitor that is up fails; null if it works from everywhere, or has no locations. `isRecalled`: it is
 * likely to be asked again.
 */
export type FailingFromOf = (monitor: Monitor, isRecalled?: boolean) => FailingFrom | null

export function createFailingFrom(
  { store, clock }: Pick<Core, 'store' | 'clock'>,
  placeName: PlaceNameOf,
): FailingFromOf {
  const { groundsOf } = createPlaces({ store, leftOut: leftOutOf(store) })
  return (monitor, isRecalled) => {
    const grounds = groundsOf(monitor, clock.nowMs(), isRecalled)
    if (!grounds) return null
    const { voting, places } = grounds
    const failing = places.filter(({ state }) => state === 'down' || state === 'degraded').length
    if (failing === 0) return null
    const named = namedStories(placeName, monitor.orgId, places)
    return { failing, of: voting, places: named.map(shownPlace) }
  }
}
