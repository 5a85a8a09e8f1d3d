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

/** Providers whose sign people know, by a word in their address or in what the operator calls them. */
export const knownProviders = [
  ...['apple', 'atlassian', 'auth0', 'authelia', 'authentik', 'bitbucket', 'discord', 'forgejo'],
  ...['gitea', 'github', 'gitlab', 'google', 'keycloak', 'nextcloud', 'okta', 'ory'],
] as const
type KnownProvider = (typeof knownProviders)[number]

/** The paths of issuers that are the same at every installation of a product. */
const issuerPaths: readonly (readonly [path: RegExp, product: KnownProvider])[] = [
  [/\/realms\/[^/]+\/?$/, 'keycloak'],
  [/\/application\/o\/[^/]+\/?$/, 'authentik'],
]

/** Whose sign stands beside the button of a provider; undefined where none is known. */
export function providerBrand(
  client: Pick<OidcClient, 'name' | 'label' | 'issuer'>,
): KnownProvider | undefined {
  const { hostname, pathname } = new URL(client.issuer)
  const words = `${hostname} ${client.name} ${client.label}`.toLowerCase().split(/[^a-z0-9]+/)
  const named = knownProviders.find((brand) => words.includes(brand))
  return named ?? issuerPaths.find(([path]) => path.test(pathname))?.[1]
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
