// Sights: what is kept of a monitor, of all its results together or of those from one place.

import type { Clock } from '../../base/clock.ts'
import { invalidParameter, notFound } from '../../base/fault.ts'
import type { MonitorId } from '../../base/ids.ts'
import type { TimeWindow } from '../../domain/health/time-window.ts'
import type { UptimeTimes } from '../../domain/health/uptime.ts'
import { home } from '../../domain/locations/choice.ts'
import { hasVote, type PlaceId, placedId, placeOfPlaced } from '../../domain/locations/place.ts'
import { isHeardAt } from '../../domain/locations/vote.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { initialMonitorState, type MonitorState } from '../../domain/monitors/monitor-state.ts'
import { leftOutAtPlaces, leftOutOf } from '../../store/left-out.ts'
import { createLatencyReader } from '../../store/monitor-latencies.ts'
import { createUptimeReader } from '../../store/monitor-uptime.ts'
import type { Store } from '../../store/store.ts'
import type { OrgScope } from '../context.ts'

/** Readers of what is kept of monitors by their own ids, or by ids that name a place as well. */
type HistoryReaders = ReturnType<typeof createHistoryReaders>

/** From where results are asked for; undefined: all together. */
export interface OfPlace {
  readonly place?: PlaceId | undefined
}

export interface MonitorSight extends OfPlace {
  readonly monitor: Monitor
  /** The monitor with the id that the readers know it by. */
  readonly kept: Monitor
  readonly state: MonitorState
  /** False: the place looks no more, or has been silent for long. */
  readonly isHeard: boolean
  readonly readers: HistoryReaders
}

function createHistoryReaders(
  tables: Pick<Store, 'checks' | 'hours' | 'days'>,
  { store, clock, leftOut = leftOutOf(store) }: Parameters<typeof createUptimeReader>[0],
) {
  const { meta, windows } = store
  const { hours, days, checks } = tables
  return {
    checks,
    hours,
    days,
    leftOut,
    uptimes: createUptimeReader({ store: { hours, days, meta, windows }, clock, leftOut }),
    latencies: createLatencyReader(tables),
  }
}

export type Sights = ReturnType<typeof createSights>

export function createSights({ store, clock }: { readonly store: Store; readonly clock: Clock }) {
  const leftOut = leftOutAtPlaces(leftOutOf(store))
  const readers = createHistoryReaders(store, { store, clock })
  const placedReaders = createHistoryReaders(store.placed, { store, clock, leftOut })

  function placed(monitor: Monitor, place: PlaceId): MonitorSight {
    const id = placedId(monitor.id, place)
    const state =
      store.placed.monitorStates.recall(monitor.orgId, id) ??
      initialMonitorState(monitor.createdAtMs)
    const isHeard =
      monitor.locations.includes(place) && isHeardAt(monitor, state.lastAtMs, clock.nowMs())
    return { monitor, kept: { ...monitor, id }, state, isHeard, readers: placedReaders, place }
  }

  function all(monitor: Monitor): MonitorSight {
    const { orgId, id, createdAtMs } = monitor
    const state = store.monitorStates.recall(orgId, id) ?? initialMonitorState(createdAtMs)
    return { monitor, kept: monitor, state, isHeard: true, readers, place: undefined }
  }

  return {
    all,
    placed,

    /** The places that ever had a result of the monitor. */
    placesOf: ({ orgId, id }: Monitor): PlaceId[] =>
      store.placed.idsOf(orgId, id).map(placeOfPlaced),

    /**
     * All results together, or those from one place, which may be a former one of the monitor. Throws
     * not_found, invalid_parameter.
     */
    find(
      { orgId }: Pick<OrgScope, 'orgId'>,
      monitorId: MonitorId,
      place: PlaceId | undefined,
    ): MonitorSight {
      const monitor = store.monitors.get(orgId, monitorId)
      if (!monitor) throw notFound('monitor')
      if (place === undefined) return all(monitor)
      const isKnown = store.placed.monitorStates.recall(orgId, placedId(monitorId, place))
      if (isKnown || monitor.locations.includes(place)) return placed(monitor, place)
      const isHomeAlone = !hasVote(monitor) && store.placed.idsOf(orgId, monitorId).length === 0
      if (place === home && isHomeAlone) return all(monitor)
      throw invalidParameter(
        'location',
        'reference',
        'is no place that this monitor was checked from',
      )
    },
  }
}

/** The time since a place was heard last is unknown. */
export function uptimeOfSight(
  { readers, kept, state, isHeard }: MonitorSight,
  window: TimeWindow,
): UptimeTimes {
  return readers.uptimes.of(kept, saidState({ state, isHeard }), window)
}

/** The state since the last result: at a place that is not heard it is unknown. */
export function saidState({
  state,
  isHeard,
}: Pick<MonitorSight, 'state' | 'isHeard'>): MonitorState {
  return isHeard ? state : { ...state, lastVerdict: 'unknown' }
}
