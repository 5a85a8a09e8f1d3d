// The API of the places of a monitor: what each sees.
import * as s from '../../../base/schema/schema.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { placeStates } from '../../../domain/locations/vote.ts'
import type { MonitorPlace } from '../../../services/checks/monitor-places.ts'
import { get, resource } from '../../routing/route.ts'
import { DownWhenIn, Place } from './monitor-input-schemas.ts'
import { ErrorOut, uptimeOut } from './monitor-schemas.ts'

const PlaceOut = s.object({
  location: s.described(Place, 'The id of the location, or `home`.'),
  name: s.nullable(
    s.anyText,
    'Its name. Null of a location that is gone, and of `home` unless `checks.homeName` names it.',
  ),
  isShared: s.described(s.flag, 'Whether the operator shares the location with all organizations.'),
  state: s.described(
    s.oneOf(placeStates),
    'What it has confirmed, with the thresholds of the monitor. `pending`: nothing yet. `silent`: nothing ' +
      'was heard of it for long, or it could not look; it has no vote.',
  ),
  stateSince: s.nullable(s.isoTime, 'Null before its first result.'),
  lastCheckAt: s.nullable(s.isoTime),
  responseTimeMs: s.nullable(s.anyNumber, 'Of its last result.'),
  error: s.nullable(ErrorOut, 'Why its last check failed; null if it did not.'),
  uptime: uptimeOut,
})

const PlacesOut = s.object({
  vote: s.nullable(
    s.object({
      downWhen: DownWhenIn,
      needed: s.described(s.anyNumber, 'So many must see it down now, before it is.'),
      voting: s.described(s.anyNumber, 'So many have something to say now.'),
    }),
    'Null of a monitor that only this service checks.',
  ),
  places: s.described(
    s.listOf(PlaceOut, limits.placesMax),
    'In the order of `locations` of the monitor; empty if only this service checks it.',
  ),
})

function placeToWire({ place, sinceMs, lastAtMs, ...shown }: MonitorPlace) {
  return {
    location: place,
    ...shown,
    stateSince: s.toIsoOrNull(sinceMs),
    lastCheckAt: s.toIsoOrNull(lastAtMs),
  }
}

export const monitorPlaces = resource('/orgs/:orgId/monitors', {
  locations: get('/:monitorId/locations', {
    who: { role: 'viewer' },
    out: PlacesOut,
    summary: 'What each place sees that checks a monitor, and how they vote',
  }).handledBy((call, { monitorPlaces }) => {
    const { places, vote } = monitorPlaces.list(call.scope, call.params.monitorId)
    return { vote, places: places.map(placeToWire) }
  }),
})
