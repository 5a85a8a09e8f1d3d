// Space of the data's disk that imports have reserved: for uploads, and for what these are unpacked to, of all
// organizations together. Nothing is written there before it is reserved, so several at once cannot fill the disk.
import { Fault } from '../../../base/fault.ts'
import { sizeText } from '../../../base/sizes.ts'

export interface DiskReservation {
  /** What its holder may write in all. */
  readonly bytes: number
  /** So much of it is written: this is no longer among what is free. */
  noteWritten(bytes: number): void
  /** Nothing more is written: what is left over is free for others. */
  keep(writtenBytes: number): void
  /** Called once what was written is removed; again, it does nothing. */
  release(): void
}

/** All together have this share of what was free before they wrote, and leave what the data need to grow. */
const freeShare = 1 / 2
const freeBytesLeast = 512 * 1024 ** 2

/** `freeBytes`: of the disk, now. They are in memory: at the start, what is left of former ones must be removed. */
export function createDiskReservations({ freeBytes }: { freeBytes: () => Promise<number> }) {
  const held = new Set<{ bytes: number; writtenBytes: number }>()

  function leftOf(free: number): number {
    let reserved = 0
    let written = 0
    for (const { bytes, writtenBytes } of held) {
      reserved += bytes
      written += writtenBytes
    }
    const all = free + written
    return Math.max(0, Math.floor(Math.min(all * freeShare, all - freeBytesLeast)) - reserved)
  }

  function hold(bytes: number): DiskReservation {
    const own = { bytes, writtenBytes: 0 }
    held.add(own)
    return {
      bytes,
      noteWritten(writtenBytes) {
        own.writtenBytes = Math.min(writtenBytes, own.bytes)
      },
      keep(writtenBytes) {
        own.bytes = writtenBytes
        own.writtenBytes = writtenBytes
      },
      release: () => void held.delete(own),
    }
  }

  return {
    /** Throws storage_full. */
    async reserve(bytes: number): Promise<DiskReservation> {
      const free = await freeBytes()
      // Nothing is awaited from here to `hold`, or two could get the same space.
      if (bytes <= leftOf(free)) return hold(bytes)
      throw new Fault('storage_full', `There is no space for a file of ${sizeText(bytes)}.`)
    },
    /** For what is not known before it is written: at most half of what is left, so that others find some. */
    async reserveUpTo(bytesMax: number): Promise<DiskReservation> {
      const free = await freeBytes()
      return hold(Math.min(bytesMax, Math.floor(leftOf(free) / 2)))
    },
  }
}
