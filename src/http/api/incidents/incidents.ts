// The API of incidents: list, read, acknowledge, resolve, add updates.
import { asId } from '../../../base/ids.ts'
import {
  anyNumber,
  anyText,
  flag,
  idOf,
  isoTime,
  listOf,
  nullable,
  object,
  oneOf,
  optional,
  preset,
  text,
  toIso,
  toIsoOrNull,
} from '../../../base/schema/schema.ts'
import { looseJson } from '../../../domain/assertions/json-value.ts'
import { errorKinds, phaseNames } from '../../../domain/checks/reading.ts'
import {
  durationMs,
  type Incident,
  incidentStates,
  resolutions,
  severities,
} from '../../../domain/incidents/incident.ts'
import { timelineKinds, updateStatuses } from '../../../domain/incidents/timeline.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { get, list, post, resource, wirePage } from '../../routing/route.ts'
import { evidenceFields, looseOut, Phases } from '../monitors/monitor-schemas.ts'
import { evidenceFieldsOf } from '../monitors/monitor-wire.ts'

const message = text({ charsMin: 1, charsMax: limits.incidentMessageCharsMax })
const MessageIn = object({ message: optional(message) })
const UpdateIn = object({
  message,
  status: optional(oneOf(updateStatuses)),
  isPublic: preset(flag, false),
})

const IncidentFilter = object({
  state: optional(oneOf(incidentStates)),
  severity: optional(oneOf(severities)),
  monitorId: optional(idOf('monitor')),
})

const EntryOut = object({
  at: isoTime,
  kind: oneOf(timelineKinds),
  message: anyText,
  status: nullable(oneOf(updateStatuses)),
  by: nullable(anyText),
  isPublic: flag,
})

export const IncidentOut = object({
  id: idOf('incident'),
  orgId: idOf('org'),
  monitorIds: listOf(idOf('monitor'), limits.pageMonitorsMax),
  title: anyText,
  cause: anyText,
  severity: oneOf(severities),
  state: oneOf(incidentStates),
  startedAt: isoTime,
  confirmedAt: isoTime,
  acknowledgedAt: nullable(isoTime),
  acknowledgedBy: nullable(anyText),
  resolvedAt: nullable(isoTime),
  resolution: nullable(oneOf(resolutions)),
  durationMs: anyNumber,
  flapping: flag,
  isPublic: flag,
  timeline: listOf(EntryOut, limits.timelineEntriesMax),
  postmortem: nullable(anyText),
})

/** Separate, because lists, events and messages contain no evidence. */
const EvidenceOut = object({
  kind: nullable(oneOf(errorKinds)),
  phase: nullable(oneOf(phaseNames)),
  phases: nullable(Phases),
  ...evidenceFields,
  message: { ...nullable(anyText), description: 'The message that a push sender sent' },
  metadata: looseOut(
    'Metadata that a push sender sent: an object, or the beginning of its JSON as text',
  ),
})
const WholeIncidentOut = object({
  ...IncidentOut.properties,
  evidence: {
    ...nullable(EvidenceOut),
    description: 'Evidence of the check that opened or worsened the incident; null for viewers',
  },
})

/** An incident in the form of the API and the event stream. */
export function incidentToWire(incident: Incident, nowMs: number) {
  return {
    ...incident,
    startedAt: toIso(incident.startedAtMs),
    confirmedAt: toIso(incident.confirmedAtMs),
    acknowledgedAt: toIsoOrNull(incident.acknowledgedAtMs),
    resolvedAt: toIsoOrNull(incident.resolvedAtMs),
    durationMs: durationMs(incident, nowMs),
    timeline: incident.timeline.map((entry) => ({
      ...entry,
      at: toIso(entry.atMs),
      status: entry.status ?? null,
      by: entry.by ?? null,
    })),
  }
}

function wholeIncidentToWire(incident: Incident, nowMs: number) {
  const { evidence } = incident
  return {
    ...incidentToWire(incident, nowMs),
    evidence: evidence && {
      kind: evidence.kind ?? null,
      phase: evidence.phase ?? null,
      phases: evidence.phases ?? null,
      ...evidenceFieldsOf(evidence),
      message: evidence.message ?? null,
      metadata: evidence.metadataJson === undefined ? null : looseJson(evidence.metadataJson),
    },
  }
}

const member = { role: 'member' } as const
const viewer = { role: 'viewer' } as const

export const incidents = resource('/orgs/:orgId/incidents', {
  list: list(
    '/',
    { who: viewer, summary: 'Incidents, newest first', query: IncidentFilter, out: IncidentOut },
    (call, services) =>
      wirePage(
        services.incidents.list(call.scope, {
          ...call.query,
          limit: call.page.limit,
          after: asId('incident', call.page.after ?? ''),
        }),
        (incident) => incidentToWire(incident, call.nowMs),
      ),
  ),
  get: get(
    '/:incidentId',
    {
      who: viewer,
      summary: 'One incident; members also see the evidence of the check',
      out: WholeIncidentOut,
    },
    (call, { incidents }) =>
      wholeIncidentToWire(incidents.get(call.scope, call.params.incidentId), call.nowMs),
  ),
  acknowledge: post(
    '/:incidentId/acknowledge',
    {
      who: member,
      summary: 'Acknowledge an incident; reminders stop',
      body: optional(MessageIn),
      out: IncidentOut,
      message: 'Incident acknowledged',
    },
    async (call, { incidents }) => {
      const { incidentId } = call.params
      const incident = await incidents.acknowledge(call.scope, incidentId, call.body?.message)
      return incidentToWire(incident, call.nowMs)
    },
  ),
  resolve: post(
    '/:incidentId/resolve',
    {
      who: member,
      summary: 'Resolve an incident manually',
      body: optional(MessageIn),
      out: IncidentOut,
      message: 'Incident resolved',
    },
    async (call, { incidents }) => {
      const { incidentId } = call.params
      const incident = await incidents.resolve(call.scope, incidentId, call.body?.message)
      return incidentToWire(incident, call.nowMs)
    },
  ),
  update: post(
    '/:incidentId/updates',
    {
      who: member,
      summary: 'Add an update to an incident',
      body: UpdateIn,
      out: IncidentOut,
      message: 'Update added',
    },
    async (call, { incidents }) =>
      incidentToWire(
        await incidents.update(call.scope, call.params.incidentId, call.body),
        call.nowMs,
      ),
  ),
})
