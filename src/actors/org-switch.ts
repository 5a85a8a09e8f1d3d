// Stops and starts everything that runs for an organization: its monitors and its channels' queues.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../base/clock.ts'
import type { MonitorId, OrgId } from '../base/ids.ts'
import { limits } from '../domain/limits/limits.ts'
import type { Monitor } from '../domain/monitors/monitor.ts'
import type { MonitorState } from '../domain/monitors/monitor-state.ts'
import { isOrgOff } from '../store/org-state.ts'
import type { Store } from '../store/store.ts'
import type { Outbox } from './alerts/outbox.ts'
import type { Fleet } from './monitor/fleet.ts'
import { moveDeadlines, startOne } from './monitor/load.ts'

export type OrgSwitch = ReturnType<typeof createOrgSwitch>

export interface OrgSwitchDeps {
  readonly store: Store
  readonly clock: Clock
  readonly fleet: Fleet
  /** The queues of messages that are sent for the organization. */
  readonly queues: readonly Pick<Outbox, 'halt' | 'resume'>[]
  readonly onLoaded: (monitor: Monitor, monitorState: MonitorState) => void
  /** All its monitors were started. */
  readonly onOrgLoaded: (orgId: OrgId) => void
}

export function createOrgSwitch(deps: OrgSwitchDeps) {
  const { store, clock, fleet, queues } = deps
  return {
    /** Call it once the store says that it is off. Resolves when nothing runs for it any more. */
    async off(orgId: OrgId): Promise<void> {
      for (const queue of queues) queue.halt(orgId)
      await fleet.stopOrg(orgId)
    },
    /** Call it once the store says that it is on. Its monitors received no reports for `gapMs`. */
    async on(orgId: OrgId, gapMs: number): Promise<void> {
      const endedAtMs = clock.nowMs()
      let last: MonitorId | undefined
      do {
        const slice = store.monitors.list(orgId, limits.scanSlice, last)
        if (gapMs > 0) await moveDeadlines(store, slice, gapMs, endedAtMs)
        for (const monitor of slice) startOne(deps, monitor)
        last = slice.length < limits.scanSlice ? undefined : slice.at(-1)?.id
        await nextTurn()
        // It may have been switched off again meanwhile.
      } while (last && !isOrgOff(store, orgId))
      deps.onOrgLoaded(orgId)
      for (const queue of queues) queue.resume(orgId)
    },
  }
}
