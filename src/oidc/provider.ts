// One OpenID provider: builds the redirect to it and redeems its code (code flow with PKCE).
import * as client from 'openid-client'
import { clip } from '../base/clip.ts'
import type { Clock } from '../base/clock.ts'
import { limits } from '../domain/limits/limits.ts'
import {
  isLoopbackUrl,
  type OidcClient,
  type OidcPerson,
  providerBrand,
} from '../domain/sign-in/oidc.ts'

/** Ties a sign-in to the browser that started it. The browser sees only the state. */
export interface OidcSecrets {
  readonly state: string
  readonly nonce: string
  /** PKCE: the provider knows only its hash until the code is redeemed. */
  readonly verifier: string
}

/**
 * `unavailable`: the provider fails or rejects our client; the operator must act. `refused`: the
 * provider did not let the person in, or its response failed a check.
 */
export class OidcProblem extends Error {
  override readonly name = 'OidcProblem'
  readonly kind: 'unavailable' | 'refused'

  constructor(kind: 'unavailable' | 'refused', message: string, cause: unknown) {
    super(message, { cause })
    this.kind = kind
  }
}

export function createOidcSecrets(): OidcSecrets {
  return {
    state: client.randomState(),
    nonce: client.randomNonce(),
    verifier: client.randomPKCECodeVerifier(),
  }
}

export type OidcProvider = ReturnType<typeof createOidcProvider>

export function createOidcProvider(settings: OidcClient, clock: Clock) {
  const metadata = createMetadata(settings, clock)

  return {
    name: settings.name,
    label: settings.label,
    brand: providerBrand(settings),

    /** The URL to send the browser to. Throws OidcProblem('unavailable'). */
    async authorizationUrl(redirectUri: string, secrets: OidcSecrets): Promise<string> {
      const { state, nonce, verifier } = secrets
      const configuration = await metadata()
      return client.buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: settings.scopes,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href
    },

    /**
     * Redeems the code in `callbackUrl`. Checks signature, issuer, audience, times and nonce of the
     * ID token. Throws OidcProblem.
     */
    async redeem(callbackUrl: URL, { state, nonce, verifier }: OidcSecrets): Promise<OidcPerson> {
      const configuration = await metadata()
      try {
        const tokens = await client.authorizationCodeGrant(configuration, callbackUrl, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw new Error('there is no ID token')
        const { iss, sub } = claims
        const hasInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
        // Many providers return the address only there.
        const info =
          claims.email === undefined && hasInfo
            ? await client.fetchUserInfo(configuration, tokens.access_token, sub)
            : {}
        return personOf(iss, sub, { ...claims, ...info })
      } catch (error) {
        throw problemOf(error)
      }
    },
  }
}

export const oidcMetadataMs = 3_600_000

/** The provider's metadata, loaded on demand and cached for a while. */
function createMetadata(settings: OidcClient, clock: Clock) {
  let known: { readonly configuration: client.Configuration; readonly atMs: number } | undefined
  let asking: Promise<client.Configuration> | undefined

  async function ask(): Promise<client.Configuration> {
    try {
      const configuration = await discover(settings)
      known = { configuration, atMs: clock.monoMs() }
      return configuration
    } catch (error) {
      // Metadata that worked an hour ago mostly still works.
      if (known) return known.configuration
      throw new OidcProblem('unavailable', `discovery: ${reasonOf(error)}`, error)
    } finally {
      asking = undefined
    }
  }

  return (): Promise<client.Configuration> => {
    if (known && clock.monoMs() - known.atMs < oidcMetadataMs) {
      return Promise.resolve(known.configuration)
    }
    // All waiting sign-ins share one request.
    asking ??= ask()
    return asking
  }
}

const oidcRequestMsMax = 10_000

function discover({ issuer, clientId, clientSecret }: OidcClient): Promise<client.Configuration> {
  const url = new URL(issuer)
  // The ID token of a code arrives over TLS, so checking its signature is optional; this checks it.
  const execute = [client.enableNonRepudiationChecks]
  if (url.protocol === 'http:' && isLoopbackUrl(url)) execute.push(client.allowInsecureRequests)
  return client.discovery(url, clientId, clientSecret, authentication(clientSecret), {
    execute,
    [client.customFetch]: boundedFetch,
    timeout: oidcRequestMsMax / 1_000,
  })
}

/** The client authentication method that the provider supports, or the default if it lists none. */
function authentication(secret: string): client.ClientAuth {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported
    const isBasic = methods === undefined || methods.includes('client_secret_basic')
    return isBasic ? basic(server, ...rest) : post(server, ...rest)
  }
}

type Claims = Readonly<Record<string, unknown>>

function personOf(issuer: string, subject: string, claims: Claims): OidcPerson {
  const { email, name } = claims
  return {
    issuer,
    subject,
    email: typeof email === 'string' && isAddress(email) ? email : null,
    isEmailVerified: claims.email_verified === true,
    name: typeof name === 'string' ? clip(name, limits.nameCharsMax) : null,
  }
}

/** Whether the text has the form of an address; the provider vouches that it is the person's. */
function isAddress(text: string): boolean {
  return text.length <= limits.emailCharsMax && /^[\x21-\x7e]+$/.test(text) && mailbox.test(text)
}

const mailbox = /^[^@<>,;:"()[\]\\]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i

/** The library's error codes for responses that failed a check. */
const disbelieved: ReadonlySet<unknown> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
])

function problemOf(error: unknown): OidcProblem {
  const isRefused =
    error instanceof client.AuthorizationResponseError ||
    (error instanceof client.ResponseBodyError && error.error === 'invalid_grant') ||
    (error instanceof client.ClientError && disbelieved.has(error.code))
  return new OidcProblem(isRefused ? 'refused' : 'unavailable', reasonOf(error), error)
}

/** The reason for the log; the library's messages contain no secrets, its causes do. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error instanceof client.WWWAuthenticateChallengeError) {
    return `${error.status}: it rejects our client id and secret, or its own token`
  }
  const isAnswer =
    error instanceof client.AuthorizationResponseError || error instanceof client.ResponseBodyError
  const description = isAnswer ? `${error.error} ${error.error_description ?? ''}` : error.message
  const deeper = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  return clip(description.trim() + deeper, limits.errorMessageCharsMax)
}

interface FetchOptions {
  readonly body?: RequestInit['body'] | undefined
  readonly headers: Record<string, string>
  readonly method: string
  readonly redirect: 'manual'
  readonly signal?: AbortSignal | undefined
}

/** Fetches and reads the whole response. Rejects if it exceeds the bound or the signal aborts. */
export async function boundedFetch(url: string, options: FetchOptions): Promise<Response> {
  const { body = null, signal = null, ...rest } = options
  const response = await fetch(url, { ...rest, body, signal })
  const { status, statusText, headers } = response
  const bytes = await bytesOf(response)
  return new Response(bytes.length === 0 ? null : bytes, { status, statusText, headers })
}

export const oidcResponseBytesMax = 256 * 1024

async function bytesOf(response: Response): Promise<Buffer<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > oidcResponseBytesMax) {
      throw new Error(`an answer of more than ${oidcResponseBytesMax} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
