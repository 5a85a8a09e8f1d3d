// A delivery: one message owed to one channel, its attempts, and when nothing is owed.
import { createHash } from 'node:crypto'
import { assert, unreachable } from '../../base/assert.ts'
import { Fault } from '../../base/fault.ts'
import type { ChannelId, DeliveryId, IncidentId, OrgId } from '../../base/ids.ts'
import { limits } from '../limits/limits.ts'

export const deliveryEvents = [
  'incident.opened',
  'incident.acknowledged',
  'incident.resolved',
  'incident.reminder',
  'incident.updated',
  'incident.digest',
  'certificate.expiring',
  'channel.test',
] as const
export type DeliveryEvent = (typeof deliveryEvents)[number]

export const deliveryStates = ['pending', 'delivered', 'dead'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export interface Delivery {
  readonly id: DeliveryId
  readonly orgId: OrgId
  readonly channelId: ChannelId
  readonly incidentId: IncidentId | null
  readonly event: DeliveryEvent
  /** The same for every attempt and after a crash, so that a receiver can tell a repetition. */
  readonly webhookId: string
  /** The bytes to send, frozen when the message became owed. */
  readonly payloadJson: string
  readonly state: DeliveryState
  readonly attempts: number
  readonly dueAtMs: number
  readonly createdAtMs: number
  /** Time of the last attempt at all; a failure after it makes the delivery dead. */
  readonly giveUpAtMs: number
  readonly lastAtMs: number | null
  readonly lastError: string | null
  readonly lastStatus: number | null
  readonly deliveredAtMs: number | null
  /** The later message that carried this one's fact as well, where that is how it was told. */
  readonly mergedIntoId: DeliveryId | null
}

/** What an attempt came to. A sender never throws; it says whether another attempt may help. */
export type Outcome =
  | { readonly ok: true; readonly status?: number; readonly response?: string }
  | {
      readonly ok: false
      readonly mayRetry: boolean
      /** One sentence for a person, without secrets. */
      readonly reason: string
      readonly status?: number
      readonly response?: string
      /** What the receiver asked for in Retry-After. */
      readonly retryAfterMs?: number
      /** The receiver is gone for good: nothing more is to be sent to this channel. */
      readonly disablesChannel?: boolean
    }

export interface Owed {
  readonly id: DeliveryId
  readonly orgId: OrgId
  readonly channelId: ChannelId
  readonly incidentId: IncidentId | null
  readonly event: DeliveryEvent
  /** What tells this message from the others about the same incident: the incident's revision. */
  readonly sequence: number
  readonly payloadJson: string
  readonly nowMs: number
}

/** A message that has just become owed; it is due at once. */
export function owedDelivery(owed: Owed): Delivery {
  const { id, orgId, channelId, incidentId, event, payloadJson, nowMs } = owed
  return {
    id,
    orgId,
    channelId,
    incidentId,
    event,
    payloadJson,
    webhookId: webhookIdOf(incidentId ?? id, owed.sequence, channelId),
    state: 'pending',
    attempts: 0,
    dueAtMs: nowMs,
    createdAtMs: nowMs,
    giveUpAtMs: nowMs + limits.deliveryAgeMsMax,
    lastAtMs: null,
    lastError: null,
    lastStatus: null,
    deliveredAtMs: null,
    mergedIntoId: null,
  }
}

/**
 * Whether the next attempt may be made. What was due at its creation is due for ever: a look may
 * take its time before the creation, and the wall clock may have been set back since.
 */
export function isDue(
  { dueAtMs, createdAtMs }: Pick<Delivery, 'dueAtMs' | 'createdAtMs'>,
  nowMs: number,
): boolean {
  return dueAtMs <= Math.max(nowMs, createdAtMs)
}

const base32 = '0123456789abcdefghjkmnpqrstvwxyz'
const webhookIdChars = 26

/**
 * `msg_` and 130 bits of SHA-256 in base32: the same incident, sequence and channel give the same
 * id, also when a crash made us compute it twice.
 */
export function webhookIdOf(subject: string, sequence: number, channelId: ChannelId): string {
  const digest = createHash('sha256').update(`${subject}\n${sequence}\n${channelId}`).digest('hex')
  let bits = BigInt(`0x${digest}`)
  let text = ''
  for (let at = 0; at < webhookIdChars; at++) {
    text += base32.charAt(Number(bits & 31n))
    bits >>= 5n
  }
  return `msg_${text}`
}

/**
 * The delivery after an attempt: delivered, due again, or dead. `unit` is a random number in 0..1.
 * A Retry-After lengthens the wait, never beyond the last attempt at 24 hours.
 */
export function nextAttempt(
  delivery: Delivery,
  outcome: Outcome,
  nowMs: number,
  unit: number,
): Delivery {
  const attempted = {
    ...delivery,
    attempts: delivery.attempts + 1,
    lastAtMs: nowMs,
    lastStatus: outcome.status ?? null,
  }
  if (outcome.ok) {
    return { ...attempted, state: 'delivered', lastError: null, deliveredAtMs: nowMs }
  }
  const failed = { ...attempted, lastError: outcome.reason }
  const dueAtMs = retryAtMs(delivery, outcome, nowMs, unit)
  return dueAtMs === undefined ? { ...failed, state: 'dead' } : { ...failed, dueAtMs }
}

/** When to try again after a failure; undefined where no attempt may help any more. */
export function retryAtMs(
  { attempts, giveUpAtMs }: Pick<Delivery, 'attempts' | 'giveUpAtMs'>,
  { mayRetry, retryAfterMs = 0 }: Extract<Outcome, { ok: false }>,
  nowMs: number,
  unit: number,
): number | undefined {
  if (!mayRetry || nowMs >= giveUpAtMs) return undefined
  return Math.min(nowMs + Math.max(retryWaitMs(attempts, unit), retryAfterMs), giveUpAtMs)
}

/** 5 s, 30 s, 2 min, 10 min, 30 min, then 1 h, each ± 20 %, after so many earlier attempts. */
export function retryWaitMs(attemptsBefore: number, unit: number): number {
  const waits = limits.deliveryWaitsMs
  const waitMs = waits[Math.min(attemptsBefore, waits.length - 1)]
  assert(waitMs !== undefined, 'there is a wait for every attempt')
  return Math.round(waitMs * (1 + limits.deliveryJitterRatio * (2 * unit - 1)))
}

/** Sent once more because a person asked for it: the same bytes and id, a fresh schedule. */
export function redelivered(delivery: Delivery, nowMs: number): Delivery {
  if (delivery.state === 'pending') {
    throw new Fault('conflict', 'This delivery is still being attempted.')
  }
  return {
    ...delivery,
    state: 'pending',
    attempts: 0,
    dueAtMs: nowMs,
    deliveredAtMs: null,
    giveUpAtMs: nowMs + limits.deliveryAgeMsMax,
    mergedIntoId: null,
  }
}

/** What a channel was last told of an incident. */
export type Told = 'none' | 'open' | 'resolved'

export interface Announcement {
  readonly isOwed: boolean
  /** What the channel knows once this is told; unchanged where nothing is owed. */
  readonly told: Told
}

/**
 * Whether a channel is owed an event, given what it was last told: no outage twice, no recovery
 * without an outage, nothing about an incident that it believes to be over.
 */
export function announcement(told: Told, event: DeliveryEvent): Announcement {
  switch (event) {
    case 'incident.opened':
      return { isOwed: told !== 'open', told: 'open' }
    case 'incident.resolved':
      return told === 'open' ? { isOwed: true, told: 'resolved' } : { isOwed: false, told }
    case 'incident.acknowledged':
    case 'incident.reminder':
    case 'incident.updated':
      return { isOwed: told === 'open', told }
    case 'incident.digest':
    case 'certificate.expiring':
    case 'channel.test':
      return { isOwed: true, told }
    default:
      return unreachable(event)
  }
}

/**
 * The unsent deliveries of one channel, oldest first and none in flight, with overtaken news
 * folded: where an incident's opening and its resolution both wait, the resolution alone is sent.
 * Its payload says when the incident began and ended, so that one message of type
 * `incident.resolved`, with the resolution's own webhook id, carries both facts. The opening and
 * what came between count as delivered by it. It takes over the opening's attempts and due time,
 * so that a channel which is failing is not tried sooner because of more news.
 * Returns only the deliveries that changed.
 */
export function mergeOvertaken(pending: readonly Delivery[], nowMs: number): Delivery[] {
  const changed: Delivery[] = []
  const waiting = new Map<IncidentId, Delivery[]>()
  for (const delivery of pending) {
    if (delivery.state !== 'pending' || delivery.incidentId === null) continue
    if (delivery.event === 'incident.opened') {
      waiting.set(delivery.incidentId, [delivery])
      continue
    }
    const earlier = waiting.get(delivery.incidentId)
    if (earlier === undefined) continue
    if (delivery.event !== 'incident.resolved') {
      earlier.push(delivery)
      continue
    }
    waiting.delete(delivery.incidentId)
    for (const overtaken of earlier) changed.push(mergedInto(delivery, overtaken, nowMs))
    changed.push(behind(delivery, earlier))
  }
  return changed
}

function mergedInto(later: Delivery, overtaken: Delivery, nowMs: number): Delivery {
  return { ...overtaken, state: 'delivered', deliveredAtMs: nowMs, mergedIntoId: later.id }
}

function behind(later: Delivery, earlier: readonly Delivery[]): Delivery {
  return {
    ...later,
    attempts: Math.max(later.attempts, ...earlier.map((delivery) => delivery.attempts)),
    dueAtMs: Math.max(later.dueAtMs, ...earlier.map((delivery) => delivery.dueAtMs)),
  }
}
