// The consequences of changing a monitor: its state, its incident, its actor, its live events.

import { account } from '../../actors/monitor/accounting.ts'
import type { Fleet } from '../../actors/monitor/fleet.ts'
import { knownState } from '../../actors/monitor/known-state.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { waitsForReports } from '../../domain/checks/check-type.ts'
import { initialHealth, shownState } from '../../domain/health/health.ts'
import { withGaps, withMaintenance } from '../../domain/health/span.ts'
import {
  type ChangeLiveEvent,
  changeEvent,
  stateEvent,
} from '../../domain/live-events/live-event.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { initialMonitorState, type MonitorState } from '../../domain/monitors/monitor-state.ts'
import { changedExpectation } from '../../domain/schedule/push-deadline.ts'
import type { Tx } from '../../store/engine/write.ts'
import { leftOutOf } from '../../store/left-out.ts'
import type { Core } from '../core.ts'
import type { Incidents } from '../incidents/incidents.ts'
import type { Events } from '../live-events/events.ts'
import { maintenanceAt } from '../maintenance/covered.ts'

export interface ChangesDeps {
  readonly fleet: Fleet
  readonly incidents: Incidents
  readonly publish: Events['publish']
}

export interface MonitorChange {
  readonly before: Monitor
  readonly monitor: Monitor
}

/** Monitors that a deleted one leaves in its own transaction; the others follow in slices. */
export const dependentsTogether = 500

export function createChanges({ store, clock }: Core, { fleet, incidents, publish }: ChangesDeps) {
  /** Its places start empty as well. */
  function restartPlaces(tx: Tx, { orgId, id }: Monitor, nowMs: number): void {
    const { monitorStates, idsOf } = store.placed
    for (const placed of idsOf(orgId, id)) {
      const before = monitorStates.get(orgId, placed)
      const fresh = { health: initialHealth(nowMs), accountedToMs: nowMs, lastAtMs: null }
      if (before) monitorStates.put(tx, orgId, placed, { ...before, ...fresh })
    }
  }

  /** A paused or resumed monitor starts empty. */
  function restarted(tx: Tx, monitor: Monitor, known: MonitorState | undefined): MonitorState {
    const nowMs = clock.nowMs()
    const before = known ?? initialMonitorState(nowMs)
    const wasActive = !monitor.isActive
    if (wasActive) incidents.close(tx, monitor, before, 'paused')
    const state = wasActive ? shownState(before.health) : 'paused'
    const span = { state, fromMs: before.accountedToMs, toMs: nowMs } as const
    const leftOut = leftOutOf(store)
    const covered = wasActive ? leftOut.maintenance(monitor, span.fromMs, nowMs) : []
    const spans = withMaintenance(withGaps([span], leftOut.gaps()), covered)
    const tallies = account(store, tx, monitor, before, spans)
    const fresh = { health: initialHealth(nowMs), accountedToMs: nowMs }
    const nothing = { deadlineAtMs: null, openRuns: [], recoversAtMs: null }
    restartPlaces(tx, monitor, nowMs)
    return { ...before, ...tallies, ...fresh, ...nothing, isPaused: wasActive }
  }

  /** Undefined if it stays as it is. */
  function stateAfter(tx: Tx, { before, monitor }: MonitorChange): MonitorState | undefined {
    const known = knownState(store, before, clock.nowMs())
    if (monitor.isActive !== before.isActive) return restarted(tx, monitor, known)
    if (!known || !waitsForReports(monitor)) return undefined
    const changed = changedExpectation(before, monitor, known, clock.nowMs())
    const isSame =
      changed.deadlineAtMs === known.deadlineAtMs &&
      changed.openRuns === known.openRuns &&
      changed.recoversAtMs === known.recoversAtMs
    return isSame ? undefined : { ...known, ...changed }
  }

  /** Starts what is stored, which may be newer than the change, unless its actor has it already. */
  function startStored(stored: Monitor, phase: 'created' | 'start'): void {
    const { orgId, id, revision } = stored
    if (fleet.monitor(id)?.revision === revision) return
    fleet.start(stored, phase, store.monitorStates.get(orgId, id))
  }

  function tell(
    monitor: Pick<Monitor, 'orgId' | 'id'> & { readonly name: string | null },
    change: ChangeLiveEvent['change'],
  ): void {
    publish(monitor.orgId, changeEvent(monitor, change, clock.nowMs()))
  }

  /** Deletes what is kept of a monitor; its history is deleted later, in slices. */
  function removeRecords(tx: Tx, orgId: OrgId, monitorId: MonitorId): void {
    const before = store.monitorStates.get(orgId, monitorId)?.certificate?.fingerprint
    store.certificates.noteUse(tx, { orgId, monitorId, before, now: undefined })
    // Dependents beyond the limit follow with its history: the tombstone stays until none is left.
    store.monitors.leaveDependents(tx, orgId, monitorId, dependentsTogether)
    store.monitorStates.remove(tx, orgId, monitorId)
    store.checks.removeEvidence(tx, orgId, monitorId)
    store.objectives.remove(tx, orgId, monitorId)
    store.tombstones.add(tx, { orgId, monitorId })
  }

  return {
    /** `before` must have been read in this transaction. */
    put(tx: Tx, before: Monitor, changed: Monitor): MonitorChange {
      const monitor = { ...changed, updatedAtMs: clock.nowMs(), revision: before.revision + 1 }
      store.monitors.replace(tx, before, monitor)
      const change = { before, monitor }
      const monitorState = stateAfter(tx, change)
      if (monitorState) store.monitorStates.put(tx, monitor.orgId, monitor.id, monitorState)
      return change
    },

    /** Starts a new monitor in its slot, after it is on disk. */
    started({ orgId, id }: Monitor): void {
      const stored = store.monitors.get(orgId, id)
      if (!stored) return
      startStored(stored, 'start')
      tell(stored, 'created')
    },

    /** Announces a new monitor, after it is on disk. */
    created: (monitor: Monitor): void => tell(monitor, 'created'),

    /** Replaces the actor. `phase`: when a resumed monitor is first checked. */
    follow({ before, monitor }: MonitorChange, phase: 'created' | 'start' = 'created'): void {
      const { orgId, id, isActive } = monitor
      const stored = store.monitors.get(orgId, id)
      if (!stored) return
      startStored(stored, before.isActive ? 'start' : phase)
      tell(stored, 'changed')
      const monitorState = store.monitorStates.get(orgId, id)
      if (isActive === before.isActive || isActive !== stored.isActive || !monitorState) return
      publish(orgId, stateEvent(stored, monitorState, maintenanceAt(store, stored, clock.nowMs())))
    },

    /** Closes its open incident. */
    remove(tx: Tx, monitor: Monitor): void {
      const monitorState = knownState(store, monitor, clock.nowMs())
      if (monitorState) incidents.close(tx, monitor, monitorState, 'deleted')
      store.monitors.remove(tx, monitor)
      removeRecords(tx, monitor.orgId, monitor.id)
      tx.afterCommit(() => tell(monitor, 'deleted'))
    },

    /** The same for one whose record is damaged: its incident stays open until a person closes it. */
    discard(tx: Tx, orgId: OrgId, monitorId: MonitorId): void {
      store.monitors.discard(tx, orgId, monitorId)
      removeRecords(tx, orgId, monitorId)
      tx.afterCommit(() => tell({ orgId, id: monitorId, name: null }, 'deleted'))
    },
  }
}
