// Finished days and hours, remembered: they never change, and they are asked for all the time.
import { LRUCache } from 'lru-cache'
import type { MonitorId, OrgId } from '../base/ids.ts'
import { limits } from '../domain/limits.ts'
import type { Tally } from '../domain/span.ts'
import type { TalliesTable } from '../store/tables/tallies.ts'

interface Remembered {
  readonly firstMs: number
  readonly currentMs: number
  readonly tallies: readonly Tally[]
}

/** The finished ones from one on, oldest first. `currentMs` is the one still being counted. */
export type TallyMemory = (
  orgId: OrgId,
  monitorId: MonitorId,
  firstMs: number,
  currentMs: number,
) => readonly Tally[]

/** Remembers up to `countMax` for each monitor. */
export function createTallyMemory(
  table: Pick<TalliesTable, 'since'>,
  countMax: number,
): TallyMemory {
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
