// The API of incidents: list, read, acknowledge, resolve, add updates.

import { asId } from '../../../base/ids.ts'
import * as s from '../../../base/schema/schema.ts'
import { looseJson } from '../../../domain/assertions/json-value.ts'
import { errorKinds, phaseNames } from '../../../domain/checks/reading.ts'
import {
  durationMs,
  type Incident,
  incidentStates,
  resolutions,
  severities,
  timelineKinds,
  updateStatuses,
} from '../../../domain/incidents/incident.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { withTimes } from '../../output/times.ts'
import { get, list, post, resource, wirePage } from '../../routing/route.ts'
import { evidenceFields, looseOut, Phases } from '../monitors/monitor-schemas.ts'
import { evidenceFieldsOf } from '../monitors/monitor-wire.ts'

const message = s.text({ charsMin: 1, charsMax: limits.incidentMessageCharsMax })
const MessageIn = s.object({ message: s.optional(message) })
const UpdateIn = s.object({
  message,
  status: s.optional(s.oneOf(updateStatuses)),
  isPublic: s.preset(s.flag, false),
})

const IncidentFilter = s.object({
  state: s.optional(s.oneOf(incidentStates)),
  severity: s.optional(s.oneOf(severities)),
  monitorId: s.optional(s.idOf('monitor')),
})

const EntryOut = s.object({
  at: s.isoTime,
  kind: s.oneOf(timelineKinds),
  message: s.anyText,
  status: s.nullable(s.oneOf(updateStatuses)),
  by: s.nullable(s.anyText),
  isPublic: s.flag,
})

export const IncidentOut = s.object({
  id: s.idOf('incident'),
  orgId: s.idOf('org'),
  monitorIds: s.listOf(s.idOf('monitor'), limits.pageMonitorsMax),
  title: s.anyText,
  cause: s.anyText,
  severity: s.oneOf(severities),
  state: s.oneOf(incidentStates),
  startedAt: s.isoTime,
  confirmedAt: s.isoTime,
  acknowledgedAt: s.nullable(s.isoTime),
  acknowledgedBy: s.nullable(s.anyText),
  resolvedAt: s.nullable(s.isoTime),
  resolution: s.nullable(s.oneOf(resolutions)),
  durationMs: s.anyNumber,
  flapping: s.flag,
  isPublic: s.flag,
  timeline: s.listOf(EntryOut, limits.timelineEntriesMax),
  postmortem: s.nullable(s.anyText),
})

/** Separate, because lists, events and messages contain no evidence. */
const EvidenceOut = s.object({
  kind: s.nullable(s.oneOf(errorKinds)),
  phase: s.nullable(s.oneOf(phaseNames)),
  phases: s.nullable(Phases),
  ...evidenceFields,
  message: { ...s.nullable(s.anyText), description: 'The message that a push sender sent' },
  metadata: looseOut(
    'Metadata that a push sender sent: an object, or the beginning of its JSON as text',
  ),
})
const WholeIncidentOut = s.object({
  ...IncidentOut.properties,
  evidence: {
    ...s.nullable(EvidenceOut),
    description: 'Evidence of the check that opened or worsened the incident; null for viewers',
  },
})

const incidentTimes = withTimes('startedAt', 'confirmedAt', 'acknowledgedAt', 'resolvedAt')
const entryTimes = withTimes('at')

/** An incident in the form of the API and the event stream. */
export function incidentToWire(incident: Incident, nowMs: number) {
  return {
    ...incidentTimes(incident),
    durationMs: durationMs(incident, nowMs),
    timeline: incident.timeline.map((entry) => ({
      ...entryTimes(entry),
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
  list: list('/', {
    who: viewer,
    summary: 'Incidents, newest first',
    query: IncidentFilter,
    out: IncidentOut,
  }).handledBy((call, services) =>
    wirePage(
      services.incidents.list(call.scope, {
        ...call.query,
        limit: call.page.limit,
        after: asId('incident', call.page.after ?? ''),
      }),
      (incident) => incidentToWire(incident, call.nowMs),
    ),
  ),
  get: get('/:incidentId', {
    who: viewer,
    summary: 'One incident; members also see the evidence of the check',
    out: WholeIncidentOut,
    hasRevision: true,
  }).handledBy((call, { incidents }) =>
    wholeIncidentToWire(incidents.get(call.scope, call.params.incidentId), call.nowMs),
  ),
  acknowledge: post('/:incidentId/acknowledge', {
    who: member,
    summary: 'Acknowledge an incident; reminders stop',
    body: s.optional(MessageIn),
    out: IncidentOut,
    hasRevision: true,
    message: 'Incident acknowledged',
  }).handledBy(async (call, { incidents }) => {
    const { incidentId } = call.params
    const incident = await incidents.acknowledge(call.scope, incidentId, call.body?.message)
    return incidentToWire(incident, call.nowMs)
  }),
  resolve: post('/:incidentId/resolve', {
    who: member,
    summary: 'Resolve an incident manually',
    body: s.optional(MessageIn),
    out: IncidentOut,
    hasRevision: true,
    message: 'Incident resolved',
  }).handledBy(async (call, { incidents }) => {
    const { incidentId } = call.params
    const incident = await incidents.resolve(call.scope, incidentId, call.body?.message)
    return incidentToWire(incident, call.nowMs)
  }),
  update: post('/:incidentId/updates', {
    who: member,
    summary: 'Add an update to an incident',
    body: UpdateIn,
    out: IncidentOut,
    hasRevision: true,
    message: 'Update added',
  }).handledBy(async (call, { incidents }) =>
    incidentToWire(
      await incidents.update(call.scope, call.params.incidentId, call.body),
      call.nowMs,
    ),
  ),
})
