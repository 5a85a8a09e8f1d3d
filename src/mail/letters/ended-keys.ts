// The letter that tells owners of API keys that ended with the person who made them.
import { type Letter, letterOf } from '../letter.ts'

export interface EndedKeys {
  readonly organizationName: string
  readonly keys: readonly { readonly name: string; readonly prefix: string }[]
}

export function endedKeysLetter({ organizationName, keys }: EndedKeys): Letter {
  const names = keys.map(({ name, prefix }) => `“${name}” (${prefix}…)`)
  const isOne = names.length === 1
  return letterOf({
    subject: isOne
      ? `API key “${keys[0]?.name}” has ended`
      : `${names.length} API keys of “${organizationName}” have ended`,
    paragraphs: [
      isOne
        ? `The API key ${names[0]} of “${organizationName}” has ended with the membership or the ` +
          'account of the person who made it. Requests that use it are refused.'
        : `These API keys of “${organizationName}” have ended with the membership or the account ` +
          `of the person who made them: ${names.join(', ')}. Requests that use them are refused.`,
      'An owner can adopt a key that is still needed: it works again at once. Revoke the others.',
    ],
    footer: ['You get this letter because you own the organization.'],
  })
}
