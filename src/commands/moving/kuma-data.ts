// The data of Uptime Kuma, as a file or a folder on this machine: its document, and then the past of its monitors.
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApartBounds } from '../../base/apart/run-apart.ts'
import { exitCodes } from '../../base/exit.ts'
import { errorText } from '../../base/log/error-text.ts'
import type { ForeignHistory } from '../../domain/imports/foreign.ts'
import { convertApart } from '../../services/orgs/convert-apart.ts'
import type { ConvertedKuma } from '../../services/orgs/convert-kuma.ts'
import type { ConvertedFile } from '../../services/orgs/foreign-files.ts'
import { kumaFileKind } from '../../services/orgs/kuma-data/kuma-files.ts'
import type { KumaPastPart } from '../../services/orgs/kuma-data/kuma-past.ts'
import { CommandFailure } from '../model/failure.ts'
import type { Host } from '../model/host.ts'

/** Whether it is a folder, a database or an archive: no text. Throws CommandFailure if it cannot be read. */
export async function isKumaData(path: string): Promise<boolean> {
  try {
    const status = await stat(path)
    return status.isDirectory() || (status.isFile() && (await kumaFileKind(path)) !== undefined)
  } catch (error) {
    const message = `${path} cannot be read: ${errorText(error)}`
    throw new CommandFailure(exitCodes.io, message, { cause: error })
  }
}

export interface OpenKumaData {
  readonly converted: ConvertedFile
  /** The past of its monitors, in parts of about 8 MB; each takes a process of its own. */
  past(): AsyncGenerator<readonly ForeignHistory[]>
  /** Removes what was unpacked or copied. */
  close(): Promise<void>
}

/** Throws ForeignFileRefused; then, nothing is left that must be closed. */
export async function openKumaData(
  { clock }: Pick<Host, 'clock'>,
  path: string,
  bounds: ApartBounds,
): Promise<OpenKumaData> {
  const scratch = await mkdtemp(join(tmpdir(), 'stillup-import-'))
  const close = () => rm(scratch, { recursive: true, force: true })
  const job = { product: 'kuma-data', path, scratch, nowMs: clock.nowMs() } as const

  async function* past({ file }: ConvertedKuma): AsyncGenerator<readonly ForeignHistory[]> {
    let afterId: number | null = -1
    while (afterId !== null) {
      const answer = await convertApart({ ...job, past: { file, afterId } }, bounds, { clock })
      // What `pastAfter` returned there.
      const part = JSON.parse(answer) as KumaPastPart
      if (part.history.length > 0) yield part.history
      afterId = part.afterId
    }
  }

  try {
    // What `convertKumaData` returned there.
    const converted = JSON.parse(await convertApart(job, bounds, { clock })) as ConvertedKuma
    return { converted, past: () => past(converted), close }
  } catch (error) {
    await close()
    throw error
  }
}
