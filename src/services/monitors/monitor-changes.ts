// The consequences of changing a monitor: its state, its incident, its actor, its live events.

import { account } from '../../actors/monitor/accounting.ts'
import type { Fleet } from '../../actors/monitor/fleet.ts'
import { knownState } from '../../actors/monitor/known-state.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { waitsForReports } from '../../domain/checks/check-type.ts'
import { foldVerdict } from '../../domain/health/fold-verdict.ts'
import { confirmedBefore, initialHealth, shownState } from '../../domain/health/health.ts'
import { type SpanState, withGaps, withMaintenance } from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import {
  type ChangeLiveEvent,
  changeEvent,
  stateEvent,
} from '../../domain/live-events/live-event.ts'
import { home } from '../../domain/locations/choice.ts'
import { hasVote, placedId } from '../../domain/locations/place.ts'
import { isHeardAt } from '../../domain/locations/vote.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import {
  initialMonitorState,
  type MonitorState,
  shownMonitorState,
} from '../../domain/monitors/monitor-state.ts'
import { changedExpectation } from '../../domain/schedule/push-deadline.ts'
import type { Tx } from '../../store/engine/write.ts'
import { type LeftOut, leftOutAtPlaces, leftOutOf } from '../../store/left-out.ts'
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

interface Emptying {
  /** Until now. */
  readonly state: SpanState
  readonly tables?: Parameters<typeof account>[0]
  readonly left?: LeftOut
}

/** Monitors that a deleted one leaves in its own transaction; the others follow in slices. */
export const dependentsTogether = 500

export function createChanges({ store, clock }: Core, { fleet, incidents, publish }: ChangesDeps) {
  const leftOut = leftOutOf(store)
  const placedLeftOut = leftOutAtPlaces(leftOut)

  /** What was seen in this state until now; from now on nothing has been seen. */
  function emptied(
    tx: Tx,
    monitor: Monitor,
    before: MonitorState,
    { state, tables = store, left = leftOut }: Emptying,
  ): MonitorState {
    const nowMs = clock.nowMs()
    const span = { state, fromMs: before.accountedToMs, toMs: nowMs }
    const covered = state === 'paused' ? [] : left.maintenance(monitor, span.fromMs, nowMs)
    const spans = withMaintenance(withGaps([span], left.gaps()), covered)
    const tallies = account(tables, tx, monitor, before, spans)
    return { ...before, ...tallies, health: initialHealth(nowMs), accountedToMs: nowMs }
  }

  /**
   * Places of a paused or resumed monitor start empty as well, and so do places that it gets again: what
   * they saw long ago says nothing of now.
   */
  function restartPlaces(tx: Tx, { before, monitor }: MonitorChange): void {
    const { orgId, id, isActive, locations } = monitor
    const { monitorStates } = store.placed
    for (const place of locations) {
      const isNew = !before.locations.includes(place)
      const kept = { ...monitor, id: placedId(id, place) }
      const known = monitorStates.get(orgId, kept.id)
      if (!known || (!isNew && isActive === before.isActive)) continue
      const isHeard = isHeardAt(before, known.lastAtMs, clock.nowMs())
      const seen = before.isActive ? isHeard && shownMonitorState(known) : 'paused'
      const state = (!isNew && seen) || 'unknown'
      const tables = store.placed
      const empty = emptied(tx, kept, known, { state, tables, left: placedLeftOut })
      const unheard = { lastAtMs: null, lastVerdict: null, lastError: null }
      monitorStates.put(tx, orgId, kept.id, { ...empty, ...unheard })
    }
  }

  /** What was seen from here alone is what home sees, once other places look as well: it has confirmed that. */
  function keepHome(tx: Tx, { before, monitor }: MonitorChange): void {
    const isJoined = !hasVote(before) && monitor.locations.includes(home)
    if (!isJoined || !before.isActive || !monitor.isActive) return
    const { orgId, id } = monitor
    const own = store.monitorStates.get(orgId, id)
    const seen = own && shownState(own.health)
    if (!own || !seen || seen === 'pending') return
    const { lastAtMs, lastVerdict, lastError } = own
    const { sinceMs } = own.health
    const policy = { ...monitor, ...confirmedBefore }
    const { health } = foldVerdict(initialHealth(sinceMs), seen, policy, sinceMs)
    const { monitorStates } = store.placed
    const placed = placedId(id, home)
    const known = monitorStates.get(orgId, placed) ?? initialMonitorState(clock.nowMs())
    monitorStates.put(tx, orgId, placed, { ...known, health, lastAtMs, lastVerdict, lastError })
  }

  /** A paused or resumed monitor starts empty. */
  function restarted(tx: Tx, monitor: Monitor, known: MonitorState | undefined): MonitorState {
    const before = known ?? initialMonitorState(clock.nowMs())
    const wasActive = !monitor.isActive
    if (wasActive) incidents.close(tx, monitor, before, 'paused')
    const state = wasActive ? shownState(before.health) : 'paused'
    const nothing = { deadlineAtMs: null, openRuns: [], recoversAtMs: null }
    return { ...emptied(tx, monitor, before, { state }), ...nothing, isPaused: wasActive }
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
    const groups = store.monitors.dependents(orgId, monitorId, limits.groupsOfMonitorMax)
    tx.afterCommit(() => fleet.regroup(groups))
    // Dependents beyond the limit follow with its history: the tombstone stays until none is left.
    store.monitors.leaveDependents(tx, orgId, monitorId, dependentsTogether)
    store.monitorStates.remove(tx, orgId, monitorId)
    store.checks.removeEvidence(tx, orgId, monitorId)
    store.objectives.remove(tx, orgId, monitorId)
    store.theirWords.remove(tx, orgId, monitorId)
    store.tombstones.add(tx, { orgId, monitorId })
  }

  return {
    /** `before` must have been read in this transaction. */
    put(tx: Tx, before: Monitor, changed: Monitor): MonitorChange {
      const monitor = { ...changed, updatedAtMs: clock.nowMs(), revision: before.revision + 1 }
      store.monitors.replace(tx, before, monitor)
      const change = { before, monitor }
      const monitorState = stateAfter(tx, change)
      restartPlaces(tx, change)
      keepHome(tx, change)
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
      fleet.regroup(store.monitors.dependents(orgId, id, limits.groupsOfMonitorMax))
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
