// The places of a monitor: what each sees now, and has seen.

import { createPlaces } from '../../actors/monitor/places.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import type { ReadingError } from '../../domain/checks/reading.ts'
import { askedWindow, isWindow } from '../../domain/health/time-window.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type DownWhen, home } from '../../domain/locations/choice.ts'
import { type Location, sharedOwner } from '../../domain/locations/location.ts'
import type { PlaceId } from '../../domain/locations/place.ts'
import type { PlaceGrounds, PlaceStory } from '../../domain/locations/vote.ts'
import { leftOutOf } from '../../store/left-out.ts'
import type { PlaceNameOf } from '../../store/place-names.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import type { Uptime } from './readings.ts'
import { createSights, type MonitorSight, uptimeOfSight } from './sights.ts'

export interface MonitorPlace extends Pick<PlaceStory, 'place' | 'state'> {
  /** Null of a location that was deleted, and of home if nobody has named it. */
  readonly name: string | null
  readonly isShared: boolean
  /** Since when it sees that, or was not heard; null before its first result. */
  readonly sinceMs: number | null
  readonly lastAtMs: number | null
  readonly responseTimeMs: number | null
  /** Why its newest check failed. */
  readonly error: ReadingError | null
  readonly uptime: Uptime
}

export interface MonitorPlaces {
  readonly places: readonly MonitorPlace[]
  /** Null of a monitor that is checked from here alone. */
  readonly vote: (Pick<PlaceGrounds, 'needed' | 'voting'> & { readonly downWhen: DownWhen }) | null
}

export function createMonitorPlaces(
  { store, clock }: Pick<Core, 'store' | 'clock'>,
  placeName: PlaceNameOf,
) {
  const sights = createSights({ store, clock })
  const { groundsOf } = createPlaces({ store, leftOut: leftOutOf(store) })

  function locationOf(orgId: OrgId, place: PlaceId): Location | undefined {
    if (place === home) return undefined
    const { readable } = store.locations
    return readable(sharedOwner, place) ?? readable(orgId, place)
  }

  function uptimeOf(sight: MonitorSight): Uptime {
    const within = (name: keyof Uptime): number | null => {
      const window = askedWindow({ window: name }, clock.nowMs())
      if (!isWindow(window)) return null
      const { countedMs, ratio } = uptimeOfSight(sight, window)
      return countedMs < limits.uptimeCountedMsMin ? null : ratio
    }
    return { '24h': within('24h'), '7d': within('7d'), '30d': within('30d'), '90d': within('90d') }
  }

  return {
    /** What each present place of the monitor sees, in its order. Throws not_found. */
    list(scope: OrgScope, monitorId: MonitorId): MonitorPlaces {
      const { monitor } = sights.find(scope, monitorId, undefined)
      const grounds = groundsOf(monitor, clock.nowMs())
      if (!grounds) return { places: [], vote: null }
      const { needed, voting } = grounds
      const places = grounds.places.map(({ place, state, sinceMs, error = null }) => {
        const sight = sights.placed(monitor, place)
        const { lastAtMs, responseTimeMs } = sight.state
        const location = locationOf(monitor.orgId, place)
        return {
          ...{ place, state, lastAtMs, responseTimeMs, error },
          name: placeName(monitor.orgId, place) ?? null,
          isShared: location?.orgId === sharedOwner,
          sinceMs: state === 'silent' ? lastAtMs : sinceMs || null,
          uptime: uptimeOf(sight),
        }
      })
      return { places, vote: { downWhen: monitor.downWhen, needed, voting } }
    },
  }
}
