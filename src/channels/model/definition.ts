// The declaration of a channel type: its config, secrets, requests, and the meaning of responses.
import type { Static, TObject } from 'typebox'
import type { FieldProblem } from '../../base/fault.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import type { WebAnswer, WebRequest } from '../../net/http-client/guarded-client.ts'
import type { Config } from './config.ts'
import type { AlertLetter } from './letter.ts'
import type { Message } from './message.ts'

/** A type's request; the sender adds the timeout and the account. */
export interface ChannelRequest extends Pick<WebRequest, 'url' | 'method' | 'headers' | 'body'> {
  /**
   * Whom it is for, if each of several recipients gets a request: it is known by this name when
   * recipients are added or removed between two attempts.
   */
  readonly recipient?: string
}

/**
 * A response of the platform. Other outcomes, such as a failed connection, are judged alike for all
 * types.
 */
export type PlatformAnswer = Extract<WebAnswer, { kind: 'answered' }>

export interface RenderContext {
  readonly nowMs: number
  /** Computes a signature of a body for `webhook-signature` (Standard Webhooks). */
  readonly sign: (secret: string, id: string, timestampSeconds: number, body: string) => string
  readonly channel: Pick<Channel, 'id' | 'orgId' | 'name'>
}

/** What a definition needs to fill in what the daemon makes itself. */
export interface Completion<Conf> {
  /** The stored config of a channel that is changed. */
  readonly before?: Partial<Conf>
  readonly nowMs: number
  readonly mintSigningKey: () => string
  /** Undefined if the signing key is not a whole key pair. */
  readonly publicKeyOf: (signingKey: string) => string | undefined
}

/** Properties for every config; `Fields` are the names of its fields. */
interface Described<Conf, Fields> {
  /** The word in the API and in stored records. */
  readonly type: string
  /** The name for people. */
  readonly title: string
  /** The steps to the URL or the token in sentences, where the guide alone is not enough. */
  readonly steps?: string
  /** Where a person gets the URL or the token: a page of the platform's documentation. */
  readonly guide?: string
  /** A config as a caller may send it, for the API reference. */
  readonly example: Conf
  /**
   * The platform keeps an alert for each incident, so it needs a message for each and gets no digests.
   * The platform groups them itself.
   */
  readonly sendsEach?: true
  /** Every answer of success counts, also a web page: the receiver is a program of the customer. */
  readonly takesAnyAnswer?: true
  /** Fields that are encrypted and shown masked: a text, or a map in which each value is secret. */
  readonly secrets: readonly Fields[]
  /** The secrets that only sign: no request contains them. */
  readonly signs?: readonly Fields[]
  /** Secrets that the daemon generates if the caller sends none; shown once. */
  readonly generatedSecrets?: readonly Fields[]
  /** Fields with URLs that the daemon calls; the egress policy judges them. */
  readonly urls: readonly Fields[]
  /** Fills in and removes what follows from the rest of a config that matches the schema. */
  completed?(config: Conf, completion: Completion<Conf>): Conf
  /** Rules that the schema cannot express; pointers are relative to the config. */
  problems?(config: Conf): readonly FieldProblem[]
}

export interface ByHttp<Conf = Config> {
  /**
   * The request of one attempt, or several, one for each part of the message. Parts that are over are
   * not repeated: they are known by their recipient, or else by their place.
   */
  render(
    message: Message,
    config: Conf,
    context: RenderContext,
  ): ChannelRequest | readonly ChannelRequest[]
  outcome(answer: PlatformAnswer, nowMs: number): Outcome
}

export interface ByMail<Conf = Config> {
  /** One letter for each address, in any order: a letter is known by its address. */
  compose(message: Message, config: Conf, context: RenderContext): readonly AlertLetter[]
  /** Whether the channel brings a mail server, and needs none of the service. */
  hasOwnServer(config: Conf): boolean
}

interface WithSchema<Schema extends TObject = TObject> {
  /** The config in the form that callers send. */
  readonly config: Schema
}

export type HttpChannel = Described<Config, string> & ByHttp & WithSchema
export type MailChannel = Described<Config, string> & ByMail & WithSchema

/** A type sends by HTTP requests or by letters. */
export type ChannelDefinition = HttpChannel | MailChannel

/** A config of the schema, and the names of its fields. */
type DescribedBy<Schema extends TObject> = WithSchema<Schema> &
  Described<Static<Schema>, keyof Static<Schema> & string>

/**
 * Defines a channel type, with its declaration type-checked against its schema. Stored configs are
 * assumed to match, because they were validated too.
 */
export function defineChannel<Schema extends TObject>(
  definition: DescribedBy<Schema> & ByHttp<Static<Schema>>,
): HttpChannel {
  return definition
}

/** The same for a type that sends letters. */
export function defineMailChannel<Schema extends TObject>(
  definition: DescribedBy<Schema> & ByMail<Static<Schema>>,
): MailChannel {
  return definition
}
