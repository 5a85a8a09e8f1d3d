// A place that a monitor is checked from: here, or a location. What is kept of it there has a key of its own.
import type { LocationId, MonitorId } from '../../base/ids.ts'
import { home } from './choice.ts'

/** A place that a monitor is checked from. */
export type PlaceId = typeof home | LocationId

interface PlacedByIds {
  readonly locations: readonly PlaceId[]
}

const separator = '@'

/** The key of what is kept of a monitor at a place, where other tables have the monitor's id. */
export function placedId(monitorId: MonitorId, place: PlaceId): MonitorId {
  return `${monitorId}${separator}${place}` as MonitorId
}

/** The monitor of such a key; an id without a place is its own. */
export function monitorOfPlaced(id: MonitorId): MonitorId {
  return id.split(separator, 1)[0] as MonitorId
}

/** The place of such a key. */
export function placeOfPlaced(id: MonitorId): PlaceId {
  // What `placedId` joined.
  return id.slice(id.indexOf(separator) + separator.length) as PlaceId
}

/** All keys of a monitor are between these two. */
export function placedBounds(monitorId: MonitorId): readonly [from: string, until: string] {
  // Sorts after every place.
  return [`${monitorId}${separator}`, `${monitorId}${separator}~`]
}

/** The places of a monitor where remote probes stand. */
export function placesElsewhere({ locations }: PlacedByIds): LocationId[] {
  return locations.filter((place): place is LocationId => place !== home)
}

/** Whether the daemon itself checks a monitor: it has no place, or home is one of them. */
export function isCheckedHere({ locations }: PlacedByIds): boolean {
  return locations.length === 0 || locations.includes(home)
}

/** Whether a monitor is checked from elsewhere, so that its locations vote. */
export function hasVote({ locations }: PlacedByIds): boolean {
  return locations.length > 0
}
