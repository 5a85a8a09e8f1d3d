// What the receiver has heard in the end: every alert, in order, and a repetition only as such.
import { Webhook } from 'standardwebhooks'
import type { IncidentId } from '../../../src/base/ids.ts'
import type { Delivery } from '../../../src/domain/alerts/delivery.ts'
import type { Arrival } from './hooks.ts'
import type { Snapshot } from './snapshot.ts'
import type { Subscriber } from './world.ts'

/** Every promise about messages that was not kept, in a sentence each. */
export function brokenMessages(
  { deliveries }: Snapshot,
  { id, name, secret }: Subscriber,
  arrivals: readonly Arrival[],
): string[] {
  const rows = deliveries.get(id) ?? []
  const own = arrivals.filter((arrival) => arrival.channel === name)
  const first = new Map<string, Arrival>()
  const problems: string[] = []
  for (const arrival of own) {
    const { webhookId, body } = arrival
    const earlier = first.get(webhookId)
    if (!earlier) first.set(webhookId, arrival)
    else if (earlier.body !== body) problems.push(`${webhookId} was repeated with another body`)
    if (!isSigned(secret, arrival)) problems.push(`${webhookId} is not signed`)
  }
  for (const { state, mergedIntoId, event, webhookId } of rows) {
    if (state !== 'delivered') problems.push(`${event} ${webhookId} is still ${state}`)
    if (mergedIntoId === null && !first.has(webhookId)) {
      problems.push(`${event} ${webhookId} never arrived`)
    }
  }
  return [...problems, ...orderProblems(rows, [...first.keys()])]
}

function isSigned(secret: string, { body, headers }: Arrival): boolean {
  try {
    new Webhook(secret).verify(body, { ...headers })
    return true
  } catch {
    return false
  }
}

/** Each message tells its own news and that of those folded into it, the oldest first. */
function orderProblems(rows: readonly Delivery[], webhookIds: readonly string[]): string[] {
  const byWebhookId = new Map(rows.map((row) => [row.webhookId, row]))
  const heard = new Set<Delivery>()
  const latest = new Map<IncidentId, { row: Delivery; isOpen: boolean }>()
  const problems: string[] = []
  for (const webhookId of webhookIds) {
    const message = byWebhookId.get(webhookId)
    for (const row of message ? toldBy(message, rows) : []) {
      if (row.incidentId === null || heard.has(row)) continue
      heard.add(row)
      const last = latest.get(row.incidentId)
      if (last && last.row.id > row.id) {
        problems.push(`${row.incidentId}: ${row.event} was told after ${last.row.event}`)
      }
      const isOpening = row.event === 'incident.opened'
      if (isOpening === (last?.isOpen ?? false)) {
        problems.push(`${row.incidentId}: ${row.event} was told of what is ${state(last?.isOpen)}`)
      }
      latest.set(row.incidentId, { row, isOpen: row.event !== 'incident.resolved' })
    }
  }
  return problems
}

/** In the order in which it happened, as the rows are. */
function toldBy(message: Delivery, rows: readonly Delivery[]): Delivery[] {
  const ids = new Set([message.id])
  // What was folded into a message may have held others before.
  for (let before = 0; before < ids.size; ) {
    before = ids.size
    for (const { id, mergedIntoId } of rows) {
      if (mergedIntoId !== null && ids.has(mergedIntoId)) ids.add(id)
    }
  }
  return rows.filter(({ id }) => ids.has(id))
}

const state = (isOpen: boolean | undefined) => (isOpen ? 'open' : 'not open')
