// A message in the form that every channel type gets: structured, and derived from the stored
// payload.
import type { DeliveryId } from '../../base/ids.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { type Delivery, type DeliveryEvent, webhookIdOf } from '../../domain/alerts/delivery.ts'
import { type DigestPayload, digestedEvent } from '../../domain/alerts/digest.ts'
import type {
  CertificatePayload,
  IncidentPayload,
  PayloadUpdate,
} from '../../domain/alerts/payload.ts'
import {
  type IncidentState,
  isWritten,
  type Severity,
  statusTitles,
} from '../../domain/incidents/incident.ts'
import { limits } from '../../domain/limits/limits.ts'

export interface Message {
  /** The same for every attempt, so that receivers can detect a repetition. */
  readonly id: string
  readonly event: DeliveryEvent
  /** The body of a webhook, fixed when the message was queued. */
  readonly payloadJson: string
  /** When the event happened. */
  readonly atMs: number
  /** One line: what happened. */
  readonly title: string
  readonly facts: readonly Fact[]
  /** Links for more information. */
  readonly links: readonly Link[]
  /** Null if the message is about no incident, or about several. */
  readonly incidentId: string | null
  readonly severity: Severity | null
  readonly state: IncidentState | null
  /** Equal for all messages about one matter, so that a platform can group or close them. */
  readonly dedupKey: string
}

/** A label for people, and its value: a text or a point in time. */
export interface Fact {
  readonly label: string
  readonly value: string | Instant
}

export interface Instant {
  readonly atMs: number
}

export interface Link {
  readonly label: string
  readonly url: string
}

export interface TestPayload {
  readonly type: 'channel.test'
  readonly timestamp: string
  readonly data: {
    readonly orgId: string
    readonly channel: { readonly id: string; readonly name: string }
  }
}

export type Payload = IncidentPayload | DigestPayload | CertificatePayload | TestPayload

/** The message of a delivery, including those that an earlier version created. */
export function messageOf(
  delivery: Pick<Delivery, 'webhookId' | 'event' | 'payloadJson'>,
): Message {
  const { webhookId: id, event, payloadJson } = delivery
  const payload = payloadOf(payloadJson)
  return {
    id,
    event,
    payloadJson,
    atMs: Date.parse(payload.timestamp),
    ...contentOf(payload, id),
  }
}

/** Each test is a different message, so that it does not count as a repetition. */
export function testMessage(channel: Channel, testId: DeliveryId, nowMs: number): Message {
  const { id, orgId, name } = channel
  const payload: TestPayload = {
    type: 'channel.test',
    timestamp: new Date(nowMs).toISOString(),
    data: { orgId, channel: { id, name } },
  }
  const payloadJson = JSON.stringify(payload)
  return messageOf({ webhookId: webhookIdOf(testId, 0, id), event: 'channel.test', payloadJson })
}

/** Parses the payload. It is our own JSON, so its shape is known. */
export function payloadOf(payloadJson: string): Payload {
  return JSON.parse(payloadJson) as Payload
}

type Content = Omit<Message, 'id' | 'event' | 'payloadJson' | 'atMs'>

const ofNoIncident = { incidentId: null, severity: null, state: null }

function contentOf(payload: Payload, messageId: string): Content {
  switch (payload.type) {
    case 'channel.test':
      return {
        ...ofNoIncident,
        title: `Test of ${payload.data.channel.name}`,
        facts: [{ label: 'Channel', value: payload.data.channel.name }],
        links: [],
        dedupKey: messageId,
      }
    case 'incident.digest':
      return {
        ...ofNoIncident,
        title: digestTitle(payload),
        facts: digestFacts(payload),
        links: [],
        dedupKey: messageId,
      }
    case 'certificate.expiring':
      return certificateContent(payload)
    default:
      return incidentContent(payload)
  }
}

function incidentContent({ type, data }: IncidentPayload): Content {
  const { id, title, severity, state, url } = data.incident
  return {
    title: titled(type, title, data),
    facts: incidentFacts(data),
    links: [{ label: 'Incident', url }],
    incidentId: id,
    severity,
    state,
    dedupKey: id,
  }
}

function incidentFacts(data: IncidentPayload['data']): Fact[] {
  const { incident, monitors, monitorsTotal, update } = data
  const { cause, startedAt, acknowledgedAt, resolvedAt, stillFailing = false } = incident
  const facts: Fact[] = [...updateFacts(update), { label: 'Cause', value: cause }]
  const more = monitorsTotal - monitors.length
  const names = monitors.map(({ name }) => name).concat(more > 0 ? [`${more} more`] : [])
  if (names.length > 0) facts.push({ label: 'Monitors', value: names.join(', ') })
  facts.push({ label: 'Started', value: instantOf(startedAt) })
  if (acknowledgedAt !== null) {
    facts.push({ label: 'Acknowledged', value: instantOf(acknowledgedAt) })
  }
  if (resolvedAt !== null) {
    facts.push({ label: stillFailing ? 'Closed' : 'Resolved', value: instantOf(resolvedAt) })
  }
  return facts
}

function digestTitle(digest: DigestPayload): string {
  const event = digestedEvent(digest) === 'incident.resolved' ? 'resolved' : 'opened'
  return `${digest.data.incidentsTotal} incidents ${event}`
}

type TextFact = Fact & { readonly value: string }

/** What a person wrote, and what the title and the cause do not say. */
export function updateFacts(update: PayloadUpdate | null = null): TextFact[] {
  if (update === null) return []
  const { kind, status, message } = update
  const written = isWritten(update) ? [{ label: 'Message', value: message }] : []
  switch (kind) {
    case 'update':
      return [{ label: status ? statusTitles[status] : 'Update', value: message }]
    case 'flapping':
    case 'settled':
      return [{ label: 'Update', value: message }]
    case 'closed':
      return [...written, { label: 'Note', value: stillFailingNote }]
    default:
      return written
  }
}

const stillFailingNote = 'The service is still failing. The incident reopens if that goes on.'

function digestFacts({ data }: DigestPayload): Fact[] {
  const facts: Fact[] = data.incidents
    .slice(0, limits.payloadMonitorsMax)
    .map((incident) => ({ label: incident.title, value: digestedState(incident) }))
  const more = data.incidentsTotal - facts.length
  if (more > 0) facts.push({ label: 'More incidents', value: String(more) })
  return facts
}

/** The state of an incident in a digest: one that a person closed may not be over. */
export function digestedState({
  state,
  stillFailing = false,
}: IncidentPayload['data']['incident']): string {
  return stillFailing ? 'closed by hand, still failing' : state
}

function certificateContent({ data }: CertificatePayload): Content {
  const { monitor, certificate, url } = data
  const { daysLeft, expiresAt, issuer } = certificate
  const days = daysLeft === 0 ? 'less than a day' : `${daysLeft} day${daysLeft === 1 ? '' : 's'}`
  return {
    title: `The certificate of ${monitor.name} expires in ${days}`,
    facts: [
      { label: 'Monitor', value: monitor.name },
      { label: 'Valid until', value: instantOf(expiresAt) },
      { label: 'Issuer', value: issuer },
    ],
    links: [{ label: 'Monitor', url }],
    incidentId: null,
    severity: 'certificate',
    state: null,
    dedupKey: `${monitor.id}/${expiresAt}`,
  }
}

function titled(
  event: DeliveryEvent,
  title: string,
  { incident, update }: IncidentPayload['data'],
): string {
  switch (event) {
    case 'incident.opened':
      return update?.kind === 'reopened' ? `Reopened: ${title}` : title
    case 'incident.resolved':
      return `${incident.stillFailing ? 'Closed by hand' : 'Resolved'}: ${title}`
    case 'incident.acknowledged':
      return `Acknowledged: ${title}`
    case 'incident.reminder':
      return `Reminder: ${title}`
    case 'incident.updated':
      return `Update: ${title}`
    default:
      return title
  }
}

function instantOf(isoTime: string): Instant {
  return { atMs: Date.parse(isoTime) }
}
