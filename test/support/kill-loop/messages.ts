// What the receiver has heard in the end: every alert, in order, and a repetition only as such.
import { Webhook } from 'standardwebhooks'
import type { IncidentId } from '../../../src/base/ids.ts'
import type { Delivery } from '../../../src/domain/alerts/delivery.ts'
import type { Arrival } from './hooks.ts'
import { isGivenUpRightly, type Snapshot } from './snapshot.ts'
import { nameOfRow } from './wire.ts'
import type { Subscriber } from './world.ts'

/** Every promise about messages that was not kept, in a sentence each. */
export function brokenMessages(
  snapshot: Snapshot,
  { id, name: channel, type, secret }: Subscriber,
  arrivals: readonly Arrival[],
): string[] {
  const rows = snapshot.deliveries.get(id) ?? []
  const own = arrivals.filter((arrival) => arrival.channel === channel)
  const first = new Map<string, Arrival>()
  const problems: string[] = []
  for (const arrival of own) {
    const { name, body } = arrival
    const earlier = first.get(name)
    if (!earlier) first.set(name, arrival)
    else if (type !== 'pagerduty' && undelayed(earlier.body) !== undelayed(body)) {
      problems.push(`${name} was repeated with another body`)
    }
    if (secret !== null && !isSigned(secret, arrival)) problems.push(`${name} is not signed`)
  }
  for (const row of rows) {
    const { state, mergedIntoId, event, webhookId } = row
    if (isGivenUpRightly(snapshot, row)) continue
    if (state !== 'delivered') problems.push(`${event} ${webhookId} is still ${state}`)
    if (mergedIntoId === null && !first.has(nameOfRow(type, row))) {
      problems.push(`${event} ${webhookId} never arrived`)
    }
  }
  const names = own.map(({ name }) => name)
  const order =
    type === 'pagerduty' ? pagerProblems(rows, names) : orderProblems(rows, [...first.keys()])
  return [...problems, ...order]
}

/** It was neither folded into a later message nor given up. */
function mustBeHeard({ mergedIntoId, state }: Delivery): boolean {
  return mergedIntoId === null && state !== 'dead'
}

/** Signed as the other side would. It is not verified there, because a long run outlives signatures. */
function isSigned(secret: string, { body, headers }: Arrival): boolean {
  const {
    'webhook-id': id = '',
    'webhook-timestamp': seconds,
    'webhook-signature': found = '',
  } = headers
  const signature = new Webhook(secret).sign(id, new Date(Number(seconds) * 1_000), body)
  return found.split(' ').includes(signature)
}

/** A letter that comes minutes late says by how much. */
function undelayed(body: string): string {
  return body.replace(/^Delayed by: .*\n/m, '')
}

/**
 * An alert changes as its incident did: each change at least once, in order. What was folded into a
 * later message may have been tried before.
 */
function pagerProblems(rows: readonly Delivery[], names: readonly string[]): string[] {
  const initial = (name: string) => name.split(' ')[1]?.[0] ?? ''
  const incidentIds = new Set(rows.map((row) => row.incidentId))
  return [...incidentIds].flatMap((incidentId) => {
    const owed = rows
      .filter((row) => row.incidentId === incidentId)
      .map((row) => initial(nameOfRow('pagerduty', row)) + (mustBeHeard(row) ? '+' : '*'))
    const heard = names.filter((name) => name.startsWith(`${incidentId} `)).map(initial)
    const isTold = new RegExp(`^${owed.join('')}$`).test(heard.join(''))
    return isTold ? [] : [`${incidentId}: ${heard.join('')} was heard instead of ${owed.join('')}`]
  })
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
