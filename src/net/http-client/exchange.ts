// One HTTP/1.1 exchange through undici on a connection that is already open, read within bounds.
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { Client, type Dispatcher } from 'undici'
import { limits } from '../../domain/limits/limits.ts'
import { readOverInterims } from './interims.ts'
import type { Hop } from './plan.ts'
import { ResponseReader, type ResponseReaderOptions } from './response-reader.ts'

const clientOptions = {
  pipelining: 0,
  allowH2: false,
  maxHeaderSize: limits.responseHeaderBytesMax,
  // The timeouts of undici are off: the check has its own deadline, and these are coarse and need
  // timers of their own.
  headersTimeout: 0,
  bodyTimeout: 0,
} as const

/** A client for one request on an open socket; `began` is called at the start of each response. */
function clientOn(origin: URL, socket: Socket, began: () => void): Client {
  let isTaken = false
  readOverInterims(socket, began)
  return new Client(origin, {
    ...clientOptions,
    // undici sends a request only after its connector has returned, so the socket is passed a
    // moment later.
    connect: (_options, callback) => {
      const isFirst = !isTaken
      isTaken = true
      queueMicrotask(() => (isFirst ? callback(null, socket) : callback(noSecondSocket, null)))
    },
  })
}

export interface ExchangeOptions extends ResponseReaderOptions {
  /** Asks the server to switch to another protocol. */
  readonly upgrade?: {
    readonly protocol: string
    /** Hears of it instead of the listener. From then on the socket belongs to the caller. */
    readonly done: (headers: IncomingHttpHeaders) => void
  }
}

/** Each exchange has a client of its own, which is discarded with its socket: nothing is ever reused. */
export class Http1Exchange extends ResponseReader implements Dispatcher.DispatchHandler {
  readonly #socket: Socket
  readonly #upgrade: ExchangeOptions['upgrade']

  constructor(hop: Hop, socket: Socket, options: ExchangeOptions) {
    super(options)
    this.#socket = socket
    this.#upgrade = options.upgrade
    // If undici learned of a reset first, it would take it for the end of a body without a length.
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
    // Destroying with a fixed error is cheaper: undici would create a new one for each connection,
    // with a stack trace and the addresses, which takes a twentieth of a check's time.
    this.#socket.destroy(isOver)
  }

  onRequestStart(): void {
    // undici requires this method. The time of the request was started with the exchange.
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

/** This error is never reported, because an exchange reports nothing after its end. */
const isOver = new Error('the exchange is over')

/**
 * undici asks for a second connection if the first closed before it was used, but a check has only
 * one.
 */
const noSecondSocket = new Error('the connection was closed before the request')

/** undici's types require mutable headers, but it does not change them. */
function mutable(headers: readonly string[]): string[] {
  return headers as string[]
}
