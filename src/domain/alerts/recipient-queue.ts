// Plans the queue of one channel: which pending delivery is next, oldest first.
import type { IncidentId } from '../../base/ids.ts'
import { limits } from '../limits/limits.ts'
import { type Delivery, isDue, mergeOvertaken } from './delivery.ts'
import { type IsUndelivered, isDelayed, isOpening } from './digest.ts'

/** What was sent to a channel within the last minute, to detect a storm. */
export interface StormLog {
  /** Times of the messages that announced an opening. */
  readonly openingsAtMs: readonly number[]
  readonly digestAtMs: number | null
}

export const calm: StormLog = { openingsAtMs: [], digestAtMs: null }

export interface QueueView {
  /** Oldest first, none in flight. */
  readonly pending: readonly Delivery[]
  /** The channel is switched off or deleted. */
  readonly isOff: boolean
  readonly isUndelivered: IsUndelivered
  /** News of an incident whose opening was never delivered: the channel would not understand it. */
  readonly isOrphan: (delivery: Delivery) => boolean
  readonly storm: StormLog
}

export type QueuePlan =
  | { readonly kind: 'done' }
  | { readonly kind: 'wait'; readonly untilMs: number }
  | { readonly kind: 'send'; readonly delivery: Delivery }
  /** Deliveries must first be merged or dropped, in a transaction. */
  | { readonly kind: 'tidy' }

/**
 * In order, one at a time: a message that waits for its next attempt blocks those behind it. Other
 * incidents may overtake only openings that wait on purpose (a channel's delay, a storm).
 */
export function planQueue(view: QueueView, nowMs: number): QueuePlan {
  const { pending, isUndelivered } = view
  if (pending.length === 0) return { kind: 'done' }
  if (view.isOff || pending.some(view.isOrphan)) return { kind: 'tidy' }
  const due = pending.filter((delivery) => !isDelayed(delivery, nowMs))
  if (mergeOvertaken(due, nowMs).length > 0) return { kind: 'tidy' }
  const openings = due.filter((delivery) => isOpening(delivery, isUndelivered))
  const advice = stormAdvice(openings, view.storm, nowMs)
  if (advice.kind === 'digest') return { kind: 'tidy' }
  const held = new Set<IncidentId | null>(
    advice.kind === 'hold' ? openings.map((delivery) => delivery.incidentId) : [],
  )
  const head = due.find((delivery) => !held.has(delivery.incidentId))
  if (head && isDue(head, nowMs)) return { kind: 'send', delivery: head }
  return {
    kind: 'wait',
    untilMs: Math.min(
      head?.dueAtMs ?? Number.POSITIVE_INFINITY,
      advice.kind === 'hold' ? advice.untilMs : Number.POSITIVE_INFINITY,
      ...pending.filter((delivery) => isDelayed(delivery, nowMs)).map(({ dueAtMs }) => dueAtMs),
    ),
  }
}

export type StormAdvice =
  | { readonly kind: 'each' }
  | { readonly kind: 'digest' }
  | { readonly kind: 'hold'; readonly untilMs: number }

/**
 * Up to ten openings a minute are sent separately. Further ones wait a few seconds and go into one
 * digest; those after that wait until the minute is over.
 */
export function stormAdvice(
  openings: readonly Delivery[],
  storm: StormLog,
  nowMs: number,
): StormAdvice {
  if (openings.length === 0) return { kind: 'each' }
  if (storm.digestAtMs !== null) {
    const untilMs = storm.digestAtMs + limits.stormWindowMs
    if (nowMs < untilMs) return { kind: 'hold', untilMs }
  }
  if (openings.length > limits.stormOpeningsMax) return { kind: 'digest' }
  const { openingsAtMs } = recentOnly(storm, nowMs)
  if (openingsAtMs.length < limits.stormOpeningsMax) return { kind: 'each' }
  const firstAtMs = Math.min(...openings.map((delivery) => delivery.createdAtMs))
  const untilMs = firstAtMs + limits.stormGatherMs
  if (nowMs < untilMs) return { kind: 'hold', untilMs }
  return { kind: openings.length > 1 ? 'digest' : 'each' }
}

/** The log with one more message, without outdated entries. */
export function withSent(storm: StormLog, sent: 'opening' | 'digest', nowMs: number): StormLog {
  const { openingsAtMs, digestAtMs } = recentOnly(storm, nowMs)
  return {
    openingsAtMs: sent === 'opening' ? [...openingsAtMs, nowMs] : openingsAtMs,
    digestAtMs: sent === 'digest' ? nowMs : digestAtMs,
  }
}

function recentOnly({ openingsAtMs, digestAtMs }: StormLog, nowMs: number): StormLog {
  const isRecent = (atMs: number) => nowMs - atMs < limits.stormWindowMs
  return {
    openingsAtMs: openingsAtMs.filter(isRecent),
    digestAtMs: digestAtMs !== null && isRecent(digestAtMs) ? digestAtMs : null,
  }
}
