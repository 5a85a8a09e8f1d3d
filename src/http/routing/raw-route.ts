// Raw routes: pages, push, badges and probes of the service, which answer in their own words.
import type { TObject, TSchema } from 'typebox'
import type { Caller } from '../../services/context.ts'
import type { MaybePromise, RateClass } from './route.ts'
import type { Services } from './services.ts'

/** A request outside the API's conventions: pages, push, badges. Valid for as long as you like. */
export interface RawRequest {
  readonly method: string
  /** The path as sent, not decoded; one cannot walk out of it, it is only a key. */
  readonly path: string
  /** Decoded path parameters, by name. */
  readonly params: Readonly<Record<string, string>>
  /** A decoded query parameter; the first of several. */
  query(name: string): string | undefined
  /** A header named in the route's `headers`; '' where it is missing. */
  header(name: string): string
  /** The Host header without its port, lower case. */
  readonly host: string
  readonly body: Buffer
  readonly caller: Caller
  readonly nowMs: number
  readonly signal: AbortSignal
}

export interface Reply {
  readonly status: number
  readonly headers?: readonly (readonly [name: string, value: string])[]
  readonly body?: string | Uint8Array
}

/** What the API's description says of a raw route that belongs to the API. */
export interface RawSpec {
  readonly tag: string
  readonly summary: string
  readonly query: TObject
  readonly body?: TSchema
  readonly out: TSchema
  readonly message: string
  /** The patterns of path parameters that are not ids. */
  readonly patterns?: Readonly<Record<string, string>>
  /** The statuses that a caller can run into, beside those of every route. */
  readonly problems: readonly number[]
}

/** A public route with an answer of its own making. It asks for no credential. */
export interface RawRoute {
  readonly name: string
  /** GET serves HEAD too. */
  readonly method: 'GET' | 'POST' | 'ANY'
  /** A uWebSockets.js pattern: literals, `:name`, and a star as the last part. */
  readonly path: string
  /** null: never counted, for probes of the service itself. */
  readonly rate: RateClass | null
  /** What is counted; default the caller's address. */
  readonly rateKey?: (request: RawRequest) => string
  /** Lower-case names of the headers that the handler reads. */
  readonly headers?: readonly string[]
  /** 0: a body is not read. */
  readonly bodyBytesMax: number
  /** Absent: it is no operation of the API, and not in its description. */
  readonly spec?: RawSpec
  readonly handle: (request: RawRequest, services: Services) => MaybePromise<Reply>
}
