// One HTTP/2 exchange on a TLS connection whose server chose `h2`, read within bounds.
import { type IncomingHttpHeaders, validateHeaderName, validateHeaderValue } from 'node:http'
import type http2 from 'node:http2'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { Clock } from '../../base/clock.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Handshake } from '../connection/connect.ts'
import { headersTooLarge, tooManyBytes, tooManyInterims } from '../failure.ts'
import type { Hop } from './plan.ts'
import { ResponseReader, type ResponseReaderOptions } from './response-reader.ts'

/** The protocols that an HTTP check offers, the preferred one first. */
export const offersHttp2: Handshake = { alpn: ['h2', 'http/1.1'] }

/** Whether the server chose HTTP/2. */
export function speaksHttp2(socket: Socket): socket is TLSSocket {
  return socket instanceof TLSSocket && socket.alpnProtocol === 'h2'
}

const sessionOptions: http2.SecureClientSessionOptions = {
  settings: {
    enablePush: false,
    // The window covers the largest body that is read, so that no body needs a second round trip.
    initialWindowSize: limits.responseBodyBytesMax,
    maxHeaderListSize: limits.responseHeaderBytesMax,
  },
  maxHeaderListPairs: limits.responseHeaderBytesMax / 32,
}

/** SETTINGS and PING frames that a server may send in one HTTP/2 exchange. */
const http2ControlFramesMax = 100
/** How often the received bytes of an HTTP/2 connection are counted. */
const http2WatchMs = 250

export interface SessionOptions {
  readonly clock: Clock
  /** Hears why the session cannot go on; more than once, and also when it is closed. */
  readonly broke: (cause: unknown) => void
}

export interface OpenSession {
  readonly session: http2.ClientHttp2Session
  /** Closes the connection; may be called more than once. */
  destroy(): void
}

/** HTTP/2 on an open socket, within bounds. */
export function openHttp2(
  origin: URL,
  socket: Socket,
  { clock, broke }: SessionOptions,
): OpenSession {
  // Loaded with the first answer over HTTP/2, which takes a megabyte.
  const { connect } = process.getBuiltinModule('node:http2')
  const session = connect(origin, { ...sessionOptions, createConnection: () => socket })
  let watch: unknown
  let controlFrames = 0
  const count = (): void => {
    controlFrames += 1
    if (controlFrames > http2ControlFramesMax) broke(tooManyBytes)
  }
  session.on('error', broke)
  session.on('close', () => broke(new Error('the session was closed')))
  session.on('remoteSettings', count)
  session.on('ping', count)
  session.on('goaway', (_code, lastStream) => {
    if (lastStream < firstStream) broke(leftAlone)
  })
  session.once('connect', () => {
    if (!session.destroyed) session.setLocalWindowSize(limits.responseBodyBytesMax)
  })
  // Counts received bytes periodically, because Node handles other frames itself and reports no event for
  // them.
  function look(): void {
    if (socket.bytesRead > limits.responseWireBytesMax) broke(tooManyBytes)
    else watch = clock.setTimeout(look, http2WatchMs)
  }
  look()
  return {
    session,
    destroy() {
      clock.clearTimeout(watch)
      session.destroy()
      socket.destroy()
    },
  }
}

/** Each exchange has a session of its own with one stream, which is discarded with its socket. */
export class Http2Exchange extends ResponseReader {
  readonly #open: OpenSession
  #interims = 0

  constructor(hop: Hop, socket: TLSSocket, options: ResponseReaderOptions) {
    super(options)
    this.#open = openHttp2(hop.origin, socket, {
      clock: options.clock,
      broke: (cause) => this.broke(cause),
    })
    try {
      this.#ask(hop)
    } catch (cause) {
      // Reported asynchronously, as every other error is: the caller does not have this exchange
      // yet.
      queueMicrotask(() => this.broke(cause))
    }
  }

  #ask({ url, method, path, headers, body }: Hop): void {
    const stream = this.#open.session.request(
      {
        ':method': method,
        ':path': path,
        ':scheme': 'https',
        ':authority': url.host,
        ...headersOf(headers),
        ...(body === null ? undefined : { 'content-length': String(body.length) }),
      },
      { endStream: body === null },
    )
    stream.on('headers', () => {
      this.began()
      this.#countInterim()
    })
    stream.on('response', (response) => {
      this.began()
      const { ':status': status = 0, ...rest } = response
      if (sizeOf(rest) > limits.responseHeaderBytesMax) this.broke(headersTooLarge)
      else this.headed(status, rest)
    })
    stream.on('data', (chunk: Buffer) => this.took(chunk))
    stream.on('end', () => {
      if (stream.rstCode) return
      if (method !== 'HEAD' && this.#isShort()) this.broke(new Error('the body is not finished'))
      else this.ended()
    })
    stream.on('error', (cause) => this.broke(cause))
    stream.on('close', () => this.broke(new Error('the stream was closed')))
    if (body !== null) stream.end(body)
  }

  /**
   * Whether the body is shorter than announced. A server that resets the stream without an error
   * code ends it too, possibly in the middle.
   */
  #isShort(): boolean {
    return this.bodyBytes < Number(this.headers['content-length'] ?? 0) && this.status !== 304
  }

  #countInterim(): void {
    this.#interims += 1
    if (this.#interims > limits.interimResponsesMax) this.broke(tooManyInterims)
  }

  protected close(): void {
    this.#open.destroy()
  }
}

/** The number of the first stream; clients use odd ones. */
const firstStream = 1

const leftAlone = Object.assign(new Error('NGHTTP2_REFUSED_STREAM'), { code: 'ERR_HTTP2_GOAWAY' })

/**
 * Counts the size of headers here: the limit in our settings applies only once the server has read
 * them.
 */
function sizeOf(headers: IncomingHttpHeaders): number {
  const sizes = Object.entries(headers).map(([name, value]) => name.length + String(value).length)
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** The names are in lower case, as HTTP/2 requires. Throws if Node's HTTP/2 would not send a header. */
export function headersOf(pairs: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let i = 0; i + 1 < pairs.length; i += 2) {
    const name = (pairs[i] ?? '').toLowerCase()
    const value = pairs[i + 1] ?? ''
    validateHeaderName(name)
    validateHeaderValue(name, value)
    headers[name] = value
  }
  return headers
}
