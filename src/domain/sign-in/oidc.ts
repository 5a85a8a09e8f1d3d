// Sign-in through an OpenID provider: whom the operator trusts, and what came back about a person.

/** A provider as the operator set it up. */
export interface OidcClient {
  /** Part of addresses: lower-case letters, digits and hyphens. */
  readonly name: string
  /** What people read on the button. */
  readonly label: string
  /** Exactly as the provider spells it. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** With blanks between; `openid` is one of them. */
  readonly scopes: string
}

/** What a provider vouched for. The subject means nothing without the issuer. */
export interface OidcPerson {
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  /** The provider says that the address belongs to the person; anything but a plain yes is no. */
  readonly isEmailVerified: boolean
  readonly name: string | null
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether an address stays on this machine, where nobody can listen on the way. */
export function isLoopbackUrl(url: URL): boolean {
  return loopback.test(url.hostname)
}
