// Watches the free space on the data's disk, so that LMDB never runs out of it.
//
// LMDB may damage its own memory when a write finds no space. So creating objects stops while there
// is still room for transitions, incidents and alerts, which must not stop.

import { existsSync } from 'node:fs'
import { readdir, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { exitCodes, StartFailure } from '../base/exit.ts'
import type { Log } from '../base/log/log.ts'
import { sizeText } from '../base/sizes.ts'
import { limits } from '../domain/limits/limits.ts'
import type { SpaceState } from '../domain/system/space-states.ts'

export interface Space {
  readonly freeBytes: number
  readonly totalBytes: number
}

export interface SpaceOptions {
  readonly dir: string
  readonly clock: Clock
  readonly log: Log
  /** Measures the disk; tests replace it to simulate a full one. */
  readonly measure?: (dir: string) => Promise<Space>
}

const spaceBytesLow = 512 * 1024 * 1024
const spaceShareLow = 0.05

/** Judges the space on the disk. */
export function judgeSpace({ freeBytes, totalBytes }: Space): SpaceState {
  if (freeBytes < limits.spaceBytesFull) return 'full'
  const isLow = freeBytes < spaceBytesLow || freeBytes < totalBytes * spaceShareLow
  return isLow ? 'low' : 'ok'
}

const dataFilesMax = 10_000

/** The size of the files in a directory, including subdirectories; counts up to a bound. */
export async function measureFiles(dir: string): Promise<number> {
  const entries = await readdir(dir, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => entry.isFile()).slice(0, dataFilesMax)
  let bytes = 0
  for (const { parentPath, name } of files) {
    // A file that was just deleted has no size.
    const found = await stat(join(parentPath, name)).catch(() => undefined)
    bytes += found?.size ?? 0
  }
  return bytes
}

/** Measures the disk that contains a directory. */
export async function measureDisk(dir: string): Promise<Space> {
  // Space that an ordinary user can use, without the blocks reserved for root.
  const { bavail, blocks, bsize } = await statfs(dir)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

/** Throws StartFailure (74) if the disk of a directory is too full to open the data. */
export async function needSpace(
  dir: string,
  measure: typeof measureDisk = measureDisk,
): Promise<void> {
  const { freeBytes, totalBytes } = await measure(existing(dir))
  // A file system without a size, such as /proc, is not full: it cannot hold data at all.
  if (totalBytes > 0 && freeBytes < limits.spaceBytesStart) throw fullDisk(dir)
}

export function fullDisk(dir: string, cause?: unknown): StartFailure {
  return new StartFailure(exitCodes.io, `the disk of the data directory ${dir} is full`, {
    hint: `Free ${sizeText(limits.spaceBytesFull)} or more there, or set data.dir to another disk.`,
    cause,
  })
}

/** The directory, or the nearest one above it that exists. */
function existing(dir: string): string {
  const parent = dirname(dir)
  return existsSync(dir) || parent === dir ? dir : existing(parent)
}

export type SpaceGuard = Awaited<ReturnType<typeof startSpaceGuard>>

const spaceCheckMs = 5_000

/** Measures now, then every `spaceCheckMs`. */
export async function startSpaceGuard(options: SpaceOptions) {
  const { dir, clock, log, measure = measureDisk } = options
  let state: SpaceState = 'ok'
  let timer: unknown
  let isStopped = false
  let last: Space | undefined
  const listeners: ((state: SpaceState, space: Space) => void)[] = []

  async function measureNow(): Promise<void> {
    try {
      const space = await measure(dir)
      const next = judgeSpace(space)
      last = space
      if (next !== state && !isStopped) report(next, space)
    } catch (error) {
      // Keeps the last state: a disk that cannot be measured is not known to be full.
      log.error('cannot read the free space', { dir, error })
    }
    if (!isStopped) timer = clock.setTimeout(() => void measureNow(), spaceCheckMs)
  }

  function report(next: SpaceState, space: Space): void {
    state = next
    const fields = { dir, state, freeMiB: Math.floor(space.freeBytes / 1024 ** 2) }
    if (next === 'full') log.error('the disk is full: nothing new is stored', fields)
    else if (next === 'low') log.warn('the disk is getting full', fields)
    else log.info('the disk has space again', fields)
    for (const listener of listeners) listener(next, space)
  }

  await measureNow()
  return {
    state: () => state,
    /** The free bytes as measured last; 0 before. */
    freeBytes: () => last?.freeBytes ?? 0,
    /** The free bytes now. Rejects with the system's error if the disk cannot be measured. */
    freeBytesNow: async (): Promise<number> => (await measure(dir)).freeBytes,
    /** Whether new objects may be stored; if not, the response is `storage_full`. */
    mayStore: () => state !== 'full',
    /** Calls it now, and with every change. */
    listen(listener: (state: SpaceState, space: Space) => void): void {
      listeners.push(listener)
      if (last) listener(state, last)
    },
    stop() {
      isStopped = true
      clock.clearTimeout(timer)
    },
  }
}
