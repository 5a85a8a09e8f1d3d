// The API of incidents: list, declare, read, change, acknowledge, resolve, add updates, delete.

import { asId } from '../../../base/ids.ts'
import * as s from '../../../base/schema/schema.ts'
import { secondText } from '../../../base/time-text.ts'
import { looseJson } from '../../../domain/assertions/json-value.ts'
import { placesOf } from '../../../domain/incidents/basis.ts'
import { declaredSeverities } from '../../../domain/incidents/declared.ts'
import {
  basisOfEntry,
  durationMs,
  errorOf,
  type Incident,
  incidentStates,
  isWritten,
  resolutions,
  severities,
  timelineKinds,
  updateStatuses,
} from '../../../domain/incidents/incident.ts'
import { limits } from '../../../domain/limits/limits.ts'
import { toText } from '../../../pages/html.ts'
import { asOneDocument } from '../../../pages/markdown.ts'
import { incidentText } from '../../../pages/status/incident-page.ts'
import type { PageRequest } from '../../../services/context.ts'
import type { Incidents } from '../../../services/incidents/incidents.ts'
import { timeIn } from '../../input/times.ts'
import { exampleMonitorIds } from '../../openapi/examples.ts'
import { PlacesOut } from '../../output/place-wire.ts'
import { withTimes } from '../../output/times.ts'
import { answer, del, get, list, patch, post, resource, wirePage } from '../../routing/route.ts'
import { ErrorOut, evidenceFields, looseOut, Phases } from '../monitors/monitor-schemas.ts'
import { evidenceFieldsOf } from '../monitors/monitor-wire.ts'

const message = s.text({ charsMin: 1, charsMax: limits.incidentMessageCharsMax })
const isPublic = s.described(
  s.preset(s.flag, false),
  'Whether status pages that show the incident show this message, as Markdown.',
)
const AcknowledgeIn = s.object({
  message: s.optional(message, 'For the timeline and the channels.'),
})
const ResolveIn = s.object({
  message: s.optional(message, 'For the timeline and the channels.'),
  isPublic,
})
const UpdateIn = s.object({
  message: s.described(message, 'What is new, for the timeline and the channels.'),
  status: s.optional(s.oneOf(updateStatuses), '`resolved` also resolves the incident.'),
  isPublic,
})

const postmortemCharsMax = 16_384

const IncidentPatch = s.patchOf(
  s.object({
    title: s.text({
      charsMin: 1,
      charsMax: limits.titleCharsMax,
      description: 'The daemon writes titles; it leaves one that you set as it is.',
      example: 'Checkout is unavailable',
    }),
    severity: s.described(
      s.oneOf(declaredSeverities),
      'Only of an incident that was declared by hand. Channels that take only outages hear of it ' +
        'once it is `down` or `declared`.',
    ),
    isPublic: s.described(s.flag, 'Whether status pages show it; at first as its monitor.'),
    postmortem: s.optional(
      s.text({
        charsMin: 1,
        charsMax: postmortemCharsMax,
        description:
          'What happened and what follows from it, in Markdown; also after its end. Status pages ' +
          'publish it if the incident is public. It is stored as it is written: what shows it must ' +
          'take HTML in it for text.',
        example: '## What happened\n\nThe disk of the database was full.',
      }),
    ),
  }),
)

const PreviewIn = s.object({
  postmortem: s.text({
    charsMin: 1,
    charsMax: postmortemCharsMax,
    description: 'The post-mortem in Markdown, as an incident takes it.',
    example: '## What happened\n\nThe disk of the database was full.',
  }),
})
const PreviewOut = s.object({
  html: s.described(
    s.anyText,
    'The HTML that status pages show for it: one element, whose headings begin at `h3`. It has ' +
      'neither scripts, styles nor images. Empty if the text has only spaces.',
  ),
})

const declaredMonitorsMax = 100

const IncidentIn = s.object({
  title: s.text({
    charsMin: 1,
    charsMax: limits.titleCharsMax,
    description: 'What is wrong, as people should read it.',
    example: 'Checkout is unavailable',
  }),
  severity: s.preset(
    s.oneOf(declaredSeverities),
    'declared',
    'How bad it is. `declared` counts as an outage, like `down`; channels that take only outages ' +
      'do not hear of `degraded`.',
  ),
  monitorIds: s.preset(
    s.listOf(s.idOf('monitor'), declaredMonitorsMax),
    [],
    'What it is about. It alerts the channels of these monitors; without any, the default ' +
      'channels. Their own incidents stay separate.',
  ),
  message: s.optional(message, 'What is known so far, for the channels.'),
  isPublic: s.preset(s.flag, false, 'Whether status pages show it, with its message.'),
  startedAt: s.optional(
    s.described(
      timeIn,
      `When it began, at most ${limits.declaredAgoMsMax / 86_400_000} days ago. Absent: now.`,
      '2026-03-29T02:30:00Z',
    ),
  ),
})

const shownFilter = {
  state: s.optional(s.oneOf(incidentStates), 'Only incidents in this state.'),
  severity: s.optional(s.oneOf(severities), 'Only incidents of this severity.'),
  from: s.optional(timeIn, 'Only incidents that began at this time or later.'),
  to: s.optional(timeIn, 'Only incidents that began at this time or earlier.'),
  q: s.optional(
    s.text({
      charsMin: 1,
      charsMax: limits.titleCharsMax,
      description: 'A part of the title or of the cause, in any case.',
    }),
  ),
}
const IncidentFilter = s.object({
  ...shownFilter,
  monitorId: s.optional(s.idOf('monitor'), 'Only incidents of this monitor.'),
  tag: s.optional(
    s.text({
      charsMin: 1,
      charsMax: limits.tagCharsMax,
      description: 'Only incidents of monitors that have the tag now.',
    }),
  ),
})
const MonitorIncidentFilter = s.object(shownFilter)

const EntryOut = s.object({
  at: s.isoTime,
  kind: s.oneOf(timelineKinds),
  message: s.anyText,
  status: s.nullable(s.oneOf(updateStatuses)),
  by: s.nullable(
    s.anyText,
    'The id of the person or key; `channel:` and an id: a person who used the link that the ' +
      'channel was sent; null: the daemon.',
  ),
  isPublic: s.flag,
})

/** The fields of an incident that do not depend on the present: the event stream sends each incident once. */
export const IncidentOut = s.object({
  id: s.idOf('incident'),
  orgId: s.idOf('org'),
  monitorIds: s.listOf(s.idOf('monitor'), limits.pageMonitorsMax),
  title: s.anyText,
  cause: s.described(s.anyText, "Why the check failed; '' if a person declared the incident."),
  severity: s.oneOf(severities),
  isDeclared: s.described(s.flag, 'A person declared it: no monitor opens, changes or ends it.'),
  isShadow: s.described(s.flag, 'Its monitor was in a shadow run: nobody was told of it.'),
  state: s.oneOf(incidentStates),
  startedAt: s.described(
    s.isoTime,
    'The first bad result; of a declared incident, as the person said.',
  ),
  confirmedAt: s.described(s.isoTime, 'When enough results were bad, and it opened.'),
  acknowledgedAt: s.nullable(s.isoTime, 'When a person took charge; null while nobody has.'),
  acknowledgedBy: s.nullable(
    s.anyText,
    'The id of the person or key, or `channel:` and the id of the channel whose link was used.',
  ),
  resolvedAt: s.nullable(
    s.isoTime,
    'The first good result, or when a person or a pause ended it. If the service recovers after a ' +
      'person ended it: the first good result after that.',
  ),
  resolution: s.nullable(
    s.oneOf(resolutions),
    '`manual`: a person ended it; while `reopensAt` is set, the service is still failing.',
  ),
  durationMs: s.described(s.anyNumber, 'From startedAt until resolvedAt, else until now.'),
  flapping: s.described(
    s.flag,
    'The monitor goes down and up again and again. Meanwhile there are no reminders.',
  ),
  heldBy: s.nullable(
    s.idOf('monitor'),
    'While its alerts are held: the monitor that was down when it opened, and on which its own ' +
      'monitor depends.',
  ),
  isPublic: s.described(s.flag, 'Whether status pages may show it.'),
  timeline: s.described(
    s.listOf(EntryOut, limits.timelineEntriesMax),
    'What happened, oldest first.',
  ),
  postmortem: s.nullable(s.anyText, 'Markdown, as a person wrote it; HTML in it is text.'),
  locations: s.nullable(
    PlacesOut,
    'What each location of the monitor saw when it last opened, became worse or unstable; null if ' +
      'no locations voted.',
  ),
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
const ShownIncidentOut = s.revised({
  ...IncidentOut.properties,
  reopensAt: s.nullable(
    s.isoTime,
    'Set while the monitor of an incident that a person ended is still failing: about when the ' +
      'same incident reopens, after failureThreshold more failures. push: at the latest, because ' +
      'a report of an error reopens it at once.',
  ),
})
const WholeEntryOut = s.object({
  ...EntryOut.properties,
  locations: s.nullable(
    PlacesOut,
    'What each location of the monitor saw then; null without a vote.',
  ),
  html: s.nullable(
    s.anyText,
    'What a person wrote, as status pages show it: Markdown as HTML without scripts, styles or ' +
      'images; null for an entry of the daemon.',
  ),
})
const WholeIncidentOut = s.revised({
  ...ShownIncidentOut.properties,
  timeline: s.described(
    s.listOf(WholeEntryOut, limits.timelineEntriesMax),
    'What happened, oldest first.',
  ),
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
    isDeclared: incident.isDeclared ?? false,
    isShadow: incident.isShadow ?? false,
    durationMs: durationMs(incident, nowMs),
    heldBy: incident.heldBy ?? null,
    timeline: incident.timeline.map((entry) => ({
      ...entryTimes(entry),
      status: entry.status ?? null,
      by: entry.by ?? null,
    })),
    locations: placesOf(incident.basis?.at(-1)),
  }
}

type ReopensAt = Pick<Incidents, 'reopensAtMs'>

function shownIncidentToWire(incident: Incident, nowMs: number, { reopensAtMs }: ReopensAt) {
  const reopensAt = s.toIsoOrNull(reopensAtMs(incident))
  return { ...incidentToWire(incident, nowMs), reopensAt }
}

function wholeIncidentToWire(incident: Incident, nowMs: number, incidents: ReopensAt) {
  const { evidence } = incident
  const shown = shownIncidentToWire(incident, nowMs, incidents)
  return {
    ...shown,
    timeline: asOneDocument(() =>
      shown.timeline.map((entry, at) => ({
        ...entry,
        locations: placesOf(incident.timeline[at] && basisOfEntry(incident, incident.timeline[at])),
        html: isWritten(entry) ? htmlOf(entry) : null,
      })),
    ),
    evidence: evidence && {
      error: errorOf(incident),
      phases: evidence.phases ?? null,
      ...evidenceFieldsOf(evidence),
      message: evidence.message ?? null,
      metadata: evidence.metadataJson === undefined ? null : looseJson(evidence.metadataJson),
    },
  }
}

function htmlOf({ message }: { readonly message: string }): string | null {
  const rendered = incidentText(message)
  return rendered && toText(rendered)
}

/** The message after a person ended the incident: whether it is really over. */
function closingMessage({ reopensAt }: { readonly reopensAt: string | null }): string {
  if (reopensAt === null) return 'Incident resolved'
  return (
    'Incident closed by hand; the service is still failing. ' +
    `If that goes on, the incident reopens at about ${secondText(Date.parse(reopensAt))}`
  )
}

const member = { role: 'member' } as const
const viewer = { role: 'viewer' } as const

interface SentFilter {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

function filterOf<Filter extends SentFilter>({ from, to, ...rest }: Filter, page: PageRequest) {
  return {
    ...rest,
    ...(from === undefined ? {} : { fromMs: Date.parse(from) }),
    ...(to === undefined ? {} : { toMs: Date.parse(to) }),
    limit: page.limit,
    after: asId('incident', page.after ?? ''),
  }
}

const fewWords =
  'If a filter skips many incidents, a page may be empty and still have a nextCursor.'

export const monitorIncidents = resource('/orgs/:orgId/monitors', {
  incidents: list('/:monitorId/incidents', {
    who: viewer,
    summary: 'Incidents of a monitor, newest first',
    description: `Also those that people declared about it. ${fewWords}`,
    query: MonitorIncidentFilter,
    out: ShownIncidentOut,
  }).handledBy((call, { incidents }) =>
    wirePage(
      incidents.listOf(call.scope, call.params.monitorId, filterOf(call.query, call.page)),
      (incident) => shownIncidentToWire(incident, call.nowMs, incidents),
    ),
  ),
})

export const incidents = resource('/orgs/:orgId/incidents', {
  about:
    'Outages. An incident opens and resolves by itself; people acknowledge it, add updates, or ' +
    'resolve it by hand. People may also declare one themselves.',
  list: list('/', {
    who: viewer,
    summary: 'Incidents, newest first',
    description: fewWords,
    query: IncidentFilter,
    out: ShownIncidentOut,
  }).handledBy((call, { incidents }) =>
    wirePage(incidents.list(call.scope, filterOf(call.query, call.page)), (incident) =>
      shownIncidentToWire(incident, call.nowMs, incidents),
    ),
  ),
  declare: post('/', {
    who: member,
    summary: 'Declare an incident by hand',
    description:
      'It alerts like any other. It ends when a person resolves it, not with the health of its ' +
      `monitors. At most ${limits.declaredOpenMax} may be open at once: \`conflict\`.`,
    example: {
      title: 'Checkout is unavailable',
      severity: 'down',
      monitorIds: [exampleMonitorIds[0]],
      message: 'Customers cannot pay. We are looking into it.',
      isPublic: true,
    },
    body: IncidentIn,
    out: ShownIncidentOut,
    message: 'Incident declared',
  }).createdBy(
    ({ scope, body: { startedAt, ...fields } }, { incidents }) =>
      incidents.declare(scope, {
        ...fields,
        ...(startedAt === undefined ? {} : { startedAtMs: Date.parse(startedAt) }),
      }),
    (incident) => ({
      ...incidentToWire(incident, incident.confirmedAtMs),
      // It follows no monitor that could reopen it.
      reopensAt: null,
    }),
  ),
  previewPostmortem: post('/preview', {
    who: viewer,
    summary: 'The HTML of a post-mortem, without storing it',
    description:
      'Renders the Markdown that is sent, as status pages do: HTML in it is text. It belongs to no ' +
      'incident, and nothing is stored.',
    example: {
      postmortem: '## What happened\n\nThe disk of the database was **full**.',
    },
    body: PreviewIn,
    out: PreviewOut,
  }).handledBy(({ body: { postmortem } }) => ({ html: htmlOf({ message: postmortem }) ?? '' })),
  get: get('/:incidentId', {
    who: viewer,
    summary: 'One incident; members also see the evidence of the check',
    out: WholeIncidentOut,
  }).handledBy((call, { incidents }) =>
    wholeIncidentToWire(incidents.get(call.scope, call.params.incidentId), call.nowMs, incidents),
  ),
  change: patch('/:incidentId', {
    who: member,
    summary: 'Change the title, severity, visibility or post-mortem of an incident',
    description:
      'The severity can be changed only for an incident that was declared by hand. Other fields can ' +
      'be changed for every incident, also after its end; channels hear nothing of that.',
    example: {
      title: 'Checkout is unavailable',
      isPublic: true,
      postmortem: '## What happened\n\nThe disk of the database was full.',
    },
    body: IncidentPatch,
    out: ShownIncidentOut,
    message: 'Incident updated',
  }).handledBy(async ({ scope, params, body, expectedRevision, nowMs }, { incidents }) => {
    const edited = await incidents.edit(scope, params.incidentId, body, expectedRevision)
    return shownIncidentToWire(edited, nowMs, incidents)
  }),
  remove: del('/:incidentId', {
    who: member,
    summary: 'Delete an incident that was declared by hand',
    description:
      'Its timeline is gone, and messages that wait for channels which have heard nothing of it. ' +
      'Channels that have heard of it learn that it is over. An incident that follows a monitor ' +
      'cannot be deleted: `conflict`.',
    message: 'Incident deleted',
  }).handledBy((call, { incidents }) =>
    incidents.remove(call.scope, call.params.incidentId, call.expectedRevision),
  ),
  acknowledge: post('/:incidentId/acknowledge', {
    who: member,
    summary: 'Acknowledge an incident; reminders stop',
    example: { message: 'I am looking into it.' },
    body: s.optional(AcknowledgeIn),
    out: ShownIncidentOut,
    message: 'Incident acknowledged',
  }).handledBy(async (call, { incidents }) => {
    const { incidentId } = call.params
    const incident = await incidents.acknowledge(call.scope, incidentId, call.body?.message)
    return shownIncidentToWire(incident, call.nowMs, incidents)
  }),
  resolve: post('/:incidentId/resolve', {
    who: member,
    summary: 'Resolve an incident; it reopens if its monitor goes on failing',
    example: { message: 'The database has room again.', isPublic: true },
    body: s.optional(ResolveIn),
    out: ShownIncidentOut,
  }).handledBy(async (call, { incidents }) => {
    const incident = await incidents.resolve(call.scope, call.params.incidentId, call.body)
    const shown = shownIncidentToWire(incident, call.nowMs, incidents)
    return answer(shown, { message: closingMessage(shown) })
  }),
  update: post('/:incidentId/updates', {
    who: member,
    summary: 'Add an update to an incident',
    example: {
      status: 'identified',
      message: 'The database ran out of connections. We are adding more.',
      isPublic: true,
    },
    body: UpdateIn,
    out: ShownIncidentOut,
  }).createdBy(
    ({ scope, params, body }, { incidents }) => incidents.update(scope, params.incidentId, body),
    (incident, { nowMs, body }, { incidents }) => {
      const shown = shownIncidentToWire(incident, nowMs, incidents)
      const isEnd = body.status === 'resolved'
      return answer(shown, { message: isEnd ? closingMessage(shown) : 'Update added' })
    },
  ),
})
