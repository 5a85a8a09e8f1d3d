// A data directory as a user's would be: account and first monitor over the API, then many copies.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Account, openAccount } from './account.ts'
import { type Daemon, startDaemon } from './daemon.ts'
import { type Memory, memoryOf } from './procfs.ts'
import type { Seeded, SeedInput } from './seed.ts'
import { urlOf } from './urls.ts'
import { nextMessage, type Workplace } from './workplace.ts'

export interface Prepared {
  readonly dataDir: string
  readonly account: Account
  readonly templateId: string
  readonly slotsMs: readonly number[]
  readonly tokensFile: string
}

export interface PrepareOptions {
  readonly name: string
  /** How many monitors in the end. */
  readonly count: number
  readonly monitor: object
  readonly urlPrefix?: string
  /** How many status pages in the end, if there is one. */
  readonly pages?: number
  /** What to make over the API before the monitor, which gets the fields that it returns. */
  readonly first?: (daemon: Daemon, account: Account) => Promise<object>
  /** What else to make over the API, before the copies. */
  readonly also?: (daemon: Daemon, account: Account, templateId: string) => Promise<void>
}

const seedTimeoutMs = 120_000
const settleMs = 3_000

export async function prepare(work: Workplace, options: PrepareOptions): Promise<Prepared> {
  const dataDir = work.directory(options.name)
  const daemon = await startDaemon(work, { dataDir })
  const account = await openAccount(daemon)
  const fields = { ...options.monitor, ...(await options.first?.(daemon, account)) }
  const monitor = await account.create(daemon, '/monitors', fields)
  const templateId = idIn(monitor)
  await options.also?.(daemon, account, templateId)
  await daemon.stop()
  const tokensFile = join(work.root, `${options.name}.tokens`)
  const { count, urlPrefix = '', pages = 1 } = options
  const place = { dataDir, orgId: account.orgId, templateId }
  const input: SeedInput = { ...place, count, urlPrefix, tokensFile, pages }
  const { slotsMs } = await nextMessage<Seeded>(work.fork('world/seed.ts', input), seedTimeoutMs)
  return { dataDir, account, templateId, slotsMs, tokensFile }
}

/** The memory of a daemon with nothing to do. */
export async function emptyMemory(work: Workplace): Promise<Memory> {
  const daemon = await startDaemon(work, { dataDir: work.directory('empty') })
  await sleep(settleMs)
  const memory = memoryOf(daemon.pid)
  await daemon.stop()
  return memory
}

/** The id of the monitor or page in an answer. */
export function idIn(data: object): string {
  return /(?:mon|pag)_[0-9a-z]{26}/.exec(JSON.stringify(data))?.[0] ?? ''
}

/** A monitor of the target, as a user would write it. */
export function checkedMonitor(urlPrefix: string, intervalSeconds: number): object {
  return { name: 'Checked', url: urlOf(urlPrefix, 0), intervalSeconds, timeoutMs: 10_000 }
}
