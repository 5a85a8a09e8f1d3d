// One request and its response. Only this folder touches uWebSockets.js' `res` and `req`.
//
// It guards against their pitfalls: `req` dies when the handler returns; `res` throws after an
// abort or a response; a handler that throws or returns without a response ends the process; chunks
// are neutered.
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import { isSecure, type ProxyTrust, peerOf } from './address.ts'
import { belowBase, cookiesBelow, withoutBase } from './base-path.ts'
import { type BodyReading, createPieceSenders, type PieceSenders } from './body.ts'
import { type BodyRoom, createBodyRoom } from './body-room.ts'
import { createLastAnswers, type LastAnswers } from './last-answer.ts'
import { byteLength, createPieces, type Pieces } from './pieces.ts'
import { isBodiless, statusLine, type WireReply } from './reply.ts'
import { closedLine, openLine } from './stream.ts'
import { createTurns, type Turns } from './turns.ts'

/** The edge's settings of a route, besides how it responds. */
export interface EndpointTraits {
  readonly name: string
  readonly paramCount: number
  /** Lower-case names of the headers that are read. */
  readonly headers: readonly string[]
  /** 0: the body is not read. */
  readonly bodyBytesMax: number
  readonly deadlineMs: number
  /**
   * Whether requests may change something. They run only after everything that the caller sent
   * together was parsed: if the library refuses what follows and closes the connection, nothing is
   * done.
   */
  readonly mayWrite?: boolean
  /** It waits for news before it answers: its duration is not measured. */
  readonly isHeld?: boolean
  /** The service does not wait for it before it stops. */
  readonly outlivesDrain?: boolean
  /** The WWW-Authenticate of a 401; if absent, an API key is wanted. */
  readonly challenge?: string
  /** Whether errors are shown as an HTML page instead of JSON; if absent, the path decides. */
  readonly isForPeople?: (exchange: Exchange) => boolean
}

export interface Endpoint<Admission> extends EndpointTraits {
  /**
   * Runs before the body is read. If it throws, the error is the response; otherwise `run` gets its
   * result.
   */
  readonly admit: (exchange: Exchange) => Admission
  readonly run: (exchange: Exchange, admission: Admission) => WireReply | Promise<WireReply>
  /** At whose expense a large body is kept; if absent, at that of the address. */
  readonly ownerOf?: (admission: Admission) => string | undefined
}

/** Where headers can be read from. */
export type HeaderSource = Pick<Exchange, 'header'>

export interface EdgeHooks {
  readonly clock: Clock
  readonly trust: ProxyTrust
  /** Header lines of responses to callers that speak TLS with this daemon. */
  readonly secureLines?: string | undefined
  /** The path that the service is below; '' for none. */
  readonly basePath?: string | undefined
  /** Turns any exception into a reply. It must not throw. */
  readonly explain: (error: unknown, exchange: Exchange, endpoint: EndpointTraits) => WireReply
  readonly onStart: (endpoint: EndpointTraits) => void
  /** Called when the deadline of a request has passed, before it is answered with 503. */
  readonly onLate: (exchange: Exchange, endpoint: EndpointTraits) => void
  /** Called once for each request that started, after its handler settled. */
  readonly onDone: (exchange: Exchange, endpoint: EndpointTraits) => void
}

export type EdgeHandler = (res: HttpResponse, req: HttpRequest) => void

/**
 * Limits that all exchanges share, so that no caller takes too much of the daemon's time and
 * memory.
 */
export interface SharedBounds {
  readonly pieces: Pieces
  readonly lastAnswers: LastAnswers
  readonly turns: Turns
  readonly pieceSenders: PieceSenders
  readonly bodyRoom: BodyRoom
}

export function createSharedBounds(clock: Clock): SharedBounds {
  return {
    pieces: createPieces(),
    lastAnswers: createLastAnswers(clock),
    turns: createTurns(clock),
    pieceSenders: createPieceSenders(clock),
    bodyRoom: createBodyRoom(),
  }
}

/** Shared by the exchanges of one endpoint. */
export interface ExchangeDeps extends SharedBounds {
  readonly clock: Clock
  readonly trust: ProxyTrust
  readonly paramCount: number
  readonly headers: readonly string[]
  /** Header lines of responses to callers that speak TLS with this daemon. */
  readonly secureLines?: string | undefined
  readonly basePath: string
}

const noBody = Buffer.alloc(0)
export const forwardedFor = 'x-forwarded-for'

const requestIdCharsMin = 8
const requestIdCharsMax = 64

const requestIdPattern = new RegExp(`^[A-Za-z0-9_-]{${requestIdCharsMin},${requestIdCharsMax}}$`)

/** A class because it has states: open, then finished (answered or aborted), then settled. */
export class Exchange {
  readonly method: string
  /** The path as the service knows it: what it is below was taken off. */
  readonly path: string
  /** The path that the service is below; empty for a request that came without it. */
  readonly base: string
  readonly queryText: string
  /** As sent, percent-encoded. */
  readonly params: readonly string[]
  readonly nowMs: number
  readonly startedMonoMs: number
  readonly requestId: string
  /** Header lines of every response to this request. */
  lines: string
  body: Buffer = noBody
  /** The status that was sent; 0 if the caller disconnected first. */
  status = 0
  isFinished = false
  /** Whether its handler was called. */
  isStarted = false
  /** The body, while much of it may still arrive. */
  rest: BodyReading | undefined
  #address: string | undefined
  #isSecure: boolean | undefined
  #controller: AbortController | undefined
  #isAborted = false
  #isPaused = false
  readonly #res: HttpResponse
  readonly #deps: ExchangeDeps
  readonly #values: readonly string[]

  constructor(res: HttpResponse, req: HttpRequest, deps: ExchangeDeps) {
    this.#res = res
    this.#deps = deps
    this.method = req.getCaseSensitiveMethod()
    const path = req.getUrl()
    const inner = withoutBase(path, deps.basePath)
    this.path = inner ?? path
    this.base = inner === undefined ? '' : deps.basePath
    this.queryText = req.getQuery() ?? ''
    const params: string[] = []
    for (let at = 0; at < deps.paramCount; at += 1) params.push(req.getParameter(at) ?? '')
    this.params = params
    const values: string[] = []
    for (const name of deps.headers) values.push(req.getHeader(name))
    this.#values = values
    this.startedMonoMs = deps.clock.monoMs()
    this.nowMs = deps.clock.nowMs()
    const givenId = req.getHeader('x-request-id')
    // The id of a proxy is kept, so that its log and ours can be matched; a malformed one is
    // replaced.
    this.requestId = requestIdPattern.test(givenId) ? givenId : newId('request', this.nowMs)
    this.lines = `\r\nX-Request-Id: ${this.requestId}`
    const { secureLines = '' } = deps
    if (secureLines !== '' && this.isSecure) this.lines += secureLines
  }

  /** A header that the endpoint named; '' if it is missing. */
  header(name: string): string {
    // The paths in a document are known once it is whole; the proxy may compress it.
    if (this.base !== '' && name === 'accept-encoding') return ''
    const value = this.#values[this.#deps.headers.indexOf(name)] ?? ''
    return this.base !== '' && name === 'cookie' ? cookiesBelow(value, this.base) : value
  }

  /**
   * The caller's address, as reported by trusted proxies if there are any. Reading it costs a
   * microsecond. It is available after the request only if it was read during admission.
   */
  get address(): string {
    if (this.#address === undefined) {
      const peer = peerOf(this.#res)
      const { trust } = this.#deps
      this.#address = trust.isEmpty ? peer : trust.resolve(peer, this.header(forwardedFor))
    }
    return this.#address
  }

  /**
   * Whether the caller speaks TLS with this daemon. It is available after the request only if it was
   * read during admission.
   */
  get isSecure(): boolean {
    this.#isSecure ??= isSecure(this.#res)
    return this.#isSecure
  }

  /** Aborted when the caller disconnects or the deadline passes. Created on first use. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#isAborted) this.#controller.abort()
    return this.#controller.signal
  }

  abort(): void {
    this.#isAborted = true
    this.isFinished = true
    this.#controller?.abort()
  }

  /** Reads nothing more of the connection until the request is answered. */
  pause(): void {
    this.#isPaused = true
    // Without this listener, the library would start its time limit for idle connections.
    this.#res.onWritable(() => true)
    this.#res.pause()
  }

  /**
   * Sends the reply, unless the request was already answered or aborted. `isCorked`: called inside
   * a callback of uWebSockets.js, which has corked the response.
   */
  send(reply: WireReply, isCorked: boolean): void {
    if (this.isFinished) {
      // What would be written in parts hears that nobody reads it: it may hold a place until then.
      reply.open?.(closedLine)
      return
    }
    this.isFinished = true
    this.status = reply.status
    if (this.#isPaused) this.#res.resume()
    if (isCorked) this.#write(reply)
    else this.#res.cork(() => this.#write(reply))
  }

  // Status, then headers, then body: in another order the status is silently lost.
  #write(reply: WireReply): void {
    const whole = this.base === '' ? reply : belowBase(reply, this.base)
    const { status, head, body = '', closes = false, open, mayGoOn } = whole
    const res = this.#res
    if (status !== 200) res.writeStatus(statusLine(status))
    if (status === 304) writeWithoutType(res, head)
    else if (head !== '') res.writeHeader('Content-Type', head)
    open?.(this.method === 'GET' ? openLine(res, this.signal, this.#deps.clock) : closedLine)
    if (open && this.method === 'GET') {
      this.rest?.drop(() => this.#cutLine())
      return
    }
    if (isBodiless(status)) this.#writeNoBody(undefined, closes)
    else if (this.method === 'HEAD' || body.length === 0) {
      this.#writeNoBody(byteLength(body), closes)
    } else if (this.rest) this.rest.drop(this.#deps.lastAnswers.write(res, byteLength(body), body))
    else if (closes) res.end(body, true)
    else this.#deps.pieces.send(res, body, mayGoOn)
  }

  #cutLine(): void {
    this.abort()
    this.#res.end('', true)
  }

  #writeNoBody(contentBytes: number | undefined, closes: boolean): void {
    const { lastAnswers } = this.#deps
    if (this.rest) this.rest.drop(lastAnswers.write(this.#res, contentBytes))
    else if (closes || lastAnswers.isDue(this.address)) lastAnswers.write(this.#res, contentBytes)
    // Without a length, the library would announce one of 2^63 bytes.
    else if (contentBytes === undefined) this.#res.endWithoutBody()
    else this.#res.endWithoutBody(contentBytes)
  }
}

// A 304 describes a copy that the caller has, so it has no type of its own.
function writeWithoutType(res: HttpResponse, head: string): void {
  const [, name, value] = /^[^\r]*\r\n([^:]+): ([\s\S]*)$/.exec(head) ?? []
  if (name !== undefined && value !== undefined) res.writeHeader(name, value)
}
