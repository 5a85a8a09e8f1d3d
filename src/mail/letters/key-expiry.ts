// The letter that warns of an API key that is about to expire.
import { timeText } from '../../base/time-text.ts'
import { type Letter, letterOf } from '../letter.ts'

export interface EndingKey {
  readonly organizationName: string
  readonly keyName: string
  /** The first characters, by which people recognize the key. */
  readonly prefix: string
  readonly expiresAtMs: number
  /** How many days are left, rounded up. */
  readonly daysLeft: number
  /** Requests are refused already, because it ended with its maker. */
  readonly isRefused: boolean
}

export function keyExpiryLetter(key: EndingKey): Letter {
  const { organizationName, keyName, prefix, expiresAtMs, daysLeft, isRefused } = key
  const days = daysLeft === 1 ? 'one day' : `${daysLeft} days`
  return letterOf({
    subject: `API key “${keyName}” ends in ${days}`,
    paragraphs: [
      `The API key “${keyName}” (${prefix}…) of “${organizationName}” ends in ${days}, ` +
        `on ${timeText(expiresAtMs)}.${isRefused ? '' : ' Requests that use it after that are refused.'}`,
      isRefused
        ? 'Requests that use it are refused even now, because it ended with the person who made it. ' +
          'If it is still needed, an owner can adopt it.'
        : 'Rotate it before then: the new key works at once, and the old one for another day.',
    ],
    footer: [
      'You get this letter because you created the key, or because you own the organization.',
    ],
  })
}
