// Informs others of a committed reading: pages, event streams, metrics, flapping.
import type { CommitResult } from '../../actors/monitor/commit.ts'
import type { FoundMemory } from '../../actors/monitor/found-memory.ts'
import type { CheckWatch } from '../../actors/watch-checks.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import type { Reading } from '../../domain/checks/reading.ts'
import type { Health } from '../../domain/health/health.ts'
import { checkEvent, stateEvent } from '../../domain/live-events/live-event.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { Events } from './events.ts'

export interface CommitListenersDeps {
  readonly publicPages: { invalidate(orgId: OrgId): void }
  readonly events: Pick<Events, 'publish' | 'hasListeners'>
  readonly watch: Pick<CheckWatch, 'onVerdict'>
  readonly found: Pick<FoundMemory, 'note'>
  readonly monitorOf: (monitorId: MonitorId) => Monitor | undefined
  readonly failingFrom: Parameters<typeof checkEvent>[3]
  readonly noteHealth: (monitor: Monitor, health: Health) => void
  /** A monitor may be a member of groups, whose states follow. */
  readonly memberTurned: (orgId: OrgId, monitorId: MonitorId) => void
}

export function createCommitListeners(deps: CommitListenersDeps) {
  const { publicPages, events, watch, found } = deps
  return {
    /** Called after each commit that changes what others see, including those of push reports. */
    announce(orgId: OrgId, monitorId: MonitorId, committed: CommitResult): void {
      publicPages.invalidate(orgId)
      deps.memberTurned(orgId, monitorId)
      const monitor = deps.monitorOf(monitorId)
      if (!monitor) return
      deps.noteHealth(monitor, committed.monitorState.health)
      // Under maintenance no state turns.
      if (committed.hasTurned)
        events.publish(orgId, stateEvent(monitor, committed.monitorState, null))
    },

    /** Called after the commit of each reading. */
    onReading(monitor: Monitor, reading: Reading, committed: CommitResult): void {
      watch.onVerdict(monitor, committed.verdict)
      found.note(monitor, reading)
      if (events.hasListeners(monitor.orgId)) {
        events.publish(monitor.orgId, checkEvent(monitor, reading, committed, deps.failingFrom))
      }
    },
  }
}
