// Raw routes: pages, the reference, metrics and health probes, with their own response formats.
// They are GETs, need no credential, and are not part of the API.
import { headerLines } from '../edge/reply.ts'
import type { MaybePromise, RateClass } from './route.ts'
import type { Services } from './services.ts'

export interface RawRequest {
  /** Decoded path parameters, by name. */
  readonly params: Readonly<Record<string, string>>
  /** A header named in the route's `headers`; '' if it is missing. */
  header(name: string): string
  /** The Host header without its port, lower case. */
  readonly host: string
  /** The caller's address, after resolving trusted proxies. */
  readonly address: string
  readonly nowMs: number
}

export interface RawReply {
  readonly status: number
  /** See `rawHead`. */
  readonly head: string
  readonly body?: string | Uint8Array
}

export interface RawRoute {
  readonly name: string
  /** A uWebSockets.js pattern: literals, `:name`, and a star as the last part. */
  readonly path: string
  /** null: not counted and never refused, for health probes. */
  readonly rate: RateClass | null
  /** Lower-case names of the headers that the handler reads. */
  readonly headers?: readonly string[]
  readonly handle: (request: RawRequest, services: Services) => MaybePromise<RawReply>
}

/** The head of a raw reply: the Content-Type's value, then the other headers as lines. */
export function rawHead(headers: readonly (readonly [name: string, value: string])[]): string {
  const isType = ([name]: readonly [string, string]) => name.toLowerCase() === 'content-type'
  const type = headers.find(isType)?.[1] ?? 'text/plain; charset=utf-8'
  // Checked together with the others: a line break in it would also forge headers.
  headerLines([['Content-Type', type]])
  const others = headers.filter((header) => !isType(header))
  return `${type}${headerLines(others)}\r\nX-Content-Type-Options: nosniff`
}
