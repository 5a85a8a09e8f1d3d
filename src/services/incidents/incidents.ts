// Incidents: read, declare, acknowledge, resolve, add updates, edit, delete.

import type { Enqueue } from '../../actors/alerts/enqueue.ts'
import type { Fleet } from '../../actors/monitor/fleet.ts'
import { notFound } from '../../base/fault.ts'
import { type IncidentId, type MonitorId, madeAtMs, newId } from '../../base/ids.ts'
import type { NounAction } from '../../base/nouns.ts'
import { reaches } from '../../domain/access.ts'
import { type AlertLinkSubject, channelActor } from '../../domain/alerts/alert-link.ts'
import type { ChannelEvent } from '../../domain/alerts/channel.ts'
import { type AuditNote, changedFields } from '../../domain/audit/audit.ts'
import { waitsForReports } from '../../domain/checks/check-type.ts'
import {
  badUntilReopened,
  closedIncidentId,
  type HealthSeverity,
  withClosedIncident,
} from '../../domain/health/health.ts'
import {
  becomesOutage,
  editedIncident,
  type IncidentEdit,
} from '../../domain/incidents/declared.ts'
import {
  acknowledged,
  closedByHand,
  type Incident,
  resolvedIncident,
  type WrittenUpdate,
  withUpdate,
} from '../../domain/incidents/incident.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Monitor, retrySeconds } from '../../domain/monitors/monitor.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import { wholeDeadlineAtMs } from '../../domain/schedule/push-deadline.ts'
import type { Tx } from '../../store/engine/write.ts'
import { fitsFilter, type IncidentFilter } from '../../store/tables/incidents/incidents.ts'
import type { Caller, OrgScope, PageOf } from '../context.ts'
import type { Core } from '../core.ts'
import { mustBeAt } from '../revision.ts'
import { actorName } from './actor-name.ts'
import { createDeclarations } from './declarations.ts'

export interface IncidentsDeps {
  readonly enqueue: Enqueue
  readonly fleet: Pick<Fleet, 'hasten' | 'nextAtMs' | 'reported'>
}

/** What a person writes. Only published messages appear on public pages. */
export interface IncidentNote extends Pick<WrittenUpdate, 'message' | 'status' | 'isPublic'> {}

export interface IncidentQuery extends IncidentFilter {
  /** Only incidents of monitors that have the tag now. */
  readonly tag?: string | undefined
}

/** Who changes an incident: where, and how the audit log says so. */
interface Act extends Pick<OrgScope, 'orgId'> {
  readonly note: (tx: Tx, note: AuditNote) => void
}

/** What a person may say at the end of an incident; if there is no message, fixed words describe it. */
type ClosingNote = Partial<Pick<IncidentNote, 'message' | 'isPublic'>>

export type Incidents = ReturnType<typeof createIncidents>

export function createIncidents(core: Core, { enqueue, fleet }: IncidentsDeps) {
  const { store, clock, audit } = core
  function found(scope: Pick<OrgScope, 'orgId'>, incidentId: IncidentId): Incident {
    const incident = store.incidents.get(scope.orgId, incidentId)
    if (!incident) throw notFound('incident')
    return incident
  }

  const actOf = (scope: OrgScope): Act => ({
    orgId: scope.orgId,
    note: (tx, note) => audit.note(tx, scope, note),
  })

  /** Changes an incident, and queues the event for its channels, in one transaction. */
  function change(
    act: Act,
    incidentId: IncidentId,
    event: Extract<ChannelEvent, NounAction>,
    verb: (incident: Incident, tx: Tx) => Incident,
  ): Promise<Incident> {
    return store.write((tx) => {
      const before = found(act, incidentId)
      const incident = verb(before, tx)
      if (incident === before) return incident
      store.incidents.put(tx, incident)
      // The same names as in the payload: incident.acknowledged, incident.resolved.
      act.note(tx, { action: event, objectId: incident.id })
      const monitor = firstMonitor(incident)
      const news = { incident, event, nowMs: clock.nowMs(), ...(monitor ? { monitor } : {}) }
      enqueue.incident(tx, news)
      return incident
    })
  }

  function firstMonitor(incident: Incident): Monitor | undefined {
    const [monitorId] = incident.monitorIds
    return monitorId && store.monitors.readable(incident.orgId, monitorId)
  }

  /**
   * Detaches the monitors of an incident that a person ends. One that is still bad is checked again
   * soon. Returns how bad they still are; null if they are good.
   */
  function release(tx: Tx, incident: Incident, nowMs: number): HealthSeverity | null {
    let stillBad: HealthSeverity | null = null
    for (const monitorId of incident.monitorIds) {
      const { orgId } = incident
      const before = store.monitorStates.get(orgId, monitorId)
      if (before?.health.openIncidentId !== incident.id) continue
      const health = withClosedIncident(before.health, nowMs)
      const monitor = store.monitors.readable(orgId, monitorId)
      const isBad = health.badSinceClosed !== null && monitor !== undefined
      const released = { ...before, health }
      const after = isBad ? watched(tx, monitor, released, nowMs) : released
      store.monitorStates.put(tx, orgId, monitorId, after)
      if (isBad) stillBad = health.lastSeverity ?? 'down'
    }
    return stillBad
  }

  /** The next check comes at the pace of a confirmation; a report is expected within one period. */
  function watched(tx: Tx, monitor: Monitor, before: MonitorState, nowMs: number): MonitorState {
    const { id } = monitor
    if (!waitsForReports(monitor)) {
      tx.afterCommit(() => fleet.hasten(id, nowMs + retrySeconds(monitor) * 1_000))
      return before
    }
    const dueMs = wholeDeadlineAtMs(monitor, nowMs)
    // One that ends by itself needs no report, which may never come.
    const deadlineAtMs = before.deadlineAtMs ?? (before.recoversAtMs === null ? dueMs : null)
    const after = { ...before, deadlineAtMs }
    tx.afterCommit(() => fleet.reported(id, after))
    return after
  }

  function close(
    scope: OrgScope,
    incidentId: IncidentId,
    { message, isPublic }: ClosingNote = {},
  ): Promise<Incident> {
    const atMs = clock.nowMs()
    const written = message === undefined ? {} : { message, isPublic: isPublic ?? false }
    const act = {
      ...written,
      id: newId('update', atMs),
      atMs,
      by: actorName(scope.caller.principal),
    }
    return change(actOf(scope), incidentId, 'incident.resolved', (incident, tx) =>
      closedByHand(incident, act, release(tx, incident, atMs)),
    )
  }

  /** Whether one of the incident's monitors has the tag now. Reads each monitor once. */
  function createTagFilter({ orgId }: OrgScope, tag: string) {
    const known = new Map<MonitorId, boolean>()
    const hasTag = (monitorId: MonitorId) => {
      const before = known.get(monitorId)
      if (before !== undefined) return before
      const found = store.monitors.readable(orgId, monitorId)?.tags.includes(tag) ?? false
      known.set(monitorId, found)
      return found
    }
    return ({ monitorIds }: Incident) => monitorIds.some(hasTag)
  }

  /** Newest first. With a filter, a page reads only a bounded number of records. */
  function list(scope: OrgScope, filter: IncidentQuery): PageOf<Incident> {
    const { tag, fromMs = 0 } = filter
    const hasTag = tag === undefined ? () => true : createTagFilter(scope, tag)
    const items: Incident[] = []
    let seen: IncidentId | undefined
    let scanned = 0
    for (const incident of store.incidents.newestFirst(scope.orgId, filter)) {
      const isFull = items.length >= filter.limit || scanned >= limits.listScanMax
      if (isFull && seen) return { items, nextAfter: seen }
      // No incident opens before it begins, so the ones that follow began even earlier.
      if (madeAtMs(incident.id) < fromMs) return { items }
      scanned++
      seen = incident.id
      if (fitsFilter(incident, filter) && hasTag(incident)) items.push(incident)
    }
    return { items }
  }

  const declarations = createDeclarations(core, { enqueue })

  return {
    ...declarations,

    /** An incident. Its evidence contains words of the target, which viewers do not see. */
    get(scope: OrgScope, incidentId: IncidentId): Incident {
      const incident = found(scope, incidentId)
      return reaches(scope.role, 'member') ? incident : { ...incident, evidence: null }
    },

    list,

    /** Repeating changes nothing. Throws conflict after its end. */
    acknowledge(scope: OrgScope, incidentId: IncidentId, message?: string): Promise<Incident> {
      const act = { atMs: clock.nowMs(), by: actorName(scope.caller.principal) }
      return change(actOf(scope), incidentId, 'incident.acknowledged', (incident) =>
        acknowledged(incident, message === undefined ? act : { ...act, message }),
      )
    },

    /**
     * Somebody acknowledges it by the link that a channel was sent. After its end nothing changes:
     * the link may be older than that.
     */
    acknowledgeThrough(
      { orgId, incidentId, channelId }: AlertLinkSubject,
      caller: Caller,
    ): Promise<Incident> {
      const note: Act['note'] = (tx, entry) =>
        audit.noteThrough(tx, orgId, channelId, caller, entry)
      const by = channelActor(channelId)
      return change({ orgId, note }, incidentId, 'incident.acknowledged', (incident) =>
        incident.state === 'open' ? acknowledged(incident, { atMs: clock.nowMs(), by }) : incident,
      )
    },

    /**
     * Ends it. If its monitor is still bad, the same incident reopens after as many bad results as
     * a new outage needs. Throws conflict after its end.
     */
    resolve: close,

    /** Adds a person's update to the timeline; `resolved` also ends the incident. */
    update(scope: OrgScope, incidentId: IncidentId, note: IncidentNote): Promise<Incident> {
      if (note.status === 'resolved') return close(scope, incidentId, note)
      const atMs = clock.nowMs()
      const update = {
        ...note,
        id: newId('update', atMs),
        atMs,
        by: actorName(scope.caller.principal),
      }
      return change(actOf(scope), incidentId, 'incident.updated', (incident) =>
        withUpdate(incident, update),
      )
    },

    /** The same of one monitor. Throws not_found. */
    listOf(scope: OrgScope, monitorId: MonitorId, filter: IncidentQuery): PageOf<Incident> {
      if (!store.monitors.get(scope.orgId, monitorId)) throw notFound('monitor')
      return list(scope, { ...filter, monitorId })
    },

    /**
     * Changes what people see of it, also after its end. Channels hear only that an open one has
     * become an outage. Throws validation_failed, precondition_failed.
     */
    edit(
      scope: OrgScope,
      incidentId: IncidentId,
      changes: IncidentEdit,
      expectedRevision?: number,
    ): Promise<Incident> {
      return store.write((tx) => {
        const before = found(scope, incidentId)
        mustBeAt(expectedRevision, before, 'The incident')
        const nowMs = clock.nowMs()
        const act = { atMs: nowMs, by: actorName(scope.caller.principal) }
        const incident = editedIncident(before, changes, act)
        if (incident === before) return incident
        store.incidents.put(tx, incident)
        if (becomesOutage(before, incident)) {
          enqueue.incident(tx, { incident, event: 'incident.updated', nowMs })
        }
        const fields = changedFields(before, incident)
        audit.note(tx, scope, { action: 'incident.changed', objectId: incident.id, fields })
        // A hidden incident must not be served from a cache.
        if (incident.isPublic !== before.isPublic) {
          store.signals.pagesChanged.raise(tx, incident.orgId)
        }
        return incident
      })
    },

    /**
     * About when an incident that a person closed reopens, if its monitor stays bad: for a push
     * monitor at the latest. Null if it does not.
     */
    reopensAtMs({ orgId, id, monitorIds, resolution }: Incident): number | null {
      if (resolution !== 'manual') return null
      for (const monitorId of monitorIds) {
        const { health, deadlineAtMs = null } = store.monitorStates.get(orgId, monitorId) ?? {}
        const monitor = store.monitors.readable(orgId, monitorId)
        if (!health || !monitor || closedIncidentId(health) !== id) continue
        if (waitsForReports(monitor)) return deadlineAtMs
        const nextAtMs = fleet.nextAtMs(monitorId)
        const retries = badUntilReopened(health, monitor) - 1
        return nextAtMs && nextAtMs + retries * retrySeconds(monitor) * 1_000
      }
      return null
    },

    /** Closes a monitor's open incident because the monitor goes away; announces no recovery. */
    close(
      tx: Tx,
      monitor: Monitor,
      monitorState: MonitorState,
      resolution: 'paused' | 'deleted',
    ): void {
      const { openIncidentId } = monitorState.health
      const incident = openIncidentId && store.incidents.get(monitor.orgId, openIncidentId)
      if (!incident || incident.state === 'resolved') return
      const atMs = clock.nowMs()
      const closed = resolvedIncident(incident, { resolution, resolvedAtMs: atMs, atMs })
      store.incidents.put(tx, closed)
      enqueue.monitorGone(tx, { incident: closed, monitor, nowMs: atMs })
    },
  }
}
