// Tells the owner of an account that an OpenID provider can sign in to it from now on.
import { type Letter, letterOf } from '../letter.ts'

export interface IdentityLinked {
  /** The name of the provider, as people know it. */
  readonly label: string
  /** The public address of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly atMs: number
}

export function identityLinkedLetter({ label, baseUrl, atMs }: IdentityLinked): Letter {
  const time = new Date(atMs).toISOString().slice(0, 16).replace('T', ' ')
  return letterOf({
    subject: `Your account was linked with ${label}`,
    paragraphs: [
      `At ${time} UTC somebody signed in to your account at ${baseUrl} with ${label}, for the first time.`,
      `${label} confirmed your e-mail address. From now on, signing in there signs you in here.`,
    ],
    footer: [
      `You get this letter because of your account at ${baseUrl}.`,
      'If that was not you, contact the operator of the service.',
    ],
  })
}
