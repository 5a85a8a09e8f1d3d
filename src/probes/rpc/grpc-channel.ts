// Calls of gRPC on one connection: each a request of HTTP/2, with its messages framed.
// https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md
import type { IncomingHttpHeaders, IncomingHttpStatusHeader } from 'node:http2'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { exchangeFailure } from '../../net/failure.ts'
import { headersOf, openHttp2, speaksHttp2 } from '../../net/http-client/exchange-h2.ts'
import { hopFor } from '../../net/http-client/plan.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { brokenOff, notSpoken, type RefusalKind, refusedBy, tooMuch } from '../run/driver-socket.ts'
import { type ProbeRun, verdictAtMs } from '../run/probe-run.ts'

/** The name of the protocol in messages. */
export const grpcProtocol = 'gRPC'

/** A message that a server may send. */
const messageBytesMax = 1024 * 1024
/** Before a message: whether it is compressed, and its length. */
const prefixBytes = 5

interface GrpcAnswer {
  /** 0: it succeeded. */
  readonly status: number
  /** What the server says of it. */
  readonly text: string
  /** The message; empty if it failed. */
  readonly bytes: Buffer
}

export interface GrpcChannel {
  /** Sends one message, and waits for one. `path`: `/package.Service/Method`. */
  call(path: string, message: Uint8Array): Promise<GrpcAnswer>
  /** Ends the connection silently: the run goes on. */
  close(): void
}

export interface ChannelOptions {
  readonly host: string
  readonly port: number
  readonly isTls: boolean
  readonly target: EndpointTarget
}

export function grpcChannel(run: ProbeRun, socket: Socket, options: ChannelOptions): GrpcChannel {
  const { clock, record } = run
  const { host, port, isTls, target } = options
  if (socket instanceof TLSSocket && !speaksHttp2(socket)) {
    throw new RunError(notSpoken(grpcProtocol))
  }
  const scheme = isTls ? 'https' : 'http'
  const place = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
  const origin = new URL(`${scheme}://${place}`)
  let hasStatus = false
  let size = 0
  const failed = (cause: unknown) => exchangeFailure(cause, { hasStatus, bodyBytes: size })
  let isClosed = false
  const broke = (cause: unknown): void => {
    if (!isClosed) run.end(failed(cause))
  }
  const open = openHttp2(origin, socket, { clock, broke })
  run.track(open)

  function heard(): void {
    if (hasStatus) return
    hasStatus = true
    record.end('firstByte')
    record.enter('download')
  }

  function requestTo(path: string) {
    const { accept: _, ...metadata } = headersOf(hopFor({ ...target, body: null }, origin).headers)
    const leftMs = Math.max(1, Math.floor(verdictAtMs(run, target) - clock.monoMs()))
    return open.session.request({
      ':method': 'POST',
      ':path': path,
      ':scheme': scheme,
      ':authority': origin.host,
      ...metadata,
      'content-type': 'application/grpc',
      te: 'trailers',
      'grpc-timeout': `${leftMs}m`,
    })
  }

  return {
    close() {
      isClosed = true
      open.destroy()
    },

    call: (path, message) =>
      new Promise((resolve, reject) => {
        const stream = requestTo(path)
        const chunks: Buffer[] = []
        let head: ResponseHeaders = {}
        let trailers: IncomingHttpHeaders | undefined
        size = 0
        stream.on('response', (found) => {
          heard()
          head = found
        })
        stream.on('trailers', (found) => {
          trailers = found
        })
        stream.on('data', (chunk: Buffer) => {
          size += chunk.length
          if (size > messageBytesMax) run.end(tooMuch(messageBytesMax))
          else chunks.push(chunk)
        })
        stream.on('error', (cause) => reject(new RunError(failed(cause))))
        stream.on('close', () => {
          record.end()
          try {
            resolve(answerIn(head, trailers ?? head, Buffer.concat(chunks)))
          } catch (cause) {
            reject(cause)
          }
        })
        stream.end(framed(message))
      }).catch((cause) => {
        throw cause instanceof RunError ? cause : new RunError(failed(cause))
      }) as Promise<GrpcAnswer>,
  }
}

function framed(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(prefixBytes)
  prefix.writeUInt32BE(message.length, 1)
  return Buffer.concat([prefix, message])
}

type ResponseHeaders = IncomingHttpHeaders & IncomingHttpStatusHeader

/** What a stream that ended says. Throws a RunError if that is no answer. */
function answerIn(
  { ':status': httpStatus, 'content-type': type = '' }: ResponseHeaders,
  { 'grpc-status': status, 'grpc-message': text = '' }: IncomingHttpHeaders,
  body: Buffer,
): GrpcAnswer {
  if (httpStatus === undefined) throw brokenOff()
  if (status === undefined && httpStatus !== 200) {
    throw refusedBy(httpMeanings[httpStatus] ?? 'error', `HTTP ${httpStatus}`, '')
  }
  if (!type.startsWith('application/grpc')) throw new RunError(notSpoken(grpcProtocol))
  if (status === undefined) throw brokenOff()
  const code = /^\d{1,9}$/.test(String(status)) ? Number(status) : unknownStatus
  const bytes = body.subarray(prefixBytes)
  if (code !== 0) return { status: code, text: decoded(String(text)), bytes }
  const isOne = body.length >= prefixBytes && body[0] === 0 && body.readUInt32BE(1) === bytes.length
  if (!isOne) throw new RunError(notSpoken(grpcProtocol))
  return { status: 0, text: '', bytes }
}

/** What a proxy means that answers in place of the server. */
const httpMeanings: Readonly<Record<number, RefusalKind>> = {
  401: 'signIn',
  403: 'rights',
  404: 'missing',
  429: 'notReady',
  502: 'notReady',
  503: 'notReady',
  504: 'notReady',
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** By their numbers: https://grpc.io/docs/guides/status-codes/ */
const statusNames = (
  'OK CANCELLED UNKNOWN INVALID_ARGUMENT DEADLINE_EXCEEDED NOT_FOUND ALREADY_EXISTS PERMISSION_DENIED ' +
  'RESOURCE_EXHAUSTED FAILED_PRECONDITION ABORTED OUT_OF_RANGE UNIMPLEMENTED INTERNAL UNAVAILABLE DATA_LOSS ' +
  'UNAUTHENTICATED'
).split(' ')
const unknownStatus = 2
/** The server does not have the method. */
export const unimplemented = 12

/** How the failure of a refused sign-in names it. */
export const unauthenticated = '(UNAUTHENTICATED)'

const meanings: Readonly<Record<string, RefusalKind>> = {
  NOT_FOUND: 'missing',
  PERMISSION_DENIED: 'rights',
  UNAUTHENTICATED: 'signIn',
  UNAVAILABLE: 'notReady',
  UNIMPLEMENTED: 'missing',
}

export function refusedByStatus(status: number, text: string): RunError {
  const name = statusNames[status] ?? String(status)
  return refusedBy(meanings[name] ?? 'error', name, text)
}
