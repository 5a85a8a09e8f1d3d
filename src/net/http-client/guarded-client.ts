// The HTTP client for messages: the same guard, resolver and connections as the checks, within
// bounds.
import type { Method } from '../../domain/checks/check-type.ts'
import { codeOf, handshakeCutText } from '../failure.ts'
import { type RunDeps, RunError, runGuarded } from '../run/guarded-run.ts'
import { RunRecord } from '../run/run-record.ts'
import { type Hop, hopTo } from './plan.ts'
import { bodyOf, request as requestOn } from './request.ts'
import type { ResponseReader } from './response-reader.ts'

export interface WebRequest {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Covers the whole exchange: look-up, connection, response. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** The organization that the look-up is charged to; absent for the operator's. */
  readonly orgId?: string
}

/** The result of a request. `refused`: the egress policy forbids the target; nothing was sent. */
export type WebAnswer =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** Names in lower case. */
      readonly headers: Readonly<Record<string, string>>
      /** The beginning of the body, at most deliveryBodyCharsMax, unless all is wanted. */
      readonly body: string
    }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly cause: WebFailure; readonly reason: string }

/** `tls`: the certificate is not accepted, or no secure connection can be agreed upon. */
type WebFailure = 'timeout' | 'connection' | 'tls'

/** Makes one guarded HTTP exchange without following redirects. Never rejects. */
export type WebClient = (request: WebRequest) => Promise<WebAnswer>

/** A request whose body and answer are bytes. */
interface BytesRequest extends Omit<WebRequest, 'method' | 'body' | 'orgId'> {
  readonly method: Method
  readonly body: Buffer | null
  /** A larger answer is a failure. */
  readonly bodyBytesMax: number
}

export type BytesAnswer =
  | (Omit<Extract<WebAnswer, { kind: 'answered' }>, 'body'> & { readonly body: Buffer })
  | Exclude<WebAnswer, { kind: 'answered' }>

/** Makes one guarded HTTP exchange without following redirects. Never rejects. */
export type BytesClient = (request: BytesRequest) => Promise<BytesAnswer>

/** A client for what is not text, as parts of large files. */
export function createBytesClient(deps: RunDeps): BytesClient {
  return async (request) => {
    const problem = deps.guard.judgeUrl(request.url)
    if (problem) return { kind: 'refused', reason: `The URL ${problem.reason}.` }
    const { url, method, headers, body } = request
    const hop = hopTo(new URL(url), { method, headers: Object.entries(headers).flat(), body })
    return wholeAnswer(hop, { ...request, deps, record: new RunRecord(deps.clock) })
  }
}

export interface EgressOptions {
  /** Reads whole bodies up to this, in place of their beginnings; a larger one is a failure. */
  readonly bodyBytesMax?: number
}

/** A client that resolves once, judges every address and connects only to judged ones. */
export function createEgress(deps: RunDeps, { bodyBytesMax }: EgressOptions = {}): WebClient {
  return async (request) => {
    // Judged for each request, because the policy may have changed since the URL was stored.
    const problem = deps.guard.judgeUrl(request.url)
    if (problem) return { kind: 'refused', reason: `The URL ${problem.reason}.` }
    const { clock } = deps
    const { signal } = request
    const record = new RunRecord(clock)
    let headed: ResponseReader | undefined
    if (bodyBytesMax !== undefined) {
      const answer = await wholeAnswer(hopOf(request), { ...request, bodyBytesMax, deps, record })
      if (answer.kind !== 'answered') return answer
      return { ...answer, body: answer.body.toString('utf8') }
    }
    const options = {
      wantsBody: false,
      subject: 'the URL',
      onHead: (response: ResponseReader) => {
        headed = response
        return true
      },
    }
    try {
      const run = { deps, scope: request, clock, signal, record }
      return answerOf(await runGuarded(run, (run) => requestOn(run, hopOf(request), options)))
    } catch (error) {
      // Once the status is known, a body that is slow or breaks off changes nothing.
      return headed ? answerOf(headed) : failed(error, request.timeoutMs)
    }
  }
}

interface WholeOptions extends Pick<WebRequest, 'timeoutMs' | 'signal' | 'orgId'> {
  readonly bodyBytesMax: number
  readonly deps: RunDeps
  readonly record: RunRecord
}

async function wholeAnswer(hop: Hop, whole: WholeOptions): Promise<BytesAnswer> {
  const { bodyBytesMax, deps, record, signal, timeoutMs } = whole
  const options = { wantsBody: true, bodyBytesMax, subject: 'the URL' }
  try {
    return await runGuarded(
      { deps, scope: whole, clock: deps.clock, signal, record },
      async (run) => {
        const response = await requestOn(run, hop, options)
        return { ...headOf(response), body: await bodyOf(response) }
      },
    )
  } catch (error) {
    return failed(error, timeoutMs)
  }
}

/**
 * The beginning of an answer that is read: more than is shown, so that a secret is recognized
 * before it is cut.
 */
const deliveryBodyCharsMax = 4_096

function answerOf(response: ResponseReader): WebAnswer {
  const text = Buffer.concat(response.chunks).toString('utf8')
  return { ...headOf(response), body: text.slice(0, deliveryBodyCharsMax) }
}

function headOf({ status, headers }: ResponseReader) {
  const known = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  )
  return { kind: 'answered', status, headers: Object.fromEntries(known) } as const
}

function hopOf({ url, method, headers, body }: WebRequest): Hop {
  return hopTo(new URL(url), {
    method,
    headers: Object.entries(headers).flat(),
    body: method === 'GET' ? null : Buffer.from(body, 'utf8'),
  })
}

function failed(error: unknown, timeoutMs: number): Exclude<WebAnswer, { kind: 'answered' }> {
  if (!(error instanceof RunError)) {
    const reason = `The request could not be made: ${String(error)}.`
    return { kind: 'failed', cause: 'connection', reason }
  }
  const { failure, cause: origin } = error
  const { kind, message } = failure
  if (kind === 'timeout') {
    const reason = `No answer within ${timeoutMs / 1_000} seconds.`
    return { kind: 'failed', cause: 'timeout', reason }
  }
  if (origin !== undefined) return { kind: 'failed', cause: 'connection', reason: brokeOff(origin) }
  const reason = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
  if (kind === 'blocked') return { kind: 'refused', reason }
  // A server that restarts cuts handshakes, too: that may pass.
  const isTls = kind === 'tls' && message !== handshakeCutText
  return { kind: 'failed', cause: isTls ? 'tls' : 'connection', reason }
}

function brokeOff(cause: unknown): string {
  const code = codeOf(cause, '')
  return `The connection broke off before the answer${code === '' ? '' : ` (${code})`}.`
}
