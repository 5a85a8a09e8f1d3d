// A digest: one message for a storm of openings, or of recoveries.
import type { DeliveryId, IncidentId } from '../../base/ids.ts'
import { toIso } from '../../base/schema/schema.ts'
import { limits } from '../limits/limits.ts'
import { type Delivery, type DeliveryEvent, isDue, newDelivery } from './delivery.ts'
import type { IncidentPayload } from './payload.ts'

type Item = IncidentPayload['data']['incident']

/**
 * The events that a digest gathers. A digest has only one of them, so that it tells of a beginning or
 * of an end, never of both.
 */
export const digestedEvents = ['incident.opened', 'incident.resolved'] as const
export type DigestedEvent = (typeof digestedEvents)[number]

export interface DigestPayload {
  readonly type: 'incident.digest'
  readonly timestamp: string
  readonly data: {
    readonly orgId: string
    /** What happened to each of the incidents. Absent in older digests, which are of openings. */
    readonly event?: DigestedEvent
    /** In the order of the events; at most 100, of incidentsTotal. */
    readonly incidents: readonly Item[]
    readonly incidentsTotal: number
    /** The ids of all of them. Absent in older digests. */
    readonly incidentIds?: readonly string[]
    /** Where people find all incidents, in the console. Absent in older digests. */
    readonly url?: string
  }
}

/** What happened to the incidents of a digest. */
export function digestedEvent({ data }: DigestPayload): DigestedEvent {
  return data.event ?? 'incident.opened'
}

/** Whether an opening is waiting out the channel's delay; it does not block other deliveries. */
export function isDelayed(delivery: Delivery, nowMs: number): boolean {
  const { event, lastAtMs } = delivery
  return event === 'incident.opened' && lastAtMs === null && !isDue(delivery, nowMs)
}

/**
 * The deliveries of one event that a digest may replace, among the pending ones of a channel. What may
 * have been sent keeps its own id, so that the receiver detects a repetition. The digest is sent after
 * everything that is pending, so an incident with later news is left out, except for news that the digest
 * itself announces. An incident with an earlier opening or end is left out as well: that message may be
 * held back longer than the digest, and would then arrive after it.
 */
export function digestible(pending: readonly Delivery[], event: DigestedEvent): Delivery[] {
  const found = new Map<IncidentId, Delivery>()
  const changed = new Set<IncidentId>()
  for (const row of pending) {
    const { incidentId } = row
    if (incidentId === null) continue
    const isFirst = !changed.has(incidentId)
    if (isDigestedEvent(row.event)) changed.add(incidentId)
    if (row.event === event && row.lastAtMs === null && isFirst) found.set(incidentId, row)
    else if (!isToldByOpening(row)) found.delete(incidentId)
  }
  return [...found.values()]
}

function isDigestedEvent(event: DeliveryEvent): boolean {
  return event === 'incident.opened' || event === 'incident.resolved'
}

/** A digest of openings shows whether an incident was acknowledged. */
const toldByOpening: ReadonlySet<DeliveryEvent> = new Set([
  'incident.acknowledged',
  'incident.reminder',
])

function isToldByOpening({ event, lastAtMs }: Delivery): boolean {
  return toldByOpening.has(event) && lastAtMs === null
}

/** What a digest has besides its incidents. */
export interface NewDigest {
  readonly id: DeliveryId
  /** Where people find all incidents. */
  readonly url: string
  readonly nowMs: number
}

/**
 * Merges the given deliveries of one event, and the news about the same openings behind them, into
 * one digest. Its members and its bytes never change afterwards: what happens to
 * an incident later is a message of its own, or in a later digest. A digest takes the place of a
 * bounded number of messages, the oldest first. Returns the deliveries that changed, the digest last.
 */
export function foldDigest(
  pending: readonly Delivery[],
  candidates: readonly Delivery[],
  { id: digestId, url, nowMs }: NewDigest,
): Delivery[] {
  const members = candidates.slice(0, limits.digestFoldsMax)
  let room = limits.digestFoldsMax - members.length
  const [first] = members
  if (!first) return []
  const heads = new Map(members.map((row) => [row.incidentId, row]))
  const newest = new Map<IncidentId | null, Delivery>(heads)
  const folded: Delivery[] = []
  for (const row of pending) {
    const head = heads.get(row.incidentId)
    if (!head) continue
    if (row.id !== head.id) {
      if (row.id < head.id || !isToldByOpening(row) || room === 0) continue
      room -= 1
    }
    newest.set(row.incidentId, row)
    folded.push({ ...row, state: 'delivered', deliveredAtMs: nowMs, mergedIntoId: digestId })
  }
  const { orgId, channelId } = first
  const event = first.event === 'incident.resolved' ? 'incident.resolved' : 'incident.opened'
  const owed = newDelivery({
    id: digestId,
    orgId,
    channelId,
    incidentId: null,
    nowMs,
    event: 'incident.digest',
    sequence: 0,
    payloadJson: JSON.stringify(digestPayload(event, [...newest.values()], { url, nowMs })),
  })
  // News does not speed up attempts on a failing channel.
  const digest = {
    ...owed,
    attempts: Math.max(...members.map((row) => row.attempts)),
    dueAtMs: Math.max(nowMs, ...members.map((row) => row.dueAtMs)),
  }
  return [...folded, digest]
}

/** Incidents that a digest lists in full. */
const digestItemsMax = 100

function digestPayload(
  event: DigestedEvent,
  rows: readonly Delivery[],
  { url, nowMs }: Omit<NewDigest, 'id'>,
): DigestPayload {
  const incidents = rows
    .slice(0, digestItemsMax)
    .map((row) => (JSON.parse(row.payloadJson) as IncidentPayload).data.incident)
  return {
    type: 'incident.digest',
    timestamp: toIso(nowMs),
    data: {
      orgId: rows[0]?.orgId ?? '',
      event,
      incidents,
      incidentsTotal: rows.length,
      incidentIds: rows.flatMap(({ incidentId }) => incidentId ?? []),
      url,
    },
  }
}
