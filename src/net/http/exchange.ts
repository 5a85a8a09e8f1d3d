// One HTTP/1.1 exchange through undici on a connection that is already open, read within bounds.
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { Client, type Dispatcher } from 'undici'
import { limits } from '../../domain/limits/limits.ts'
import { readOverInterims } from './interims.ts'
import type { Hop } from './plan.ts'
import { type ReaderOptions, ResponseReader } from './response-reader.ts'

const clientOptions = {
  pipelining: 0,
  allowH2: false,
  maxHeaderSize: limits.responseHeaderBytesMax,
  // The check has its own deadline; these are coarse and need their own timers.
  headersTimeout: 0,
  bodyTimeout: 0,
} as const

/** A client for one request on an open socket; `began` is called at the start of each response. */
function clientOn(origin: URL, socket: Socket, began: () => void): Client {
  let isTaken = false
  readOverInterims(socket, began)
  return new Client(origin, {
    ...clientOptions,
    // undici dispatches only after its connector has returned, so the socket is passed a moment
    // later.
    connect: (_options, callback) => {
      const isFirst = !isTaken
      isTaken = true
      queueMicrotask(() => (isFirst ? callback(null, socket) : callback(noSecondSocket, null)))
    },
  })
}

export interface ExchangeOptions extends ReaderOptions {
  /** Asks the server to switch to another protocol. */
  readonly upgrade?: {
    readonly protocol: string
    /** Called instead of the listener's methods. From then on the socket belongs to the caller. */
    readonly done: (headers: IncomingHttpHeaders) => void
  }
}

/** Its own client for each exchange, discarded with its socket: nothing is ever reused. */
export class Http1Exchange extends ResponseReader implements Dispatcher.DispatchHandler {
  readonly #socket: Socket
  readonly #upgrade: ExchangeOptions['upgrade']

  constructor(hop: Hop, socket: Socket, options: ExchangeOptions) {
    super(options)
    this.#socket = socket
    this.#upgrade = options.upgrade
    // undici takes a reset for the end of a body without a length, so it must learn of it later
    // than this.
    socket.once('error', (cause) => this.onResponseError(undefined, cause))
    const client = clientOn(hop.origin, socket, () => this.began())
    const { path, method, body } = hop
    const headers = mutable(hop.headers)
    client.dispatch(
      { path, method, body, headers, upgrade: options.upgrade?.protocol ?? null },
      this,
    )
  }

  protected close(): void {
    // With this error undici creates none of its own per closed connection, with a stack trace and
    // the addresses of the socket, which would cost a twentieth of a check.
    this.#socket.destroy(isOver)
  }

  onRequestStart(): void {
    // undici requires it; the time of the request began with the exchange.
  }

  onRequestUpgrade(_: unknown, _status: number, headers: IncomingHttpHeaders): void {
    this.#upgrade?.done(headers)
  }

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    this.headed(status, headers)
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.took(chunk)
  }

  onResponseEnd(): void {
    this.ended()
  }

  onResponseError(_: unknown, cause: unknown): void {
    this.broke(cause)
  }
}

/** Nobody sees it: the exchange reports nothing after its end. */
const isOver = new Error('the exchange is over')

/** undici requests another connection when the first died unused; a check has only one. */
const noSecondSocket = new Error('the connection was closed before the request')

/** undici types headers as mutable and does not change them. */
function mutable(headers: readonly string[]): string[] {
  return headers as string[]
}
