// What a desk does for the actor of a lane, what that actor remembers, and what its steps come to.
import type { Outcome } from '../../domain/alerts/delivery.ts'
import type { Slots } from './slots.ts'

/** What may be done while a message is on its way out. */
export interface Departure {
  /** Aborted where the outbox gives up on the attempt: it stays owed. */
  readonly signal: AbortSignal
  /** Waits for a slot, then runs: a stop of the outbox waits for what runs in here. */
  within<T>(slots: Slots, run: () => Promise<T>): Promise<T>
}

/** One message that is to leave now. */
export interface Errand {
  /** Never rejects for what the receiver does; rejects where it was stopped before it left. */
  send(departure: Departure): Promise<Outcome>
  /** Writes what came of it; durable when it resolves. */
  record(outcome: Outcome): Promise<void>
}

/** What to do next for a lane. */
export type Choice =
  | { readonly kind: 'send'; readonly errand: Errand }
  /** Nothing is due before this time. */
  | { readonly kind: 'wait'; readonly untilMs: number }
  /** Nothing is owed any more. */
  | { readonly kind: 'done' }

/** A kind of message and those whom it is owed to: alerts by channel, letters by recipient. */
export interface Desk<Lane> {
  /** What its log entries say they are about. */
  readonly name: string
  /** The same text for the same lane, and for no other. */
  keyOf(lane: Lane): string
  /** Every lane that something is owed to. */
  owedLanes(): readonly Lane[]
  /** How many messages are owed, over all lanes. */
  pending(): number
  /** Writes nothing any more once the signal is aborted. */
  choose(lane: Lane, signal: AbortSignal): Promise<Choice>
}

/** The desk's work for one lane, and what the rest of the outbox has to know of it. */
export interface LaneWork {
  choose(signal: AbortSignal): Promise<Choice>
  send(errand: Errand, signal: AbortSignal): Promise<Outcome>
  onError(error: unknown): void
}

export interface Sent {
  readonly errand: Errand
  readonly outcome: Outcome
}

export interface LaneInput {
  readonly work: LaneWork
}

export interface LaneContext extends LaneInput {
  readonly dueAtMs: number
  readonly errand: Errand | undefined
  readonly outcome: Outcome | undefined
}

/** Something became owed, or something about the receiver changed: look again. */
export type LaneEvent = { readonly type: 'lane.woken' }
