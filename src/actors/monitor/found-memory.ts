// Findings of the newest check of each monitor, in bounded memory; they are not stored.
import { LRUCache } from 'lru-cache'
import type { MonitorId } from '../../base/ids.ts'
import type { Loose, Reading } from '../../domain/checks/reading.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { findsText } from '../../probes/registry.ts'

export type FoundMemory = ReturnType<typeof createFoundMemory>

/** Findings of new checks kept in memory: for this many monitors, up to this many characters. */
export const foundMonitorsKept = 1_000
export const foundCharsKept = 32 * 1024 * 1024

/** Keeps readings as they are: their findings are computed only when they are read. */
export function createFoundMemory() {
  const readings = new LRUCache<MonitorId, Reading>({
    max: foundMonitorsKept,
    maxSize: foundCharsKept,
  })
  return {
    note(monitor: Pick<Monitor, 'id' | 'checkType' | 'requestBox'>, reading: Reading): void {
      const { id, checkType, requestBox } = monitor
      // Tests only whether the property exists, because reading it would compute the findings.
      if (reading.result === 'unknown' || !('found' in reading)) {
        readings.delete(id)
      } else {
        // Estimates the memory: the response, or the address that HTTP checks were redirected to, and
        // the secrets to mask in it. A monitor's kind never changes.
        const foundMax = findsText(checkType) ? 2 * limits.foundCharsShownMax : limits.urlCharsMax
        const size = foundMax + (requestBox?.length ?? 0)
        readings.set(id, reading, { size })
      }
    },
    /** Null if the check found nothing, or if newer findings took the memory. */
    newest: (monitorId: MonitorId): Loose | null => readings.get(monitorId)?.found ?? null,
  }
}
