// A digest: one message for a storm of openings.
import type { DeliveryId, IncidentId } from '../../base/ids.ts'
import { toIso } from '../../base/schema/schema.ts'
import { limits } from '../limits/limits.ts'
import { type Delivery, isDue, mergeOvertaken, newDelivery } from './delivery.ts'
import type { IncidentPayload } from './payload.ts'

type Item = IncidentPayload['data']['incident']

export interface DigestPayload {
  readonly type: 'incident.digest'
  readonly timestamp: string
  readonly data: {
    readonly orgId: string
    /** In the order of their openings; at most 100, of incidentsTotal. */
    readonly incidents: readonly Item[]
    readonly incidentsTotal: number
  }
}

/** Whether no opening of this incident was delivered to the channel yet. */
export type IsUndelivered = (incidentId: IncidentId) => boolean

/** Whether a delivery would be the first announcement of an incident to its channel. */
export function isOpening(delivery: Delivery, isUndelivered: IsUndelivered): boolean {
  const { event, incidentId } = delivery
  if (incidentId === null) return false
  return event === 'incident.opened' || (event === 'incident.resolved' && isUndelivered(incidentId))
}

/** Whether an opening is waiting out the channel's delay; it does not block other deliveries. */
export function isDelayed(delivery: Delivery, nowMs: number): boolean {
  const { event, attempts } = delivery
  return event === 'incident.opened' && attempts === 0 && !isDue(delivery, nowMs)
}

/**
 * Merges all openings among the pending deliveries of one channel, and everything else pending for
 * the same incidents, into one digest with the given id. Returns the deliveries that changed, the
 * digest last; nothing if fewer than two openings wait.
 */
export function foldDigest(
  pending: readonly Delivery[],
  isUndelivered: IsUndelivered,
  digestId: DeliveryId,
  nowMs: number,
): Delivery[] {
  const rows = new Map(pending.map((row) => [row.id, row]))
  const changed = mergeOvertaken(pending, nowMs)
  for (const row of changed) rows.set(row.id, row)
  const waiting = [...rows.values()].filter((row) => row.state === 'pending')
  const openings = waiting.filter((row) => isOpening(row, isUndelivered))
  const [first] = openings
  if (!first || openings.length < 2) return []
  const { orgId, channelId } = first
  const owed = newDelivery({
    id: digestId,
    orgId,
    channelId,
    incidentId: null,
    nowMs,
    event: 'incident.digest',
    sequence: 0,
    payloadJson: JSON.stringify(digestPayload(openings, nowMs)),
  })
  // News does not speed up attempts on a failing channel.
  const digest = {
    ...owed,
    attempts: Math.max(...openings.map((row) => row.attempts)),
    dueAtMs: Math.max(nowMs, ...openings.map((row) => row.dueAtMs)),
  }
  const incidentIds = new Set(openings.map((row) => row.incidentId))
  const folded = waiting
    .filter((row) => incidentIds.has(row.incidentId))
    .map((row) => ({
      ...row,
      state: 'delivered' as const,
      deliveredAtMs: nowMs,
      mergedIntoId: digestId,
    }))
  const foldedIds = new Set(folded.map((row) => row.id))
  return [
    // Deliveries merged into a resolution are now carried by the digest.
    ...changed
      .filter((row) => !foldedIds.has(row.id))
      .map((row) => (wasFolded(row, foldedIds) ? { ...row, mergedIntoId: digestId } : row)),
    ...folded,
    digest,
  ]
}

function wasFolded(row: Delivery, foldedIds: ReadonlySet<DeliveryId>): boolean {
  return row.mergedIntoId !== null && foldedIds.has(row.mergedIntoId)
}

function digestPayload(openings: readonly Delivery[], nowMs: number): DigestPayload {
  const incidents = openings
    .slice(0, limits.digestItemsMax)
    .map((row) => (JSON.parse(row.payloadJson) as IncidentPayload).data.incident)
  return {
    type: 'incident.digest',
    timestamp: toIso(nowMs),
    data: {
      orgId: openings[0]?.orgId ?? '',
      incidents,
      incidentsTotal: openings.length,
    },
  }
}
