// Encrypts text at rest: XSalsa20-Poly1305 with a random nonce; the id of the key comes first.
import { randomBytes } from 'node:crypto'
import nacl from 'tweetnacl'
import type { Keyring } from './keyring.ts'

/** A sealed value cannot be decrypted: its key is not on the ring, or its bytes were changed. */
export class SealBroken extends Error {
  override readonly name = 'SealBroken'
}

export type Box = ReturnType<typeof createBox>

/** Seals with the keyring's newest key and opens with any of them. */
export function createBox(keyring: Keyring) {
  function open(sealed: string): string {
    const [, id = '', payload = ''] = /^([0-9a-f]{8})\.([\w-]+)$/.exec(sealed) ?? []
    const key = keyring.find(id)
    if (!key) throw new SealBroken(`no master key ${id || '(none named)'} on the ring`)
    const bytes = Buffer.from(payload, 'base64url')
    const nonce = bytes.subarray(0, nacl.secretbox.nonceLength)
    const boxed = bytes.subarray(nacl.secretbox.nonceLength)
    if (boxed.length < nacl.secretbox.overheadLength) throw new SealBroken('it is cut short')
    const opened = nacl.secretbox.open(boxed, nonce, key.bytes)
    if (!opened) throw new SealBroken('it was changed after it was sealed')
    return Buffer.from(opened).toString('utf8')
  }

  return {
    /** Returns `<key id>.<base64url of nonce and box>`, different at each call. */
    seal(text: string): string {
      const nonce = randomBytes(nacl.secretbox.nonceLength)
      const boxed = nacl.secretbox(Buffer.from(text, 'utf8'), nonce, keyring.newest.bytes)
      return `${keyring.newest.id}.${Buffer.concat([nonce, boxed]).toString('base64url')}`
    },

    /** Decrypts. Throws SealBroken if the key is gone or the value was changed. */
    open,

    /** Decrypts; undefined if the key is gone or the value was changed. */
    openOrUndefined(sealed: string): string | undefined {
      try {
        return open(sealed)
      } catch (error) {
        if (!(error instanceof SealBroken)) throw error
        return undefined
      }
    },

    /** Whether the newest key sealed it. Decrypts nothing. */
    isCurrent: (sealed: string) => sealed.startsWith(`${keyring.newest.id}.`),
  }
}
