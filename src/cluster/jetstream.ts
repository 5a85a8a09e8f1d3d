// What we ask of JetStream, by its JSON API: https://docs.nats.io/reference/reference-protocols/nats_api_reference
// Everything is asked again until there is an answer, because elections take seconds.
import { addAbortListener } from 'node:events'
import type { Clock } from '../base/clock.ts'
import { pause } from '../base/timeout.ts'
import { LogUnanswered } from './log.ts'

/** The connection, as far as it is needed: one question, one answer. */
export interface ClusterLink {
  /** Rejects if there is no answer in time. */
  request(subject: string, bytes: Uint8Array, headers: LinkHeaders): Promise<Uint8Array>
  /** The largest message that the servers take, with its headers. */
  readonly payloadBytesMax: number
  isClosed(): boolean
  close(): Promise<void>
}

export type LinkHeaders = Readonly<Record<string, string>>

/** The server answered, and not as it was asked to. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal'
  readonly code: number
  /** Below 500: asking again does not help. */
  readonly status: number

  constructor({ err_code: code, code: status, description }: ApiErrorBody) {
    super(`JetStream says: ${description}`)
    this.code = code
    this.status = status
  }
}

interface ApiErrorBody {
  readonly err_code: number
  readonly code: number
  readonly description: string
}

/** https://github.com/nats-io/nats-server/blob/main/server/errors.json */
export const apiCodes = {
  noPeers: 10005,
  noMessage: 10037,
  noStorage: 10047,
  noStream: 10059,
  wrongLast: 10071,
  /** More than one server shall keep a stream, and this one is alone. */
  notClustered: 10074,
  notEnabled: 10076,
} as const

/**
 * What must be so when the message arrives: the last sequence of its stream, or that of its subject, 0 if it
 * has none. The id of the last message can be expected, too, but must not: where it is another one,
 * nats-server 2.15.2 takes that for a failed write, and all replicas of the stream stop.
 */
type LastExpected = { readonly last: number } | { readonly lastOfSubject: number }

export interface Publication {
  readonly stream: string
  readonly subject: string
  readonly bytes: Uint8Array
  /** A repeated message with the same id is stored once, for two minutes. */
  readonly id: string
  readonly expect?: LastExpected
  readonly headers?: LinkHeaders
}

/** `refusedAt`: the last sequence, which is not the expected one. */
export type Published = { readonly sequence: number } | { readonly refusedAt: number }

export interface StoredMessage {
  readonly sequence: number
  /** When it was stored, by the clock of a server. */
  readonly atMs: number
  readonly bytes: Uint8Array
  header(name: string): string | undefined
}

/** Which message of a stream. */
export type MessageQuery = { readonly seq: number } | { readonly last_by_subj: string }

export interface StreamInfo {
  readonly config: Readonly<Record<string, unknown>>
  readonly state: {
    readonly first_seq: number
    readonly last_seq: number
    readonly subjects?: Readonly<Record<string, number>>
  }
}

export interface JetStreamOptions {
  readonly link: ClusterLink
  readonly clock: Clock
  /** Between two attempts. */
  readonly retryMs: number
}

export type JetStream = ReturnType<typeof createJetStream>

export function createJetStream({ link, clock, retryMs }: JetStreamOptions) {
  async function asked<Answer>(subject: string, question: object | null): Promise<Answer> {
    const bytes = Buffer.from(question === null ? '' : JSON.stringify(question))
    return answerIn<Answer>(await link.request(`$JS.API.${subject}`, bytes, {}))
  }

  async function storedNow(stream: string, query: MessageQuery): Promise<StoredMessage | null> {
    try {
      const answer = await asked<{ message: MessageBody }>(`STREAM.MSG.GET.${stream}`, query)
      return messageOf(answer.message)
    } catch (error) {
      if (error instanceof ApiRefusal && error.code === apiCodes.noMessage) return null
      throw error
    }
  }

  /** One attempt. Rejects where it is not known whether the message was stored. */
  async function publishNow(message: Publication): Promise<Published> {
    const { subject, bytes, id, expect, headers } = message
    const all = { ...headers, ...headersOf(expect), [idHeader]: id }
    try {
      const { seq } = answerIn<{ seq: number }>(await link.request(subject, bytes, all))
      return { sequence: seq }
    } catch (error) {
      const isRefused = error instanceof ApiRefusal && error.code === apiCodes.wrongLast
      const outcome = isRefused && expect && (await refused(message, expect))
      if (!outcome) throw error
      return outcome
    }
  }

  /**
   * What a refusal means: an earlier attempt was stored after all, which a single server does not look for
   * before it refuses, or something else is there. Undefined if neither is so: for a moment, servers count what
   * others send and they then refuse, too.
   */
  async function refused(
    { stream, subject, id }: Publication,
    expect: LastExpected,
  ): Promise<Published | undefined> {
    const isLog = 'last' in expect
    const query = isLog ? { seq: expect.last + 1 } : { last_by_subj: subject }
    const there = await storedNow(stream, query)
    if (there?.header(idHeader) === id) return { sequence: there.sequence }
    if (!isLog) {
      const last = there?.sequence ?? 0
      return last === expect.lastOfSubject ? undefined : { refusedAt: last }
    }
    const { state } = await asked<StreamInfo>(`STREAM.INFO.${stream}`, null)
    return state.last_seq === expect.last ? undefined : { refusedAt: state.last_seq }
  }

  /** Asks until there is an answer. Throws LogUnanswered once the signal is aborted. */
  async function persist<Answer>(
    attempt: () => Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> {
    let cause: unknown
    while (!signal.aborted && !link.isClosed()) {
      try {
        return await untilAborted(attempt(), signal)
      } catch (error) {
        if (!signal.aborted) cause = error
      }
      await pause(clock, retryMs, signal)
    }
    const why = cause instanceof Error ? `: ${cause.message}` : ''
    throw new LogUnanswered(`There was no answer from NATS${why}`, { cause })
  }

  /**
   * Repeats a look whose answer may be out of date, as that of a server which no longer leads, until the
   * answer is another one, or has stayed the same for so long.
   */
  async function settled<Answer>(
    look: () => Promise<Answer>,
    isDoubtful: (answer: Answer) => boolean,
    { settleMs, signal }: { readonly settleMs: number; readonly signal: AbortSignal },
  ): Promise<Answer> {
    const sinceMonoMs = clock.monoMs()
    for (;;) {
      const answer = await persist(look, signal)
      if (!isDoubtful(answer) || clock.monoMs() - sinceMonoMs >= settleMs) return answer
      await pause(clock, retryMs, signal)
    }
  }

  return {
    payloadBytesMax: link.payloadBytesMax,
    clock,
    asked,
    storedNow,
    publishNow,
    persist,
    settled,
    publish: (message: Publication, signal: AbortSignal) =>
      persist(() => publishNow(message), signal),
    stored: (stream: string, query: MessageQuery, signal: AbortSignal) =>
      persist(() => storedNow(stream, query), signal),
    info: (stream: string, signal: AbortSignal, question: object | null = null) =>
      persist(() => asked<StreamInfo>(`STREAM.INFO.${stream}`, question), signal),
    close: () => link.close(),
  }
}

/** Names the id of a message. */
export const idHeader = 'Nats-Msg-Id'

function headersOf(expect: LastExpected | undefined): LinkHeaders {
  if (!expect) return {}
  return 'last' in expect
    ? { 'Nats-Expected-Last-Sequence': String(expect.last) }
    : { 'Nats-Expected-Last-Subject-Sequence': String(expect.lastOfSubject) }
}

interface MessageBody {
  readonly seq: number
  readonly time: string
  /** Both in Base64. */
  readonly data?: string
  readonly hdrs?: string
}

function messageOf({ seq, time, data = '', hdrs = '' }: MessageBody): StoredMessage {
  return {
    sequence: seq,
    atMs: Date.parse(time),
    bytes: Buffer.from(data, 'base64'),
    header(name) {
      const lines = Buffer.from(hdrs, 'base64').toString('utf8').split('\r\n')
      return lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
    },
  }
}

/** The servers are the operator's own and speak the documented API, so its fields are not examined. */
function answerIn<Answer>(bytes: Uint8Array): Answer {
  const answer = JSON.parse(Buffer.from(bytes).toString('utf8')) as {
    readonly error?: ApiErrorBody
  }
  if (answer.error) throw new ApiRefusal(answer.error)
  return answer as Answer
}

async function untilAborted<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  let listener: Disposable | undefined
  const aborted = new Promise<never>((_resolve, reject) => {
    listener = addAbortListener(signal, () => reject(signal.reason))
  })
  try {
    return await Promise.race([answer, aborted])
  } finally {
    listener?.[Symbol.dispose]()
  }
}
