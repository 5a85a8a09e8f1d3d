// Renewal: a session whose value has had its time gets a new one along with the answer.

import type { Endpoint, Exchange } from '../edge/exchange.ts'
import { headerLines } from '../edge/reply.ts'
import type { Route } from '../routing/route.ts'
import type { Services } from '../routing/services.ts'
import { sessionCookie } from './session-cookie.ts'

interface Noted {
  readonly caller: { readonly principal: Parameters<Services['sessions']['renew']>[0] }
}

/**
 * Runs a route, and before it gives the caller's session a new value where that is due: once a day,
 * and after a change of role. It comes before the route, so that whatever the route answers carries
 * it; a route that sets the cookie itself has the last word.
 */
export function createRenewal(
  { spec }: Route,
  { services, baseUrl }: { readonly services: Services; readonly baseUrl: string },
  run: Endpoint['run'],
): Endpoint['run'] {
  // Who brings the session in a header would not look for a cookie.
  if ('public' in spec.who || 'tokenHeader' in spec.who) return run

  return (exchange: Exchange) => {
    const { principal } = (exchange.notes as Noted).caller
    if (principal.kind !== 'session' || !principal.mustRenew) return run(exchange)
    return services.sessions.renew(principal).then((token) => {
      if (token !== undefined) exchange.lines += headerLines([sessionCookie(token, baseUrl)])
      return run(exchange)
    })
  }
}
