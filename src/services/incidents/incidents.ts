// Incidents: read, acknowledge, resolve, add updates.
import type { Enqueue } from '../../actors/alerts/enqueue.ts'
import { Fault } from '../../base/fault.ts'
import { type IncidentId, newId } from '../../base/ids.ts'
import type { NounAction } from '../../base/nouns.ts'
import { type Principal, reaches } from '../../domain/access.ts'
import type { ChannelEvent } from '../../domain/alerts/channel.ts'
import { withoutIncident } from '../../domain/health/health.ts'
import {
  acknowledged,
  type Incident,
  type IncidentResolution,
  resolvedIncident,
  type UpdateStatus,
  withUpdate,
} from '../../domain/incidents/incident.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import type { Tx } from '../../store/engine/write.ts'
import { fitsFilter, type IncidentFilter } from '../../store/tables/incidents/incidents.ts'
import type { AuditedDeps } from '../audit/audit.ts'
import type { OrgScope, PageOf } from '../context.ts'

export interface IncidentsDeps extends AuditedDeps {
  readonly enqueue: Enqueue
}

export type Incidents = ReturnType<typeof createIncidents>

export function createIncidents({ store, clock, enqueue, audit }: IncidentsDeps) {
  function found(scope: OrgScope, incidentId: IncidentId): Incident {
    const incident = store.incidents.get(scope.orgId, incidentId)
    if (!incident) throw new Fault('not_found')
    return incident
  }

  /** Also queues the event for its channels, in the same transaction. */
  function change(
    scope: OrgScope,
    incidentId: IncidentId,
    event: Extract<ChannelEvent, NounAction>,
    verb: (incident: Incident, tx: Tx) => Incident,
  ): Promise<Incident> {
    return store.write((tx) => {
      const before = found(scope, incidentId)
      const incident = verb(before, tx)
      if (incident === before) return incident
      store.incidents.put(tx, incident)
      // The same names as in the payload: incident.acknowledged, incident.resolved.
      audit.note(tx, scope, { action: event, objectId: incident.id })
      const monitor = firstMonitor(incident)
      const news = { incident, event, nowMs: clock.nowMs(), ...(monitor ? { monitor } : {}) }
      enqueue.incident(tx, news)
      return incident
    })
  }

  function firstMonitor(incident: Incident): Monitor | undefined {
    const [monitorId] = incident.monitorIds
    return monitorId && store.monitors.get(incident.orgId, monitorId)
  }

  /** Detaches the monitors of a resolved incident; they may fail again later. */
  function release(tx: Tx, incident: Incident, nowMs: number): void {
    for (const monitorId of incident.monitorIds) {
      const monitorState = store.monitorStates.get(incident.orgId, monitorId)
      if (monitorState?.health.openIncidentId !== incident.id) continue
      const health = withoutIncident(monitorState.health, nowMs)
      store.monitorStates.put(tx, incident.orgId, monitorId, { ...monitorState, health })
    }
  }

  return {
    /** Its evidence contains words of the target, which viewers do not see. */
    get(scope: OrgScope, incidentId: IncidentId): Incident {
      const incident = found(scope, incidentId)
      return reaches(scope.role, 'member') ? incident : { ...incident, evidence: null }
    },

    /** Newest first. With a filter, a page reads only a bounded number of records. */
    list(scope: OrgScope, filter: IncidentFilter): PageOf<Incident> {
      const items: Incident[] = []
      let seen: IncidentId | undefined
      let scanned = 0
      for (const incident of store.incidents.newestFirst(scope.orgId, filter)) {
        const isFull = items.length >= filter.limit || scanned >= limits.listScanMax
        if (isFull && seen) return { items, nextAfter: seen }
        scanned++
        seen = incident.id
        if (fitsFilter(incident, filter)) items.push(incident)
      }
      return { items }
    },

    /** Repeating changes nothing. Throws conflict after its end. */
    acknowledge(scope: OrgScope, incidentId: IncidentId, message?: string): Promise<Incident> {
      const act = { atMs: clock.nowMs(), by: nameOf(scope.caller.principal) }
      return change(scope, incidentId, 'incident.acknowledged', (incident) =>
        acknowledged(incident, message === undefined ? act : { ...act, message }),
      )
    },

    /** A monitor that is still down opens another one after a new failure. */
    resolve(scope: OrgScope, incidentId: IncidentId, message?: string): Promise<Incident> {
      const atMs = clock.nowMs()
      const by = nameOf(scope.caller.principal)
      return change(scope, incidentId, 'incident.resolved', (incident, tx) => {
        const end = { resolution: 'manual', resolvedAtMs: atMs, atMs, by } as const
        const ended = resolvedIncident(incident, message === undefined ? end : { ...end, message })
        release(tx, ended, atMs)
        return ended
      })
    },

    /** Adds a person's update to the timeline; `resolved` also ends the incident. */
    update(
      scope: OrgScope,
      incidentId: IncidentId,
      said: {
        readonly message: string
        readonly status?: UpdateStatus
        readonly isPublic: boolean
      },
    ): Promise<Incident> {
      const atMs = clock.nowMs()
      const by = nameOf(scope.caller.principal)
      const entry = { ...said, id: newId('update', atMs), atMs, by }
      if (said.status !== 'resolved') {
        return change(scope, incidentId, 'incident.updated', (incident) =>
          withUpdate(incident, entry),
        )
      }
      return change(scope, incidentId, 'incident.resolved', (incident, tx) => {
        const end = { resolution: 'manual', resolvedAtMs: atMs, atMs, by } as const
        const ended = resolvedIncident(withUpdate(incident, entry), end)
        release(tx, ended, atMs)
        return ended
      })
    },

    /** Closes a monitor's open incident because the monitor goes away; announces no recovery. */
    close(
      tx: Tx,
      monitor: Monitor,
      monitorState: MonitorState,
      resolution: IncidentResolution,
    ): void {
      const { openIncidentId } = monitorState.health
      const incident = openIncidentId && store.incidents.get(monitor.orgId, openIncidentId)
      if (!incident || incident.state === 'resolved') return
      const atMs = clock.nowMs()
      store.incidents.put(tx, resolvedIncident(incident, { resolution, resolvedAtMs: atMs, atMs }))
    },
  }
}

/** The actor in the timeline: an id, never a credential. */
function nameOf(principal: Principal): string {
  switch (principal.kind) {
    case 'session':
      return principal.userId
    case 'key':
      return principal.keyId
    default:
      return principal.kind
  }
}
