// What many status pages take of the memory once each was asked for, compressed and plain.
import { setTimeout as sleep } from 'node:timers/promises'
import { bytesOf } from '../load/floor.ts'
import { startDaemon } from '../world/daemon.ts'
import { atMost, type Figure, info } from '../world/figure.ts'
import { makePage, slug } from '../world/page-made.ts'
import { checkedMonitor, prepare } from '../world/prepare.ts'
import { memoryOf } from '../world/procfs.ts'
import type { Workplace } from '../world/workplace.ts'

export interface PageMemoryOptions {
  readonly urlPrefix: string
  readonly pages: number
  /** The monitors of each page. All pages show the same ones: what is kept of a page is its own bytes. */
  readonly monitors: number
  readonly nodeArgs: readonly string[]
}

const memoryMbMax = 64
const settleMs = 3_000
const retryMs = 100
const retriesMax = 100
// No page changes while it is measured.
const intervalSeconds = 3_600
const codings = [{ 'Accept-Encoding': 'gzip' }, {}] as const

export async function measurePageMemory(
  work: Workplace,
  { urlPrefix, pages, monitors, nodeArgs }: PageMemoryOptions,
): Promise<readonly Figure[]> {
  const monitor = { ...checkedMonitor(urlPrefix, intervalSeconds), isPublic: true }
  const made = await prepare(work, {
    name: 'page-memory',
    count: 1,
    pages,
    urlPrefix,
    monitor,
    also: (daemon, account) => makePage(daemon, account, monitor, monitors),
  })
  const daemon = await startDaemon(work, { dataDir: made.dataDir, nodeArgs })
  const paths = Array.from({ length: pages }, (_, number) => {
    return number === 0 ? `/status/${slug}` : `/status/${slug}-${number}`
  })
  let failures = 0
  let bytes = 0
  async function ask(path: string, headers: LoadHeaders): Promise<void> {
    let answer = await bytesOf(daemon, { method: 'GET', path, headers })
    // Documents that nobody has read before are made at a bounded pace.
    for (let again = 0; answer.status === 503 && again < retriesMax; again += 1) {
      await sleep(retryMs)
      answer = await bytesOf(daemon, { method: 'GET', path, headers })
    }
    if (answer.status !== 200) failures += 1
    bytes += answer.bytes.length
  }
  for (const headers of codings) await ask(`/status/${slug}`, headers)
  await sleep(settleMs)
  const before = memoryOf(daemon.pid)
  const sizes: number[] = []
  for (const headers of codings) {
    bytes = 0
    for (const path of paths) await ask(path, headers)
    sizes.push(bytes / pages)
  }
  await sleep(settleMs)
  const after = memoryOf(daemon.pid)
  await daemon.stop()
  const [packed = Number.NaN, plain = Number.NaN] = sizes
  const label = `${pages} pages of ${monitors} monitors:`
  return [
    info(`${label} bytes each, gzip`, packed, ''),
    info(`${label} bytes each, plain`, plain, ''),
    atMost(`${label} failures`, failures, '', 0),
    atMost(`${label} memory`, (after.rssKb - before.rssKb) / 1_024, 'MB', memoryMbMax),
  ]
}

type LoadHeaders = Readonly<Record<string, string>>
