// One HTTP request on a fresh connection of a guarded run.
import { exchangeFailure } from '../failure.ts'
import { type ConnectOptions, type GuardedRun, RunError } from '../run/guarded-run.ts'
import type { RunRecord } from '../run/run-record.ts'
import { bodyTooLarge, codingsOf, decodeBody } from './body.ts'
import { Http1Exchange } from './exchange.ts'
import { Http2Exchange, speaksHttp2 } from './exchange-h2.ts'
import type { Hop } from './plan.ts'
import type { ExchangeListener, ResponseReader } from './response-reader.ts'

export interface RequestOptions extends ConnectOptions {
  /** Whether the whole body is kept; else only its beginning. */
  readonly wantsBody: boolean
  readonly bodyBytesMax?: number
  /** How much of its beginning is kept; default: what evidence needs. */
  readonly bodyBytesKept?: number
  /** A socket of this machine in place of the host. */
  readonly socketPath?: string | undefined
  /** Gets the head; returns false if the rest of the response is not needed. */
  readonly onHead?: (response: ResponseReader) => boolean
}

/** Returns the response, read as far as needed. Rejects with a RunError if there is none. */
export async function request(
  run: GuardedRun<RunRecord>,
  hop: Hop,
  options: RequestOptions,
): Promise<ResponseReader> {
  const { socketPath } = options
  const { socket } =
    socketPath === undefined
      ? await run.connect(hop, options)
      : await run.connectLocal(socketPath, hop.host)
  const { record, clock } = run
  const { wantsBody, bodyBytesMax, bodyBytesKept, onHead } = options
  return new Promise((resolve, reject) => {
    const listener: ExchangeListener = {
      began() {
        // It comes again for the response after an interim one, so the last call counts.
        record.end('firstByte')
        record.enter('download')
      },
      headed(response) {
        if (onHead === undefined || onHead(response)) return
        response.destroy()
        resolve(response)
      },
      ended(response) {
        record.end()
        resolve(response)
      },
      broke({ status, bodyBytes }, cause) {
        const found = exchangeFailure(cause, { hasStatus: status !== 0, bodyBytes })
        reject(new RunError(found, record.phase, { cause }))
      },
    }
    const reading = { clock, listener, wantsBody, bodyBytesMax, bodyBytesKept }
    run.track(
      speaksHttp2(socket)
        ? new Http2Exchange(hop, socket, reading)
        : new Http1Exchange(hop, socket, reading),
    )
  })
}

/** The decoded body of a response. */
export async function bodyOf(response: ResponseReader): Promise<Buffer> {
  const { isCut, headers, chunks, bodyBytesMax: bytesMax } = response
  if (isCut) throw new RunError(bodyTooLarge(bytesMax), 'download')
  const codings = codingsOf(headers['content-encoding'])
  const decoded = await decodeBody(Buffer.concat(chunks), codings, { bytesMax })
  if (decoded.failure !== undefined) throw new RunError(decoded.failure, 'download')
  return decoded.bytes
}
