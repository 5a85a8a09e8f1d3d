// Releases held alerts: once nothing that a monitor depends on is down any more, it is checked again,
// and if it is still in its outage, channels hear of that. They hear of it after a day in any case.

import type { Clock } from '../../base/clock.ts'
import type { IncidentId, MonitorId, OrgId } from '../../base/ids.ts'
import type { Log } from '../../base/log/log.ts'
import { createYielder } from '../../base/yielding.ts'
import { waitsForReports } from '../../domain/checks/check-type.ts'
import type { Health } from '../../domain/health/health.ts'
import {
  heldUntilMs,
  type Incident,
  isHeld,
  releasedIncident,
} from '../../domain/incidents/incident.ts'
import { limits } from '../../domain/limits/limits.ts'
import { failsByItself, isBad, monitorsAbove } from '../../domain/monitors/dependencies.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import {
  type BlockerDeps,
  blockerOf,
  isUnderMaintenance,
  type MonitorAbove,
  monitorAbove,
} from './blockers.ts'
import type { Enqueue } from './enqueue.ts'

export type Holds = ReturnType<typeof watchHolds>

export interface HoldsDeps extends Pick<BlockerDeps, 'isSuspended'> {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly enqueue: Pick<Enqueue, 'incident'>
  /** The next check of the monitor is due then, unless one is sooner. */
  readonly hasten: (monitorId: MonitorId, atMs: number) => void
  /** Whether the organization is deleted or switched off: nothing is sent for it. */
  readonly isOff: (orgId: OrgId) => boolean
}

interface HeldAlerts {
  readonly orgId: OrgId
  readonly incidentId: IncidentId
  readonly monitorId: MonitorId
  /** What explains the outage, as far as known; null: look again. */
  blockerId: MonitorId | null
  /** The time since which nothing explains the incident any more. */
  clearedAtMs: number | null
  /** When its check was last asked for. */
  hastenedAtMs: number
  /** When the incident is announced, whatever explains it. */
  readonly untilMs: number
}

/** The records that one round has read, because many monitors depend on the same few. */
interface Round {
  readonly nowMs: number
  readonly find: (orgId: OrgId) => (id: MonitorId) => MonitorAbove | undefined
  readonly isOff: (orgId: OrgId) => boolean
  checks: number
}

/** How often monitors are looked at whose outage holds alerts of others. */
export const heldLookMs = 2_000
/** Held incidents whose monitors are checked again: so long after each other. */
const heldCheckGapMs = 1
/** After this, the check of a held incident's monitor is asked for again. */
const heldCheckAgainMs = 15_000
/** Held incidents that are released in one transaction. */
const heldSlice = 100
/** A monitor on which a failing one depends is checked at once, unless it was within this time. */
const checkedAboveMs = 10_000

/**
 * The store says which incidents are held and which monitors are down, so a restart loses none. Only the
 * time since which nothing explains an outage is not stored: it begins anew.
 */
export function watchHolds(deps: HoldsDeps) {
  const { store, clock, log, enqueue } = deps
  const held = new Map<IncidentId, HeldAlerts>()
  let timer: unknown
  let isLooking = false
  let isStopped = false

  function note(incident: Incident): void {
    const { orgId, id: incidentId } = incident
    const [monitorId] = incident.monitorIds
    if (!isHeld(incident) || incident.state === 'resolved' || monitorId === undefined) {
      held.delete(incidentId)
      return
    }
    if (held.has(incidentId)) return
    const { heldBy: blockerId = null } = incident
    const untilMs = heldUntilMs(incident)
    const fresh = { blockerId, clearedAtMs: null, hastenedAtMs: 0, untilMs }
    held.set(incidentId, { orgId, incidentId, monitorId, ...fresh })
    again()
  }

  function again(): void {
    if (isStopped || isLooking || timer !== undefined || held.size === 0) return
    timer = clock.setTimeout(() => {
      timer = undefined
      isLooking = true
      lookAtAll()
        .catch((error: unknown) => log.error('held alerts not released', { error }))
        .finally(() => {
          isLooking = false
          again()
        })
    }, heldLookMs)
  }

  function newRound(): Round {
    const found = new Map<MonitorId, MonitorAbove | undefined>()
    const offs = new Map<OrgId, boolean>()
    const nowMs = clock.nowMs()
    return {
      nowMs,
      checks: 0,
      find: (orgId) => (id) => {
        if (!found.has(id)) found.set(id, monitorAbove(deps, orgId, id, nowMs))
        return found.get(id)
      },
      isOff(orgId) {
        const known = offs.get(orgId)
        if (known !== undefined) return known
        const isOff = deps.isOff(orgId)
        offs.set(orgId, isOff)
        return isOff
      },
    }
  }

  /** Yields, because after an outage of a large network very many may be held. */
  async function lookAtAll(): Promise<void> {
    const yielder = createYielder(clock, limits.turnMs)
    const round = newRound()
    const ready: HeldAlerts[] = []
    for (const one of [...held.values()]) {
      if (!round.isOff(one.orgId) && isReady(one, round)) ready.push(one)
      if (yielder.isDue()) await yielder.pause()
    }
    while (ready.length > 0 && !isStopped) {
      const slice = ready.splice(0, heldSlice)
      await store.writeTogether((tx) => {
        for (const one of slice) release(tx, one)
      })
    }
  }

  /** Whether channels hear of it now. Else its check is asked for, if nothing explains it. */
  function isReady(one: HeldAlerts, round: Round): boolean {
    const find = round.find(one.orgId)
    const { nowMs } = round
    const isTooLong = nowMs >= one.untilMs
    const known = one.blockerId === null ? undefined : find(one.blockerId)
    if (known?.explains === 'outage') one.clearedAtMs = null
    // Whether one that is silent holds anything depends on what it holds.
    if (known && known.explains !== 'nothing' && !known.isSilent && !isTooLong) return false
    const monitor = store.monitors.readable(one.orgId, one.monitorId)
    const monitorState = store.monitorStates.get(one.orgId, one.monitorId)
    // If another incident is open, or none, this one has ended or was repaired.
    if (!monitor || monitorState?.health.openIncidentId !== one.incidentId) return false
    if (isTooLong && isBad(monitorState.health)) return !isUnderMaintenance(store, monitor, nowMs)
    const blocker = blockerOf(deps, monitor, nowMs, find)
    one.blockerId = blocker?.id ?? null
    if (blocker) {
      // A failure that is not confirmed lets the outage wait, but not from the beginning: a parent
      // that fails now and then and is never down would hold it for a day.
      if (blocker.isConfirmed) one.clearedAtMs = null
      return false
    }
    one.clearedAtMs ??= nowMs
    if (failsByItself(monitor, monitorState, one.clearedAtMs, nowMs)) {
      return !isUnderMaintenance(store, monitor, nowMs)
    }
    const isAsked = nowMs - one.hastenedAtMs < heldCheckAgainMs
    if (!isAsked && !waitsForReports(monitor)) {
      one.hastenedAtMs = nowMs + round.checks * heldCheckGapMs
      round.checks += 1
      deps.hasten(one.monitorId, one.hastenedAtMs)
    }
    return false
  }

  function release(tx: Tx, { orgId, incidentId, monitorId }: HeldAlerts): void {
    const before = store.incidents.readable(orgId, incidentId)
    const monitor = store.monitors.readable(orgId, monitorId)
    if (!before || !monitor || !isHeld(before) || before.state === 'resolved') return
    const nowMs = clock.nowMs()
    const find = (id: MonitorId) => monitorAbove(deps, orgId, id, nowMs)
    const isTooLong = nowMs >= heldUntilMs(before)
    // It went down again a moment ago.
    if (!isTooLong && blockerOf(deps, monitor, nowMs, find)) return
    const isLongDown = [...monitorsAbove(monitor, find)].some((one) => one.isLongDown)
    const unexplained = isTooLong ? 'held_too_long' : 'nothing_down'
    const incident = releasedIncident(before, nowMs, isLongDown ? 'down_too_long' : unexplained)
    store.incidents.put(tx, incident)
    enqueue.incident(tx, { incident, event: 'incident.opened', nowMs })
  }

  store.signals.incidentChanged.listen(({ incident }) => note(incident))
  store.signals.dependenciesChanged.listen((orgId) => {
    for (const one of held.values()) if (one.orgId === orgId) one.blockerId = null
  })

  return {
    /** A monitor was started with this health: its incident may be held. */
    noteMonitor({ orgId, dependsOn }: Monitor, { openIncidentId }: Health): void {
      if (openIncidentId === null || dependsOn.length === 0) return
      const incident = store.incidents.readable(orgId, openIncidentId)
      if (incident) note(incident)
    },
    note,
    isWatched: (incidentId: IncidentId): boolean => held.has(incidentId),
    /**
     * A monitor begins to fail: the monitors above it are checked at once, so that their outage is known
     * when the outage of this one is confirmed. A monitor that is checked rarely would explain nothing
     * otherwise.
     */
    lookAbove(monitor: Monitor): void {
      const nowMs = clock.nowMs()
      const find = (id: MonitorId) => monitorAbove(deps, monitor.orgId, id, nowMs)
      for (const { id, checkType, explains, monitorState } of monitorsAbove(monitor, find)) {
        const lookedMs = monitorState?.lastAtMs ?? 0
        const isKnown = explains !== 'nothing' || nowMs - lookedMs < checkedAboveMs
        if (!isKnown && !waitsForReports({ checkType })) deps.hasten(id, nowMs)
      }
    },
    stop(): void {
      isStopped = true
      clock.clearTimeout(timer)
    },
  }
}
