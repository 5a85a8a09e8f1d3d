// One request and its answer: the only code that touches uWebSockets.js' `res` and `req`.
//
// What it guards against: `req` dies when the handler returns; `res` throws after an abort or an
// answer; a handler that throws or returns unanswered ends the process; chunks are neutered.
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import type { Clock } from '../../base/clock.ts'
import { randomUnit } from '../../base/random.ts'
import { limits } from '../../domain/limits/limits.ts'
import { normalAddress } from './address.ts'
import { writeLast } from './last-answer.ts'
import { createPieces, type Pieces } from './pieces.ts'
import { isBodiless, statusLine, type WireReply } from './reply.ts'
import { closedLine, openLine } from './stream.ts'

/** What the edge needs to know of a route. */
export interface Endpoint {
  readonly name: string
  readonly paramCount: number
  /** Lower-case names of the headers that are read. */
  readonly headers: readonly string[]
  /** 0: a body is not read. */
  readonly bodyBytesMax: number
  readonly deadlineMs: number
  /** Runs before the body is read; what it throws is answered at once. */
  readonly admit: (exchange: Exchange) => void
  readonly run: (exchange: Exchange) => WireReply | Promise<WireReply>
  /** Whether problems are told in a page; where it is absent, the path decides. */
  readonly isForPeople?: (exchange: Exchange) => boolean
}

export interface EdgeHooks {
  readonly clock: Clock
  /** Turns whatever was thrown into an answer. It must not throw. */
  readonly explain: (error: unknown, exchange: Exchange, endpoint: Endpoint) => WireReply
  readonly tooLarge: (exchange: Exchange, endpoint: Endpoint) => WireReply
  readonly tooSlow: (exchange: Exchange, endpoint: Endpoint) => WireReply
  readonly onStart: () => void
  /** Called once for each request that started, after its handler settled. */
  readonly onDone: (exchange: Exchange, endpoint: Endpoint) => void
}

interface ExchangeDeps {
  readonly clock: Clock
  readonly pieces: Pieces
}

const noBody = Buffer.alloc(0)

/** A class because it has a life: open, then finished (answered or aborted), then settled. */
export class Exchange {
  readonly method: string
  readonly path: string
  readonly queryText: string
  /** As sent, percent-encoded. */
  readonly params: readonly string[]
  readonly peer: string
  readonly startedMonoMs: number
  body: Buffer = noBody
  /** The status that was sent; 0 where the caller hung up first. */
  status = 0
  isFinished = false
  requestId = ''
  nowMs = 0
  /** The caller's address, behind trusted proxies resolved. */
  address = ''
  /** Header lines that every answer to this request carries. */
  lines = ''
  /** What `admit` found out for `run`: each kind of route keeps its own. */
  notes: unknown
  #controller: AbortController | undefined
  #isAborted = false
  readonly #res: HttpResponse
  readonly #deps: ExchangeDeps
  readonly #names: readonly string[]
  readonly #values: readonly string[]

  constructor(res: HttpResponse, req: HttpRequest, endpoint: Endpoint, deps: ExchangeDeps) {
    this.#res = res
    this.#deps = deps
    this.#names = endpoint.headers
    this.method = req.getCaseSensitiveMethod()
    this.path = req.getUrl()
    this.queryText = req.getQuery() ?? ''
    const params: string[] = []
    for (let at = 0; at < endpoint.paramCount; at += 1) params.push(req.getParameter(at) ?? '')
    this.params = params
    const values: string[] = []
    for (const name of endpoint.headers) values.push(req.getHeader(name))
    this.#values = values
    this.peer = normalAddress(Buffer.from(res.getRemoteAddressAsText()).toString('latin1'))
    this.startedMonoMs = deps.clock.monoMs()
  }

  /** A header that the endpoint named; '' where it is missing. */
  header(name: string): string {
    return this.#values[this.#names.indexOf(name)] ?? ''
  }

  /** Aborted when the caller hangs up or the deadline passes. Made when somebody asks. */
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

  /** Answers unless it is too late. `isCorked`: still inside uWebSockets.js' own callback. */
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
    else this.#writeBody(body)
  }

  #writeNoBody(contentBytes: number | undefined, closes: boolean): void {
    const isLast = closes || randomUnit() < limits.lastAnswerShare
    if (isLast) writeLast(this.#res, this.#deps.clock, contentBytes)
    // Told `undefined`, the library would say that 2^63 bytes follow.
    else if (contentBytes === undefined) this.#res.endWithoutBody()
    else this.#res.endWithoutBody(contentBytes)
  }

  // Not by `end`: it keeps a copy of whatever the caller does not read, for each of the requests
  // that they send meanwhile. So it is one answer, and uWebSockets.js closes on the next request.
  #writeBody(body: string | Uint8Array): void {
    const res = this.#res
    const size = byteLength(body)
    if (size > limits.pieceBytesMax) {
      this.#deps.pieces.send(res, typeof body === 'string' ? Buffer.from(body) : body)
      return
    }
    const [, isDone] = res.tryEnd(body, size)
    if (isDone) return
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    res.onAborted(() => {})
    res.onWritable((offset) => res.tryEnd(bytes.subarray(offset), size)[0])
  }
}

/**
 * How long the body claims to be (0 for none or chunked), or undefined where two readers could
 * disagree: uWebSockets.js takes the first of two lengths and any coding for `chunked`.
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

function byteLength(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
}

/** uWebSockets.js' handler for an endpoint. `pieces`: one for all endpoints, as they share turns. */
export function exchangeHandler(
  endpoint: Endpoint,
  hooks: EdgeHooks,
  pieces: Pieces = createPieces(),
) {
  const { clock, explain, onDone } = hooks
  const deps: ExchangeDeps = { clock, pieces }
  const readsBody = endpoint.bodyBytesMax > 0

  function start(
    exchange: Exchange,
    res: HttpResponse,
    isCorked: boolean,
    isWatched: boolean,
  ): void {
    let reply: WireReply | Promise<WireReply>
    try {
      reply = endpoint.run(exchange)
    } catch (error) {
      reply = explain(error, exchange, endpoint)
    }
    if (!(reply instanceof Promise)) {
      if (reply.open && !isWatched) res.onAborted(() => exchange.abort())
      exchange.send(reply, isCorked)
      onDone(exchange, endpoint)
      return
    }
    // Nothing can abort before this turn ends, so only those who wait need to listen.
    if (!isWatched) res.onAborted(() => exchange.abort())
    const deadline = clock.setTimeout(() => {
      const late = hooks.tooSlow(exchange, endpoint)
      exchange.send(late, false)
      exchange.abort()
    }, endpoint.deadlineMs)
    void reply
      .catch((error: unknown) => explain(error, exchange, endpoint))
      .then((settled) => {
        clock.clearTimeout(deadline)
        exchange.send(settled, false)
        onDone(exchange, endpoint)
      })
  }

  return (res: HttpResponse, req: HttpRequest): void => {
    const claimedBytes = claimedLength(req)
    if (claimedBytes === undefined) {
      // What follows could be the body or another request. An answer would let it be read as one.
      res.close()
      return
    }
    const exchange = new Exchange(res, req, endpoint, deps)
    hooks.onStart()
    try {
      endpoint.admit(exchange)
    } catch (error) {
      exchange.send(explain(error, exchange, endpoint), true)
      onDone(exchange, endpoint)
      return
    }
    if (readsBody && claimedBytes > endpoint.bodyBytesMax) {
      exchange.send(hooks.tooLarge(exchange, endpoint), true)
      onDone(exchange, endpoint)
    } else if (readsBody) {
      readBody(exchange, res, endpoint, hooks, () => start(exchange, res, false, true))
    } else start(exchange, res, true, false)
  }
}

function readBody(
  exchange: Exchange,
  res: HttpResponse,
  endpoint: Endpoint,
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
      exchange.send(hooks.tooLarge(exchange, endpoint), false)
      hooks.onDone(exchange, endpoint)
      return
    }
    // The chunk is taken away when this returns: it is copied, not viewed.
    if (bytes > 0) chunks.push(Buffer.from(chunk.slice(0)))
    if (!isLast) return
    isRead = true
    const [first] = chunks
    exchange.body = chunks.length === 1 && first ? first : Buffer.concat(chunks)
    whenRead()
  })
}
