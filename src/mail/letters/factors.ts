// Letters about the second factor: it was turned on or off, or a recovery code was used.
import { timeText } from '../../base/time-text.ts'
import { type Letter, letterOf } from '../letter.ts'

interface FactorNotice {
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly atMs: number
}

/** Announces that sign-ins require a code from now on. */
export function factorOnLetter(place: FactorNotice): Letter {
  return letterOf({
    subject: 'The second factor is on',
    paragraphs: [
      `On ${timeText(place.atMs)}, a second factor was turned on for your account at ${place.baseUrl}.`,
      'Signing in now requires a code from your authenticator app. Keep the recovery codes in a safe ' +
        'place: each of them works once, instead of a code.',
    ],
    footer: footer(place),
  })
}

/** Announces that sign-ins no longer require a code. */
export function factorOffLetter(place: FactorNotice & { readonly by: 'you' | 'operator' }): Letter {
  const who = place.by === 'you' ? '' : ' by the operator of the service'
  return letterOf({
    subject: 'The second factor is off',
    paragraphs: [
      `On ${timeText(place.atMs)}, the second factor of your account at ${place.baseUrl} was turned off${who}.`,
      'Signing in no longer requires a code, and your recovery codes no longer work.',
    ],
    footer: footer(place),
  })
}

/** A recovery code was used; `left` remain. */
export function recoveryUsedLetter(place: FactorNotice & { readonly left: number }): Letter {
  const { left } = place
  const rest = left === 1 ? '1 recovery code is left.' : `${left} recovery codes are left.`
  const advice = 'Turn the second factor off and on again to get new ones.'
  return letterOf({
    subject: 'A recovery code was used',
    paragraphs: [
      `On ${timeText(place.atMs)}, a recovery code was used for your account at ${place.baseUrl}. It cannot be used again.`,
      left < 3 ? `${rest} ${advice}` : rest,
    ],
    footer: footer(place),
  })
}

function footer({ baseUrl }: FactorNotice): string[] {
  return [
    `You get this letter because of your account at ${baseUrl}.`,
    'If that was not you, change your password and end your other sessions now.',
  ]
}
