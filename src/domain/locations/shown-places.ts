// The places of a decision as people and programs see them.

import { type Language, localeTag } from '../../texts/languages.ts'
import { placesSentence } from '../../texts/place-words.ts'
import { textsOf } from '../../texts/texts.ts'
import { home } from './choice.ts'
import type { PlaceId } from './place.ts'
import type { PlaceStory } from './vote.ts'

/** What a place saw, under its name of that time. */
export interface ShownPlace {
  readonly location: PlaceId
  /** Null: home, which nobody has named. */
  readonly name: string | null
  readonly state: PlaceStory['state']
  /** Why its newest check failed; null if it did not. */
  readonly error: string | null
}

/** From where a monitor fails that is up: from fewer places than it takes. */
export interface FailingFrom {
  readonly failing: number
  /** So many of its places had something to say. */
  readonly of: number
  readonly places: readonly ShownPlace[]
}

export function shownPlace({ place, name, state, error }: PlaceStory): ShownPlace {
  const named = name ?? (place === home ? null : place)
  return { location: place, name: named, state, error: error?.message ?? null }
}

/** `Fails from Frankfurt and Paris, works from Oslo.` Null if it works from everywhere. */
export function placesIn(
  language: Language,
  places: readonly Pick<ShownPlace, 'name' | 'state'>[],
): string | null {
  return placesSentence(places, textsOf('places', language), localeTag(language))
}
