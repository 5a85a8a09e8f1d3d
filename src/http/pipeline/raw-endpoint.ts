// Raw routes as endpoints: requests need no credential, and each route has its own response format.
import { limits } from '../../domain/limits/limits.ts'
import { countedAddress } from '../../domain/network.ts'
import type { Endpoint, Exchange } from '../edge/exchange.ts'
import type { WireReply } from '../edge/reply.ts'
import type { RawReply, RawRequest, RawRoute } from '../routing/raw-route.ts'
import { type AdmissionDeps, decodeParams, paramNames } from './admission.ts'
import { hostOf } from './by-host.ts'

export type RawDeps = Pick<AdmissionDeps, 'services' | 'gates' | 'refuseWhileDraining'>

export function rawEndpoint(route: RawRoute, deps: RawDeps): Endpoint<RawRequest> {
  const names = paramNames(route.path)
  const gate = route.rate === null ? undefined : deps.gates[route.rate]
  // Only API routes report rate limits in headers. Pages do not, because caches store them with
  // their headers.
  const tellsRate = route.path.startsWith('/api/')

  return {
    name: route.name,
    paramCount: names.length,
    headers: ['host', ...(route.headers ?? [])],
    bodyBytesMax: 0,
    deadlineMs: limits.requestMsMax,
    admit(exchange) {
      if (gate) deps.refuseWhileDraining()
      const request = new RawCall(exchange, decodeParams(names, exchange))
      // The address is read only where a limit counts by it, because reading it costs as much as
      // everything else here.
      if (gate && !gate.isOpen) {
        const rateLines = gate.take(countedAddress(request.address), request.nowMs)
        if (tellsRate) exchange.lines += rateLines
      }
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

function withLines({ status, head, body }: RawReply, lines: string): WireReply {
  return { status, head: head + lines, body }
}
