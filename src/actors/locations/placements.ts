// Placements: which monitor is checked from which location, who is asked to look now, and which monitors
// no place has anything to say of.

import type { Clock } from '../../base/clock.ts'
import type { LocationId, MonitorId } from '../../base/ids.ts'
import { home } from '../../domain/locations/choice.ts'
import {
  hasVote,
  isCheckedHere,
  type PlaceId,
  placesElsewhere,
} from '../../domain/locations/place.ts'
import { votesForMs } from '../../domain/locations/vote.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'

/** A check that a location is asked for, at once. */
export interface PlacedAsk {
  /** Larger than that of every earlier one. */
  readonly askId: number
  readonly monitorId: MonitorId
  /** Later it is of no use any more. */
  readonly untilMs: number
}

interface PlacedMonitor {
  readonly monitor: Monitor
  /** When a place said something of it, by the monotonic clock. */
  heardMonoMs: number
  /** Its silence was noticed. */
  isSilent: boolean
}

/** `isAsk`: its monitors are the same as before. */
type PlacementListener = (locationId: LocationId, isAsk: boolean) => void

export interface PlacementsDeps {
  readonly clock: Clock
  /** Nothing was heard of the monitor from any of its places for long. */
  readonly onSilent: (monitor: Monitor) => void
}

const askKeptMs = 30_000
const silenceLookMs = 10_000

export type Placements = ReturnType<typeof createPlacements>

export function createPlacements({ clock, onSilent }: PlacementsDeps) {
  const placed = new Map<MonitorId, PlacedMonitor>()
  const byLocation = new Map<LocationId, Map<MonitorId, Monitor>>()
  /** Oldest first. While much fails, there are as many as monitors. */
  const asks = new Map<LocationId, Map<MonitorId, PlacedAsk>>()
  const listeners: PlacementListener[] = []
  /** How many of them the daemon itself does not check: counted, because each check may ask. */
  let apart = 0
  let lastAskId = 0
  let timer: unknown

  function tell(locationIds: Iterable<LocationId>, isAsk = false): void {
    for (const locationId of locationIds) {
      for (const listener of listeners) listener(locationId, isAsk)
    }
  }

  function leave(monitorId: MonitorId): readonly LocationId[] {
    const before = placed.get(monitorId)
    if (!before) return []
    placed.delete(monitorId)
    if (!isCheckedHere(before.monitor)) apart -= 1
    const left = placesElsewhere(before.monitor)
    for (const locationId of left) {
      const monitors = byLocation.get(locationId)
      monitors?.delete(monitorId)
      if (monitors?.size === 0) byLocation.delete(locationId)
    }
    return left
  }

  function lookForSilence(): void {
    const nowMs = clock.monoMs()
    for (const one of placed.values()) {
      if (one.isSilent || nowMs - one.heardMonoMs <= votesForMs(one.monitor)) continue
      one.isSilent = true
      onSilent(one.monitor)
    }
    timer = placed.size > 0 ? clock.setTimeout(lookForSilence, silenceLookMs) : undefined
  }

  function ask(monitorId: MonitorId, locationId: LocationId): void {
    const nowMs = clock.nowMs()
    const open = asks.get(locationId) ?? new Map<MonitorId, PlacedAsk>()
    for (const [id, { untilMs }] of open) {
      if (untilMs > nowMs) break
      open.delete(id)
    }
    // The newest one comes last.
    open.delete(monitorId)
    lastAskId += 1
    open.set(monitorId, { askId: lastAskId, monitorId, untilMs: nowMs + askKeptMs })
    asks.set(locationId, open)
    tell([locationId], true)
  }

  return {
    /** The monitor runs, or was changed. One that is only checked from home is not kept here. */
    start(monitor: Monitor): void {
      const changed = new Set(leave(monitor.id))
      if (hasVote(monitor)) {
        placed.set(monitor.id, { monitor, heardMonoMs: clock.monoMs(), isSilent: false })
        if (!isCheckedHere(monitor)) apart += 1
        for (const locationId of placesElsewhere(monitor)) {
          const monitors = byLocation.get(locationId) ?? new Map<MonitorId, Monitor>()
          byLocation.set(locationId, monitors.set(monitor.id, monitor))
          changed.add(locationId)
        }
        timer ??= clock.setTimeout(lookForSilence, silenceLookMs)
      }
      tell(changed)
    },

    stop: (monitorId: MonitorId): void => tell(leave(monitorId)),

    monitor: (monitorId: MonitorId): Monitor | undefined => placed.get(monitorId)?.monitor,

    monitors: (): Monitor[] => [...placed.values()].map(({ monitor }) => monitor),

    /** How many monitors only others check. */
    apart: () => apart,

    /** The monitors that a location checks. */
    at: (locationId: LocationId): ReadonlyMap<MonitorId, Monitor> =>
      byLocation.get(locationId) ?? new Map(),

    /** Called with each location whose monitors change, or which is asked to look now. */
    listen: (listener: PlacementListener): number => listeners.push(listener),

    /** All places of a monitor but one look now. Returns whether home is one of them. */
    askOthers(monitor: Monitor, except: PlaceId | null): boolean {
      for (const locationId of placesElsewhere(monitor)) {
        if (locationId !== except) ask(monitor.id, locationId)
      }
      return except !== home && monitor.locations.includes(home)
    },

    /** What a location is asked for, oldest first. */
    asked: (locationId: LocationId): readonly PlacedAsk[] => {
      const nowMs = clock.nowMs()
      const open = asks.get(locationId)?.values() ?? []
      return [...open].filter(({ untilMs }) => untilMs > nowMs)
    },

    /** A place said something of the monitor, so it need not be asked any more. */
    heard(monitorId: MonitorId, place: PlaceId): void {
      const one = placed.get(monitorId)
      if (!one) return
      one.heardMonoMs = clock.monoMs()
      one.isSilent = false
      if (place !== home) asks.get(place)?.delete(monitorId)
    },

    close(): void {
      clock.clearTimeout(timer)
      timer = undefined
      placed.clear()
      apart = 0
    },
  }
}
