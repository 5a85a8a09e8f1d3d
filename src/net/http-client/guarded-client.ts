// The HTTP client for messages: the same guard, resolver and connections as the checks, within
// bounds.
import { limits } from '../../domain/limits/limits.ts'
import { codeOf, handshakeCutText } from '../failure.ts'
import { type RunDeps, RunError, runGuarded } from '../run/guarded-run.ts'
import { RunRecord } from '../run/run-record.ts'
import { type Hop, hopTo } from './plan.ts'
import { request as requestOn } from './request.ts'
import type { ResponseReader } from './response-reader.ts'

export interface WebRequest {
  readonly url: string
  readonly method: 'GET' | 'POST' | 'PUT'
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
      /** The beginning of the body, at most limits.deliveryBodyCharsMax. */
      readonly body: string
    }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly cause: WebFailure; readonly reason: string }

/** `tls`: the certificate is not accepted, or no secure connection can be agreed upon. */
export type WebFailure = 'timeout' | 'connection' | 'tls'

/** Makes one guarded HTTP exchange without following redirects. Never rejects. */
export type WebClient = (request: WebRequest) => Promise<WebAnswer>

/** A client that resolves once, judges every address and connects only to judged ones. */
export function createEgress(deps: RunDeps): WebClient {
  return async (request) => {
    // Judged for each request, because the policy may have changed since the URL was stored.
    const problem = deps.guard.judgeUrl(request.url)
    if (problem) return { kind: 'refused', reason: `The URL ${problem.reason}.` }
    const { clock } = deps
    const { signal } = request
    const record = new RunRecord(clock)
    let headed: ResponseReader | undefined
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

function answerOf({ status, headers, chunks }: ResponseReader): WebAnswer {
  const text = Buffer.concat(chunks).toString('utf8')
  const known = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  )
  return {
    kind: 'answered',
    status,
    headers: Object.fromEntries(known),
    body: text.slice(0, limits.deliveryBodyCharsMax),
  }
}

function hopOf({ url, method, headers, body }: WebRequest): Hop {
  return hopTo(new URL(url), {
    method,
    headers: Object.entries(headers).flat(),
    body: method === 'GET' ? null : Buffer.from(body, 'utf8'),
  })
}

function failed(error: unknown, timeoutMs: number): WebAnswer {
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
