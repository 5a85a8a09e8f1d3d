// Room for what is unpacked or copied: asked for before the first byte is written.
import { statfsSync } from 'node:fs'
import { sizeText } from '../../../base/sizes.ts'
import { ForeignFileRefused } from '../../../domain/imports/foreign.ts'

/** Throws ForeignFileRefused where the disk of the folder has less. */
export function mustHaveRoom(folder: string, bytes: number): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize <= bytes) throw withoutRoom(bytes)
}

/** Also where the disk becomes full meanwhile. */
export function withoutRoom(bytes: number, cause?: unknown): ForeignFileRefused {
  const rule = `needs ${sizeText(bytes)} for its copy in the folder of TMPDIR`
  return new ForeignFileRefused(rule, { cause })
}
