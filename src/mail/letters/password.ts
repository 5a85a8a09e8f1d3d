// Letters about passwords: the link to choose a new one, and the notice of a change.
import { browserInWords } from '../../domain/sign-in/browser.ts'
import { type Letter, letterOf } from '../letter.ts'

export interface PasswordResetLetter {
  readonly url: string
  /** The network address of the request. */
  readonly address: string
  readonly userAgent: string
}

export function passwordReset({ url, address, userAgent }: PasswordResetLetter): Letter {
  return letterOf({
    subject: 'Choose a new password',
    paragraphs: ['Somebody asked for a new password for the account with this e-mail address.'],
    button: { label: 'Choose a new password', url },
    footer: [
      'The link works once, for one hour. Only the newest one works.',
      `Requested from ${address} with ${browserInWords(userAgent)}.`,
      'If this was not you, ignore this letter: your password stays as it is.',
    ],
  })
}

export interface PasswordChangedLetter {
  /** `reset`: by a mailed link; `change`: by somebody who knew the old one. */
  readonly how: 'reset' | 'change'
  /** They still sign in. */
  readonly hasPasskeys: boolean
  readonly address: string
  readonly userAgent: string
}

export function passwordChanged(letter: PasswordChangedLetter): Letter {
  const { how, hasPasskeys, address, userAgent } = letter
  const passkeys = 'Your passkeys still sign in. Remove any that you do not know in your profile.'
  const way = how === 'reset' ? 'with a link from a letter' : 'by somebody who was signed in'
  return letterOf({
    subject: 'Your password was changed',
    paragraphs: [
      `The password of your account was changed ${way}.`,
      'All other sessions were ended: sign in again where you need to.',
      ...(hasPasskeys ? [passkeys] : []),
    ],
    footer: [
      `Done from ${address} with ${browserInWords(userAgent)}.`,
      'If this was not you, ask for a new password at once, and check the sessions of your account.',
    ],
  })
}
