// Fetches one JSON document from a web server, through the guard, for the daemon's own needs.
import { type Json, parseJson } from '../../domain/assertions/json-value.ts'
import { type Failure, failure, internalFailure } from '../failure.ts'
import { type GuardedRun, type RunDeps, RunError, runGuarded } from '../run/guarded-run.ts'
import { RunRecord } from '../run/run-record.ts'
import { textOf } from './charset.ts'
import { type Hop, hopTo } from './plan.ts'
import { isRedirect, RedirectChain } from './redirect-chain.ts'
import { bodyOf, request } from './request.ts'
import type { ResponseReader } from './response-reader.ts'

export type JsonAnswer =
  | {
      readonly status: number
      /** The document of a response with status 200; undefined if it is not JSON. */
      readonly document?: Json | undefined
      /** The pause that the server requests, if given in seconds. */
      readonly retryAfterMs?: number
      readonly failure?: never
    }
  | { readonly failure: Failure; readonly status?: never }

export interface JsonRequest {
  readonly accept: string
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

export type JsonClient = ReturnType<typeof createJsonClient>

export function createJsonClient(deps: RunDeps) {
  const { clock } = deps
  return {
    /** Gets an https URL. Follows a few redirects, each judged. Never rejects. */
    async get(url: string, asked: JsonRequest): Promise<JsonAnswer> {
      const { accept, signal } = asked
      const hop = hopTo(new URL(url), {
        method: 'GET',
        headers: ['user-agent', 'stillup', 'accept', accept],
        body: null,
      })
      const run = { deps, scope: asked, clock, signal, record: new RunRecord(clock) }
      try {
        return await runGuarded(run, (run) => follow(run, hop))
      } catch (error) {
        return { failure: error instanceof RunError ? error.failure : internalFailure }
      }
    },
  }
}

const rdapBytesMax = 256 * 1024
const rdapRedirectsMax = 3

async function follow(run: GuardedRun, first: Hop): Promise<JsonAnswer> {
  const chain = new RedirectChain(rdapRedirectsMax)
  let hop = first
  for (;;) {
    const response = await request(run, hop, options)
    const { status, headers } = response
    const { location } = headers
    if (!isRedirect(status) || typeof location !== 'string') return answerOf(response)
    const next = chain.follow(hop, status, location)
    if (next.failure !== undefined) throw new RunError(next.failure)
    // A redirect to another origin drops headers, but this Accept is the same for all.
    hop = { ...next.hop, headers: first.headers }
  }
}

const options = {
  wantsBody: true,
  bodyBytesMax: rdapBytesMax,
  // The body is not needed for another status, nor if it is too large.
  onHead: (response: ResponseReader) => response.status === 200 && !isTooLarge(response),
}

function isTooLarge({ isCut, headers }: ResponseReader): boolean {
  return isCut || Number(headers['content-length'] ?? 0) > rdapBytesMax
}

async function answerOf(response: ResponseReader): Promise<JsonAnswer> {
  const { status, headers } = response
  const retryAfterMs = secondsIn(headers['retry-after'])
  const answer = { status, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
  if (status !== 200) return answer
  if (isTooLarge(response)) throw new RunError(documentTooLarge)
  return { ...answer, document: parseJson(textOf(await bodyOf(response), '')) }
}

const documentTooLarge = failure('body_too_large', 'the document is larger than 256 KiB')

function secondsIn(header: string | string[] | undefined): number | undefined {
  const text = String(header ?? '')
  return /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : undefined
}
