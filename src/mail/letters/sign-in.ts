// The letter with a sign-in link: who requested it, from where, and how long it works.
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
  const at = new Date(about.askedAtMs).toISOString().slice(0, 16).replace('T', ' ')
  const what = about.isNew ? `create an account at ${place} and sign in` : `sign in to ${place}`
  return letterOf({
    subject: `Your link to sign in to ${place}`,
    paragraphs: [
      `Somebody, hopefully you, asked for a link to ${what} with this e-mail address.`,
      `It works once, for ${minutes} minutes, in any browser. A newer link replaces it.`,
    ],
    button: { label: about.isNew ? 'Create the account' : 'Sign in', url: about.url },
    footer: [
      `It was requested on ${at} UTC from ${about.address} with ${about.browser}.`,
      'If you did not ask, ignore this letter: nobody can sign in without it.',
    ],
  })
}
