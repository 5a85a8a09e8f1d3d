// The declaration of a channel type: its config, its secrets, its requests, what answers mean.
import type { Static, TObject } from 'typebox'
import type { FieldProblem } from '../../base/fault.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import type { WebAnswer, WebRequest } from '../../net/http/guarded-client.ts'
import type { Config } from './config.ts'
import type { Message } from './message.ts'

/** What a type says of one request; the sender adds the timeout and the account. */
export type ChannelRequest = Pick<WebRequest, 'url' | 'method' | 'headers' | 'body'>

/** An answer of the platform. Refused and failed requests are judged alike for every type. */
export type PlatformAnswer = Extract<WebAnswer, { kind: 'answered' }>

export interface RenderContext {
  readonly nowMs: number
  /** Computes the `webhook-signature` of a body (Standard Webhooks). */
  readonly sign: (secret: string, id: string, timestampSeconds: number, body: string) => string
}

/** What holds for every config, `Fields` being the names of its fields. */
interface Declaration<Conf, Fields> {
  /** The word in the API and in stored records. */
  readonly type: string
  /** The name for people. */
  readonly title: string
  /** Fields that are sealed and shown masked: a text, or a map of which each value is secret. */
  readonly secrets: readonly Fields[]
  /** Secrets that the daemon makes where the caller gives none; shown once. */
  readonly generatedSecrets?: readonly Fields[]
  /** Fields that hold URLs which the daemon calls: the egress policy judges them. */
  readonly urls: readonly Fields[]
  /** What the schema cannot say; pointers are relative to the config. */
  problems?(config: Conf): readonly FieldProblem[]
  /** The request of one attempt; several where the platform needs them, sent in order. */
  render(
    message: Message,
    config: Conf,
    context: RenderContext,
  ): ChannelRequest | readonly ChannelRequest[]
  outcome(answer: PlatformAnswer, nowMs: number): Outcome
}

export interface ChannelDefinition extends Declaration<Config, string> {
  /** The config as a caller sends it. */
  readonly config: TObject
}

/** Checks a declaration against its own schema. A stored config was checked against it as well. */
export function defineChannel<Schema extends TObject>(
  definition: Declaration<Static<Schema>, keyof Static<Schema> & string> & {
    readonly config: Schema
  },
): ChannelDefinition {
  return definition
}
