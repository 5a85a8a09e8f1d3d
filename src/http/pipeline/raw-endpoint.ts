// Raw routes as endpoints: requests need no credential, and each route has its own response format.
import { Fault } from '../../base/fault.ts'
import { limits } from '../../domain/limits/limits.ts'
import { countedAddress } from '../../domain/network.ts'
import type { Endpoint, Exchange } from '../edge/exchange.ts'
import type { WireReply } from '../edge/reply.ts'
import { isForm } from '../input/form-body.ts'
import type { RawReply, RawRequest, RawRoute } from '../routing/raw-route.ts'
import { type AdmissionDeps, decodeParams, paramNames, storageFull } from './admission.ts'
import { refuseForeignPost } from './auth.ts'
import { hostOf } from './by-host.ts'

export type RawDeps = Pick<AdmissionDeps, 'services' | 'gates' | 'hasRoom' | 'refuseWhileDraining'>

const postHeaders = ['content-type', 'origin', 'sec-fetch-site', 'user-agent'] as const

/** The body of a form below a status page. */
export const formBytesMax = 16 * 1024

export function rawEndpoint(route: RawRoute, deps: RawDeps): Endpoint<RawRequest> {
  const names = paramNames(route.path)
  const gate = route.rate === null ? undefined : deps.gates.of(route.rate)
  // Only API routes report rate limits in headers. Pages do not, because caches store them with
  // their headers.
  const tellsRate = route.path.startsWith('/api/')
  const isPost = route.method === 'POST'
  const isFormOnly = isPost && route.from !== 'anywhere'

  return {
    name: route.name,
    paramCount: names.length,
    headers: ['host', ...(isPost ? postHeaders : []), ...(route.headers ?? [])],
    bodyBytesMax: isPost ? formBytesMax : 0,
    deadlineMs: limits.requestMsMax,
    mayWrite: isPost,
    ...(route.outlivesDrain && { outlivesDrain: true }),
    admit(exchange) {
      if (gate) deps.refuseWhileDraining()
      const request = new RawCall(exchange, decodeParams(names, exchange))
      // The address is read only where a limit counts by it, because reading it costs as much as
      // everything else here; and where it is wanted after the body was read.
      if (gate && (isPost || !gate.isOpen)) {
        const rateLines = gate.take(countedAddress(request.address), request.nowMs)
        if (tellsRate) exchange.lines += rateLines
      }
      if (isFormOnly) {
        refuseForeignPost(exchange)
        if (!isForm(exchange)) throw new Fault('unsupported_media_type', 'This takes a form')
      }
      if (route.creates && !deps.hasRoom()) throw storageFull()
      return request
    },
    run({ lines }, request) {
      const reply = route.handle(request, deps.services)
      if (reply instanceof Promise) return reply.then((settled) => withLines(settled, lines))
      return withLines(reply, lines)
    },
  }
}

/** A class, because most handlers read only one field. */
class RawCall implements RawRequest {
  readonly params: Readonly<Record<string, string>>
  readonly nowMs: number
  readonly #exchange: Exchange

  constructor(exchange: Exchange, params: Readonly<Record<string, string>>) {
    this.params = params
    this.nowMs = exchange.nowMs
    this.#exchange = exchange
  }

  get path(): string {
    return this.#exchange.path
  }

  get queryText(): string {
    return this.#exchange.queryText
  }

  get requestId(): string {
    return this.#exchange.requestId
  }

  get body(): Buffer {
    return this.#exchange.body
  }

  get address(): string {
    return this.#exchange.address
  }

  get host(): string {
    return hostOf(this.#exchange.header('host'))
  }

  header(name: string): string {
    return this.#exchange.header(name)
  }
}

function withLines({ status, head, body, open, mayGoOn }: RawReply, lines: string): WireReply {
  const whole = head + lines
  return open ? { status, head: whole, open } : { status, head: whole, body, mayGoOn }
}
