// Pages that links in letters about e-mail addresses open. Opening one changes nothing; its button
// does, because mail scanners open links too.
import { actionPage, startLink } from './action-page.ts'
import type { Html } from './html.ts'

interface FormTarget {
  /** The path that the form is posted to. */
  readonly action: string
  readonly token: string
}

export function verifyEmailPage({ email, action, token }: FormTarget & { readonly email: string }) {
  return actionPage({
    title: 'Confirm your e-mail address',
    sentences: [`This confirms that ${email} is yours.`],
    form: { action, hidden: { token }, button: 'Confirm' },
  })
}

export interface ChangeEmailPage extends FormTarget {
  readonly from: string
  readonly to: string
  /** The mailbox that the link was sent to. */
  readonly side: 'old' | 'new'
}

export function changeEmailPage({ from, to, side, action, token }: ChangeEmailPage): Html {
  const ofOld =
    'If this was not you, refuse: nothing changes, and every session of the account ends.'
  return actionPage({
    title: 'Change of e-mail address',
    sentences: [
      `The account of ${from} will use ${to} from now on.`,
      side === 'old' ? ofOld : 'Confirm only if this address is yours.',
    ],
    form: {
      action,
      hidden: { token },
      button: side === 'old' ? 'Agree' : 'Confirm',
      otherButton: { label: 'Refuse', name: 'answer', value: 'refuse' },
    },
  })
}

const outcomes = {
  verified: ['Your address is confirmed', 'You can close this page.'],
  changed: ['The address was changed', 'The account uses the new address from now on.'],
  waiting: ['Thank you', 'The address changes once the other address has confirmed as well.'],
  refused: ['Nothing was changed', 'If somebody else uses your account, choose a new password.'],
} as const

export type EmailOutcome = keyof typeof outcomes
export const emailOutcomes = Object.keys(outcomes) as EmailOutcome[]

export function emailDonePage(outcome: EmailOutcome): Html {
  const [title, sentence] = outcomes[outcome]
  return actionPage({ title, sentences: [sentence], links: [startLink] })
}

/** The page for a link that was used, was replaced, has expired or fails for another reason. */
export function deadEmailLinkPage(problem?: string): Html {
  return actionPage({
    title: 'This link no longer works',
    warning: problem,
    sentences: ['A link works once, for 24 hours. Only the newest one works.'],
  })
}
