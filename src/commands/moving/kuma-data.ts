// Whether a file or a folder on this machine is the data of Uptime Kuma.
import { stat } from 'node:fs/promises'
import { exitCodes } from '../../base/exit.ts'
import { errorText } from '../../base/log/error-text.ts'
import { kumaFileKind } from '../../services/orgs/kuma-data/kuma-files.ts'
import { CommandFailure } from '../model/failure.ts'

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
