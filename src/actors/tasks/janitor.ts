// The janitor: deletes expired records, in slices with yields.
import type { Clock } from '../../base/clock.ts'
import { dayMs, hourMs } from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Monitor, withoutEndedTokens } from '../../domain/monitors/monitor.ts'
import {
  forgetExpired,
  forgetMonitor,
  forgetOrg,
  type Removal,
  removeInSlices,
} from '../../store/forget.ts'
import type { Store } from '../../store/store.ts'
import { tidyWindows } from '../maintenance/tidy-windows.ts'

export type Janitor = ReturnType<typeof createJanitor>

const channelsTidiedMax = 20_000
/** Deleted monitors whose history is removed at the same time. */
const tombstonesTogether = 5
const deliveriesKeptDays = 30
const quarantineKeptMs = 90 * 24 * 3_600_000
export const letterKeptMs = 7 * 86_400_000

export function createJanitor({ store, clock }: { store: Store; clock: Clock }) {
  let isStopped = false
  const mayGoOn = () => !isStopped
  const inProgress = new Set<Promise<unknown>>()

  /** Tracks work so that a stop waits for it, because the store may be closed afterwards. */
  function followed<T>(work: Promise<T>): Promise<T> {
    inProgress.add(work)
    const forget = () => inProgress.delete(work)
    work.then(forget, forget)
    return work
  }

  const drain = (remove: Removal) => removeInSlices(store, remove, mayGoOn)

  /** Cleans up many monitors in one transaction, because most have no expired records. */
  function tidyMonitors(monitors: readonly Monitor[], nowMs: number): Promise<number> {
    const checksBeforeMs = nowMs - limits.checksKeptDays * dayMs
    const hoursBeforeMs = nowMs - limits.hoursKept * hourMs
    return drain((tx, limit) => {
      let removed = 0
      for (const { orgId, id } of monitors) {
        removed += store.checks.trim(tx, orgId, id, checksBeforeMs, limit)
        removed += store.hours.trim(tx, orgId, id, hoursBeforeMs, limit)
        removed += store.placed.trimChecks(tx, orgId, id, checksBeforeMs, limit)
        removed += store.placed.trimHours(tx, orgId, id, hoursBeforeMs, limit)
        if (removed >= limit) break
      }
      return removed
    })
  }

  /** The hours of earlier versions, some of each monitor in a round: there may be very many. */
  async function packHours(monitors: readonly Monitor[]): Promise<void> {
    for (const { orgId, id } of monitors) {
      if (isStopped) return
      if (!store.hours.hasFormer(orgId, id)) continue
      await store.write((tx) => {
        // The results of a monitor that was deleted meanwhile are deleted as they are.
        if (store.monitors.has(orgId, id)) {
          store.hours.packFormer(tx, orgId, id, limits.deleteSliceRecords)
        }
      })
    }
  }

  /** Replaced push tokens, which are refused once their time is over. */
  async function tidyTokens(monitors: readonly Monitor[], nowMs: number): Promise<number> {
    const ended = monitors.filter((monitor) => withoutEndedTokens(monitor, nowMs) !== monitor)
    if (ended.length === 0) return 0
    await store.writeSoon((tx) => {
      for (const { orgId, id } of ended) {
        const monitor = store.monitors.readable(orgId, id)
        if (monitor) store.monitors.replace(tx, monitor, withoutEndedTokens(monitor, nowMs))
      }
    })
    return ended.length
  }

  async function tidyChannels(nowMs: number): Promise<number> {
    const beforeMs = nowMs - deliveriesKeptDays * dayMs
    let total = 0
    if (isStopped) return total
    for (const { orgId, id } of store.channels.all(channelsTidiedMax)) {
      if (isStopped) break
      total += await store.writeSoon((tx) => store.deliveries.trim(tx, orgId, id, beforeMs))
    }
    return total
  }

  /** Subdomains that were released so long ago that they are no longer blocked. */
  async function tidySubdomains(nowMs: number): Promise<number> {
    const beforeMs = nowMs - limits.subdomainQuarantineMs
    const isFree = (key: string) => store.pages.isFreeSince(key, beforeMs)
    let total = 0
    for (let last: string | undefined; !isStopped; ) {
      const keys = store.pages.subdomainKeys(limits.deleteSliceRecords, last)
      const free = keys.filter(isFree)
      if (free.length > 0) {
        total += await store.writeSoon((tx) => {
          // Somebody may have taken one meanwhile.
          const still = free.filter(isFree)
          for (const key of still) store.pages.forgetSubdomain(tx, key)
          return still.length
        })
      }
      last = keys.at(-1)
      if (keys.length < limits.deleteSliceRecords) break
    }
    return total
  }

  /** Continues deletions that a stop interrupted. */
  async function tidyTombstones(): Promise<number> {
    let total = 0
    if (isStopped) return total
    for (const { orgId } of store.tombstones.listOrgs(limits.janitorSlice)) {
      if (!isStopped) total += await forgetOrg(store, orgId, mayGoOn)
    }
    // A few at once, because they share commits; a single one would mostly wait for the disk.
    while (!isStopped) {
      const some = store.tombstones.list(tombstonesTogether)
      if (some.length === 0) break
      const removed = await Promise.all(some.map((gone) => forgetMonitor(store, gone, mayGoOn)))
      total += removed.reduce((sum, records) => sum + records, 0)
    }
    return total
  }

  // Two at once would only block each other.
  let sweeping: Promise<number> = Promise.resolve(0)

  /** Deletes the records of deleted objects; waits for a sweep in progress. Resolves with how many. */
  function sweep(): Promise<number> {
    sweeping = followed(sweeping.catch(() => 0).then(tidyTombstones))
    return sweeping
  }

  async function tidyAll(): Promise<number> {
    const nowMs = clock.nowMs()
    let total = await drain((tx, limit) => store.replays.removeExpired(tx, nowMs, limit))
    const lettersBeforeMs = nowMs - letterKeptMs
    total += await drain((tx, limit) => store.letters.trim(tx, lettersBeforeMs, limit))
    const foundBeforeMs = nowMs - quarantineKeptMs
    total += await drain((tx, limit) => store.quarantine.trim(tx, foundBeforeMs, limit))
    total += await forgetExpired(store, nowMs, mayGoOn)
    total += await sweep()
    total += await tidyChannels(nowMs)
    total += await tidyWindows(store, nowMs, mayGoOn)
    total += await tidySubdomains(nowMs)
    if (isStopped) return total
    let last: Monitor | undefined
    do {
      const slice = store.monitors.slice(limits.janitorSlice, last)
      total += await tidyMonitors(slice, nowMs)
      total += await tidyTokens(slice, nowMs)
      await packHours(slice)
      last = slice.length < limits.janitorSlice ? undefined : slice.at(-1)
    } while (last && !isStopped)
    return total
  }

  return {
    /** Runs one round; resolves with the number of deleted records. */
    round: (): Promise<number> => followed(tidyAll()),
    sweep,
    /** Ends the current work after its slice; resolves when it has ended, and starts nothing more. */
    async stop(): Promise<void> {
      isStopped = true
      await Promise.allSettled(inProgress)
    },
  }
}
