// A delivery: one message to one channel, its attempts, and the rules for when to send nothing.
import { createHash } from 'node:crypto'
import { assert, unreachable } from '../../base/assert.ts'
import { Fault } from '../../base/fault.ts'
import type { ChannelId, DeliveryId, IncidentId, OrgId } from '../../base/ids.ts'
import { limits } from '../limits/limits.ts'
import {
  type Attempt,
  attemptOf,
  type FailedOutcome,
  isHopeless,
  type PartDone,
  type Tried,
  withAttempt,
} from './attempt.ts'
import { channelEvents } from './channel.ts'

export type { Outcome, PartDone } from './attempt.ts'

export const deliveryEvents = [
  ...channelEvents,
  'channel.recovered',
  'system.notice',
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
  /** The same for every attempt and after a crash, so that a receiver can detect a repetition. */
  readonly webhookId: string
  /** The bytes to send, fixed when the message was queued. */
  readonly payloadJson: string
  readonly state: DeliveryState
  readonly attempts: number
  /** The first and the last ones, oldest first. */
  readonly log: readonly Attempt[]
  /** The parts of the message that need no further attempt: delivered, or refused for good. */
  readonly partsDone: readonly PartDone[]
  readonly dueAtMs: number
  readonly createdAtMs: number
  /** Time of the last possible attempt; a failure after it makes the delivery dead. */
  readonly giveUpAtMs: number
  /**
   * When the last attempt began or, once it is over, ended. Written before the first attempt: null
   * means that the receiver cannot have got it.
   */
  readonly lastAtMs: number | null
  readonly lastError: string | null
  readonly lastStatus: number | null
  readonly deliveredAtMs: number | null
  /** The later message that carried this one's news as well, if this one was merged. */
  readonly mergedIntoId: DeliveryId | null
}

export interface NewDelivery
  extends Pick<Delivery, 'id' | 'orgId' | 'channelId' | 'incidentId' | 'event' | 'payloadJson'> {
  /** The incident's revision: identifies this message among the messages about the same incident. */
  readonly sequence: number
  readonly nowMs: number
}

/** A newly queued message; it is due at once. */
export function newDelivery(owed: NewDelivery): Delivery {
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
    ...nothingTried,
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

/** What records of earlier versions lack. */
export const nothingTried: Pick<Delivery, 'log' | 'partsDone'> = { log: [], partsDone: [] }

/**
 * Whether the next attempt may be made. A delivery that was due at its creation stays due: the
 * given time may precede the creation, or the wall clock may have been set back since.
 */
export function isDue(
  { dueAtMs, createdAtMs }: Pick<Delivery, 'dueAtMs' | 'createdAtMs'>,
  nowMs: number,
): boolean {
  return dueAtMs <= Math.max(nowMs, createdAtMs)
}

/** How long the news took from the event to the channel; null if it has not arrived. */
export function dwellMs({ createdAtMs, deliveredAtMs }: Delivery): number | null {
  return deliveredAtMs === null ? null : Math.max(0, deliveredAtMs - createdAtMs)
}

/**
 * What a pending delivery waits for: the time when the channel wants it, the end of quiet hours, the
 * next attempt, or its turn behind earlier messages.
 */
export const deliveryWaits = ['delay', 'quiet_hours', 'retry', 'turn'] as const
export type DeliveryWait = (typeof deliveryWaits)[number]

export function waitsFor(delivery: Delivery, nowMs: number): DeliveryWait | null {
  if (delivery.state !== 'pending') return null
  if (isDue(delivery, nowMs)) return 'turn'
  return delivery.attempts === 0 ? 'delay' : 'retry'
}

const base32 = '0123456789abcdefghjkmnpqrstvwxyz'
const webhookIdChars = 26

/**
 * `msg_` and 130 bits of SHA-256 in base32: the same incident, sequence and channel give the same
 * id, even if a crash makes us compute it twice.
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
 * The delivery after an attempt: delivered, due again, or dead. `random` is a random number from 0 to
 * 1. A Retry-After extends the wait, but not beyond the last attempt at 24 hours.
 */
export function nextAttempt(delivery: Delivery, tried: Tried, random: number): Delivery {
  const { outcome, nowMs } = tried
  const attempted = {
    ...delivery,
    attempts: delivery.attempts + 1,
    log: withAttempt(delivery.log, attemptOf(tried)),
    lastAtMs: nowMs,
    lastStatus: outcome.status ?? null,
  }
  if (outcome.ok) {
    // Some recipients may never get it; that must not be silent.
    const lastError = outcome.warning ?? null
    return { ...attempted, state: 'delivered', lastError, deliveredAtMs: nowMs }
  }
  const { partsDone = delivery.partsDone } = outcome
  const failed = { ...attempted, partsDone, lastError: outcome.reason }
  const dueAtMs = isHopeless(failed.log, failed.attempts)
    ? undefined
    : retryAtMs(delivery, outcome, nowMs, random)
  return dueAtMs === undefined ? { ...failed, state: 'dead' } : { ...failed, dueAtMs }
}

/** The delivery of a test, which is made once and never tried again. */
export function tested(delivery: Delivery, tried: Tried): Delivery {
  const after = nextAttempt(delivery, tried, 0)
  return { ...after, state: tried.outcome.ok ? 'delivered' : 'dead' }
}

/** When to try again after a failure; undefined if no attempt may help any more. */
export function retryAtMs(
  { attempts, giveUpAtMs }: Pick<Delivery, 'attempts' | 'giveUpAtMs'>,
  { mayRetry, retryAfterMs = 0 }: Pick<FailedOutcome, 'mayRetry' | 'retryAfterMs'>,
  nowMs: number,
  random: number,
): number | undefined {
  if (!mayRetry || nowMs >= giveUpAtMs) return undefined
  return Math.min(nowMs + Math.max(retryWaitMs(attempts, random), retryAfterMs), giveUpAtMs)
}

/** Waits before the second, third, … attempt; the last one repeats. */
const deliveryWaitsMs = [5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000] as const
const deliveryJitterRatio = 0.2

/** 5 s, 30 s, 2 min, 10 min, 30 min, then 1 h, each ± 20 %, depending on the earlier attempts. */
export function retryWaitMs(attemptsBefore: number, random: number): number {
  const waits = deliveryWaitsMs
  const waitMs = waits[Math.min(attemptsBefore, waits.length - 1)]
  assert(waitMs !== undefined, 'there is a wait for every attempt')
  return Math.round(waitMs * (1 + deliveryJitterRatio * (2 * random - 1)))
}

/** The delivery as it is stored before its first attempt. */
export function begun(delivery: Delivery, nowMs: number): Delivery {
  return { ...delivery, lastAtMs: delivery.lastAtMs ?? nowMs }
}

/**
 * Sends a finished delivery again at a person's request: the same bytes and id, a new schedule. What
 * arrived goes to every recipient again; what died goes to recipients who have not got it, also to
 * recipients who were refused, because that may have been repaired.
 */
export function redelivered(delivery: Delivery, nowMs: number): Delivery {
  if (delivery.state === 'pending') {
    throw new Fault('conflict', 'This delivery is still being attempted.')
  }
  return {
    ...delivery,
    state: 'pending',
    attempts: 0,
    partsDone:
      delivery.state === 'dead' ? delivery.partsDone.filter(({ isDelivered }) => isDelivered) : [],
    dueAtMs: nowMs,
    // If another message carried its news, the receiver may have got it.
    lastAtMs: delivery.lastAtMs ?? delivery.deliveredAtMs,
    deliveredAtMs: null,
    giveUpAtMs: nowMs + limits.deliveryAgeMsMax,
    mergedIntoId: null,
  }
}

/** What was last announced to a channel about an incident. */
export type AnnouncedState = 'none' | 'open' | 'resolved'

export interface Announcement {
  readonly isOwed: boolean
  /** What the channel knows after this announcement; unchanged if there is none. */
  readonly announced: AnnouncedState
}

/**
 * Whether to announce an event to a channel, given its last announcement: no outage twice, no
 * recovery without an outage, nothing about an incident that it knows to be over.
 */
export function announcement(announced: AnnouncedState, event: DeliveryEvent): Announcement {
  switch (event) {
    case 'incident.opened':
      return { isOwed: announced !== 'open', announced: 'open' }
    case 'incident.resolved':
      return announced === 'open'
        ? { isOwed: true, announced: 'resolved' }
        : { isOwed: false, announced }
    case 'incident.acknowledged':
    case 'incident.reminder':
    case 'incident.updated':
      return { isOwed: announced === 'open', announced }
    case 'incident.digest':
    case 'certificate.expiring':
    case 'domain.expiring':
    case 'slo.at_risk':
    case 'slo.exhausted':
    case 'channel.failing':
    case 'channel.recovered':
    case 'system.notice':
    case 'channel.test':
      return { isOwed: true, announced }
    default:
      return unreachable(event)
  }
}

/**
 * Merges superseded news among the pending deliveries of one channel (oldest first, none in
 * flight): if an incident's opening and resolution both wait, only the resolution is sent. Its
 * payload contains when the incident began and ended, so one message of type `incident.resolved`,
 * with the webhook id of the resolution, carries both facts. The opening and everything in between
 * count as delivered by it. It inherits the opening's attempts and due time, so that news does not
 * speed up attempts on a failing channel. Returns only the deliveries that changed.
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
  return {
    ...overtaken,
    state: 'delivered',
    // A failed attempt of its own no longer matters.
    lastError: null,
    lastStatus: null,
    deliveredAtMs: nowMs,
    mergedIntoId: later.id,
  }
}

function behind(later: Delivery, earlier: readonly Delivery[]): Delivery {
  return {
    ...later,
    attempts: Math.max(later.attempts, ...earlier.map((delivery) => delivery.attempts)),
    dueAtMs: Math.max(later.dueAtMs, ...earlier.map((delivery) => delivery.dueAtMs)),
  }
}
