// What a process did to its data file, in order, and what a power cut would have left of it.
import type { Dice } from '../fuzz.ts'

/** Written at once, written to be on disk when the call returns, cut, flushed, acknowledged. */
type Kind = 'w' | 'd' | 't' | 's' | 'a'

export interface DiskCall {
  readonly kind: Kind
  /** Where it was written; the new length; the number that was acknowledged. */
  readonly offset: number
  readonly bytes: Buffer
}

const headBytes = 16
const sectorBytes = 512

/** A line of the log that says: the transaction of this number was acknowledged. */
export function acknowledgement(number: number): Buffer {
  const head = Buffer.alloc(headBytes)
  head.writeUInt32LE('a'.charCodeAt(0), 0)
  head.writeBigUInt64LE(BigInt(number), 8)
  return head
}

export function readDiskLog(log: Buffer): DiskCall[] {
  const calls: DiskCall[] = []
  for (let at = 0; at < log.length; ) {
    const kind = String.fromCharCode(log.readUInt32LE(at)) as Kind
    const length = log.readUInt32LE(at + 4)
    const bytes = log.subarray(at + headBytes, at + headBytes + length)
    calls.push({ kind, offset: Number(log.readBigUInt64LE(at + 8)), bytes })
    at += headBytes + length
  }
  return calls
}

/** What becomes of the writes that were not flushed. */
export const losses = ['none', 'all', 'some', 'torn'] as const
export type Loss = (typeof losses)[number]

/** A disk that loses its power: what was flushed stays, of the rest only what `loss` leaves. */
export function createDisk() {
  let flushed: Buffer = Buffer.alloc(0)
  let unflushed: DiskCall[] = []

  function changed(image: Buffer, { kind, offset, bytes }: DiskCall): Buffer {
    if (kind === 't') {
      const cut = Buffer.alloc(offset)
      image.copy(cut)
      return cut
    }
    const end = offset + bytes.length
    const grown =
      end <= image.length ? image : Buffer.concat([image, Buffer.alloc(end - image.length)])
    bytes.copy(grown, offset)
    return grown
  }

  /** Each sector of a write is on disk or not. */
  function sectorsOf({ kind, offset, bytes }: DiskCall): DiskCall[] {
    const sectors: DiskCall[] = []
    for (let at = 0; at < bytes.length; ) {
      const next = Math.min(bytes.length, at + sectorBytes - ((offset + at) % sectorBytes))
      sectors.push({ kind, offset: offset + at, bytes: bytes.subarray(at, next) })
      at = next
    }
    return sectors
  }

  function kept(loss: Loss, dice: Dice): DiskCall[] {
    switch (loss) {
      case 'none':
        return unflushed
      case 'all':
        return []
      case 'some':
        return unflushed.filter(() => dice.chance(0.5))
      default:
        return unflushed.flatMap((call) => {
          return call.kind === 't' ? [call] : sectorsOf(call).filter(() => dice.chance(0.5))
        })
    }
  }

  return {
    take(call: DiskCall): void {
      if (call.kind === 'a') return
      // A write that is on disk when it returns says nothing of those before it.
      if (call.kind === 'd') flushed = changed(flushed, call)
      else if (call.kind === 's') {
        for (const one of unflushed) flushed = changed(flushed, one)
        unflushed = []
      } else unflushed.push(call)
    },
    imageAfter: (loss: Loss, dice: Dice): Buffer =>
      kept(loss, dice).reduce(changed, Buffer.from(flushed)),
  }
}
