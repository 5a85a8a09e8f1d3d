// Arrival: what is found out about every request before anything else, and who then is its caller.
import { Fault } from '../../base/fault.ts'
import { newId } from '../../base/ids.ts'
import type { Principal } from '../../domain/access.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Caller } from '../../services/context.ts'
import type { ProxyTrust } from '../edge/address.ts'
import type { Exchange } from '../edge/exchange.ts'

export interface Arrivals {
  /** The headers that `note` and `callerOf` read: every endpoint names them. */
  readonly headers: readonly string[]
  /** Names the request, resolves its address and reads the clock. */
  note(exchange: Exchange): void
  /** Throws shutting_down once the service is being drained. */
  refuseWhileDraining(): void
  callerOf(exchange: Exchange, principal: Principal): Caller
}

export interface ArrivalsDeps {
  readonly nowMs: () => number
  readonly trust: ProxyTrust
  readonly isDraining: () => boolean
}

const requestIdPattern = new RegExp(
  `^[A-Za-z0-9_-]{${limits.requestIdCharsMin},${limits.requestIdCharsMax}}$`,
)

export function createArrivals({ nowMs, trust, isDraining }: ArrivalsDeps): Arrivals {
  const forwarding = trust.isEmpty ? [] : ['x-forwarded-for']
  return {
    headers: ['x-request-id', 'user-agent', ...forwarding],

    note(exchange) {
      exchange.nowMs = nowMs()
      const given = exchange.header('x-request-id')
      // A proxy's id joins its log to ours; anything that could not be one is replaced.
      const isSane = given !== '' && requestIdPattern.test(given)
      exchange.requestId = isSane ? given : newId('request', exchange.nowMs)
      exchange.lines = `\r\nX-Request-Id: ${exchange.requestId}`
      exchange.address = trust.isEmpty
        ? exchange.peer
        : trust.resolve(exchange.peer, exchange.header('x-forwarded-for'))
    },

    refuseWhileDraining() {
      if (isDraining()) throw new Fault('shutting_down', 'The service is shutting down')
    },

    callerOf: (exchange, principal) => ({
      principal,
      requestId: exchange.requestId,
      address: exchange.address,
      userAgent: exchange.header('user-agent').slice(0, limits.userAgentCharsMax),
    }),
  }
}
