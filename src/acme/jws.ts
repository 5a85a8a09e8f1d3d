// Signs requests to a certificate authority (JWS with ES256, RFC 7515), and names the key that does.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto'

/** A new private key on P-256, in PEM. */
export function mintKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** The key of an account, ready to sign. */
export interface AccountKey {
  readonly jwk: Readonly<Record<string, string>>
  /** The SHA-256 of the public key that the answers to challenges contain (RFC 7638). */
  readonly thumbprint: string
  /** The body of a request. `payload` null: a request that only reads. */
  signed(protectedHeader: object, payload: object | null): string
}

export function accountKey(pem: string): AccountKey {
  const key = createPrivateKey(pem)
  const jwk = publicJwk(key)
  return {
    jwk,
    thumbprint: createHash('sha256').update(JSON.stringify(jwk)).digest('base64url'),
    signed(protectedHeader, payload) {
      const head = base64urlOf({ alg: 'ES256', ...protectedHeader })
      const body = payload === null ? '' : base64urlOf(payload)
      // Authorities read the two numbers of a signature one after the other, not in DER.
      const options = { key, dsaEncoding: 'ieee-p1363' } as const
      const signature = sign('sha256', Buffer.from(`${head}.${body}`), options)
      return JSON.stringify({
        protected: head,
        payload: body,
        signature: signature.toString('base64url'),
      })
    },
  }
}

const base64urlOf = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The fields in the order of the alphabet, as the thumbprint needs them. */
function publicJwk(key: KeyObject): Readonly<Record<string, string>> {
  const { crv = '', kty = '', x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' })
  return { crv, kty, x, y }
}
