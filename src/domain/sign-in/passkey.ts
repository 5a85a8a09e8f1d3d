// Passkeys: where browsers allow them, and what a browser is asked for (WebAuthn, level 3).
import ipaddr from 'ipaddr.js'
import type { PasskeyId, UserId } from '../../base/ids.ts'

export interface Passkey {
  readonly id: PasskeyId
  readonly userId: UserId
  /** The browser's id of it, base64url. */
  readonly credentialId: string
  /** COSE, base64url. */
  readonly publicKey: string
  /** How often it was used, as it says; 0 for those that do not count. */
  readonly counter: number
  readonly transports: readonly string[]
  readonly name: string
  /** A copy is kept elsewhere, as by a password manager. */
  readonly isSynced: boolean
  readonly createdAtMs: number
  readonly lastUsedAtMs: number | null
}

/** The site that passkeys belong to. */
export interface PasskeySite {
  readonly rpId: string
  readonly origin: string
}

export const passkeyStates = ['possible', 'needs_https', 'needs_name'] as const
/** Whether browsers allow passkeys at an address: it has to have a name, and https unless it is local. */
export type PasskeyState = (typeof passkeyStates)[number]

export function passkeyState(baseUrl: string): PasskeyState {
  const { protocol, hostname } = new URL(baseUrl)
  if (ipaddr.isValid(hostname.replace(/^\[|\]$/g, ''))) return 'needs_name'
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || isLocal ? 'possible' : 'needs_https'
}

export function passkeySite(baseUrl: string): PasskeySite {
  const { hostname, origin } = new URL(baseUrl)
  return { rpId: hostname, origin }
}

/** What a passkey keeps of its person: no name and no address. */
export function userHandleOf(userId: UserId): string {
  return Buffer.from(userId).toString('base64url')
}

/** How long a browser asks the person; the challenge lasts as long. */
interface Challenge {
  readonly challenge: string
  readonly timeoutMs: number
}

/** EdDSA, ES256 and RS256, in the order of preference. */
export const passkeyAlgorithms = [-8, -7, -257] as const

const described = ({ credentialId, transports }: Passkey) => ({
  id: credentialId,
  type: 'public-key' as const,
  transports,
})

/** What a browser needs to make one. It must be found without a name, and check who the person is. */
export function creationOptions(
  site: PasskeySite,
  { challenge, timeoutMs }: Challenge,
  about: {
    readonly userId: UserId
    readonly email: string
    readonly name: string | null
    readonly known: readonly Passkey[]
  },
) {
  const { userId, email, name, known } = about
  return {
    rp: { id: site.rpId, name: 'stillup' },
    user: { id: userHandleOf(userId), name: email, displayName: name ?? email },
    challenge,
    pubKeyCredParams: passkeyAlgorithms.map((alg) => ({ type: 'public-key' as const, alg })),
    timeout: timeoutMs,
    attestation: 'none' as const,
    excludeCredentials: known.map(described),
    authenticatorSelection: {
      residentKey: 'required' as const,
      requireResidentKey: true,
      userVerification: 'required' as const,
    },
  }
}

/** What a browser needs to use one: any of the site, or one of these. */
export function requestOptions(
  { rpId }: PasskeySite,
  { challenge, timeoutMs }: Challenge,
  allowed: readonly Passkey[] = [],
) {
  return {
    challenge,
    rpId,
    timeout: timeoutMs,
    userVerification: 'required' as const,
    allowCredentials: allowed.map(described),
  }
}
