// Writes the whole history of an organization into a folder: a file for each table.
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { exitCodes } from '../../base/exit.ts'
import { errorText } from '../../base/log/error-text.ts'
import { sizeText } from '../../base/sizes.ts'
import { limits } from '../../domain/limits/limits.ts'
import { historyFormats, historyTables } from '../../domain/orgs/history-tables.ts'
import { askRunning } from '../model/daemon.ts'
import { CommandFailure } from '../model/failure.ts'
import type { CommandOptions, Host } from '../model/host.ts'

export interface HistoryFolder extends CommandOptions {
  readonly org: string
  readonly folder: string | undefined
  /** Default: lines of JSON. */
  readonly as: string | undefined
  readonly from: string | undefined
  readonly to: string | undefined
  /** Replaces files that exist. */
  readonly force: boolean
}

/** Each file is there whole, or not at all. Throws CommandFailure. */
export async function writeHistory(host: Host, asked: HistoryFolder): Promise<void> {
  const { org, folder, as = 'jsonl', from, to, force, configPath } = asked
  if (folder === undefined) {
    throw new CommandFailure(
      exitCodes.usage,
      'with --history, name the directory that it goes into',
    )
  }
  const format = historyFormats.find((one) => one === as)
  if (format === undefined) {
    const known = historyFormats.join(', ')
    throw new CommandFailure(exitCodes.usage, `the history is written as ${known}, not as ${as}`)
  }
  const window = { fromMs: timeOf('--from', from), toMs: timeOf('--to', to) }
  const dir = resolve(host.cwd, folder)
  const files = historyTables.map((table) => ({ table, name: `${table}.${format}` }))
  for (const { name } of files) {
    if (force || !(await stat(join(dir, name)).catch(() => undefined))) continue
    const hint = 'Name another directory, or pass --force to replace its files.'
    throw new CommandFailure(exitCodes.failed, `${join(folder, name)} exists`, { hint })
  }
  for (const { table, name } of files) {
    const bytes = await written(dir, name, (take) => {
      const request = { verb: 'history', org, table, format, ...window }
      return askRunning(host, { configPath }, request, limits.importMsMax, take)
    })
    host.print(`${join(folder, name)}: ${sizeText(bytes)}`)
  }
}

/** How many bytes the file has. */
async function written(
  dir: string,
  name: string,
  ask: (take: (bytes: Uint8Array) => Promise<void>) => Promise<unknown>,
): Promise<number> {
  const draft = join(dir, `${name}.${process.pid}.tmp`)
  let failure: unknown
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    const file = await open(draft, 'wx', 0o600)
    let bytes = 0
    try {
      await ask(async (part) => {
        await file.writeFile(part).catch((error: unknown) => {
          failure = error
          throw error
        })
        bytes += part.length
      })
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(draft, join(dir, name))
    return bytes
  } catch (thrown) {
    await rm(draft, { force: true })
    // A disk that is full is told as such, and not as something of the daemon.
    const error = failure ?? thrown
    if (error instanceof CommandFailure) throw error
    const message = `${join(dir, name)} cannot be written: ${errorText(error)}`
    throw new CommandFailure(exitCodes.io, message, { cause: error })
  }
}

function timeOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = Date.parse(text)
  if (Number.isFinite(ms)) return ms
  throw new CommandFailure(
    exitCodes.usage,
    `${option} is a time as 2026-01-01T00:00:00Z, not ${text}`,
  )
}
