// One request and its response: the only code that touches uWebSockets.js' `res` and `req`.
//
// It guards against their pitfalls: `req` dies when the handler returns; `res` throws after an
// abort or a response; a handler that throws or returns without a response ends the process; chunks
// are neutered.
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import type { Clock } from '../../base/clock.ts'
import { Fault } from '../../base/fault.ts'
import { newId } from '../../base/ids.ts'
import { limits } from '../../domain/limits/limits.ts'
import { normalAddress, type ProxyTrust } from './address.ts'
import { createLastAnswers, type LastAnswers } from './last-answer.ts'
import { byteLength, createPieces, type Pieces } from './pieces.ts'
import { isBodiless, statusLine, type WireReply } from './reply.ts'
import { closedLine, openLine } from './stream.ts'

/** The edge's settings of a route, besides how it responds. */
export interface EndpointTraits {
  readonly name: string
  readonly paramCount: number
  /** Lower-case names of the headers that are read. */
  readonly headers: readonly string[]
  /** 0: the body is not read. */
  readonly bodyBytesMax: number
  readonly deadlineMs: number
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
}

/** Where headers can be read from. */
export type HeaderSource = Pick<Exchange, 'header'>

export interface EdgeHooks {
  readonly clock: Clock
  readonly trust: ProxyTrust
  /** Turns any exception into a reply. It must not throw. */
  readonly explain: (error: unknown, exchange: Exchange, endpoint: EndpointTraits) => WireReply
  readonly onStart: () => void
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
}

export function createSharedBounds(clock: Clock): SharedBounds {
  return { pieces: createPieces(), lastAnswers: createLastAnswers(clock) }
}

/** Shared by the exchanges of one endpoint. */
interface ExchangeDeps extends SharedBounds {
  readonly clock: Clock
  readonly trust: ProxyTrust
  readonly paramCount: number
  readonly headers: readonly string[]
}

const noBody = Buffer.alloc(0)
const forwardedFor = 'x-forwarded-for'
const requestIdPattern = new RegExp(
  `^[A-Za-z0-9_-]{${limits.requestIdCharsMin},${limits.requestIdCharsMax}}$`,
)

/** A class because it has states: open, then finished (answered or aborted), then settled. */
export class Exchange {
  readonly method: string
  readonly path: string
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
  #address: string | undefined
  #controller: AbortController | undefined
  #isAborted = false
  readonly #res: HttpResponse
  readonly #deps: ExchangeDeps
  readonly #values: readonly string[]

  constructor(res: HttpResponse, req: HttpRequest, deps: ExchangeDeps) {
    this.#res = res
    this.#deps = deps
    this.method = req.getCaseSensitiveMethod()
    this.path = req.getUrl()
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
  }

  /** A header that the endpoint named; '' if it is missing. */
  header(name: string): string {
    return this.#values[this.#deps.headers.indexOf(name)] ?? ''
  }

  /**
   * The caller's address, as reported by trusted proxies if there are any. Reading it costs a
   * microsecond. It is available after the request only if it was read during admission.
   */
  get address(): string {
    if (this.#address === undefined) {
      const text = Buffer.from(this.#res.getRemoteAddressAsText()).toString('latin1')
      const peer = normalAddress(text)
      const { trust } = this.#deps
      this.#address = trust.isEmpty ? peer : trust.resolve(peer, this.header(forwardedFor))
    }
    return this.#address
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

  /**
   * Sends the reply, unless the request was already answered or aborted. `isCorked`: called inside
   * a callback of uWebSockets.js, which has corked the response.
   */
  send(reply: WireReply, isCorked: boolean): void {
    if (this.isFinished) return
    this.isFinished = true
    this.status = reply.status
    if (isCorked) this.#write(reply)
    else this.#res.cork(() => this.#write(reply))
  }

  // Status, then headers, then body: in another order the status is silently lost.
  #write({ status, head, body = '', closes = false, open }: WireReply): void {
    const res = this.#res
    if (status !== 200) res.writeStatus(statusLine(status))
    if (head !== '') res.writeHeader('Content-Type', head)
    open?.(this.method === 'GET' ? openLine(res, this.signal) : closedLine)
    if (open && this.method === 'GET') return
    if (isBodiless(status)) this.#writeNoBody(undefined, closes)
    else if (this.method === 'HEAD' || body.length === 0) {
      this.#writeNoBody(byteLength(body), closes)
    } else if (closes) res.end(body, true)
    else this.#deps.pieces.send(res, body)
  }

  #writeNoBody(contentBytes: number | undefined, closes: boolean): void {
    const { lastAnswers } = this.#deps
    if (closes || lastAnswers.isDue(this.address)) lastAnswers.write(this.#res, contentBytes)
    // Without a length, the library would announce one of 2^63 bytes.
    else if (contentBytes === undefined) this.#res.endWithoutBody()
    else this.#res.endWithoutBody(contentBytes)
  }
}

/**
 * The announced length of the body (0 for none or chunked), or undefined if parsers could disagree:
 * uWebSockets.js takes the first of two lengths and treats any coding as `chunked`.
 */
function claimedLength(req: HttpRequest): number | undefined {
  const length = req.getHeader('content-length')
  const coding = req.getHeader('transfer-encoding')
  if (length === '' && coding === '') return 0
  let count = 0
  req.forEach((name) => {
    if (name === 'content-length' || name === 'transfer-encoding') count += 1
  })
  if (count > 1) return undefined
  if (coding !== '') return coding.toLowerCase() === 'chunked' ? 0 : undefined
  return Number(length)
}

/** The uWebSockets.js handler of an endpoint. */
export function exchangeHandler<Admission>(
  endpoint: Endpoint<Admission>,
  hooks: EdgeHooks,
  bounds: SharedBounds = createSharedBounds(hooks.clock),
): EdgeHandler {
  const { clock, trust, explain, onDone } = hooks
  const { paramCount, bodyBytesMax, deadlineMs } = endpoint
  const headers = trust.isEmpty ? endpoint.headers : [...endpoint.headers, forwardedFor]
  const deps: ExchangeDeps = { ...bounds, clock, trust, paramCount, headers }

  /** `isWatched`: the body was read, so this runs late, and aborts are already listened to. */
  function start(
    exchange: Exchange,
    admission: Admission,
    res: HttpResponse,
    isWatched: boolean,
  ): void {
    let reply: WireReply | Promise<WireReply>
    try {
      reply = endpoint.run(exchange, admission)
    } catch (error) {
      reply = explain(error, exchange, endpoint)
    }
    if (!(reply instanceof Promise)) {
      if (reply.open && !isWatched) res.onAborted(() => exchange.abort())
      exchange.send(reply, !isWatched)
      onDone(exchange, endpoint)
      return
    }
    // No abort can arrive before this turn of the event loop ends, so only exchanges that wait need
    // to listen.
    if (!isWatched) res.onAborted(() => exchange.abort())
    const deadline = clock.setTimeout(() => {
      hooks.onLate(exchange, endpoint)
      exchange.send(explain(tooSlow(deadlineMs), exchange, endpoint), false)
      exchange.abort()
    }, deadlineMs)
    function settle(settled: WireReply): void {
      clock.clearTimeout(deadline)
      exchange.send(settled, false)
      onDone(exchange, endpoint)
    }
    void reply.then(settle, (error: unknown) => settle(explain(error, exchange, endpoint)))
  }

  return (res, req) => {
    const claimedBytes = claimedLength(req)
    if (claimedBytes === undefined) {
      // What follows in the stream could be the body or another request. With a response, the
      // library would go on to parse it as a request.
      res.close()
      return
    }
    const exchange = new Exchange(res, req, deps)
    hooks.onStart()
    let admission: Admission
    try {
      admission = endpoint.admit(exchange)
      if (bodyBytesMax > 0 && claimedBytes > bodyBytesMax) throw tooLarge(bodyBytesMax)
    } catch (error) {
      exchange.send(explain(error, exchange, endpoint), true)
      onDone(exchange, endpoint)
      return
    }
    if (bodyBytesMax === 0) start(exchange, admission, res, false)
    else readBody(exchange, res, endpoint, hooks, () => start(exchange, admission, res, true))
  }
}

function tooLarge(bytesMax: number): Fault {
  return new Fault('body_too_large', `The body is larger than ${bytesMax} bytes`)
}

function tooSlow(deadlineMs: number): Fault {
  return new Fault('unavailable', `There was no answer within ${deadlineMs / 1000} s`)
}

function readBody(
  exchange: Exchange,
  res: HttpResponse,
  endpoint: EndpointTraits,
  hooks: EdgeHooks,
  whenRead: () => void,
): void {
  const chunks: Buffer[] = []
  let bytes = 0
  let isRead = false
  res.onAborted(() => {
    exchange.abort()
    if (!isRead) hooks.onDone(exchange, endpoint)
  })
  res.onData((chunk, isLast) => {
    if (exchange.isFinished) return
    bytes += chunk.byteLength
    if (bytes > endpoint.bodyBytesMax) {
      isRead = true
      exchange.send(hooks.explain(tooLarge(endpoint.bodyBytesMax), exchange, endpoint), false)
      hooks.onDone(exchange, endpoint)
      return
    }
    // The library reuses the chunk's memory after this callback, so it must be copied.
    if (bytes > 0) chunks.push(Buffer.from(chunk.slice(0)))
    if (!isLast) return
    isRead = true
    const [first] = chunks
    exchange.body = chunks.length === 1 && first ? first : Buffer.concat(chunks)
    whenRead()
  })
}
