// The data of Uptime Kuma, as a file or a folder on this machine: its document, and then the past of its monitors.
// Each is read in a process apart. The command line and uploads go the same way.
import type { ApartBounds, ApartFrame } from '../../base/apart/run-apart.ts'
import { makeScratchFolder } from '../../base/apart/scratch-folder.ts'
import type { ForeignHistory } from '../../domain/imports/foreign.ts'
import { convertApart, convertInParts } from './convert-apart.ts'
import type { ConvertedKuma } from './convert-kuma.ts'
import type { ConvertedFile } from './foreign-files.ts'
import type { KumaDataServer } from './kuma-data/kuma-server.ts'

export interface OpenKuma {
  readonly converted: ConvertedFile
  /**
   * The past of its monitors, in parts of about 200 kB, by one process that waits while a part is worked on; it ends with
   * the loop. Throws ForeignFileRefused.
   */
  past(frame: Pick<ApartFrame, 'signal'>): AsyncGenerator<readonly ForeignHistory[]>
  /** Removes what was unpacked or copied. */
  close(): Promise<void>
}

export interface KumaPlace {
  /** A database, a dump, an archive, or a folder with one. */
  readonly path: string
  /** In place of the path: the server that has its data. */
  readonly server?: KumaDataServer | undefined
  /** Where a folder is made for what is unpacked or copied; the folder of TMPDIR if nothing is said. */
  readonly scratchIn?: string
  /** What was reserved for that; half of what is free there if nothing is said. */
  readonly scratchBytes?: number
}

export type KumaBounds = ApartBounds & {
  /** For the past: its time includes that of whoever works on the parts. The same if nothing is said. */
  readonly past?: ApartBounds
}

/** Throws ForeignFileRefused; then, nothing is left that must be closed. */
export async function openKuma(
  { path, server, scratchIn, scratchBytes }: KumaPlace,
  { past: pastBounds, ...bounds }: KumaBounds,
  frame: ApartFrame & { readonly nowMs: number },
): Promise<OpenKuma> {
  const { clock, nowMs } = frame
  const scratch = await makeScratchFolder(scratchIn)
  try {
    const job = {
      product: 'kuma-data',
      path,
      server,
      scratch: scratch.path,
      scratchBytes,
      nowMs,
    } as const
    // What `convertKumaData` returned there.
    const converted = JSON.parse(await convertApart(job, bounds, frame)) as ConvertedKuma
    const { file } = converted
    return {
      converted,
      async *past({ signal }) {
        const past = { product: 'kuma-past', file, nowMs } as const
        for await (const part of convertInParts(past, pastBounds ?? bounds, { clock, signal })) {
          // What `pastOfKumaData` yielded there.
          yield JSON.parse(part) as readonly ForeignHistory[]
        }
      },
      close: scratch.remove,
    }
  } catch (error) {
    await scratch.remove()
    throw error
  }
}
