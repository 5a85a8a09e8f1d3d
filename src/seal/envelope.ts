// Envelopes: each text is encrypted with its own data key, which a master key wraps. Deleting the
// wrapped key and, in time, that master key makes the text unreadable for good.
import { randomBytes } from 'node:crypto'
import nacl from 'tweetnacl'
import { SealBroken } from './box.ts'
import type { Keyring, MasterKey } from './keyring.ts'

/** A sealed text. Reading it takes the envelope and the master key. */
export interface SealedEnvelope {
  /** The master key that wraps the data key. */
  readonly keyId: string
  /** Nonce and box of the data key. */
  readonly wrappedKey: Uint8Array
  /** Nonce and box of the context and the text. */
  readonly content: Uint8Array
}

const { keyLength, nonceLength, overheadLength } = nacl.secretbox

export type Envelopes = ReturnType<typeof createEnvelopes>

/** Wraps with the keyring's newest key and opens with any of them. */
export function createEnvelopes(keyring: Keyring) {
  function wrap(dataKey: Uint8Array, { id, bytes }: MasterKey) {
    return { keyId: id, wrappedKey: boxed(dataKey, bytes) }
  }

  function unwrapped({ keyId, wrappedKey }: SealedEnvelope): Uint8Array {
    const master = keyring.find(keyId)
    if (!master) throw new SealBroken(`no master key ${keyId} on the ring`)
    return opened(wrappedKey, master.bytes)
  }

  return {
    /** The id of the master key that new envelopes use. */
    newestKeyId: keyring.newest.id,

    /** `context` names the record that the envelope belongs to; it has no line break. */
    seal(context: string, text: string): SealedEnvelope {
      const dataKey = randomBytes(keyLength)
      const content = boxed(Buffer.from(`${context}\n${text}`, 'utf8'), dataKey)
      return { ...wrap(dataKey, keyring.newest), content }
    },

    /** Decrypts. Throws SealBroken for another context, another key, or changed bytes. */
    open(context: string, envelope: SealedEnvelope): string {
      const plain = Buffer.from(opened(envelope.content, unwrapped(envelope))).toString('utf8')
      // The cipher does not bind the context by itself: without this, records could be swapped.
      if (!plain.startsWith(`${context}\n`)) throw new SealBroken('it belongs to another record')
      return plain.slice(context.length + 1)
    },

    /**
     * Returns the same envelope with its data key wrapped by the newest master key, so that the
     * older one can be destroyed. Throws SealBroken if the older one is already gone.
     */
    rewrap(envelope: SealedEnvelope): SealedEnvelope {
      return { ...envelope, ...wrap(unwrapped(envelope), keyring.newest) }
    },
  }
}

function boxed(plain: Uint8Array, key: Uint8Array): Uint8Array {
  const nonce = randomBytes(nonceLength)
  return Buffer.concat([nonce, nacl.secretbox(plain, nonce, key)])
}

function opened(sealed: Uint8Array, key: Uint8Array): Uint8Array {
  if (sealed.length < nonceLength + overheadLength) throw new SealBroken('it is cut short')
  const plain = nacl.secretbox.open(
    sealed.subarray(nonceLength),
    sealed.subarray(0, nonceLength),
    key,
  )
  if (!plain) throw new SealBroken('it was changed after it was sealed')
  return plain
}
