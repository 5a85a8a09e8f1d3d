// Keeps space for what must always be stored: transitions, incidents and alerts.
//
// It drops the oldest results of checks where the data comes near to its budget, or the disk is full;
// hours, days and incidents stay. While a disk is getting full, it reserves free pages inside the
// data file: no other program can take them, and what is written next needs no space on the disk.
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log/log.ts'
import { createYielder } from '../../base/yielding.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { removeInSlices } from '../../store/forget.ts'
import type { SizeGuard } from '../../store/size.ts'
import type { SpaceGuard } from '../../store/space.ts'
import type { Store } from '../../store/store.ts'
import { reservePieceBytes } from '../../store/tables/system/reserve.ts'

export interface SpaceKeeperDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly space: Pick<SpaceGuard, 'state' | 'freeBytes' | 'freeBytesNow'>
  readonly size: Pick<SizeGuard, 'mustTrim'>
}

/** Free pages that the data file should have while the disk is getting full. */
export const reserveBytes = 64 * 1024 * 1024
/** The share of what is still free on the disk that these take at most. */
const reserveShareOfFree = 0.125
/** The oldest results are dropped in so many steps of time, none shorter than the other. */
const droppedSteps = 48
const droppedStepMsMin = 10 * 60_000
/** How long the keeper of the space looks through monitors in one piece. */
const spaceSliceMs = 5

export function createSpaceKeeper({ store, clock, log, space, size }: SpaceKeeperDeps) {
  /** How many bytes of free pages the file should have. */
  const wantedBytes = () => Math.min(reserveBytes, space.freeBytes() * reserveShareOfFree)

  /** Another program may fill the disk meanwhile, and the first write without room ends the daemon. */
  const hasRoom = async () => (await space.freeBytesNow()) >= limits.spaceBytesFull

  /** Resolves with how many pieces were written and deleted. */
  async function reserve(signal: AbortSignal): Promise<number> {
    const wanted = wantedBytes()
    const { freeBytes } = store.usage()
    if (freeBytes >= wanted / 2) return 0
    const pieces = Math.floor((wanted - freeBytes) / reservePieceBytes)
    let written = 0
    // One commit for each, so that little memory is needed.
    for (; written < pieces && !signal.aborted && (await hasRoom()); written += 1) {
      await store.write((tx) => store.reserve.put(tx, written))
    }
    await removeInSlices(store, store.reserve.clear, () => true)
    return written
  }

  /** The disk cannot give more, and little is left in the file. */
  const isFileTight = () => space.state() === 'full' && store.usage().freeBytes < reserveBytes / 2

  const mustDrop = () => size.mustTrim() || isFileTight()

  /** Every monitor, some at a time. */
  function* slices(): Generator<readonly Monitor[]> {
    let last: Monitor | undefined
    do {
      const slice = store.monitors.slice(limits.janitorSlice, last)
      yield slice
      last = slice.length < limits.janitorSlice ? undefined : slice.at(-1)
    } while (last)
  }

  async function oldestMs(signal: AbortSignal): Promise<number> {
    const yielder = createYielder(clock, spaceSliceMs)
    let oldest = Number.POSITIVE_INFINITY
    for (const slice of slices()) {
      for (const { orgId, id } of slice) {
        oldest = Math.min(oldest, store.checks.oldestMs(orgId, id) ?? oldest)
      }
      if (signal.aborted) break
      if (yielder.isDue()) await yielder.pause()
    }
    return oldest
  }

  /** Deletes results up to one time after the other, of all monitors, until there is enough. */
  async function dropOldest(signal: AbortSignal): Promise<number> {
    const nowMs = clock.nowMs()
    const fromMs = await oldestMs(signal)
    const stepMs = Math.max(droppedStepMsMin, (nowMs - fromMs) / droppedSteps)
    let dropped = 0
    for (let beforeMs = fromMs + stepMs; beforeMs < nowMs; beforeMs += stepMs) {
      for (const slice of slices()) {
        if (signal.aborted || !mustDrop()) return dropped
        dropped += await removeInSlices(
          store,
          (tx, limit) => {
            let removed = 0
            for (const { orgId, id } of slice) {
              removed += store.checks.trim(tx, orgId, id, beforeMs, limit - removed)
              removed += store.placed.trimChecks(tx, orgId, id, beforeMs, limit - removed)
              if (removed >= limit) break
            }
            return removed
          },
          () => !signal.aborted,
        )
      }
    }
    return dropped
  }

  return {
    /** Resolves with a few words. */
    async round(signal: AbortSignal): Promise<string> {
      // The pages that an interrupted run left.
      await removeInSlices(store, store.reserve.clear, () => true)
      const reserved = space.state() === 'low' ? await reserve(signal) : 0
      const dropped = mustDrop() ? await dropOldest(signal) : 0
      if (dropped > 0) log.warn('the oldest results were dropped to make room', { blocks: dropped })
      return `${dropped} blocks of results dropped, ${reserved} MiB reserved`
    },
  }
}
