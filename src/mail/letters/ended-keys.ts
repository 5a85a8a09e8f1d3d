// The letter that tells owners of API keys that ended with the person who made them.
import type { Language } from '../../texts/languages.ts'
import { textsOf } from '../../texts/texts.ts'
import { type Letter, letterOf } from '../letter.ts'

export interface EndedKeys {
  readonly organizationName: string
  /** At least one. */
  readonly keys: readonly { readonly name: string; readonly prefix: string }[]
  readonly language: Language
}

/** Keys that one letter names; it counts the others. */
const keysNamedMax = 20

export function endedKeysLetter({ organizationName, keys, language }: EndedKeys): Letter {
  const { why, keys: words } = textsOf('letters', language)
  const { named, pair, ended } = words
  const names = keys.slice(0, keysNamedMax).map(({ name, prefix }) => named({ name, prefix }))
  const more = keys.length - names.length
  const list = [...names, ...(more > 0 ? [words.more({ count: more })] : [])].reduce(
    (before, after) => pair({ before, after }),
  )
  const [first] = keys
  const organization = organizationName
  const isOne = keys.length === 1
  return letterOf({
    language,
    subject: isOne
      ? ended.subject({ name: first?.name ?? '' })
      : ended.subjectMany({ count: keys.length, organization }),
    paragraphs: [
      isOne
        ? ended.text({ key: list, organization })
        : ended.textMany({ keys: list, organization }),
      ended.adopt,
    ],
    footer: [why.own],
  })
}
