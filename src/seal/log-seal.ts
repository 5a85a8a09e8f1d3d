// What a standby needs of the master key, which both machines have: the seal of the records that travel
// between them, and what a standby authenticates with.
import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto'
import { SealBroken } from './box.ts'
import { deriveKey, type Keyring } from './keyring.ts'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

export type LogSeal = ReturnType<typeof createLogSeal>

/**
 * AES-256-GCM (NIST SP 800-38D): nonce, tag, and what was sealed. The nonce is an HMAC of that: a record of which the
 * log has the first parts is sealed once more for the others, and different ones share a nonce no sooner than with
 * random nonces.
 */
export function createLogSeal(keyring: Keyring) {
  const key = deriveKey(keyring, 'log of transactions')
  const nonceKey = deriveKey(keyring, 'nonces of the log')
  return {
    seal(bytes: Uint8Array): Buffer {
      const nonce = createHmac('sha256', nonceKey).update(bytes).digest().subarray(0, nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce)
      const sealed = [cipher.update(bytes), cipher.final()]
      return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed])
    },

    /** Throws SealBroken if another master key sealed it, or it was changed. */
    open(sealed: Uint8Array): Buffer {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      const start = nonceBytes + tagBytes
      if (bytes.length < start) throw new SealBroken('a record of the log is cut short')
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes))
      decipher.setAuthTag(bytes.subarray(nonceBytes, start))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(start)), decipher.final()])
      } catch {
        throw new SealBroken('a record of the log was changed, or sealed with another master key')
      }
    },
  }
}

/** Proves that a machine with the master key has this address: the bearer is for nobody else. */
export function addressProof(keyring: Keyring, url: string): string {
  return createHmac('sha256', deriveKey(keyring, 'address of a member'))
    .update(url)
    .digest('base64url')
}

/** The bearer of a standby: whoever has the master key. */
export function standbySecret(keyring: Keyring): string {
  return deriveKey(keyring, 'standby').toString('base64url')
}
