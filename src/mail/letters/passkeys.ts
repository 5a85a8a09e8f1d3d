// Letters about passkeys: one was added or removed, or all were removed by the operator.
import { timeText } from '../../base/time-text.ts'
import { type Letter, letterOf } from '../letter.ts'

interface PasskeyNotice {
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly atMs: number
  /** How the person called it. */
  readonly name: string
}

/** Announces a further way to sign in. */
export function passkeyAddedLetter({ baseUrl, atMs, name }: PasskeyNotice): Letter {
  return letterOf({
    subject: 'A passkey was added',
    paragraphs: [
      `On ${timeText(atMs)}, the passkey “${name}” was added to your account at ${baseUrl}.`,
      'It signs you in without a password and without a code.',
    ],
    footer: footer(baseUrl),
  })
}

/** Announces that a passkey no longer works. */
export function passkeyRemovedLetter({ baseUrl, atMs, name }: PasskeyNotice): Letter {
  return letterOf({
    subject: 'A passkey was removed',
    paragraphs: [
      `On ${timeText(atMs)}, the passkey “${name}” was removed from your account at ${baseUrl}.`,
      'It no longer signs in.',
    ],
    footer: footer(baseUrl),
  })
}

/** Announces that no passkey works any more. */
export function passkeysResetLetter({ baseUrl, atMs }: Omit<PasskeyNotice, 'name'>): Letter {
  return letterOf({
    subject: 'Your passkeys were removed',
    paragraphs: [
      `On ${timeText(atMs)}, the passkeys of your account at ${baseUrl} were removed by the operator of the service.`,
      'Sign in with your password, and add new ones in your profile.',
    ],
    footer: footer(baseUrl),
  })
}

function footer(baseUrl: string): string[] {
  return [
    `You get this letter because of your account at ${baseUrl}.`,
    'If that was not you, change your password, end your other sessions and remove passkeys that are not yours now.',
  ]
}
