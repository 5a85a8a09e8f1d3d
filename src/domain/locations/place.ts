// A place that a monitor is checked from: here, or a location. What is kept of it there has a key of its own.
import type { LocationId, MonitorId } from '../../base/ids.ts'

/** Where the daemon itself runs. */
export const home = 'home'

/** A place that a monitor is checked from. */
export type PlaceId = typeof home | LocationId

const separator = '@'

/** The key of what is kept of a monitor at a place, where other tables have the monitor's id. */
export function placedId(monitorId: MonitorId, place: PlaceId): MonitorId {
  return `${monitorId}${separator}${place}` as MonitorId
}

/** The monitor of such a key; an id without a place is its own. */
export function monitorOfPlaced(id: MonitorId): MonitorId {
  return id.split(separator, 1)[0] as MonitorId
}

/** All keys of a monitor are between these two. */
export function placedBounds(monitorId: MonitorId): readonly [from: string, until: string] {
  // Sorts after every place.
  return [`${monitorId}${separator}`, `${monitorId}${separator}~`]
}

/** Whether a monitor is checked from elsewhere, so that its locations vote. */
export function hasVote({ locations }: { readonly locations: readonly PlaceId[] }): boolean {
  return locations.length > 0
}
