// One HTTP/1.1 exchange through undici on a connection that is already open, read within bounds.
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { Client, type Dispatcher } from 'undici'
import type { Clock } from '../base/clock.ts'
import { limits } from '../domain/limits.ts'
import type { Hop } from './plan.ts'

/** Told of an exchange. Exactly one of `ended` and `broke`, unless the exchange is cancelled. */
export interface ExchangeListener {
  /** The first byte of the response is here. */
  began(): void
  /** The status and headers are here. Whoever wants no more of it cancels the exchange. */
  headed(exchange: Exchange): void
  /** The response is complete, or read as far as anybody needs it. */
  ended(exchange: Exchange): void
  broke(exchange: Exchange, cause: unknown): void
}

const clientOptions = {
  pipelining: 0,
  allowH2: false,
  maxHeaderSize: limits.responseHeaderBytesMax,
  // The check has one deadline of its own; these would be coarse and need timers of their own.
  headersTimeout: 0,
  bodyTimeout: 0,
} as const

/** What is kept for evidence: more than is shown, so that a secret cut in two is still found. */
const keptBytesMin = limits.evidenceBodyBytesMax * 2

/** A client of its own for each exchange, thrown away with its socket: nothing is ever re-used. */
export class Exchange implements Dispatcher.DispatchHandler {
  status = 0
  headers: IncomingHttpHeaders = {}
  /** The beginning of the body as it was sent; all of it where the whole body was asked for. */
  readonly chunks: Buffer[] = []
  bodyBytes = 0
  /** Whether the body was longer than the bound and the rest was left unread. */
  isCut = false
  firstByteMs = 0
  downloadMs = 0
  readonly #socket: Socket
  readonly #clock: Clock
  readonly #listener: ExchangeListener
  readonly #keepBytes: number
  #markMs: number
  #keptBytes = 0
  #isOver = false

  constructor(
    hop: Hop,
    socket: Socket,
    options: { clock: Clock; listener: ExchangeListener; wantsBody: boolean },
  ) {
    this.#socket = socket
    this.#clock = options.clock
    this.#listener = options.listener
    this.#keepBytes = options.wantsBody ? limits.responseBodyBytesMax : keptBytesMin
    this.#markMs = options.clock.monoMs()
    let isTaken = false
    const client = new Client(hop.origin, {
      ...clientOptions,
      // undici dispatches only once its connector has returned, so the socket comes a moment later.
      connect: (_options, callback) => {
        const isFirst = !isTaken
        isTaken = true
        queueMicrotask(() => (isFirst ? callback(null, socket) : callback(noSecondSocket, null)))
      },
    })
    const { path, method, body } = hop
    client.dispatch({ path, method, body, headers: mutable(hop.headers) }, this)
  }

  /** Closes the connection and tells nobody. */
  cancel(): void {
    this.#isOver = true
    this.#socket.destroy()
  }

  onRequestStart(): void {
    // undici insists on it; the time of the request began with the exchange.
  }

  onResponseStarted(): void {
    if (this.#isOver) return
    const nowMs = this.#clock.monoMs()
    this.firstByteMs = nowMs - this.#markMs
    this.#listener.began()
  }

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    if (this.#isOver || status < 200) return
    this.status = status
    this.headers = headers
    this.#listener.headed(this)
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.#isOver) return
    this.bodyBytes += chunk.length
    if (this.#keptBytes < this.#keepBytes) {
      this.#keptBytes += chunk.length
      this.chunks.push(chunk)
    }
    if (this.bodyBytes <= limits.responseBodyBytesMax) return
    this.isCut = true
    this.#end()
  }

  onResponseEnd(): void {
    if (!this.#isOver) this.#end()
  }

  onResponseError(_: unknown, cause: unknown): void {
    if (this.#isOver) return
    this.cancel()
    this.#listener.broke(this, cause)
  }

  #end(): void {
    this.downloadMs = this.#clock.monoMs() - this.#markMs - this.firstByteMs
    this.cancel()
    this.#listener.ended(this)
  }
}

/** undici asks for another connection when the first died unused; a check has only the one. */
const noSecondSocket = new Error('the connection was closed before the request')

/** undici types headers as mutable and does not change them. */
function mutable(headers: readonly string[]): string[] {
  return headers as string[]
}
