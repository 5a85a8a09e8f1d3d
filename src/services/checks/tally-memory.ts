// A monitor's newest days and hours. Finished ones never change and are asked for all the time.
import { LRUCache } from 'lru-cache'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { accrue, dayMs, hourMs, type Tally } from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { type MonitorState, shownMonitorState } from '../../domain/monitors/monitor-state.ts'
import type { TalliesTable } from '../../store/tables/checks/tallies.ts'

type FinishedTallies = Pick<TalliesTable, 'since'>

interface Remembered {
  readonly firstMs: number
  readonly currentMs: number
  readonly tallies: readonly Tally[]
}

/** The finished ones from one on, oldest first. `currentMs` is the one still being counted. */
type TallyMemory = (
  orgId: OrgId,
  monitorId: MonitorId,
  firstMs: number,
  currentMs: number,
) => readonly Tally[]

/** Remembers up to `countMax` for each monitor. */
function createTallyMemory(table: FinishedTallies, countMax: number): TallyMemory {
  const known = new LRUCache<MonitorId, Remembered>({ max: limits.dayMemoryMonitorsMax })
  return (orgId, monitorId, firstMs, currentMs) => {
    const before = known.get(monitorId)
    // One is finished in the very write that begins to count the next.
    if (before?.firstMs === firstMs && before.currentMs === currentMs) return before.tallies
    const tallies = table.since(orgId, monitorId, firstMs, countMax)
    known.set(monitorId, { firstMs, currentMs, tallies })
    return tallies
  }
}

/** Oldest first. The current one counts to `nowMs`: the state that holds has held until then. */
export type NewestTallies = (monitor: Monitor, monitorState: MonitorState, nowMs: number) => Tally[]

/** The days that history goes back to. */
export function createNewestDays(table: FinishedTallies): NewestTallies {
  return createNewest(table, limits.historyDays, dayMs, ({ tally }) => tally)
}

export function createNewestHours(table: FinishedTallies, count: number): NewestTallies {
  return createNewest(table, count, hourMs, ({ hour }) => hour)
}

function createNewest(
  table: FinishedTallies,
  count: number,
  bucketMs: number,
  countedOf: (monitorState: MonitorState) => Tally,
): NewestTallies {
  const finished = createTallyMemory(table, count)
  return (monitor, monitorState, nowMs) => {
    const firstMs = (Math.floor(nowMs / bucketMs) - count + 1) * bucketMs
    const counted = countedOf(monitorState)
    const before = finished(monitor.orgId, monitor.id, firstMs, counted.startMs)
    const state = monitor.isActive ? shownMonitorState(monitorState) : 'paused'
    const current = accrue(counted, state, monitorState.accountedToMs, nowMs, bucketMs)
    return [...before, ...current].filter((tally) => tally.startMs >= firstMs)
  }
}
