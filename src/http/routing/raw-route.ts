// Raw routes: pages, the reference, metrics and health probes, with their own response formats.
// They need no credential, and are not part of the API. All are GETs but the forms of status pages.

import type { Services } from '../../services/assembly/services.ts'
import type { QuickLook } from '../edge/quick.ts'
import { headerLines } from '../edge/reply.ts'
import type { OpenLine } from '../edge/stream.ts'
import type { MaybePromise, RateClass } from './route.ts'

export interface RawRequest {
  /** Decoded path parameters, by name. */
  readonly params: Readonly<Record<string, string>>
  /** As it was sent, percent-encoded and without the query. */
  readonly path: string
  /** As it was sent, without the question mark; '' if there is none. */
  readonly queryText: string
  /** A header named in the route's `headers`; '' if it is missing. */
  header(name: string): string
  /** The Host header without its port, lower case. */
  readonly host: string
  /** The caller's address, after resolving trusted proxies. */
  readonly address: string
  readonly requestId: string
  /** Empty for a GET. */
  readonly body: Buffer
  readonly nowMs: number
}

export interface RawReply {
  readonly status: number
  /** See `rawHead`. */
  readonly head: string
  readonly body?: string | Uint8Array
  /** Receives the open line and sends the body in parts; without `body`. */
  readonly open?: (line: OpenLine) => void
  /** Whether the caller still has a right to the rest of a long body. */
  readonly mayGoOn?: () => boolean
}

export interface RawRoute {
  readonly name: string
  /** Default: GET. */
  readonly method?: 'GET' | 'POST'
  /** A uWebSockets.js pattern: literals, `:name`, and a star as the last part. */
  readonly path: string
  /** null: not counted and never refused, for health probes. */
  readonly rate: RateClass | null
  /** Lower-case names of the headers that the handler reads. */
  readonly headers?: readonly string[]
  /** Only of a POST. Default: a form of our own page, so a form of another site is refused. */
  readonly from?: 'form' | 'anywhere'
  /** A page that people open: over plain HTTP it leads to TLS where the host has a certificate. */
  readonly isForPeople?: true
  /** It belongs to the service: at the hosts of status pages it does not exist. */
  readonly isOfService?: true
  /** It is answered until the connections are closed, and the service does not wait for it before. */
  readonly outlivesDrain?: true
  /** It stores something new, so it is refused when there is no space left. */
  readonly creates?: true
  /** Answers GETs that `handle` answered before, as long as nothing has changed. */
  readonly quick?: QuickLook
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
