// Writes letters to files if there is no mail server: anyone who reads the directory reads them.
import { chmod, mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log/log.ts'
import { isOneAddress, maskedAddress } from './address.ts'
import { loadNodemailer } from './nodemailer.ts'
import { composed, type LetterEnvelope, type Transport, unaddressed } from './transport.ts'

export interface FilesOptions {
  /** The directory; created if missing. */
  readonly dir: string
  readonly clock: Clock
  readonly log: Log
}

/** Files in the directory outbox; the oldest are deleted. */
export const letterFilesMax = 1_000
export const letterFileKeptMs = 30 * 86_400_000

/** Writes `<time>-<id>.eml`, the letter as it would be sent; mail programs can open it. */
export function createFileMailer({ dir, clock, log }: FilesOptions): Transport {
  async function write(envelope: LetterEnvelope): Promise<string> {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    await chmod(dir, 0o700)
    const { createTransport } = loadNodemailer()
    const stream = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
    const { message } = await stream.sendMail(composed(envelope))
    const path = join(dir, fileNameOf(envelope))
    // Created anew even after an interrupted attempt, so that its mode is right.
    const unfinished = `${path}.tmp`
    await rm(unfinished, { force: true })
    const file = await open(unfinished, 'wx', 0o600)
    try {
      await file.writeFile(message)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
    return path
  }

  /** Deletes the oldest letters beyond a number and an age. */
  async function tidy(): Promise<void> {
    const names = (await readdir(dir)).filter((name) => ours.test(name)).sort()
    const oldest = stampOf(clock.nowMs() - letterFileKeptMs)
    const surplus = names.length - letterFilesMax
    const expired = names.filter((name, index) => index < surplus || name < oldest)
    for (const name of expired) await rm(join(dir, name), { force: true })
  }

  return {
    async send(envelope) {
      if (!isOneAddress(envelope.to)) return unaddressed
      let file: string
      try {
        file = await write(envelope)
      } catch (error) {
        const reason = `The letter could not be written to a file${causeOf(error)}.`
        return { ok: false, mayRetry: true, reason }
      }
      // The text is not logged: its link is a secret, and the file has it.
      const { to, letter } = envelope
      log.info('letter written to a file', { to: maskedAddress(to), subject: letter.subject, file })
      await tidy().catch((error: unknown) =>
        log.warn('old letters could not be deleted', { dir, error }),
      )
      return { ok: true }
    },
    close() {},
  }
}

function causeOf(error: unknown): string {
  const isCoded = error instanceof Error && 'code' in error && typeof error.code === 'string'
  return isCoded ? ` (${error.code})` : ''
}

const ours = /^\d{8}T\d{6}Z-[\w.-]+\.eml(\.tmp)?$/

/** `20261121T083414Z`: sorts by time. */
function stampOf(atMs: number): string {
  return `${new Date(atMs).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
}

function fileNameOf({ messageId, writtenAtMs }: LetterEnvelope): string {
  const id = messageId.replace(/^<|@.*$/g, '').replace(/[^\w.-]/g, '')
  return `${stampOf(writtenAtMs)}-${id}.eml`
}
