// One JSON document from a web server, through the guard: for what the daemon itself must know.
import type { Clock } from '../../base/clock.ts'
import { type Json, parseJson } from '../../domain/assertions/json-value.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { exchangeFailure, type Failure, failure, redirectFailures } from '../../net/failure.ts'
import { codingsOf, decodeBody } from '../../net/http/body.ts'
import { textOf } from '../../net/http/charset.ts'
import { Exchange } from '../../net/http/exchange.ts'
import { followRedirect, type Hop, hopTo, isRedirect } from '../../net/http/plan.ts'
import type { Intake } from '../../net/http/response-reader.ts'
import { createLook, type Look, type LookDeps, LookFailed } from '../run/look.ts'

export type JsonAnswer =
  | {
      readonly status: number
      /** Of an answer with status 200; undefined where it is no JSON. */
      readonly document?: Json | undefined
      /** How long the server wants to be left alone, where it says so in seconds. */
      readonly retryAfterMs?: number
      readonly failure?: never
    }
  | { readonly failure: Failure; readonly status?: never }

export interface JsonRequest {
  readonly accept: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export interface JsonClient {
  /** Gets an https URL. Follows a few redirects, each judged. Never rejects. */
  get(url: string, request: JsonRequest): Promise<JsonAnswer>
}

/** Each request is a look: it has a deadline, judges every address and closes what it opened. */
export function createJsonClient(deps: LookDeps & { readonly clock: Clock }): JsonClient {
  return {
    async get(url, { accept, timeoutMs, signal }) {
      let answer: JsonAnswer | undefined
      const look = createLook(deps, async (_target, look) => {
        answer = await follow(new URL(url), accept, look)
        return {}
      })
      const context = { clock: deps.clock, ...(signal === undefined ? {} : { signal }) }
      const { outcome, error } = await look({ ...plainTarget, url, timeoutMs }, context)
      if (answer !== undefined) return answer
      const { kind = 'invalid_response', message = 'no answer' } = error ?? {}
      return { failure: { outcome: outcome === 'unknown' ? 'unknown' : 'failed', kind, message } }
    },
  }
}

const plainTarget: Omit<EndpointTarget, 'url' | 'timeoutMs'> = {
  checkType: 'endpoint',
  method: 'GET',
  headers: {},
  body: null,
  ipFamily: 'any',
  ignoreTlsErrors: false,
  followRedirects: true,
  maxRedirects: limits.rdapRedirectsMax,
  expect: {
    expectedStatus: 200,
    acceptedStatuses: [],
    bodyContains: null,
    bodyNotContains: null,
    responseFormat: 'auto',
    responseAssertionType: null,
    responseAssertionPath: null,
    responseAssertionValue: null,
    checkType: 'endpoint',
    assertions: [],
  },
}

async function follow(url: URL, accept: string, look: Look): Promise<JsonAnswer> {
  const request = {
    method: 'GET',
    headers: ['user-agent', 'stillup', 'accept', accept],
    body: null,
  } as const
  let hop = hopTo(url, request)
  for (let redirects = 0; redirects <= limits.rdapRedirectsMax; redirects++) {
    const { status, headers, chunks } = await exchange(hop, look)
    const { location } = headers
    if (!isRedirect(status) || typeof location !== 'string') {
      const retryAfterMs = secondsIn(headers['retry-after'])
      const answer = { status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
      if (status !== 200) return answer
      const bytes = await decoded(Buffer.concat(chunks), headers['content-encoding'])
      return { ...answer, document: parseJson(textOf(bytes, '')) }
    }
    const next = followRedirect(hop, status, location)
    if (next.hop === undefined) throw new LookFailed(redirectFailures[next.problem])
    hop = hopTo(next.hop.url, request)
  }
  const many = `more than ${limits.rdapRedirectsMax} redirects in a row`
  throw new LookFailed(failure('redirect_loop', many))
}

/** The whole response, or its head alone where that says enough. */
async function exchange(hop: Hop, look: Look): Promise<Intake> {
  const { socket } = await look.connect(hop)
  return new Promise((resolve, reject) => {
    new Exchange(hop, socket, {
      clock: look.clock,
      wantsBody: true,
      listener: {
        began: () => look.enter('download'),
        headed: (one) => {
          const isLarge = Number(one.headers['content-length'] ?? 0) > limits.rdapBytesMax
          if (one.status === 200 && !isLarge) return
          one.cancel()
          if (one.status === 200) reject(new LookFailed(tooLarge))
          else resolve(one)
        },
        ended: (one) => {
          if (one.bodyBytes > limits.rdapBytesMax) reject(new LookFailed(tooLarge))
          else resolve(one)
        },
        broke: ({ status, bodyBytes }, cause) =>
          reject(new LookFailed(exchangeFailure(cause, { hasStatus: status !== 0, bodyBytes }))),
      },
    })
  })
}

const tooLarge = failure('body_too_large', 'the document is larger than 256 KiB')

function decoded(bytes: Buffer, coding: string | string[] | undefined): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    decodeBody(bytes, codingsOf(coding), false, (found) => {
      if (found.failure !== undefined) reject(new LookFailed(found.failure))
      else resolve(found.bytes)
    })
  })
}

function secondsIn(header: string | string[] | undefined): number | undefined {
  const text = String(header ?? '')
  return /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : undefined
}
