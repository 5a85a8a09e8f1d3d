// Signatures of reports: Ed25519 (RFC 8032) over the UTF-8 bytes of a text.
import { createPublicKey, hash, randomBytes, verify } from 'node:crypto'
import nacl from 'tweetnacl'

export interface ReportSigner {
  /** The first 16 hexadecimal digits of the SHA-256 of the public key. */
  readonly keyId: string
  /** 32 bytes as base64. */
  readonly publicKey: string
  /** 64 bytes as base64. */
  sign(text: string): string
}

/** Makes a private key: a seed of 32 bytes as base64. */
export function mintReportSeed(): string {
  return randomBytes(nacl.sign.seedLength).toString('base64')
}

export function reportSigner(seed: string): ReportSigner {
  const pair = nacl.sign.keyPair.fromSeed(Buffer.from(seed, 'base64'))
  const publicKey = Buffer.from(pair.publicKey).toString('base64')
  return {
    keyId: reportKeyId(publicKey),
    publicKey,
    sign: (text) =>
      Buffer.from(nacl.sign.detached(Buffer.from(text, 'utf8'), pair.secretKey)).toString('base64'),
  }
}

export function reportKeyId(publicKey: string): string {
  return hash('sha256', Buffer.from(publicKey, 'base64'), 'hex').slice(0, 16)
}

/** Whether the text is a public key: 32 bytes as base64. */
export function isReportKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === nacl.sign.publicKeyLength && bytes.toString('base64') === text
}

/** By another library than the one that signs; for the command line only. */
export function isReportSigned(signed: {
  readonly statement: string
  readonly signature: string
  readonly publicKey: string
}): boolean {
  const x = Buffer.from(signed.publicKey, 'base64').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const signature = Buffer.from(signed.signature, 'base64')
  return verify(null, Buffer.from(signed.statement, 'utf8'), key, signature)
}
