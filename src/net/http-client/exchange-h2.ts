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

/** Each exchange has a session of its own with one stream, which is discarded with its socket. */
export class Http2Exchange extends ResponseReader {
  readonly #session: http2.ClientHttp2Session
  readonly #socket: Socket
  readonly #clock: Clock
  #watch: unknown
  #interims = 0
  #controlFrames = 0

  constructor(hop: Hop, socket: TLSSocket, options: ResponseReaderOptions) {
    super(options)
    this.#socket = socket
    this.#clock = options.clock
    // Loaded with the first answer over HTTP/2, which takes a megabyte.
    const { connect } = process.getBuiltinModule('node:http2')
    const session = connect(hop.origin, { ...sessionOptions, createConnection: () => socket })
    this.#session = session
    const count = (): void => this.#countControl()
    session.on('error', (cause) => this.broke(cause))
    session.on('close', () => this.broke(new Error('the session was closed')))
    session.on('remoteSettings', count)
    session.on('ping', count)
    session.on('goaway', (_code, lastStream) => {
      if (lastStream < firstStream) this.broke(leftAlone)
    })
    session.once('connect', () => {
      if (!session.destroyed) session.setLocalWindowSize(limits.responseBodyBytesMax)
    })
    this.#look()
    try {
      this.#ask(hop)
    } catch (cause) {
      // Reported asynchronously, as every other error is: the caller does not have this exchange
      // yet.
      queueMicrotask(() => this.broke(cause))
    }
  }

  #ask({ url, method, path, headers, body }: Hop): void {
    const stream = this.#session.request(
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

  #countControl(): void {
    this.#controlFrames += 1
    if (this.#controlFrames > http2ControlFramesMax) this.broke(tooManyBytes)
  }

  /**
   * Counts received bytes periodically, because Node handles other frames itself and reports no
   * event for them.
   */
  #look(): void {
    if (this.#socket.bytesRead > limits.responseWireBytesMax) {
      this.broke(tooManyBytes)
    } else {
      this.#watch = this.#clock.setTimeout(() => this.#look(), http2WatchMs)
    }
  }

  protected close(): void {
    this.#clock.clearTimeout(this.#watch)
    this.#session.destroy()
    this.#socket.destroy()
  }
}

/** The number of the single stream; clients use odd ones. */
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
function headersOf(pairs: readonly string[]): Record<string, string> {
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
