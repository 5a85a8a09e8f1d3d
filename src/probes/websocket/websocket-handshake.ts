// The handshake of a WebSocket (RFC 6455 §4): an HTTP request that turns the connection into one.
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../../base/clock.ts'
import { limits } from '../../domain/limits/limits.ts'
import { exchangeFailure, type Failure, failure } from '../../net/failure.ts'
import { boundBytes, clientOn, mutable } from '../../net/http/exchange.ts'
import { type Hop, isRedirect } from '../../net/http/plan.ts'
import type { Answered } from '../run/evidence.ts'
import { LookFailed } from '../run/look.ts'

/** Every server adds it to the key, to show that it knows what it was asked (§1.3). */
const serverWord = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const keyBytes = 16
/** These the handshake itself writes, whatever a monitor says. */
const ownHeader = /^sec-websocket-(key|version|extensions|accept)$/i
const stayedHttp = 'the server answered 101 but kept speaking HTTP'
const noProgress = { hasStatus: false, bodyBytes: 0 } as const

export interface Shaking {
  readonly clock: Clock
  /** Monotonic: until then the body of a refusal is read. */
  readonly untilMs: number
  /** Called at the first byte of the answer. */
  readonly began: () => void
}

/**
 * Asks for a WebSocket on an open connection.
 * Throws LookFailed where the answer is anything else. A redirect is not followed.
 *
 * undici's Client writes the request and reads the answer, as for endpoints: the same parser, the
 * same bounds, the same words for what goes wrong.
 */
export function shakeHands(hop: Hop, socket: Socket, shaking: Shaking): Promise<void> {
  const { clock, untilMs, began } = shaking
  const key = randomBytes(keyBytes).toString('base64')
  const chosen = withoutOwn(hop.headers)
  const headers = [...chosen, 'sec-websocket-version', '13', 'sec-websocket-key', key]
  return new Promise((resolve, reject) => {
    const refuse = (found: Failure): void => {
      socket.destroy()
      reject(new LookFailed(found, 'firstByte'))
    }
    let refusal: Answered | undefined
    let bytes = 0
    let timer: unknown
    const turnAway = (): void => {
      if (refusal === undefined) return
      clock.clearTimeout(timer)
      socket.destroy()
      reject(new LookFailed(statusFailure(refusal.status), undefined, undefined, refusal))
    }
    const unbound = boundBytes(socket)
    clientOn(hop.origin, socket, began).dispatch(
      { path: hop.path, method: 'GET', upgrade: 'websocket', headers: mutable(headers) },
      {
        onRequestStart() {
          // undici insists on it; the time of the request began with the handshake.
        },
        onRequestUpgrade(_, _status, answered) {
          unbound()
          const problem = upgradeProblem(answered, key, chosen)
          if (problem === null) resolve()
          else refuse(failure('invalid_response', problem))
        },
        onResponseStart(_, status, headers) {
          if (status === 101) return refuse(failure('invalid_response', stayedHttp))
          refusal = { status, headers, chunks: [] }
          const leftMs = Math.min(limits.refusalMs, untilMs - clock.monoMs())
          timer = clock.setTimeout(turnAway, leftMs)
        },
        onResponseData(_, chunk) {
          refusal?.chunks.push(chunk)
          bytes += chunk.length
          if (bytes >= limits.evidenceKeptBytes) turnAway()
        },
        onResponseEnd: turnAway,
        onResponseError(_, cause) {
          if (refusal === undefined) refuse(exchangeFailure(cause, noProgress))
          else turnAway()
        },
      },
    )
  })
}

function withoutOwn(headers: readonly string[]): readonly string[] {
  return headers.filter((_, i) => !ownHeader.test(headers[i - (i % 2)] ?? ''))
}

function statusFailure(status: number): Failure {
  const more = isRedirect(status) ? ': redirects of a WebSocket are not followed' : ''
  return failure('status', `expected status 101, found ${status}${more}`)
}

/** What is wrong with the headers of a 101; null where nothing is (§4.1, after step 5). */
function upgradeProblem(
  answered: IncomingHttpHeaders,
  key: string,
  sent: readonly string[],
): string | null {
  if (textOf(answered.upgrade).toLowerCase() !== 'websocket') {
    return 'the server switched to a protocol other than WebSocket'
  }
  const accept = createHash('sha1').update(`${key}${serverWord}`).digest('base64')
  if (textOf(answered['sec-websocket-accept']) !== accept) {
    return 'the server sent no Sec-WebSocket-Accept, or a wrong one'
  }
  if (answered['sec-websocket-extensions'] !== undefined) {
    return 'the server uses an extension that was not offered'
  }
  const protocol = answered['sec-websocket-protocol']
  if (protocol === undefined || offeredProtocols(sent).includes(textOf(protocol))) return null
  return 'the server chose a subprotocol that was not offered'
}

function offeredProtocols(sent: readonly string[]): readonly string[] {
  return sent.flatMap((name, i) => {
    if (i % 2 !== 0 || !/^sec-websocket-protocol$/i.test(name)) return []
    return (sent[i + 1] ?? '').split(',').map((protocol) => protocol.trim())
  })
}

/** A header that was sent twice is a list, whatever its type says. */
function textOf(header: string | readonly string[] | undefined): string {
  return String(header ?? '').trim()
}
