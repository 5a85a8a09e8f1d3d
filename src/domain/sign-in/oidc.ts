// Sign-in through an OpenID provider: its configuration, and what it reports about a person.

/** A provider as the operator configured it. */
export interface OidcClient {
  /** Part of URLs: lower-case letters, digits and hyphens. */
  readonly name: string
  /** The label of the button. */
  readonly label: string
  /** Exactly as the provider writes it. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Separated by spaces; includes `openid`. */
  readonly scopes: string
}

/** What a provider vouched for. The subject has a meaning only together with the issuer. */
export interface OidcPerson {
  readonly issuer: string
  readonly subject: string
  readonly email: string | null
  /** The provider states that the address belongs to the person; anything but true counts as no. */
  readonly isEmailVerified: boolean
  readonly name: string | null
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether the URL leads to this machine, so that plain HTTP cannot be overheard. */
export function isLoopbackUrl(url: URL): boolean {
  return loopback.test(url.hostname)
}
