// Room for what is unpacked or copied: asked for before the first byte is written.
import { statfsSync } from 'node:fs'
import { sizeText } from '../../../base/sizes.ts'
import { ForeignFileRefused } from '../../../domain/imports/foreign.ts'

/** Room in a folder. Its methods throw ForeignFileRefused where there is less. */
export interface ScratchRoom {
  readonly folder: string
  /** What may still be written. */
  leftBytes(): number
  /** There must be so much, by what somebody says of a file. */
  mustHave(bytes: number): void
  /** So much is about to be written. */
  take(bytes: number): void
  /** What these throw, for where the disk becomes full meanwhile. */
  without(bytes: number, cause?: unknown): ForeignFileRefused
}

/** What nobody reserved takes at most this share of the free space. */
const freeShare = 1 / 2
/** What stays free in any case, whoever else writes there, looked at after so many bytes. */
const freeBytesLeast = 512 * 1024 ** 2
const lookEveryBytes = 64 * 1024 ** 2

/** `reservedBytes`: what was reserved for all that is written there; absent: a share of what is free. */
export function createRoom(folder: string, reservedBytes?: number): ScratchRoom {
  let left = reservedBytes ?? Math.floor(freeIn(folder) * freeShare)
  let taken = 0
  let sinceLook = 0
  // Whoever reserves for others knows the folder; whoever runs the command chooses it.
  const without = (bytes: number, cause?: unknown) => {
    const rule =
      reservedBytes === undefined
        ? `needs ${sizeText(bytes)} for its copy in the folder of TMPDIR`
        : `needs ${sizeText(bytes)} for its copy, more than there is space for`
    return new ForeignFileRefused(rule, { cause })
  }
  const mustHave = (bytes: number) => {
    if (bytes > left || bytes >= freeIn(folder)) throw without(bytes)
  }
  return {
    folder,
    leftBytes: () => left,
    mustHave,
    take(bytes) {
      taken += bytes
      if (bytes > left) throw without(taken)
      left -= bytes
      sinceLook += bytes
      if (sinceLook < lookEveryBytes) return
      if (freeIn(folder) <= freeBytesLeast) throw without(taken)
      sinceLook = 0
    },
    without,
  }
}

function freeIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}
