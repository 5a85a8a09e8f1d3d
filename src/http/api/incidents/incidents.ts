// The API of incidents: list, read, change, acknowledge, resolve, add updates.

import { asId } from '../../../base/ids.ts'
import * as s from '../../../base/schema/schema.ts'
import { secondText } from '../../../base/time-text.ts'
import { looseJson } from '../../../domain/assertions/json-value.ts'
import {
  durationMs,
  errorOf,
  type Incident,
  incidentStates,
  resolutions,
  severities,
  timelineKinds,
  updateStatuses,
} from '../../../domain/incidents/incident.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Incidents } from '../../../services/incidents/incidents.ts'
import { withTimes } from '../../output/times.ts'
import { answer, get, list, patch, post, resource, wirePage } from '../../routing/route.ts'
import { ErrorOut, evidenceFields, looseOut, Phases } from '../monitors/monitor-schemas.ts'
import { evidenceFieldsOf } from '../monitors/monitor-wire.ts'

const message = s.text({ charsMin: 1, charsMax: limits.incidentMessageCharsMax })
const isPublic = s.described(
  s.preset(s.flag, false),
  'Whether status pages that show the incident show this message.',
)
const AcknowledgeIn = s.object({ message: s.optional(message) })
const ResolveIn = s.object({ message: s.optional(message), isPublic })
const UpdateIn = s.object({
  message,
  status: s.optional(
    s.described(s.oneOf(updateStatuses), '`resolved` also resolves the incident.'),
  ),
  isPublic,
})
const IncidentPatch = s.patchOf(
  s.object({
    title: s.text({
      charsMin: 1,
      charsMax: limits.titleCharsMax,
      description: 'The daemon writes titles; it leaves one that you set as it is.',
      example: 'Checkout is unavailable',
    }),
    isPublic: s.described(s.flag, 'Whether status pages show it; at first as its monitor.'),
  }),
)

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
  by: s.described(
    s.nullable(s.anyText),
    'The id of the person or key; `channel:` and an id: a person who used the link that the ' +
      'channel was sent; null: the daemon.',
  ),
  isPublic: s.flag,
})

/** Without what also depends on the present: the event stream sends each incident once. */
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
  acknowledgedBy: s.described(
    s.nullable(s.anyText),
    'The id of the person or key, or `channel:` and the id of the channel whose link was used.',
  ),
  resolvedAt: s.described(
    s.nullable(s.isoTime),
    'The first good result, or when a person or a pause ended it. If the service recovers after a ' +
      'person ended it: the first good result after that.',
  ),
  resolution: s.described(
    s.nullable(s.oneOf(resolutions)),
    '`manual`: a person ended it; while `reopensAt` is set, the service is still failing.',
  ),
  durationMs: s.anyNumber,
  flapping: s.flag,
  isPublic: s.flag,
  timeline: s.listOf(EntryOut, limits.timelineEntriesMax),
  postmortem: s.nullable(s.anyText),
})

/** Separate, because lists, events and messages contain no evidence. */
const EvidenceOut = s.object({
  error: s.nullable(ErrorOut),
  phases: s.nullable(Phases),
  ...evidenceFields,
  message: { ...s.nullable(s.anyText), description: 'The message that a push sender sent' },
  metadata: looseOut(
    'Metadata that a push sender sent: an object, or the beginning of its JSON as text',
  ),
})
const ShownIncidentOut = s.object({
  ...IncidentOut.properties,
  reopensAt: s.described(
    s.nullable(s.isoTime),
    'Set while the monitor of an incident that a person ended is still failing: about when the ' +
      'same incident reopens, after failureThreshold more failures. push: at the latest, because ' +
      'a report of an error reopens it at once.',
  ),
})
const WholeIncidentOut = s.object({
  ...ShownIncidentOut.properties,
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

type ReopensAt = Pick<Incidents, 'reopensAtMs'>

function shownIncidentToWire(incident: Incident, nowMs: number, { reopensAtMs }: ReopensAt) {
  const reopensAt = s.toIsoOrNull(reopensAtMs(incident))
  return { ...incidentToWire(incident, nowMs), reopensAt }
}

function wholeIncidentToWire(incident: Incident, nowMs: number, incidents: ReopensAt) {
  const { evidence } = incident
  return {
    ...shownIncidentToWire(incident, nowMs, incidents),
    evidence: evidence && {
      error: errorOf(incident),
      phases: evidence.phases ?? null,
      ...evidenceFieldsOf(evidence),
      message: evidence.message ?? null,
      metadata: evidence.metadataJson === undefined ? null : looseJson(evidence.metadataJson),
    },
  }
}

/** After a person ended the incident: whether it is really over. */
function closingMessage({ reopensAt }: { readonly reopensAt: string | null }): string {
  if (reopensAt === null) return 'Incident resolved'
  return (
    'Incident closed by hand; the service is still failing. ' +
    `If that goes on, the incident reopens at about ${secondText(Date.parse(reopensAt))}`
  )
}

const member = { role: 'member' } as const
const viewer = { role: 'viewer' } as const

export const incidents = resource('/orgs/:orgId/incidents', {
  list: list('/', {
    who: viewer,
    summary: 'Incidents, newest first',
    query: IncidentFilter,
    out: ShownIncidentOut,
  }).handledBy((call, { incidents }) =>
    wirePage(
      incidents.list(call.scope, {
        ...call.query,
        limit: call.page.limit,
        after: asId('incident', call.page.after ?? ''),
      }),
      (incident) => shownIncidentToWire(incident, call.nowMs, incidents),
    ),
  ),
  get: get('/:incidentId', {
    who: viewer,
    summary: 'One incident; members also see the evidence of the check',
    out: WholeIncidentOut,
    hasRevision: true,
  }).handledBy((call, { incidents }) =>
    wholeIncidentToWire(incidents.get(call.scope, call.params.incidentId), call.nowMs, incidents),
  ),
  change: patch('/:incidentId', {
    who: member,
    summary: 'Change the title of an incident, or whether status pages show it',
    body: IncidentPatch,
    out: ShownIncidentOut,
    hasRevision: true,
    message: 'Incident updated',
  }).handledBy(async ({ scope, params, body, expectedRevision, nowMs }, { incidents }) => {
    const edited = await incidents.edit(scope, params.incidentId, body, expectedRevision)
    return shownIncidentToWire(edited, nowMs, incidents)
  }),
  acknowledge: post('/:incidentId/acknowledge', {
    who: member,
    summary: 'Acknowledge an incident; reminders stop',
    body: s.optional(AcknowledgeIn),
    out: ShownIncidentOut,
    hasRevision: true,
    message: 'Incident acknowledged',
  }).handledBy(async (call, { incidents }) => {
    const { incidentId } = call.params
    const incident = await incidents.acknowledge(call.scope, incidentId, call.body?.message)
    return shownIncidentToWire(incident, call.nowMs, incidents)
  }),
  resolve: post('/:incidentId/resolve', {
    who: member,
    summary: 'Resolve an incident; it reopens if its monitor goes on failing',
    body: s.optional(ResolveIn),
    out: ShownIncidentOut,
    hasRevision: true,
  }).handledBy(async (call, { incidents }) => {
    const incident = await incidents.resolve(call.scope, call.params.incidentId, call.body)
    const shown = shownIncidentToWire(incident, call.nowMs, incidents)
    return answer(shown, { message: closingMessage(shown) })
  }),
  update: post('/:incidentId/updates', {
    who: member,
    summary: 'Add an update to an incident',
    body: UpdateIn,
    out: ShownIncidentOut,
    hasRevision: true,
  }).handledBy(async (call, { incidents }) => {
    const incident = await incidents.update(call.scope, call.params.incidentId, call.body)
    const shown = shownIncidentToWire(incident, call.nowMs, incidents)
    const isEnd = call.body.status === 'resolved'
    return answer(shown, { message: isEnd ? closingMessage(shown) : 'Update added' })
  }),
})
