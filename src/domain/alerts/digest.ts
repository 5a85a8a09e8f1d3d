// A digest: the one message that a storm of openings is told in.
import type { DeliveryId, IncidentId } from '../../base/ids.ts'
import { limits } from '../limits/limits.ts'
import { type Delivery, isDue, mergeOvertaken, owedDelivery } from './delivery.ts'
import type { IncidentPayload } from './payload.ts'

type Item = IncidentPayload['data']['incident']

export interface DigestPayload {
  readonly type: 'incident.digest'
  readonly timestamp: string
  readonly data: {
    readonly orgId: string
    /** In the order of their openings; at most 100 of them, of incidentsTotal. */
    readonly incidents: readonly Item[]
    readonly incidentsTotal: number
  }
}

/** Whether the channel has not heard of this incident yet. */
export type IsUnheard = (incidentId: IncidentId) => boolean

/** Whether a delivery would be the first that its channel hears of an incident. */
export function isOpening(delivery: Delivery, isUnheard: IsUnheard): boolean {
  const { event, incidentId } = delivery
  if (incidentId === null) return false
  return event === 'incident.opened' || (event === 'incident.resolved' && isUnheard(incidentId))
}

/** An opening that waits out the channel's delay: it holds nobody up. */
export function isDelayed(delivery: Delivery, nowMs: number): boolean {
  const { event, attempts } = delivery
  return event === 'incident.opened' && attempts === 0 && !isDue(delivery, nowMs)
}

/**
 * Folds every opening among the unsent deliveries of one channel, with whatever else waits for the
 * same incidents, into one digest with the id given. Returns the deliveries that changed, the
 * digest last; nothing where fewer than two openings wait.
 */
export function foldDigest(
  pending: readonly Delivery[],
  isUnheard: IsUnheard,
  digestId: DeliveryId,
  nowMs: number,
): Delivery[] {
  const rows = new Map(pending.map((row) => [row.id, row]))
  const changed = mergeOvertaken(pending, nowMs)
  for (const row of changed) rows.set(row.id, row)
  const waiting = [...rows.values()].filter((row) => row.state === 'pending')
  const openings = waiting.filter((row) => isOpening(row, isUnheard))
  const [first] = openings
  if (!first || openings.length < 2) return []
  const { orgId, channelId } = first
  const owed = owedDelivery({
    id: digestId,
    orgId,
    channelId,
    incidentId: null,
    nowMs,
    event: 'incident.digest',
    sequence: 0,
    payloadJson: JSON.stringify(digestPayload(openings, nowMs)),
  })
  // A channel that is failing is not tried sooner because of more news.
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
    // What had been merged into a resolution is told by the digest as well.
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
    timestamp: new Date(nowMs).toISOString(),
    data: {
      orgId: openings[0]?.orgId ?? '',
      incidents,
      incidentsTotal: openings.length,
    },
  }
}
