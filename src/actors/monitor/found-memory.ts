// Findings of the newest check of each monitor, in bounded memory; they are not stored.
import { LRUCache } from 'lru-cache'
import type { MonitorId } from '../../base/ids.ts'
import type { CheckType } from '../../domain/checks/check-type.ts'
import type { Loose, Reading } from '../../domain/checks/reading.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'

export type FoundMemory = ReturnType<typeof createFoundMemory>

/** Most checks, whose only findings are redirects. The kind of a monitor never changes. */
const web: ReadonlySet<CheckType> = new Set(['endpoint', 'health', 'keyword'])

/** Keeps readings as they are: findings are computed only when somebody reads them. */
export function createFoundMemory() {
  const readings = new LRUCache<MonitorId, Reading>({
    max: limits.foundMonitorsKept,
    maxSize: limits.foundCharsKept,
  })
  return {
    note(monitor: Pick<Monitor, 'id' | 'checkType' | 'requestBox'>, reading: Reading): void {
      const { id, checkType, requestBox } = monitor
      // The property computes its value when read; this only tests whether it exists.
      if (reading.result === 'unknown' || !('found' in reading)) {
        readings.delete(id)
      } else {
        // The response, and the sent secrets to be masked in it.
        const foundMax = web.has(checkType) ? limits.urlCharsMax : 2 * limits.foundCharsShownMax
        const size = foundMax + (requestBox?.length ?? 0)
        readings.set(id, reading, { size })
      }
    },
    /** Null if there are none, or if others displaced them. */
    newest: (monitorId: MonitorId): Loose | null => readings.get(monitorId)?.found ?? null,
  }
}
