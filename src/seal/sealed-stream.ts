// Encrypts a file of any size, in chunks that each prove their place (docs/backups.md has the format).
//
// The construction is STREAM (Hoang, Reyhanitabar, Rogaway, Vizár: "Online Authenticated-Encryption
// and its Nonce-Reuse Misuse-Resistance", 2015), as in age: chunks cannot be changed, left out,
// repeated, moved, or cut off at the end.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { SealBroken } from './box.ts'
import type { Keyring, MasterKey } from './keyring.ts'

const magic = Buffer.from('stillup sealed 1')
const idBytes = 8
const saltBytes = 32
const headBytes = magic.length + idBytes + saltBytes
const chunkBytes = 64 * 1024
const tagBytes = 16

/** How long so many bytes are when they are sealed. */
export function sealedLength(bytes: number): number {
  // An empty file has one empty chunk.
  return headBytes + bytes + Math.max(1, Math.ceil(bytes / chunkBytes)) * tagBytes
}

/** The reverse; undefined if nothing has this length when sealed. */
export function openedLength(sealedBytes: number): number | undefined {
  const rest = sealedBytes - headBytes
  const bytes = rest - Math.ceil(rest / (chunkBytes + tagBytes)) * tagBytes
  return bytes >= 0 && sealedLength(bytes) === sealedBytes ? bytes : undefined
}

/** Seals with the newest key of the ring. */
export async function* sealedStream(
  keyring: Keyring,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void> {
  const salt = randomBytes(saltBytes)
  const head = Buffer.concat([magic, Buffer.from(keyring.newest.id), salt])
  const key = fileKey(keyring.newest, salt)
  yield head
  let index = 0
  for await (const { bytes, isLast } of chunksOf(content, chunkBytes)) {
    const cipher = createCipheriv('aes-256-gcm', key, nonceOf(index, isLast))
    cipher.setAAD(head)
    yield Buffer.concat([cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
    index += 1
  }
}

/**
 * Opens with the key of the ring that sealed it. Throws SealBroken if it is not on the ring, or if a
 * bit was changed: what was yielded before is good, but is not the whole.
 */
export async function* openedStream(
  keyring: Keyring,
  sealed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Buffer, void> {
  const source = sealed[Symbol.asyncIterator]()
  const { head, rest } = await headOf(source)
  const id = head.toString('latin1', magic.length, magic.length + idBytes)
  const master = keyring.find(id)
  if (!master) {
    throw new SealBroken(`it was sealed with the master key ${id}, which is not in the key file`)
  }
  const key = fileKey(master, head.subarray(magic.length + idBytes))
  let index = 0
  for await (const { bytes, isLast } of chunksOf(following(rest, source), chunkBytes + tagBytes)) {
    if (bytes.length < tagBytes) throw broken
    const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(index, isLast))
    decipher.setAAD(head)
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    try {
      yield Buffer.concat([decipher.update(bytes.subarray(0, -tagBytes)), decipher.final()])
    } catch (cause) {
      throw new SealBroken(broken.message, { cause })
    }
    index += 1
  }
}

const broken = new SealBroken('a sealed file was changed, or is cut short')

/** RFC 5869. With a salt of its own, each file has a key of its own. */
function fileKey({ bytes }: MasterKey, salt: Uint8Array): Buffer {
  return Buffer.from(hkdfSync('sha256', bytes, salt, 'stillup sealed file', 32))
}

/** Eleven bytes of the chunk's number, and one that marks the last. */
function nonceOf(index: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(index, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

/** Cuts into pieces of one length; the last may be shorter, and there is at least one. */
async function* chunksOf(
  content: AsyncIterable<Uint8Array>,
  length: number,
): AsyncGenerator<{ readonly bytes: Buffer; readonly isLast: boolean }, void> {
  let held = Buffer.alloc(0)
  for await (const piece of content) {
    held = held.length === 0 ? Buffer.from(piece) : Buffer.concat([held, piece])
    // One is held back, because it may be the last.
    while (held.length > length) {
      yield { bytes: held.subarray(0, length), isLast: false }
      held = held.subarray(length)
    }
  }
  yield { bytes: held, isLast: true }
}

async function headOf(
  source: AsyncIterator<Uint8Array>,
): Promise<{ readonly head: Buffer; readonly rest: Buffer }> {
  let held = Buffer.alloc(0)
  while (held.length < headBytes) {
    const { done, value } = await source.next()
    if (done) throw broken
    held = Buffer.concat([held, value])
  }
  if (!held.subarray(0, magic.length).equals(magic)) {
    throw new SealBroken('it is no sealed file, or one of a newer version')
  }
  return { head: held.subarray(0, headBytes), rest: held.subarray(headBytes) }
}

async function* following(
  first: Buffer,
  source: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  try {
    yield first
    for (;;) {
      const { done, value } = await source.next()
      if (done) return
      yield value
    }
  } finally {
    await source.return?.()
  }
}
