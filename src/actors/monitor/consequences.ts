// Consequences of a change of health: the incident, its timeline and messages to channels.
import { unreachable } from '../../base/assert.ts'
import type { Clock } from '../../base/clock.ts'
import { type IncidentId, newId } from '../../base/ids.ts'
import type { CertificateNotice, DomainNotice } from '../../domain/alerts/expiry-notice.ts'
import type { Reading } from '../../domain/checks/reading.ts'
import { type Health, type HealthChange, withIncident } from '../../domain/health/health.ts'
import { basisOf, withBasis } from '../../domain/incidents/basis.ts'
import {
  evidenceOf,
  flappingIncident,
  heldIncident,
  type Incident,
  isHeld,
  liveIncident,
  opened,
  recoveredIncident,
  reopened,
  resolvedIncident,
  settledIncident,
  worsened,
} from '../../domain/incidents/incident.ts'
import type { PlaceGrounds } from '../../domain/locations/vote.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { isSilent, mayBeShown } from '../../domain/monitors/shadow.ts'
import type { Tx } from '../../store/engine/write.ts'
import { namedStories, type PlaceNameOf } from '../../store/place-names.ts'
import type { Store } from '../../store/store.ts'
import { type BlockerDeps, blockerOf, isUnderMaintenance } from '../alerts/blockers.ts'
import type { Enqueue } from '../alerts/enqueue.ts'

/** The result with which a change was decided. */
export interface DecidingResult {
  readonly reading: Reading
  /** What several places said, if they did. */
  readonly grounds?: PlaceGrounds | undefined
}

export type Consequences = ReturnType<typeof createConsequences>

export interface ConsequencesDeps extends Pick<BlockerDeps, 'isSuspended'> {
  readonly store: Store
  readonly clock: Clock
  readonly enqueue: Enqueue
  readonly placeName: PlaceNameOf
}

export function createConsequences(deps: ConsequencesDeps) {
  const { store, clock, enqueue, placeName } = deps

  function incidentOf(monitor: Monitor, incidentId: IncidentId): Incident | undefined {
    return store.incidents.readable(monitor.orgId, incidentId)
  }

  function begin(
    monitor: Monitor,
    change: Extract<HealthChange, { kind: 'opened' }>,
    reading: Reading,
  ): Incident {
    const failure = failureOf(monitor, reading)
    const earlier = change.reopens === null ? undefined : incidentOf(monitor, change.reopens)
    const { orgId } = monitor
    // The check may have begun before the monitor went live.
    const stored = store.monitors.readable(orgId, monitor.id) ?? monitor
    if (earlier) {
      const again = reopened(earlier, failure, change)
      if (!again.isShadow || isSilent(stored)) return again
      return liveIncident(again, stored.isPublic, clock.nowMs())
    }
    const id = newId('incident', clock.nowMs())
    const shadow = isSilent(stored) ? { isShadow: true as const } : {}
    const isPublic = mayBeShown(stored)
    return opened({ ...failure, id, orgId, monitorIds: [monitor.id], isPublic, ...shadow }, change)
  }

  /** While a monitor above it is down, its alerts are held. */
  function explained(monitor: Monitor, incident: Incident): Incident {
    const nowMs = clock.nowMs()
    const blocker = isHeld(incident) ? undefined : blockerOf(deps, monitor, nowMs)
    return blocker ? heldIncident(incident, blocker, nowMs) : incident
  }

  function put(
    tx: Tx,
    monitor: Monitor,
    incident: Incident,
    event: 'incident.opened' | 'incident.resolved' | 'incident.updated' | null,
  ): void {
    store.incidents.put(tx, incident)
    if (event !== null) enqueue.incident(tx, { incident, event, monitor, nowMs: clock.nowMs() })
  }

  /** The incident with the basis of the change. The stored state is the state before the change. */
  function based(
    incident: Incident,
    monitor: Monitor,
    change: HealthChange,
    { reading, grounds }: DecidingResult,
  ): Incident {
    const before = store.monitorStates.get(monitor.orgId, monitor.id)?.health
    const atMs = 'confirmedAtMs' in change ? change.confirmedAtMs : clock.nowMs()
    return before
      ? withBasis(
          incident,
          basisOf(before, change, { monitor, reading, atMs, grounds: named(monitor, grounds) }),
        )
      : incident
  }

  /** The names are stored, so that a later one does not falsify the story. */
  function named({ orgId }: Monitor, grounds: PlaceGrounds | undefined): PlaceGrounds | undefined {
    return grounds && { ...grounds, places: namedStories(placeName, orgId, grounds.places) }
  }

  return {
    /** Writes the consequences in the verdict's own transaction; returns the resulting health. */
    follow(
      tx: Tx,
      monitor: Monitor,
      health: Health,
      change: HealthChange,
      decided: DecidingResult,
    ): Health {
      if (change.kind === 'stateChanged') return health
      const reading = failingReading(decided)
      if (change.kind === 'opened') {
        const incident = based(begin(monitor, change, reading), monitor, change, decided)
        put(tx, monitor, explained(monitor, incident), 'incident.opened')
        return withIncident(health, incident.id)
      }
      const incident = incidentOf(monitor, change.incidentId)
      // A person may have resolved the incident a moment ago; then there is nothing to add.
      const isOver = incident?.state === 'resolved'
      if (!incident || isOver !== (change.kind === 'recovered')) return health
      const [after, event] = incidentAfter(monitor, incident, change, reading)
      put(tx, monitor, based(after, monitor, change, decided), event)
      return health
    },

    /**
     * Tells of the incident that began while the monitor was silent, now that it is live; under maintenance later.
     * Returns the incident, which may be held; null if there was none to tell of.
     */
    tellLive(
      tx: Tx,
      monitor: Monitor,
      { openIncidentId }: Pick<Health, 'openIncidentId'>,
    ): Incident | null {
      if (monitor.shadow === undefined || openIncidentId === null) return null
      const incident = incidentOf(monitor, openIncidentId)
      if (!incident?.isShadow || incident.state === 'resolved') return null
      const stored = store.monitors.readable(monitor.orgId, monitor.id) ?? monitor
      const nowMs = clock.nowMs()
      if (isSilent(stored) || isUnderMaintenance(store, stored, nowMs)) return null
      const { isPublic } = stored
      // What held it counts anew: one that is silent holds nothing of it any more.
      const told = explained(stored, liveIncident(incident, isPublic, nowMs))
      put(tx, stored, told, 'incident.opened')
      return told
    },

    /** Queues the notice; returns whether any channel gets it. */
    warn: (tx: Tx, monitor: Monitor, notice: CertificateNotice): boolean =>
      enqueue.certificate(tx, { monitor, notice, nowMs: clock.nowMs() }),

    /** The same for a domain. */
    warnOfDomain: (tx: Tx, monitor: Monitor, notice: DomainNotice): boolean =>
      enqueue.domain(tx, { monitor, notice, nowMs: clock.nowMs() }),
  }

  /** The incident after the change, and the event to announce. */
  function incidentAfter(
    monitor: Monitor,
    incident: Incident,
    change: Exclude<HealthChange, { kind: 'stateChanged' | 'opened' }>,
    reading: Reading,
  ): [Incident, 'incident.resolved' | 'incident.updated' | null] {
    const atMs = clock.nowMs()
    switch (change.kind) {
      case 'worsened': {
        const worse = worsened(incident, failureOf(monitor, reading), change)
        return [explained(monitor, worse), 'incident.updated']
      }
      case 'resolved': {
        const end = { resolution: 'recovered', resolvedAtMs: change.resolvedAtMs, atMs } as const
        const words = reading.isBySilence ? { message: `Recovered: ${reading.message}.` } : {}
        return [resolvedIncident(incident, { ...end, ...words }), 'incident.resolved']
      }
      case 'recovered':
        // Channels know that a person closed the incident, and that silence means it has recovered.
        return [recoveredIncident(incident, change, atMs), null]
      case 'flapping':
        return [flappingIncident(incident, atMs), 'incident.updated']
      case 'settled':
        // Channels that know of the incident know that the monitor is bad. That is still true, so
        // nothing is announced.
        return [settledIncident(incident, change, atMs), null]
      default:
        return unreachable(change)
    }
  }
}

/** The reading, with what another place says if this one found nothing. */
function failingReading({ reading, grounds }: DecidingResult): Reading {
  if (reading.error) return reading
  const error = grounds?.places.find(({ state }) => state === 'down')?.error
  return error ? { ...reading, error } : reading
}

function failureOf(monitor: Monitor, reading: Reading) {
  const limit = `the limit is ${monitor.degradedThresholdMs} ms`
  const own = reading.isDegraded ? reading.message : undefined
  const slow = own ?? `the check took ${Math.round(reading.durationMs)} ms; ${limit}`
  return {
    monitorName: monitor.name,
    cause: reading.error?.message ?? slow,
    evidence: evidenceOf(reading),
  }
}
