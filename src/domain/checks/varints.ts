// Varints: whole numbers as bytes, small ones as a single byte. The base of compact records.
import { required } from '../../base/assert.ts'

export type ByteWriter = ReturnType<typeof createByteWriter>

/** Writes into one buffer that is used again and again. */
export function createByteWriter(bytesMax: number) {
  const buffer = new Uint8Array(bytesMax)
  let end = 0

  function varint(value: number): void {
    let rest = value
    while (rest >= 0x80) {
      buffer[end++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    buffer[end++] = rest
  }

  return {
    byte(value: number): void {
      buffer[end++] = value
    },
    /** A whole number from 0 to 2^53. */
    varint,
    /** A whole number that may be negative; small ones of both signs are short. */
    signed: (value: number): void => varint(value >= 0 ? value * 2 : -value * 2 - 1),
    bytes(some: Uint8Array): void {
      buffer.set(some, end)
      end += some.length
    },
    get length(): number {
      return end
    },
    /** Forgets what was written from a place on. */
    cut(length: number): void {
      end = length
    },
    /** A copy of what was written; begins anew. */
    taken(): Uint8Array {
      const written = buffer.slice(0, end)
      end = 0
      return written
    },
  }
}

export type ByteReader = ReturnType<typeof createByteReader>

/** Throws if the bytes end within a number. */
export function createByteReader(bytes: Uint8Array, from = 0) {
  let offset = from

  function varint(): number {
    let value = 0
    let scale = 1
    for (;;) {
      const byte = required(bytes[offset++], 'a byte of a number')
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
      scale *= 0x80
    }
  }

  return {
    byte: (): number => required(bytes[offset++], 'a byte'),
    varint,
    signed(): number {
      const zigzag = varint()
      return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2
    },
    bytes(length: number): Uint8Array {
      offset += length
      return bytes.subarray(offset - length, offset)
    },
    skip(length: number): void {
      offset += length
    },
    get hasMore(): boolean {
      return offset < bytes.length
    },
    get offset(): number {
      return offset
    },
  }
}
