// The way out for messages: the same guard, resolver and connections as the checks, within bounds.
import { isIP } from 'node:net'
import type { Clock } from '../../base/clock.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type Connection, Dial } from '../connection/connect.ts'
import type { Resolver } from '../dns/resolver.ts'
import type { Failure } from '../failure.ts'
import { type Guard, hostOf, portOf } from '../guard.ts'
import { Exchange } from './exchange.ts'
import { type Hop, hopTo } from './plan.ts'

export interface WebRequest {
  readonly url: string
  readonly method: 'POST' | 'PUT'
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Covers the whole exchange: look-up, connection, answer. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal
  /** On whose account its name is looked up; absent where it is the operator's. */
  readonly orgId?: string
}

/** What came of a request. `refused`: the egress policy forbids the target; nobody was called. */
export type WebAnswer =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** Names in lower case. */
      readonly headers: Readonly<Record<string, string>>
      /** The beginning of the body, at most limits.deliveryResponseCharsMax. */
      readonly body: string
    }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }

/** One guarded HTTP exchange, redirects not followed. Never rejects. */
export type WebClient = (request: WebRequest) => Promise<WebAnswer>

export interface EgressDeps {
  readonly clock: Clock
  readonly guard: Guard
  readonly resolver: Resolver
  /** Certificate authorities in PEM, in place of those of Node. */
  readonly ca?: readonly string[]
}

/** A client that resolves once, judges every address and connects only to what it judged. */
export function createEgress(deps: EgressDeps): WebClient {
  return async (request) => {
    // Judged again at each request: the policy may have changed since the URL was stored.
    const problem = deps.guard.judgeUrl(request.url)
    if (problem) return { kind: 'refused', reason: `The URL ${problem.reason}.` }
    const url = new URL(request.url)
    return withDeadline(deps.clock, request, async (cut) => {
      const addresses = await addressesOf(deps, url, request.orgId)
      if ('kind' in addresses) return addresses
      if (cut.isOver) return cut.answer
      const connection = await dial(deps, url, addresses, cut)
      if ('kind' in connection) return connection
      return exchange(deps, hopOf(url, request), connection, cut)
    })
  }
}

/** Told to every step, so that the deadline ends whichever is under way. */
interface Cut {
  isOver: boolean
  /** What the request came to when it was cut; a step that knows more changes it. */
  answer: WebAnswer
  close: () => void
}

async function withDeadline(
  clock: Clock,
  { timeoutMs, signal }: WebRequest,
  run: (cut: Cut) => Promise<WebAnswer>,
): Promise<WebAnswer> {
  const seconds = timeoutMs / 1_000
  const late = { kind: 'failed', reason: `No answer within ${seconds} seconds.` } as const
  const cut: Cut = { isOver: false, answer: late, close: () => {} }
  let timer: unknown
  let end = () => {}
  const ended = new Promise<WebAnswer>((resolve) => {
    end = () => {
      cut.isOver = true
      cut.close()
      resolve(cut.answer)
    }
    timer = clock.setTimeout(end, timeoutMs)
    if (signal?.aborted) end()
    signal?.addEventListener('abort', end, { once: true })
  })
  try {
    return await Promise.race([run(cut), ended])
  } catch (error) {
    return { kind: 'failed', reason: `The request could not be made: ${String(error)}.` }
  } finally {
    clock.clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

async function addressesOf(
  { guard, resolver }: EgressDeps,
  url: URL,
  orgId: string | undefined,
): Promise<readonly string[] | WebAnswer> {
  const host = hostOf(url)
  const isName = isIP(host) === 0
  const found = isName ? await resolver.resolve(host, 'any', orgId) : { addresses: [host] }
  if (!found.addresses) return failed(found.failure)
  // If any answer is forbidden the whole name is: a mixed answer is how a guard is led astray.
  for (const address of found.addresses) {
    const judgement = guard.judgeAddress(address, portOf(url))
    if (judgement.allowed) continue
    return {
      kind: 'refused',
      reason: `The URL leads to ${judgement.reason}, which is not allowed.`,
    }
  }
  return found.addresses
}

function dial(
  deps: EgressDeps,
  url: URL,
  addresses: readonly string[],
  cut: Cut,
): Promise<Connection | WebAnswer> {
  return new Promise((resolve) => {
    const attempt = new Dial(
      {
        addresses,
        port: portOf(url),
        tlsHost: url.protocol === 'https:' ? hostOf(url) : null,
        ignoreTlsErrors: false,
      },
      deps,
      {
        entered() {},
        connected: (connection) => resolve(connection),
        failed: (failure) => resolve(failed(failure)),
      },
    )
    cut.close = () => attempt.cancel()
  })
}

function exchange(
  { clock }: EgressDeps,
  hop: Hop,
  { socket }: Connection,
  cut: Cut,
): Promise<WebAnswer> {
  return new Promise((resolve) => {
    const options = {
      clock,
      wantsBody: false,
      listener: {
        began() {},
        // The status is the answer: a body that drips or breaks off does not undo it.
        headed: (one: Exchange) => {
          cut.answer = answerOf(one)
        },
        ended: (one: Exchange) => resolve(answerOf(one)),
        broke: (one: Exchange, cause: unknown) =>
          resolve(one.status === 0 ? { kind: 'failed', reason: brokeOff(cause) } : answerOf(one)),
      },
    }
    const under = new Exchange(hop, socket, options)
    cut.close = () => {
      if (under.status !== 0) cut.answer = answerOf(under)
      under.cancel()
    }
    if (cut.isOver) cut.close()
  })
}

function answerOf(one: Exchange): WebAnswer {
  const text = Buffer.concat(one.chunks).toString('utf8')
  const headers = Object.entries(one.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as const],
  )
  return {
    kind: 'answered',
    status: one.status,
    headers: Object.fromEntries(headers),
    body: text.slice(0, limits.deliveryResponseCharsMax),
  }
}

function hopOf(url: URL, { method, headers, body }: WebRequest): Hop {
  return hopTo(url, {
    method,
    headers: Object.entries(headers).flat(),
    body: Buffer.from(body, 'utf8'),
  })
}

function failed(failure: Failure): WebAnswer {
  const { kind, message } = failure
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`
  return { kind: kind === 'blocked' ? 'refused' : 'failed', reason: sentence }
}

function brokeOff(cause: unknown): string {
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : ''
  return `The connection broke off before the answer${code ? ` (${String(code)})` : ''}.`
}
