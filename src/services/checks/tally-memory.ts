// Caches a monitor's newest days and hours, because finished ones never change and are read often.
import { LRUCache } from 'lru-cache'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import {
  accrue,
  dayMs,
  hourMs,
  type Tally,
  type WorkedTime,
  workedRatio,
  workedTime,
} from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { type MonitorState, shownMonitorState } from '../../domain/monitors/monitor-state.ts'
import type { TalliesTable } from '../../store/tables/checks/tallies.ts'

type FinishedTallies = Pick<TalliesTable, 'since'>

interface CachedTallies {
  readonly firstMs: number
  readonly currentMs: number
  readonly tallies: readonly Tally[]
}

/** Finished ones from a start on, oldest first. `currentMs` is the one still being counted. */
type TallyMemory = (
  orgId: OrgId,
  monitorId: MonitorId,
  firstMs: number,
  currentMs: number,
) => readonly Tally[]

/** Caches up to `countMax` per monitor. */
function createTallyMemory(table: FinishedTallies, countMax: number): TallyMemory {
  const known = new LRUCache<MonitorId, CachedTallies>({ max: limits.dayMemoryMonitorsMax })
  return (orgId, monitorId, firstMs, currentMs) => {
    const before = known.get(monitorId)
    // A tally is finished by the same write that starts the next.
    if (before?.firstMs === firstMs && before.currentMs === currentMs) return before.tallies
    const tallies = table.since(orgId, monitorId, firstMs, countMax)
    known.set(monitorId, { firstMs, currentMs, tallies })
    return tallies
  }
}

/** Oldest first. The current one extends to `nowMs` in the current state. */
export type NewestTallies = (monitor: Monitor, monitorState: MonitorState, nowMs: number) => Tally[]

export function createNewestDays(table: FinishedTallies): NewestTallies {
  const readTallies = createTallyReader(table, dayBuckets, limits.historyDays)
  return (monitor, monitorState, nowMs) => {
    const { finished, current, firstMs } = readTallies(monitor, monitorState, nowMs)
    return [...finished, ...current].filter((tally) => tally.startMs >= firstMs)
  }
}

/** The uptime of the newest buckets, for several numbers of them. */
export type Ratios = (
  monitor: Monitor,
  monitorState: MonitorState,
  nowMs: number,
) => readonly (number | null)[]

/** `counts`: the largest first. */
export function createRatios(
  table: FinishedTallies,
  buckets: Buckets,
  counts: readonly number[],
): Ratios {
  const readTallies = createTallyReader(table, buckets, counts[0] ?? 0)
  // Finished tallies are cached as one list: the same list has the same sums.
  const known = new WeakMap<readonly Tally[], readonly WorkedTime[]>()
  return (monitor, monitorState, nowMs) => {
    const { finished, current, firstMs } = readTallies(monitor, monitorState, nowMs)
    const [most = 0] = counts
    const startMs = (count: number) => firstMs + (most - count) * buckets.bucketMs
    let sums = known.get(finished)
    if (!sums) {
      sums = counts.map((count) => workedTime(finished, startMs(count)))
      known.set(finished, sums)
    }
    return counts.map((count, at) => {
      return workedRatio(workedTime(current, startMs(count), sums[at]))
    })
  }
}

/** The length of a bucket, and the bucket that is still being counted. */
interface Buckets {
  readonly bucketMs: number
  readonly countedOf: (monitorState: MonitorState) => Tally
}

export const dayBuckets: Buckets = { bucketMs: dayMs, countedOf: ({ tally }) => tally }
export const hourBuckets: Buckets = { bucketMs: hourMs, countedOf: ({ hour }) => hour }

function createTallyReader(
  table: FinishedTallies,
  { bucketMs, countedOf }: Buckets,
  count: number,
) {
  const finishedOf = createTallyMemory(table, count)
  return (monitor: Monitor, monitorState: MonitorState, nowMs: number) => {
    const firstMs = (Math.floor(nowMs / bucketMs) - count + 1) * bucketMs
    const counted = countedOf(monitorState)
    const finished = finishedOf(monitor.orgId, monitor.id, firstMs, counted.startMs)
    const state = monitor.isActive ? shownMonitorState(monitorState) : 'paused'
    const current = accrue(counted, state, monitorState.accountedToMs, nowMs, bucketMs)
    return { finished, current, firstMs }
  }
}
