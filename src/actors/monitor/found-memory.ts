// What the newest check of each monitor found, as long as there is room: it is not stored.
import { LRUCache } from 'lru-cache'
import type { MonitorId } from '../../base/ids.ts'
import type { CheckType } from '../../domain/checks/check-type.ts'
import type { Loose, Reading } from '../../domain/checks/reading.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'

export interface FoundMemory {
  note(monitor: Pick<Monitor, 'id' | 'checkType' | 'requestBox'>, reading: Reading): void
  /** Null where it found nothing, or where others have pushed it out. */
  newest(monitorId: MonitorId): Loose | null
}

/** Most checks, which find nothing but where redirects led. A kind is for life. */
const web: ReadonlySet<CheckType> = new Set(['endpoint', 'health', 'keyword'])

/** Keeps readings as they are: what they found is made only of those that somebody looks at. */
export function createFoundMemory(): FoundMemory {
  const readings = new LRUCache<MonitorId, Reading>({
    max: limits.foundMonitorsKept,
    maxSize: limits.foundCharsKept,
  })
  return {
    note({ id, checkType, requestBox }, reading) {
      // A property that is made when it is read: here it is only asked whether there is one.
      if (reading.result === 'unknown' || !('found' in reading)) {
        readings.delete(id)
      } else {
        // What it answered, and what was sent, to be blotted out of that.
        const foundMax = web.has(checkType) ? limits.urlCharsMax : 2 * limits.foundCharsShownMax
        const size = foundMax + (requestBox?.length ?? 0)
        readings.set(id, reading, { size })
      }
    },
    newest: (monitorId) => readings.get(monitorId)?.found ?? null,
  }
}
