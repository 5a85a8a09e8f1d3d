// The handshake of a WebSocket (RFC 6455 §4): an HTTP request that upgrades the connection.
import { createHash, randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { limits } from '../../domain/limits/limits.ts'
import { exchangeFailure, type Failure, failure } from '../../net/failure.ts'
import { Http1Exchange } from '../../net/http-client/exchange.ts'
import type { Hop } from '../../net/http-client/plan.ts'
import { isRedirect } from '../../net/http-client/redirect-chain.ts'
import type { ExchangeListener, ResponseReader } from '../../net/http-client/response-reader.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import type { ProbeRun } from '../run/probe-run.ts'

/**
 * A constant of the protocol. The server appends it to the key and returns the hash, to prove that
 * it understood the request (§1.3).
 */
const serverWord = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const keyBytes = 16
/** The handshake itself sets these, regardless of the monitor. */
const ownHeader = /^sec-websocket-(key|version|extensions|accept)$/i
const stayedHttp = 'the server answered 101 but kept speaking HTTP'
const noProgress = { hasStatus: false, bodyBytes: 0 } as const

/** How long a check reads the body of a response that refuses a WebSocket. */
const refusalMs = 500

/**
 * Requests a WebSocket on a fresh connection and returns it. Throws a RunError for any other
 * response; a refusing response is recorded. Redirects are not followed.
 *
 * undici's Client writes the request and reads the response, as for endpoints: the same parser,
 * bounds and error messages.
 */
export async function shakeHands(run: ProbeRun, hop: Hop, untilMs: number): Promise<Socket> {
  const { clock, record } = run
  const { socket } = await run.connect(hop)
  const key = randomBytes(keyBytes).toString('base64')
  const chosen = withoutHandshakeHeaders(hop.headers)
  const headers = [...chosen, 'sec-websocket-version', '13', 'sec-websocket-key', key]
  return new Promise((resolve, reject) => {
    let timer: unknown
    const refuse = (found: Failure): void => {
      exchange.destroy()
      reject(new RunError(found, 'firstByte'))
    }
    const turnAway = ({ status }: ResponseReader): void => {
      clock.clearTimeout(timer)
      exchange.destroy()
      reject(new RunError(statusFailure(status)))
    }
    const listener: ExchangeListener = {
      began: () => record.end('firstByte'),
      headed(response) {
        if (response.status === 101) return refuse(failure('invalid_response', stayedHttp))
        record.response = response
        const waitMs = Math.min(refusalMs, untilMs - clock.monoMs())
        timer = clock.setTimeout(() => turnAway(response), waitMs)
      },
      ended: turnAway,
      broke(response, cause) {
        if (response.status === 0) refuse(exchangeFailure(cause, noProgress))
        else turnAway(response)
      },
    }
    const upgrade = {
      protocol: 'websocket',
      done(answered: IncomingHttpHeaders) {
        const problem = upgradeProblem(answered, key, chosen)
        if (problem === null) resolve(socket)
        else refuse(failure('invalid_response', problem))
      },
    }
    // A response that refuses the upgrade is read only as far as it is shown.
    const bounds = { wantsBody: false, bodyBytesMax: limits.evidenceKeptBytes }
    const exchange = new Http1Exchange({ ...hop, headers }, socket, {
      clock,
      listener,
      upgrade,
      ...bounds,
    })
    run.track(exchange)
  })
}

function withoutHandshakeHeaders(headers: readonly string[]): readonly string[] {
  return headers.filter((_, i) => !ownHeader.test(headers[i - (i % 2)] ?? ''))
}

function statusFailure(status: number): Failure {
  const more = isRedirect(status) ? ': redirects of a WebSocket are not followed' : ''
  return failure('status', `expected status 101, found ${status}${more}`)
}

/** What is wrong with the headers of a 101 (§4.1, after step 5), or null. */
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

/** Node returns a list for a duplicate header, although its type says text. */
function textOf(header: string | readonly string[] | undefined): string {
  return String(header ?? '').trim()
}
