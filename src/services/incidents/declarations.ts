// Incidents that people declare: opened, and deleted again.
import type { Enqueue } from '../../actors/alerts/enqueue.ts'
import { Fault, notFound, refuseInvalid } from '../../base/fault.ts'
import { type ChannelId, type IncidentId, type MonitorId, newId } from '../../base/ids.ts'
import { type DeclaredSeverity, declaredIncident } from '../../domain/incidents/declared.ts'
import { closedByHand, type Incident } from '../../domain/incidents/incident.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import { mustBeAt } from '../revision.ts'
import { actorName } from './actor-name.ts'

export interface DeclarationsDeps {
  readonly enqueue: Pick<Enqueue, 'incident'>
}

/** What a person declares. */
export interface DeclarationRequest {
  readonly title: string
  readonly severity: DeclaredSeverity
  readonly monitorIds: readonly MonitorId[]
  readonly message?: string | undefined
  readonly isPublic: boolean
  /** Absent: now. */
  readonly startedAtMs?: number
}

const tooManyOpen = `An organization may have at most ${limits.declaredOpenMax} declared incidents open at once: resolve one of them first.`
const notDeclared =
  'Only an incident that was declared by hand can be deleted. This one follows its monitor; it is kept as the record of what happened.'

export function createDeclarations({ store, clock, audit }: Core, { enqueue }: DeclarationsDeps) {
  /** Throws validation_failed with every problem. */
  function judge(
    { orgId }: OrgScope,
    { monitorIds, startedAtMs }: DeclarationRequest,
    nowMs: number,
  ) {
    const unknown = monitorIds.flatMap((id, index) => {
      const message = 'is not a monitor of this organization'
      const problem = { pointer: `/monitorIds/${index}`, keyword: 'reference', message }
      return store.monitors.readable(orgId, id) ? [] : problem
    })
    const time = (keyword: string, message: string) => [{ pointer: '/startedAt', keyword, message }]
    const { declaredAgoMsMax } = limits
    const days = declaredAgoMsMax / 86_400_000
    const wrongTime =
      startedAtMs === undefined
        ? []
        : startedAtMs > nowMs
          ? time('maximum', 'must not be in the future')
          : startedAtMs < nowMs - declaredAgoMsMax
            ? time('minimum', `must be at most ${days} days ago`)
            : []
    refuseInvalid([...unknown, ...wrongTime])
  }

  /**
   * A channel that has heard of the incident, or may have, learns that it is over, as if a person had
   * resolved it. From one that has heard nothing the waiting messages are taken back.
   */
  function tellEnd(tx: Tx, ended: Incident, channelId: ChannelId, nowMs: number): void {
    const { orgId, id } = ended
    const { announced, delivered } = store.announcements.get(orgId, id, channelId)
    const unsent = store.deliveries
      .pending(orgId, channelId, limits.digestFoldsMax)
      .filter(({ incidentId, lastAtMs }) => incidentId === id && lastAtMs === null)
    const opening = unsent.find(({ event }) => event === 'incident.opened')
    const hasHeard = delivered !== 'none' || (announced !== 'none' && opening === undefined)
    for (const row of unsent) {
      if (!hasHeard || row.event !== 'incident.resolved') store.deliveries.remove(tx, row)
    }
    if (!hasHeard) return
    enqueue.incident(tx, {
      incident: ended,
      event: 'incident.resolved',
      nowMs,
      onlyTo: channelId,
    })
  }

  return {
    /** Opens it, and alerts the channels of its monitors. Throws validation_failed, conflict. */
    declare(scope: OrgScope, request: DeclarationRequest): Promise<Incident> {
      return store.write((tx) => {
        const { orgId } = scope
        const nowMs = clock.nowMs()
        judge(scope, request, nowMs)
        if (store.incidents.countOpenDeclared(orgId) >= limits.declaredOpenMax) {
          throw new Fault('conflict', tooManyOpen)
        }
        const incident = declaredIncident({
          ...request,
          id: newId('incident', nowMs),
          orgId,
          by: actorName(scope.caller.principal),
          startedAtMs: request.startedAtMs ?? nowMs,
          atMs: nowMs,
        })
        store.incidents.put(tx, incident)
        audit.note(tx, scope, { action: 'incident.declared', objectId: incident.id })
        enqueue.incident(tx, { incident, event: 'incident.opened', nowMs })
        return incident
      })
    },

    /**
     * Deletes a declared incident with its timeline, and what is stored of its announcements. Throws
     * conflict for any other.
     */
    remove(scope: OrgScope, incidentId: IncidentId, expectedRevision?: number): Promise<void> {
      return store.write((tx) => {
        const { orgId } = scope
        const incident = store.incidents.get(orgId, incidentId)
        if (!incident) throw notFound('incident')
        mustBeAt(expectedRevision, incident, 'The incident')
        if (!incident.isDeclared) throw new Fault('conflict', notDeclared)
        const atMs = clock.nowMs()
        const act = { id: newId('update', atMs), atMs, by: actorName(scope.caller.principal) }
        const ended = incident.state === 'resolved' ? incident : closedByHand(incident, act, null)
        for (const channelId of store.announcements.channelIds(orgId, incidentId)) {
          tellEnd(tx, ended, channelId, atMs)
        }
        store.announcements.removeIncident(tx, orgId, incidentId)
        store.incidents.remove(tx, ended)
        audit.note(tx, scope, { action: 'incident.deleted', objectId: incidentId })
      })
    },
  }
}
