// What the locations of a monitor say of it, in one sentence: `Fails from Frankfurt and Paris, works from
// Oslo.` The same in alerts, on pages, in the API and in the console.
import type { Texts } from './generated/texts.d.ts'
import { marksOf } from './marks.ts'

export interface NamedPlace {
  /** Null: where the service itself runs, which nobody has named. */
  readonly name: string | null
  readonly state: string
}

/** By the state of a place, the text that names all places of that state. */
const clauses = [
  ['down', 'fails'],
  ['degraded', 'slow'],
  ['up', 'works'],
  ['silent', 'silent'],
] as const

/** For a locale of Intl, with the texts of its language; null if it works from everywhere. */
export function placesSentence(
  places: readonly NamedPlace[],
  words: Texts['places'],
  tag: string,
): string | null {
  if (!places.some(isFailing)) return null
  const { joined, firstNames } = joinedClauses(places, words, tag)
  // A name stays as it is written.
  const isNameFirst = joined.startsWith(firstNames)
  const first = joined.charAt(0)
  const start = isNameFirst ? first : first.toLocaleUpperCase(tag)
  return start + joined.slice(1) + marksOf(new Intl.Locale(tag).language).stop
}

/** Such as `fails from Frankfurt`, to stand beside other words; empty if it works from everywhere. */
export const failingWords = (places: readonly NamedPlace[], words: Texts['places'], tag: string) =>
  joinedClauses(places.filter(isFailing), words, tag).joined

const isFailing = ({ state }: NamedPlace) => state === 'down' || state === 'degraded'

function joinedClauses(places: readonly NamedPlace[], words: Texts['places'], tag: string) {
  const isArabic = new Intl.Locale(tag).language === 'ar'
  const list = new Intl.ListFormat(tag, { type: 'conjunction' })
  // Else names in Latin letters take the Arabic words between them along, and are read in another order.
  const shown = (name: string) => (isArabic ? `\u2068${name}\u2069` : name)
  const said = clauses.flatMap(([state, text]) => {
    const names = places.filter((one) => one.state === state).map(({ name }) => name ?? words.here)
    return names.length === 0 ? [] : [{ text, names: list.format(names.map(shown)) }]
  })
  const joined = said
    .map(({ text, names }) => words[text]({ places: names }))
    .reduce((before, more) => (before === '' ? more : words.and({ said: before, more })), '')
  return { joined, firstNames: said[0]?.names ?? '' }
}
