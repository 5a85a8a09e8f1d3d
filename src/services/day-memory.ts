// Finished days, remembered: they never change, and a page asks for ninety every few seconds.
import { LRUCache } from 'lru-cache'
import type { MonitorId, OrgId } from '../base/ids.ts'
import { limits } from '../domain/limits.ts'
import type { DayTally } from '../domain/span.ts'
import type { Store } from '../store/store.ts'

interface Remembered {
  readonly firstMs: number
  readonly currentDayMs: number
  readonly days: readonly DayTally[]
}

/** The finished days from one on, oldest first. `currentDayMs` is the day still being counted. */
export type DayMemory = (
  orgId: OrgId,
  monitorId: MonitorId,
  firstMs: number,
  currentDayMs: number,
) => readonly DayTally[]

export function createDayMemory({ days }: Pick<Store, 'days'>): DayMemory {
  const known = new LRUCache<MonitorId, Remembered>({ max: limits.dayMemoryMonitorsMax })
  return (orgId, monitorId, firstMs, currentDayMs) => {
    const before = known.get(monitorId)
    // A day is finished in the very write that begins to count the next one.
    if (before?.firstMs === firstMs && before.currentDayMs === currentDayMs) return before.days
    const found = days.since(orgId, monitorId, firstMs, limits.historyDays)
    known.set(monitorId, { firstMs, currentDayMs, days: found })
    return found
  }
}
