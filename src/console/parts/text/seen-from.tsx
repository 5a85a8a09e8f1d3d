// From where a monitor fails and from where it works, as its locations say; nothing without a vote.
import { type NamedPlace, placesSentence } from '../../../texts/place-words.ts'
import { locale, words } from '../../words/words.ts'

export function SeenFrom({
  places,
}: {
  readonly places: readonly NamedPlace[] | null | undefined
}) {
  const sentence = placesSentence(places ?? [], words.value.places, locale.value)
  return sentence === null ? null : <p>{sentence}</p>
}
