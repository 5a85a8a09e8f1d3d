// The contract of every channel type: how a message leaves, and what comes of it.
import type { Clock } from '../base/clock.ts'
import type { Channel } from '../domain/alerts/channel.ts'
import type { Outcome } from '../domain/alerts/delivery.ts'
import type { WebClient } from '../net/http/guarded-client.ts'
import type { Message } from './message.ts'

/** A channel with its secrets: made to send with, never stored, logged or answered. */
export interface OpenedChannel {
  readonly channel: Channel
  /** The whole config, the secrets in their places. */
  readonly config: Readonly<Record<string, unknown>>
}

export interface SendContext {
  readonly clock: Clock
  /** Aborted when nobody waits for the outcome any more. */
  readonly signal?: AbortSignal
}

/** Sends once. Never rejects: what goes wrong is an outcome, which says whether to try again. */
export type Sender = (
  message: Message,
  channel: OpenedChannel,
  context: SendContext,
) => Promise<Outcome>

/** What senders are built with. */
export interface SenderDeps {
  readonly request: WebClient
  /** The `webhook-signature` value of a body (Standard Webhooks). */
  readonly sign: (secret: string, id: string, timestampSeconds: number, body: string) => string
}
