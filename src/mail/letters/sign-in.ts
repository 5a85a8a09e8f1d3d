// Letters about signing in: the link, and the notice that a provider was linked.
import { timeText } from '../../base/time-text.ts'
import { type Letter, letterOf } from '../letter.ts'

export interface SignInLetter {
  readonly url: string
  readonly baseUrl: string
  readonly minutes: number
  readonly askedAtMs: number
  /** The network address and, in words, the browser of the request. */
  readonly address: string
  readonly browser: string
  /** The link creates the account, because none has this address. */
  readonly isNew: boolean
}

export function signInLetter(about: SignInLetter): Letter {
  const { baseUrl, minutes } = about
  const place = new URL(baseUrl).host
  const what = about.isNew ? `create an account at ${place} and sign in` : `sign in to ${place}`
  return letterOf({
    subject: `Your link to sign in to ${place}`,
    paragraphs: [
      `Somebody, hopefully you, asked for a link to ${what} with this e-mail address.`,
      `It works once, for ${minutes} minutes, in any browser. A newer link replaces it.`,
    ],
    button: { label: about.isNew ? 'Create the account' : 'Sign in', url: about.url },
    footer: [
      `It was requested on ${timeText(about.askedAtMs)} from ${about.address} with ${about.browser}.`,
      'If you did not ask, ignore this letter: nobody can sign in without it.',
    ],
  })
}

interface IdentityLinked {
  /** The name of the provider, as people know it. */
  readonly label: string
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly atMs: number
}

/** Tells the owner of an account that an OpenID provider can sign in to it from now on. */
export function identityLinkedLetter({ label, baseUrl, atMs }: IdentityLinked): Letter {
  return letterOf({
    subject: `Your account was linked with ${label}`,
    paragraphs: [
      `On ${timeText(atMs)}, somebody signed in to your account at ${baseUrl} with ${label}, for the first time.`,
      `${label} confirmed your e-mail address. From now on, signing in there signs you in here.`,
    ],
    footer: [
      `You get this letter because of your account at ${baseUrl}.`,
      'If that was not you, contact the operator of the service.',
    ],
  })
}
