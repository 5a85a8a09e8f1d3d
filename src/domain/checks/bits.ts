// Bits: whole numbers in exponential Golomb code, in which 0 takes one bit, 1 and 2 take three, and 3 to
// 6 take five. Histograms consist of such numbers.
import type { ByteReader, ByteWriter } from './varints.ts'

/** Writes behind what `out` has. `end` fills the last byte. */
export function createBitWriter(out: Pick<ByteWriter, 'byte'>) {
  let held = 0
  let count = 0

  function bit(value: number): void {
    held = (held << 1) | value
    count += 1
    if (count < 8) return
    out.byte(held)
    held = 0
    count = 0
  }

  return {
    /** From 0 to 2^31 - 2. */
    number(value: number): void {
      const more = value + 1
      const length = 32 - Math.clz32(more)
      for (let at = 1; at < length; at += 1) bit(0)
      for (let at = length - 1; at >= 0; at -= 1) bit((more >> at) & 1)
    },
    end(): void {
      while (count > 0) bit(0)
    },
  }
}

/** Throws if the bytes end within a number. */
export function createBitReader(from: Pick<ByteReader, 'byte'>) {
  let held = 0
  let count = 0

  function bit(): number {
    if (count === 0) {
      held = from.byte()
      count = 8
    }
    count -= 1
    return (held >> count) & 1
  }

  return {
    number(): number {
      let more = 0
      while (bit() === 0) more += 1
      let value = 1
      for (; more > 0; more -= 1) value = (value << 1) | bit()
      return value - 1
    },
  }
}
