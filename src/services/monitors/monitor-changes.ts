// What a change of a monitor takes with it: its standing, its incident, its actor, those who watch.
import { account } from '../../actors/monitor/account.ts'
import type { Fleet } from '../../actors/monitor/fleet.ts'
import type { Clock } from '../../base/clock.ts'
import { initialHealth, shownState } from '../../domain/health/health.ts'
import { incidentEvent, stateEvent } from '../../domain/live-events/live-event.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { initialMonitorState, type MonitorState } from '../../domain/monitors/monitor-state.ts'
import { changedDeadlineAtMs } from '../../domain/monitors/push.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { Incidents } from '../incidents/incidents.ts'
import type { Events } from '../live-events/events.ts'

export interface ChangesDeps {
  readonly store: Store
  readonly clock: Clock
  readonly fleet: Fleet
  readonly incidents: Incidents
  /** Tells those who listen to the organization's events. */
  readonly publish: Events['publish']
}

/** A record that was written, what it was before, and where it stood then. */
export interface Changed {
  readonly before: Monitor
  readonly monitor: Monitor
  readonly stood: MonitorState | undefined
}

export type Removed = Omit<Changed, 'before'>

export type Changes = ReturnType<typeof createChanges>

export function createChanges({ store, clock, fleet, incidents, publish }: ChangesDeps) {
  /** The standing of a monitor that begins or ceases to be watched: it starts from nothing. */
  function restarted(tx: Tx, monitor: Monitor, stood: MonitorState | undefined): MonitorState {
    const nowMs = clock.nowMs()
    const before = stood ?? initialMonitorState(nowMs)
    const wasActive = !monitor.isActive
    if (wasActive) incidents.close(tx, monitor, before, 'paused')
    const state = wasActive ? shownState(before.health) : 'paused'
    const span = { state, fromMs: before.accountedToMs, toMs: nowMs } as const
    const tallies = account(store, tx, monitor, before, [span])
    const fresh = { health: initialHealth(nowMs), deadlineAtMs: null, accountedToMs: nowMs }
    return { ...before, ...tallies, ...fresh, isPaused: wasActive }
  }

  /** The standing that a change leaves behind; undefined where it stays as it is. */
  function afterChange(tx: Tx, { before, monitor, stood }: Changed): MonitorState | undefined {
    if (monitor.isActive !== before.isActive) return restarted(tx, monitor, stood)
    if (!stood) return undefined
    const deadlineAtMs = changedDeadlineAtMs(before, monitor, stood, clock.nowMs())
    return deadlineAtMs === stood.deadlineAtMs ? undefined : { ...stood, deadlineAtMs }
  }

  /** Tells of a monitor that was paused, resumed or removed, and of the incident it had. */
  function tellEnd({ monitor, stood }: Removed): void {
    const incidentId = stood?.health.openIncidentId
    const incident = incidentId && store.incidents.get(monitor.orgId, incidentId)
    if (incident) publish(monitor.orgId, incidentEvent(incident))
    const monitorState = store.monitorStates.get(monitor.orgId, monitor.id)
    if (monitorState) publish(monitor.orgId, stateEvent(monitor, monitorState))
  }

  return {
    /**
     * Writes the changed record as the next revision, and the standing that it leaves behind.
     * `before` was read in this transaction.
     */
    put(tx: Tx, before: Monitor, changed: Monitor): Changed {
      const stood = store.monitorStates.get(before.orgId, before.id)
      const monitor = { ...changed, updatedAtMs: clock.nowMs(), revision: before.revision + 1 }
      store.monitors.replace(tx, before, monitor)
      const monitorState = afterChange(tx, { before, monitor, stood })
      if (monitorState) store.monitorStates.put(tx, monitor.orgId, monitor.id, monitorState)
      return { before, monitor, stood }
    },

    /** Starts a new monitor in its own time, once it is on disk. */
    started(made: Monitor): void {
      const { orgId, id } = made
      // It may have been changed since, or deleted; whoever did that has seen to its actor.
      if (store.monitors.get(orgId, id)?.revision !== made.revision) return
      fleet.start(made, 'start', store.monitorStates.get(orgId, id))
    },

    /**
     * To be called once it is on disk. Whoever shows monitors is told apart. `phase` says when one
     * that is resumed is first looked at: at once, or in its own time.
     */
    follow({ before, monitor, stood }: Changed, phase: 'created' | 'start' = 'created'): void {
      const { orgId, id } = monitor
      // Where it was changed again since, whoever did that has seen to its actor.
      if (store.monitors.get(orgId, id)?.revision !== monitor.revision) return
      fleet.start(monitor, before.isActive ? 'start' : phase, store.monitorStates.get(orgId, id))
      if (monitor.isActive !== before.isActive) tellEnd({ monitor, stood })
    },

    /** With its open incident; its history stays, noted as garbage. */
    remove(tx: Tx, monitor: Monitor): Removed {
      const { orgId, id: monitorId } = monitor
      const stood = store.monitorStates.get(orgId, monitorId)
      if (stood) incidents.close(tx, monitor, stood, 'deleted')
      store.monitors.remove(tx, monitor)
      store.monitorStates.remove(tx, orgId, monitorId)
      store.checks.removeEvidence(tx, orgId, monitorId)
      store.tombstones.add(tx, { orgId, monitorId })
      return { monitor, stood }
    },

    /** To be called once it is on disk. */
    followRemoval(removed: Removed): void {
      fleet.stop(removed.monitor.id)
      tellEnd(removed)
    },
  }
}
