// How a message is called on its way: what a receiver recognizes a repetition by.
import type { Delivery, DeliveryEvent } from '../../../src/domain/alerts/delivery.ts'

/** The types of channel that the loop knows, each with a way of its own to name a message. */
export type SubscriberType = 'webhook' | 'pagerduty' | 'email'

/** What a message does to the alert of its incident. https://developer.pagerduty.com/docs/events-api-v2 */
const pagerActions: Partial<Record<DeliveryEvent, string>> = {
  'incident.opened': 'trigger',
  'incident.updated': 'trigger',
  'incident.acknowledged': 'acknowledge',
  'incident.resolved': 'resolve',
}

/** The name of a message as its receiver sees it, from what is stored. */
export function nameOfRow(type: SubscriberType, row: Delivery): string {
  if (type !== 'pagerduty') return row.webhookId
  return `${row.incidentId} ${pagerActions[row.event] ?? row.event}`
}

/** The same name, from what has arrived. */
export function nameOfRequest(headers: Readonly<Record<string, string>>, body: string): string {
  const id = headers['webhook-id']
  if (id !== undefined) return id
  const { dedup_key, event_action } = JSON.parse(body) as Record<string, unknown>
  return `${dedup_key} ${event_action}`
}

/** The same name, from the Message-ID of a letter, in which a mark of its address follows it. */
export function nameOfLetter(messageId: string): string {
  return messageId.replace(/^<|\.[^.]*@.*$/g, '')
}
