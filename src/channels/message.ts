// One message as every channel type sees it: its frozen payload, and the same as text for a person.
import type { DeliveryId } from '../base/ids.ts'
import type { Channel } from '../domain/alerts/channel.ts'
import { type Delivery, type DeliveryEvent, webhookIdOf } from '../domain/alerts/delivery.ts'
import type { DigestPayload } from '../domain/alerts/digest.ts'
import type { CertificatePayload, IncidentPayload } from '../domain/alerts/payload.ts'
import { limits } from '../domain/limits/limits.ts'

export interface Message {
  /** The same at every attempt: receivers tell a repetition by it. */
  readonly id: string
  readonly event: DeliveryEvent
  /** The bytes that are sent, frozen when the message became owed. */
  readonly payloadJson: string
}

export interface MessageText {
  /** One line: what happened. */
  readonly title: string
  /** A few lines: why, since when, where to look. */
  readonly text: string
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

export function messageOf(delivery: Delivery): Message {
  return {
    id: delivery.webhookId,
    event: delivery.event,
    payloadJson: delivery.payloadJson,
  }
}

/** A test of a channel: a message of its own each time, so that it is not taken for a repetition. */
export function testMessage(channel: Channel, testId: DeliveryId, nowMs: number): Message {
  const { id, orgId, name } = channel
  const payload: TestPayload = {
    type: 'channel.test',
    timestamp: new Date(nowMs).toISOString(),
    data: { orgId, channel: { id, name } },
  }
  return {
    id: webhookIdOf(testId, 0, id),
    event: 'channel.test',
    payloadJson: JSON.stringify(payload),
  }
}

/** The payload again. It is our own JSON, so its shape is known. */
export function payloadOf(message: Message): Payload {
  return JSON.parse(message.payloadJson) as Payload
}

/** The message for people, in the words that all channel types share. */
export function messageText(payload: Payload): MessageText {
  if (isTest(payload)) {
    const { name } = payload.data.channel
    return { title: `Test of ${name}`, text: 'This channel can be reached.' }
  }
  if (isDigest(payload)) return digestText(payload)
  if (isCertificate(payload)) return certificateText(payload)
  const { incident } = payload.data
  return {
    title: titled(payload.type, incident.title),
    text: [incident.cause, `Since ${incident.startedAt}.`, incident.url].join('\n'),
  }
}

function isTest(payload: Payload): payload is TestPayload {
  return payload.type === 'channel.test'
}

function isDigest(payload: Payload): payload is DigestPayload {
  return payload.type === 'incident.digest'
}

function isCertificate(payload: Payload): payload is CertificatePayload {
  return payload.type === 'certificate.expiring'
}

function titled(event: DeliveryEvent, title: string): string {
  switch (event) {
    case 'incident.resolved':
      return `Resolved: ${title}`
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

function certificateText({ data }: CertificatePayload): MessageText {
  const { monitor, certificate, url } = data
  const { daysLeft, expiresAt, issuer } = certificate
  const days = daysLeft === 0 ? 'less than a day' : `${daysLeft} day${daysLeft === 1 ? '' : 's'}`
  return {
    title: `The certificate of ${monitor.name} expires in ${days}`,
    text: [`It is valid until ${expiresAt}. Its issuer: ${issuer}.`, url].join('\n'),
  }
}

function digestText({ data }: DigestPayload): MessageText {
  const listed = data.incidents
    .slice(0, limits.payloadMonitorsMax)
    .map((incident) => `${incident.title} (${incident.state})`)
  const more = data.incidentsTotal - listed.length
  return {
    title: `${data.incidentsTotal} incidents opened`,
    text: [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
  }
}
