// The letter that tells owners of API keys that ended with the person who made them.
import { type Letter, letterOf } from '../letter.ts'

export interface EndedKeys {
  readonly organizationName: string
  readonly keys: readonly { readonly name: string; readonly prefix: string }[]
}

/** Keys that one letter names; it counts the others. */
const keysNamedMax = 20

export function endedKeysLetter({ organizationName, keys }: EndedKeys): Letter {
  const [first] = keys
  const isOne = keys.length === 1
  const named = keys.slice(0, keysNamedMax).map(({ name, prefix }) => `“${name}” (${prefix}…)`)
  const more = keys.length - named.length
  const list = [...named, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
  const what = isOne ? `The API key ${list}` : 'API keys'
  return letterOf({
    subject: isOne
      ? `API key “${first?.name}” has ended`
      : `${keys.length} API keys of “${organizationName}” have ended`,
    paragraphs: [
      `${what} of “${organizationName}” ended with the membership or the account of the person ` +
        `who made ${isOne ? 'it' : `them: ${list}`}. Requests that use ${isOne ? 'it' : 'them'} ` +
        'are refused.',
      'An owner can adopt a key that is still needed: it works again at once. Otherwise revoke it.',
    ],
    footer: ['You get this letter because you own the organization.'],
  })
}
