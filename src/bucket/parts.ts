// Cuts a stream of bytes into parts of one size, each with its hash.
import { createHash } from 'node:crypto'

export interface BodyPart {
  /** Valid until the next part is asked for: all parts share the memory of one. */
  readonly bytes: Buffer
  /** SHA-256 in hexadecimal digits. */
  readonly hash: string
  readonly isLast: boolean
}

/** All parts but the last have `bytesMax` bytes; of an empty stream there is one empty part. */
export async function* bodyParts(
  source: AsyncIterable<Uint8Array>,
  bytesMax: number,
): AsyncGenerator<BodyPart, undefined> {
  const buffer = Buffer.allocUnsafeSlow(bytesMax)
  let used = 0
  // Hashed as it comes, so that no part holds up the process as a whole.
  let digest = createHash('sha256')
  for await (const chunk of source) {
    for (let at = 0; at < chunk.length; ) {
      if (used === bytesMax) {
        yield { bytes: buffer, hash: digest.digest('hex'), isLast: false }
        used = 0
        digest = createHash('sha256')
      }
      const piece = chunk.subarray(at, at + bytesMax - used)
      buffer.set(piece, used)
      digest.update(piece)
      used += piece.length
      at += piece.length
    }
  }
  yield { bytes: buffer.subarray(0, used), hash: digest.digest('hex'), isLast: true }
}
