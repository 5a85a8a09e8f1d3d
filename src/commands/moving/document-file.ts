// Reads and writes documents as files, in one piece or not at all.

import { createReadStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { exitCodes } from '../../base/exit.ts'
import { errorText } from '../../base/log/error-text.ts'
import { sizeText } from '../../base/sizes.ts'
import { CommandFailure } from '../model/failure.ts'

/** The text of a file, also of a pipe. Throws CommandFailure if it cannot be read or is too large. */
export async function readDocument(path: string, bytesMax: number): Promise<string> {
  let bytes: Buffer
  try {
    // A pipe and a device do not say how long they are: of them, as of all, one byte too many is read.
    bytes = await buffer(createReadStream(path, { end: bytesMax }))
    if (bytes.length > bytesMax) {
      throw new CommandFailure(exitCodes.failed, `${path} is larger than ${sizeText(bytesMax)}`)
    }
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    const message = `${path} cannot be read: ${errorText(error)}`
    throw new CommandFailure(exitCodes.io, message, { cause: error })
  }
  return bytes.toString('utf8')
}

/** Writes a new file that only its owner may read. Throws CommandFailure, also if it exists. */
export async function writeDocument(path: string, text: string, isForced: boolean): Promise<void> {
  const draft = `${path}.${process.pid}.tmp`
  try {
    if (!isForced && (await stat(path).catch(() => undefined))) {
      const hint = 'Name another file, or pass --force to replace it.'
      throw new CommandFailure(exitCodes.failed, `${path} exists`, { hint })
    }
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, path)
  } catch (error) {
    if (error instanceof CommandFailure) throw error
    await rm(draft, { force: true })
    const message = `${path} cannot be written: ${errorText(error)}`
    throw new CommandFailure(exitCodes.io, message, { cause: error })
  }
}
