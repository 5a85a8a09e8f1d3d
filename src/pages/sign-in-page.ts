// The pages of signing in: of a link, with one button, because mail scanners open links too; for
// a code; and why a sign-in failed.

import { timeText } from '../base/time-text.ts'
import { limits } from '../domain/limits/limits.ts'
import { browserInWords } from '../domain/sign-in/browser.ts'
import { type ActionInput, actionPage, signInLink } from './action-page.ts'
import type { Html } from './html.ts'

/** What the page shows about a working link. */
export interface SignInPage {
  readonly email: string
  /** No account has this address yet: the button creates it. */
  readonly isNew: boolean
  readonly askedAtMs: number
  readonly address: string
  readonly userAgent: string
  /** The page is opened from another network or browser than the link was requested from. */
  readonly isElsewhere: boolean
  /** The account has a second factor. */
  readonly needsCode: boolean
  /** The origin of another site that the sign-in leads to; null for this service. */
  readonly leadsTo: string | null
  /** For how many days a device can be remembered; 0: none can. */
  readonly trustDays: number
}

export interface SignInForm {
  /** The path that the form is posted to. */
  readonly action: string
  readonly token: string
  /** Why the form is shown again. */
  readonly problem?: string | undefined
}

export function signInPage(about: SignInPage, { action, token, problem }: SignInForm): Html {
  const { email, isNew, leadsTo } = about
  const doubt =
    'The link was requested from another network or another browser. That is fine if it was you, ' +
    'on another device. If you did not request it, close this page.'
  return actionPage({
    isOfService: true,
    title: isNew ? 'Create your account' : 'Sign in',
    warning: problem ?? (about.isElsewhere ? doubt : undefined),
    sentences: [
      isNew ? `This creates an account for ${email} and signs you in.` : `You sign in as ${email}.`,
      askedFor(about),
      ...(leadsTo === null ? [] : [`Then you continue to ${leadsTo}.`]),
    ],
    form: {
      action,
      hidden: { token },
      inputs: about.needsCode ? codeInputs(about.trustDays) : [],
      button: isNew ? 'Create the account' : 'Sign in',
    },
  })
}

/** The page for a link that was used, was replaced or has expired, and for all other failed sign-ins. */
export function deadLinkPage(problem?: string): Html {
  return actionPage({
    isOfService: true,
    title: 'This link no longer works',
    warning: problem,
    sentences: ['A link works once, for a few minutes. Only the newest one works.'],
    links: [{ label: 'Request a new one', href: '/sign-in' }],
  })
}

function askedFor({ askedAtMs, address, userAgent }: SignInPage): string {
  const browser = browserInWords(userAgent)
  return `The link was requested on ${timeText(askedAtMs)} from ${address} with ${browser}.`
}

const codeInput: ActionInput = {
  name: 'totp',
  label: 'Code of your authenticator app',
  type: 'text',
  autocomplete: 'one-time-code',
  charsMax: limits.totpCharsMax,
  hint: 'Or one of your recovery codes.',
}

/** The code, and whether this device is asked for one again. */
function codeInputs(trustDays: number): readonly ActionInput[] {
  if (trustDays === 0) return [codeInput]
  const days = trustDays === 1 ? '1 day' : `${trustDays} days`
  const label = `Do not ask for a code on this device for ${days}`
  return [
    codeInput,
    { name: 'isRemembered', label, type: 'checkbox', autocomplete: 'off', charsMax: 0 },
  ]
}

interface CodePage {
  /** The path that the form is posted to. */
  readonly action: string
  /** For how many days this device can be remembered; 0: it cannot. */
  readonly trustDays: number
  /** Why the form is shown again. */
  readonly problem?: string | undefined
}

/** The password was right, or the provider let the person in; now comes the second factor. */
export function codePage({ action, problem, trustDays }: CodePage): Html {
  return actionPage({
    isOfService: true,
    title: 'Sign in',
    warning: problem,
    sentences: ['Enter the code that your authenticator app shows.'],
    form: { action, hidden: {}, inputs: codeInputs(trustDays), button: 'Sign in' },
    links: [{ label: 'Sign in as somebody else', href: '/sign-in' }],
  })
}

/** `problem` is one or more sentences. */
export function notSignedInPage(problem: string): Html {
  return actionPage({
    isOfService: true,
    title: 'You are not signed in',
    sentences: [problem],
    links: [signInLink],
  })
}
