// Letters about addresses: to prove one, and about a change of it, before and after.
import { type Letter, letterOf } from '../letter.ts'

interface Move {
  readonly from: string
  readonly to: string
}

/** To the new address: the link proves that the person reads it. */
export function addressToConfirm({ from, to, url }: Move & { readonly url: string }): Letter {
  return letterOf({
    subject: 'Confirm your new e-mail address',
    paragraphs: [
      `The account of ${from} asked to use ${to} from now on.`,
      'Confirm that this address is yours.',
    ],
    button: { label: 'Review the change', url },
    footer: [
      'The link works once, for 24 hours.',
      'If you did not expect this, ignore this letter: nothing changes.',
    ],
  })
}

/** To the old address: its holder agrees, or reports that somebody else asked. */
export function addressChangeAsked({ from, to, url }: Move & { readonly url: string }): Letter {
  return letterOf({
    subject: 'Your e-mail address is about to change',
    paragraphs: [
      `Somebody who is signed in to the account of ${from} asked to use ${to} from now on.`,
      'Open the link to agree, or to say that this was not you.',
    ],
    button: { label: 'Agree or refuse', url },
    footer: [
      'The link works once, for 24 hours.',
      'If this was not you, refuse, and then choose a new password: somebody else uses your account.',
    ],
  })
}

/** To an address that was requested but already belongs to an account. */
export function addressAlreadyHasAccount({ from, to }: Move): Letter {
  return letterOf({
    subject: 'This e-mail address already has an account',
    paragraphs: [
      `The account of ${from} asked to use ${to} from now on.`,
      'An account with this address already exists, so the change cannot be made.',
    ],
    footer: [
      'If both accounts are yours, sign in to the one that has this address.',
      'If you did not expect this, ignore this letter: nothing changes.',
    ],
  })
}

/** To the old address: the last letter it receives. */
export function addressChanged({ from, to }: Move): Letter {
  return letterOf({
    subject: 'Your e-mail address was changed',
    paragraphs: [`Your account now uses ${to} instead of ${from}.`],
    footer: ['If this was not you, contact the operator of this service.'],
  })
}

/** To the address of a new account: opening its link shows that the person reads mail there. */
export function addressToVerify({ url }: { readonly url: string }): Letter {
  return letterOf({
    subject: 'Confirm your e-mail address',
    paragraphs: [
      'An account was created with this e-mail address. Please confirm that the address is yours.',
    ],
    button: { label: 'Confirm the address', url },
    footer: [
      'The link works once, for 24 hours.',
      'If you created no account, ignore this letter: the address stays unconfirmed.',
    ],
  })
}
