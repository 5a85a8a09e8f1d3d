// The places of a decision, in the form of the API and the event stream.

import * as s from '../../base/schema/schema.ts'
import { limits } from '../../domain/limits/limits.ts'
import { home } from '../../domain/locations/choice.ts'
import { placeStates } from '../../domain/locations/vote.ts'

const PlaceOut = s.object({
  location: s.described(s.anyText, `The id of a location, or \`${home}\`.`),
  name: s.nullable(s.anyText, 'Its name then; null: home, unless `checks.homeName` names it.'),
  state: s.described(
    s.oneOf(placeStates),
    '`silent`: nothing was heard of it for long, or it could not look; `pending`: it had not looked yet.',
  ),
  error: s.nullable(s.anyText, 'Why its newest check failed; null if it did not.'),
})

/** In the order of the monitor. */
export const PlacesOut = s.listOf(PlaceOut, limits.placesMax)
