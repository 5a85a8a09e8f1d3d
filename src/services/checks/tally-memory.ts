// Caches a monitor's newest days and hours, because finished ones never change and are read often.
import { LRUCache } from 'lru-cache'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import {
  accrueAll,
  dayMs,
  hourMs,
  type Tally,
  type WorkedTime,
  workedTime,
} from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import { type LeftOut, spansSinceResult } from '../../store/left-out.ts'
import type { TalliesTable } from '../../store/tables/checks/tallies.ts'

type FinishedTallies = Pick<TalliesTable, 'within'> & Partial<Pick<TalliesTable, 'pastVersion'>>

interface CachedTallies {
  readonly firstMs: number
  readonly currentMs: number
  readonly past: number | undefined
  readonly tallies: readonly Tally[]
  /** Kept with the tallies, which never change. */
  readonly sums: readonly WorkedTime[]
}

type SumTallies = (tallies: readonly Tally[], firstMs: number) => readonly WorkedTime[]

/** Finished ones from a start on, oldest first. `currentMs` is the one still being counted. */
type TallyMemory = (
  orgId: OrgId,
  monitorId: MonitorId,
  firstMs: number,
  currentMs: number,
) => CachedTallies

/** Caches the tallies of the first `lengthMs` of each monitor, with their sums. */
function createTallyMemory(
  table: FinishedTallies,
  lengthMs: number,
  sumsOf: SumTallies,
): TallyMemory {
  const known = new LRUCache<MonitorId, CachedTallies>({ max: limits.dayMemoryMonitorsMax })
  return (orgId, monitorId, firstMs, currentMs) => {
    const before = known.get(monitorId)
    // A tally is finished by the same write that starts the next.
    const isKnown = before?.firstMs === firstMs && before.currentMs === currentMs
    const past = table.pastVersion?.(monitorId)
    if (isKnown && before.past === past) return before
    const window = { fromMs: firstMs, toMs: firstMs + lengthMs }
    const tallies = table.within(orgId, monitorId, window)
    const cached = { firstMs, currentMs, past, tallies, sums: sumsOf(tallies, firstMs) }
    known.set(monitorId, cached)
    return cached
  }
}

/** Oldest first. The current one extends to `nowMs` in the current state. */
export type NewestTallies = (monitor: Monitor, monitorState: MonitorState, nowMs: number) => Tally[]

export function createNewestDays(table: FinishedTallies, leftOut: LeftOut): NewestTallies {
  const readTallies = createTallyReader(table, leftOut, dayBuckets, limits.historyDays, () => [])
  return (monitor, monitorState, nowMs) => {
    const { finished, current, firstMs } = readTallies(monitor, monitorState, nowMs)
    return [...finished, ...current].filter((tally) => tally.startMs >= firstMs)
  }
}

/** The time that counts in the newest buckets, for several numbers of them. */
export type NewestSums = (
  monitor: Monitor,
  monitorState: MonitorState,
  nowMs: number,
) => readonly WorkedTime[]

/** `counts`: the largest first. */
export function createNewestSums(
  table: FinishedTallies,
  leftOut: LeftOut,
  buckets: Buckets,
  counts: readonly number[],
): NewestSums {
  const [most = 0] = counts
  const startMs = (count: number, firstMs: number) => firstMs + (most - count) * buckets.bucketMs
  const readTallies = createTallyReader(table, leftOut, buckets, most, (finished, firstMs) =>
    counts.map((count) => workedTime(finished, startMs(count, firstMs))),
  )
  return (monitor, monitorState, nowMs) => {
    const { sums, current, firstMs } = readTallies(monitor, monitorState, nowMs)
    return counts.map((count, at) => workedTime(current, startMs(count, firstMs), sums[at]))
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
  leftOut: LeftOut,
  { bucketMs, countedOf }: Buckets,
  count: number,
  sumsOf: SumTallies,
) {
  const finishedOf = createTallyMemory(table, count * bucketMs, sumsOf)
  return (monitor: Monitor, monitorState: MonitorState, nowMs: number) => {
    const firstMs = (Math.floor(nowMs / bucketMs) - count + 1) * bucketMs
    const counted = countedOf(monitorState)
    const { tallies, sums } = finishedOf(monitor.orgId, monitor.id, firstMs, counted.startMs)
    const window = { fromMs: firstMs, toMs: nowMs }
    const spans = spansSinceResult(leftOut, monitor, monitorState, window)
    const current = accrueAll(counted, spans, bucketMs)
    return { finished: tallies, sums, current, firstMs }
  }
}
