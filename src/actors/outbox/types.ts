// What the actor of a channel is told, what it remembers, and what its steps come to.
import type { DeliveryId } from '../../base/ids.ts'
import type { Outcome } from '../../domain/delivery.ts'
import type { Lane } from '../../store/tables/deliveries.ts'

/** What to do next for a channel. */
export type Choice =
  | { readonly kind: 'send'; readonly deliveryId: DeliveryId }
  /** Nothing is due before this time. */
  | { readonly kind: 'wait'; readonly untilMs: number }
  /** Nothing is owed any more. */
  | { readonly kind: 'done' }

/** A message that is being sent, and then what came of it. */
export interface Sending {
  readonly lane: Lane
  readonly deliveryId: DeliveryId
}

export interface Sent extends Sending {
  readonly outcome: Outcome
}

export interface OutboxInput {
  readonly lane: Lane
}

export interface OutboxContext {
  readonly lane: Lane
  readonly dueAtMs: number
  readonly deliveryId: DeliveryId | undefined
  readonly outcome: Outcome | undefined
}

/** Something became owed, or something about the channel changed: look again. */
export type OutboxEvent = { readonly type: 'channel.woken' }
