// Answers GETs of documents that are ready, many thousand a second: without an exchange, an id, or
// anything else that only a request needs that is still to be worked on. Whatever is not plainly
// such a request gets the ordinary handler, which also refuses and explains.
import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import type { Clock } from '../../base/clock.ts'
import { countedAddress } from '../../domain/network.ts'
import { isSecure, type ProxyTrust, peerOf } from './address.ts'
import { type EdgeHandler, forwardedFor, type SharedBounds } from './exchange.ts'
import { statusLine } from './reply.ts'

interface QuickRequest {
  /** As sent, without the query. */
  readonly path: string
  /** As sent, without the question mark. */
  readonly queryText: string
  header(name: string): string
}

export interface QuickReply {
  readonly status: 200 | 304
  /** The name of the first header, and its value followed by the other headers as lines. */
  readonly firstName: string
  readonly rest: Uint8Array
  /** Not empty; absent with 304. */
  readonly body?: Uint8Array
}

/** Undefined if the ordinary handler is to answer. It must not throw. */
export type QuickLook = (request: QuickRequest, nowMs: number) => QuickReply | undefined

export interface QuickHooks {
  readonly clock: Pick<Clock, 'monoMs' | 'nowMs'>
  readonly trust: ProxyTrust
  /** Whether a caller's address counts, and has some left. */
  readonly limitsAddress: () => boolean
  readonly isAllowed: (address: string, nowMs: number) => boolean
  /** False while the service drains. */
  readonly isOpen: () => boolean
  /** Present where the daemon has TLS. */
  readonly secure?: QuickSecurity | undefined
  readonly onAnswered: (status: QuickReply['status']) => void
}

interface QuickSecurity {
  /** Whether plain requests with this Host header are led to TLS, which the ordinary handler does. */
  readonly leads: (host: string) => boolean
  /** The value of Strict-Transport-Security for callers that speak TLS; '' for none. */
  readonly hsts: string
}

export const hstsName = 'Strict-Transport-Security'

export function quickHandler(
  look: QuickLook,
  hooks: QuickHooks,
  { turns, pieces, lastAnswers }: SharedBounds,
  otherwise: EdgeHandler,
): EdgeHandler {
  const { clock, trust, limitsAddress, isAllowed, isOpen, secure, onAnswered } = hooks
  const sent = new ReusedRequest()

  function addressOf(res: HttpResponse, req: HttpRequest): string {
    const peer = peerOf(res)
    return trust.isEmpty ? peer : trust.resolve(peer, req.getHeader(forwardedFor))
  }

  /** Undefined if it cannot be answered here. */
  function replyTo(res: HttpResponse, req: HttpRequest): QuickReply | undefined {
    const hasBody =
      req.getHeader('content-length') !== '' || req.getHeader('transfer-encoding') !== ''
    if (hasBody || !isOpen() || !turns.hasTime(clock.monoMs())) return undefined
    if (secure && !isSecure(res) && secure.leads(req.getHeader('host'))) return undefined
    const nowMs = clock.nowMs()
    sent.of = req
    const reply = look(sent, nowMs)
    sent.of = undefined
    if (!reply || !limitsAddress()) return reply
    return isAllowed(countedAddress(addressOf(res, req)), nowMs) ? reply : undefined
  }

  return (res, req) => {
    const reply = replyTo(res, req)
    if (!reply) {
      otherwise(res, req)
      return
    }
    const { status, firstName, rest, body } = reply
    if (status !== 200) res.writeStatus(statusLine(status))
    res.writeHeader(firstName, rest)
    if (secure && secure.hsts !== '' && isSecure(res)) res.writeHeader(hstsName, secure.hsts)
    if (body) pieces.send(res, body)
    else if (lastAnswers.isDue(addressOf(res, req))) lastAnswers.write(res)
    else res.endWithoutBody()
    onAnswered(status)
  }
}

/** One for all requests of an endpoint: a request ends before the next begins. */
class ReusedRequest implements QuickRequest {
  of: HttpRequest | undefined

  get path(): string {
    return this.of?.getUrl() ?? ''
  }

  get queryText(): string {
    return this.of?.getQuery() ?? ''
  }

  header(name: string): string {
    return this.of?.getHeader(name) ?? ''
  }
}
