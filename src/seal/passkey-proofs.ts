// What passkeys sign, verified. The library is loaded with the first passkey: most starts need none.
import { type PasskeySite, passkeyAlgorithms } from '../domain/sign-in/passkey.ts'

/** What a browser answers when it made a passkey, all base64url. */
export interface CreatedCredential {
  readonly id: string
  readonly response: {
    readonly clientDataJSON: string
    readonly attestationObject: string
  }
}

/** What a browser answers when it used one, all base64url. */
export interface UsedCredential {
  readonly id: string
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
    readonly userHandle?: string | null | undefined
  }
}

interface Expected extends PasskeySite {
  readonly challenge: string
}

export interface VerifiedPasskey {
  readonly credentialId: string
  readonly publicKey: string
  readonly counter: number
  readonly isSynced: boolean
}

/** The new passkey; undefined if anything about it is wrong, or it did not check who the person is. */
export async function verifiedCreation(
  { id, response }: CreatedCredential,
  { challenge, origin, rpId }: Expected,
): Promise<VerifiedPasskey | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    // Certificates of makers are not asked for. The library would fetch what they name as revoked.
    const attestation = Buffer.from(response.attestationObject, 'base64url')
    const statement = decodeAttestationObject(new Uint8Array(attestation))
    const isPlain = ['none', 'packed'].includes(statement.get('fmt'))
    if (!isPlain || statement.get('attStmt').get('x5c') !== undefined) return undefined
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...whole(id), response },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...passkeyAlgorithms],
    })
    if (!verified) return undefined
    const { credential, credentialBackedUp } = registrationInfo
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      isSynced: credentialBackedUp,
    }
  } catch {
    // The library throws for every defect of what a stranger sent.
    return undefined
  }
}

/** The new counter; undefined if anything is wrong, or the passkey did not check who the person is. */
export async function verifiedUse(
  { id, response }: UsedCredential,
  passkey: Pick<VerifiedPasskey, 'credentialId' | 'publicKey' | 'counter'>,
  { challenge, origin, rpId }: Expected,
): Promise<Pick<VerifiedPasskey, 'counter' | 'isSynced'> | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { clientDataJSON, authenticatorData, signature } = response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...whole(id), response: { clientDataJSON, authenticatorData, signature } },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        counter: passkey.counter,
      },
    })
    if (!verified) return undefined
    const { newCounter, credentialBackedUp } = authenticationInfo
    return { counter: newCounter, isSynced: credentialBackedUp }
  } catch {
    return undefined
  }
}

const whole = (id: string) => ({
  id,
  rawId: id,
  type: 'public-key' as const,
  clientExtensionResults: {},
})
