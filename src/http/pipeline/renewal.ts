// Renewal: a session whose value is too old gets a new one with the response.
import type { Endpoint, Exchange } from '../edge/exchange.ts'
import { headerLines, type WireReply } from '../edge/reply.ts'
import type { Route } from '../routing/route.ts'
import type { Services } from '../routing/services.ts'
import type { Admission } from './admission.ts'
import { sessionCookie } from './session-cookie.ts'

/** Renews the caller's session if that is due, then runs the route. */
export type Renewal = (
  exchange: Exchange,
  admission: Admission,
  run: Endpoint<Admission>['run'],
) => WireReply | Promise<WireReply>

/**
 * Renews the caller's session value if that is due: once a day, and after a change of role. Runs
 * before the route, so that every response carries it; a route that sets the cookie itself has
 * precedence. Undefined for a route whose callers send no session cookie.
 */
export function createRenewal(
  { spec }: Pick<Route, 'spec'>,
  { services, baseUrl }: { readonly services: Services; readonly baseUrl: string },
): Renewal | undefined {
  const { who } = spec
  // A client that sends the session in a header would not look for a cookie.
  if ('public' in who || 'pathToken' in who || 'tokenHeader' in who) return undefined

  return (exchange, admission, run) => {
    const principal = admission.caller?.principal
    if (principal?.kind !== 'session' || !principal.mustRenew) return run(exchange, admission)
    return services.sessions.renew(principal).then((token) => {
      if (token !== undefined) exchange.lines += headerLines([sessionCookie(token, baseUrl)])
      return run(exchange, admission)
    })
  }
}
