// Admission: everything that is decided about a request before its body is read.
import { Fault, notFound } from '../../base/fault.ts'
import { asId, kindTitles } from '../../base/ids.ts'
import { credentialId } from '../../domain/access.ts'
import { languageFor } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import { countedAddress } from '../../domain/network.ts'
import { isTokenShaped, type TokenPrefix } from '../../seal/tokens.ts'
import type { Services } from '../../services/assembly/services.ts'
import type { Caller, OrgScope } from '../../services/context.ts'
import type { LinkedProbe } from '../../services/locations/probe-link.ts'
import type { Exchange } from '../edge/exchange.ts'
import { decodePart, parseQuery } from '../input/query.ts'
import { paramKind, type Route } from '../routing/route.ts'
import { type Authenticator, authorize, bearerToken } from './auth.ts'
import type { RateGates } from './rate.ts'
import type { Refusals } from './refusals.ts'

export interface AdmissionDeps {
  readonly services: Services
  readonly authenticator: Authenticator
  readonly gates: RateGates
  /** Whether there is space for new objects. */
  readonly hasRoom: () => boolean
  /** Throws shutting_down once the service is draining. */
  readonly refuseWhileDraining: () => void
}

/** The results of admission. */
export interface Admission {
  /** Absent for a `pathToken` route, and for one of probes. */
  readonly caller: Caller | undefined
  readonly scope: OrgScope | undefined
  /** Present for a route of probes. */
  readonly probe?: LinkedProbe
  readonly params: Readonly<Record<string, string>>
}

export type Admit = (exchange: Exchange) => Admission

/**
 * Runs authentication, the rate limit and authorization. If one of them refuses, the body is not
 * read.
 */
export function createAdmission(route: Route, refusals: Refusals, deps: AdmissionDeps): Admit {
  const { spec, method } = route
  const { who } = spec
  if ('pathToken' in who) return createTokenAdmission(route, who.pathToken, deps)
  if ('probe' in who) return createProbeAdmission(deps)
  const { authenticator, gates, services } = deps
  const gate = gates.of(spec.rate ?? 'api')
  const countsByAddress = spec.rate === 'auth'
  const names = paramNames(route.path)
  const kinds = names.map((name) => paramKind(name))

  return (exchange) => {
    deps.refuseWhileDraining()
    const { nowMs } = exchange
    const byAddress = () => gate.take(countedAddress(exchange.address), nowMs)
    let caller: Caller
    try {
      if (spec.takesForm) authenticator.refuseForeignForm(exchange)
      const principal = authenticator.authenticate(who, method, exchange, nowMs)
      caller = {
        principal,
        requestId: exchange.requestId,
        address: exchange.address,
        userAgent: exchange.header('user-agent').slice(0, limits.userAgentCharsMax),
        language: languageFor(exchange.header('accept-language')),
      }
    } catch (error) {
      // A request whose authentication fails is counted as well: by its IP address, because it has
      // no valid credential.
      exchange.lines += byAddress()
      throw error
    }
    const counted = countsByAddress ? undefined : credentialId(caller.principal)
    exchange.lines += counted === undefined ? byAddress() : gate.take(counted, nowMs)
    const params = decodeParams(names, exchange)
    const scope = refusals.around(caller, params.orgId, () =>
      authorize(who, caller, params.orgId, services.identity, nowMs),
    )
    for (const [at, kind] of kinds.entries()) {
      if (kind === undefined || asId(kind, params[names[at] ?? ''] ?? '')) continue
      throw notFound(kindTitles[kind])
    }
    if (route.creates && !deps.hasRoom()) throw storageFull()
    return { caller, scope, params }
  }
}

/**
 * Admission of push reports, which carry a token in the path and no other credential. Reports are
 * frequent and reading an address is slow, so it is read only for a malformed token.
 */
function createTokenAdmission(
  { path, spec }: Route,
  prefix: TokenPrefix,
  { gates, refuseWhileDraining }: AdmissionDeps,
): Admit {
  const gate = gates.of(spec.rate ?? 'api')
  const names = paramNames(path)
  return (exchange) => {
    refuseWhileDraining()
    const params = decodeParams(names, exchange)
    const { token = '' } = params
    const credential = isTokenShaped(token, prefix) ? token : keyOf(token, exchange)
    // A malformed token is counted by the sender's address; otherwise invented tokens would fill
    // the limiter's memory.
    const counted = credential ?? countedAddress(exchange.address)
    exchange.lines += gate.take(counted, exchange.nowMs)
    return { caller: undefined, scope: undefined, params }
  }
}

/** Admission of remote probes: each has a count of its own, and what no probe sent counts by address. */
function createProbeAdmission({ services, gates, refuseWhileDraining }: AdmissionDeps): Admit {
  const gate = gates.of('probe')
  return (exchange) => {
    refuseWhileDraining()
    const { address, nowMs } = exchange
    try {
      const bearer = bearerToken(exchange.header('authorization'))
      const probe = services.probeLink.authenticate(bearer, address, nowMs)
      exchange.lines += gate.take(probe.probe.id, nowMs)
      return { caller: undefined, scope: undefined, probe, params: {} }
    } catch (error) {
      if (error instanceof Fault && error.code === 'unauthenticated') {
        exchange.lines += gate.take(countedAddress(address), nowMs)
      }
      throw error
    }
  }
}

/** An API key in the query, together with the monitor in the place of the token. */
function keyOf(token: string, { queryText }: Exchange): string | undefined {
  if (!asId('monitor', token)) return undefined
  const [, apiKey = ''] = parseQuery(queryText).find(([name]) => name === 'apiKey') ?? []
  return isTokenShaped(apiKey, 'sup') ? `${token} ${apiKey}` : undefined
}

/** The names of a pattern's parameters, in order. */
export function paramNames(path: string): string[] {
  return path.split('/').flatMap((part) => (part.startsWith(':') ? [part.slice(1)] : []))
}

/** Path parameters by name, decoded. Throws invalid_parameter. */
export function decodeParams(names: readonly string[], exchange: Exchange): Record<string, string> {
  const params: Record<string, string> = {}
  let at = 0
  for (const name of names) {
    params[name] = decodePart(exchange.params[at] ?? '')
    at += 1
  }
  return params
}

export function storageFull(): Fault {
  const headers = [['Retry-After', String(limits.retryAfterSeconds)]] as const
  return new Fault('storage_full', 'There is no space left: nothing new can be stored', { headers })
}
