// Raw routes as endpoints: admitted without a credential, and answered in their own words.
import { limits } from '../../domain/limits/limits.ts'
import { countedAddress } from '../../domain/network.ts'
import type { Endpoint } from '../edge/exchange.ts'
import type { WireReply } from '../edge/reply.ts'
import type { RawReply, RawRequest, RawRoute } from '../routing/raw-route.ts'
import { type AdmissionDeps, decodeParams, paramNames } from './admission.ts'

export type RawDeps = Pick<AdmissionDeps, 'services' | 'gates' | 'refuseWhileDraining'>

export function rawEndpoint(route: RawRoute, deps: RawDeps): Endpoint<RawRequest> {
  const names = paramNames(route.path)
  const gate = route.rate === null ? undefined : deps.gates[route.rate]
  // The headers that tell about limits belong to the API; pages are kept by caches.
  const tellsRate = route.path.startsWith('/api/')

  return {
    name: route.name,
    paramCount: names.length,
    headers: ['host', ...(route.headers ?? [])],
    bodyBytesMax: 0,
    deadlineMs: limits.requestMsMax,
    admit(exchange) {
      if (gate) deps.refuseWhileDraining()
      const { nowMs, address } = exchange
      const params = decodeParams(names, exchange)
      const rateLines = gate?.take(countedAddress(address), nowMs) ?? ''
      if (tellsRate) exchange.lines += rateLines
      return {
        params,
        address,
        nowMs,
        host: exchange.header('host').replace(/:\d*$/, '').toLowerCase(),
        header: (name) => exchange.header(name),
      }
    },
    run({ lines }, request) {
      const reply = route.handle(request, deps.services)
      if (reply instanceof Promise) return reply.then((settled) => withLines(settled, lines))
      return withLines(reply, lines)
    },
  }
}

function withLines({ status, head, body }: RawReply, lines: string): WireReply {
  return { status, head: head + lines, body }
}
