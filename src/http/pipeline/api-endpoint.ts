// One route of the API as an endpoint. A request is admitted, parsed, handled and replied to; each
// stage gets what the one before it returns.
import type { Clock } from '../../base/clock.ts'
import { Fault } from '../../base/fault.ts'
import { onBehalfOf } from '../../base/waiting/behalf.ts'
import { laterTurn } from '../../base/yielding.ts'
import { credentialId } from '../../domain/access.ts'
import { limits } from '../../domain/limits/limits.ts'
import { countedAddress } from '../../domain/network.ts'
import type { ReplayClaim } from '../../services/replays.ts'
import type { Endpoint, Exchange } from '../edge/exchange.ts'
import type { WireReply } from '../edge/reply.ts'
import { isForm } from '../input/form-body.ts'
import type { Cursors } from '../input/paging.ts'
import { createPageReader } from '../input/paging.ts'
import { challengeOf } from '../output/problems.ts'
import { createResponder, withoutCookies } from '../output/respond.ts'
import { zipped } from '../output/zipped.ts'
import type { ParsedCall, Route } from '../routing/route.ts'
import { type Admission, type AdmissionDeps, createAdmission, paramNames } from './admission.ts'
import { credentialHeaders, isFromOtherSite } from './auth.ts'
import { answerOnce, replayClaim } from './idempotency.ts'
import { createLargeReader, createParsing, readsBody } from './parsing.ts'
import { createRefusals } from './refusals.ts'
import { createRenewal } from './session-cookie.ts'

export interface ApiDeps extends AdmissionDeps {
  readonly cursors: Cursors
  readonly clock: Pick<Clock, 'monoMs'>
  readonly baseUrl: string
}

export function apiEndpoint(route: Route, deps: ApiDeps): Endpoint<Admission> {
  const { spec, method, isList, creates } = route
  const { services } = deps
  const refusals = createRefusals(route, deps)
  const pages = isList ? createPageReader(spec.query, deps) : undefined
  const readLarge = createLargeReader(route, deps.clock)
  const parse = createParsing(route, { services, gates: deps.gates, pages })
  const responder = createResponder(spec.out, spec.message)
  const renew = createRenewal(route, deps)

  // Another site must not sign a browser in as somebody else. A route that takes forms refuses all
  // its requests; from any other public route it may have the answer, but no cookie.
  const maySignIn = 'public' in spec.who && method === 'POST' && !spec.takesForm

  function reply(handled: unknown, exchange: Exchange, { page, scope }: ParsedCall): WireReply {
    const ifNoneMatch = method === 'GET' && !isList ? exchange.header('if-none-match') : ''
    const result = maySignIn && isFromOtherSite(exchange) ? withoutCookies(handled) : handled
    const mayGoOn = () => isStillAllowed({ scope }, exchange)
    const context = { lines: exchange.lines, ifNoneMatch }
    const made =
      pages && page
        ? responder.many(result, page.limit, context, (after) => pages.next(exchange, after))
        : responder.one(result, context, {
            ...{ mayGoOn, clock: deps.clock },
            run: runLate(exchange, scope),
          })
    if (!scope || (made.body?.length ?? 0) <= limits.smallBodyBytesMax) return made
    // A long answer ends with the right to read it.
    return { ...made, mayGoOn }
  }

  /** Runs what goes on after the answer began, at the expense of its owner. */
  function runLate({ requestId }: Exchange, scope: ParsedCall['scope']) {
    return (work: () => Promise<void>): void => {
      const done = scope ? onBehalfOf(scope.orgId, work) : work()
      done.catch((error: unknown) => {
        const { message, stack } = error instanceof Error ? error : new Error(String(error))
        const context = { requestId, route: route.name }
        services.errorReports.own({ message, stack, context })
      })
    }
  }

  function claimOf(exchange: Exchange, { caller }: Admission): ReplayClaim | undefined {
    const key = exchange.header('idempotency-key')
    const operation = `${route.name} ${exchange.path}`
    return caller && replayClaim(key, caller.principal, operation, exchange.body)
  }

  async function runCreation(
    toWire: Required<Route>['creates'],
    exchange: Exchange,
    admission: Admission,
    call: ParsedCall,
  ): Promise<WireReply> {
    const work = async () => refusals.handle(call, services)
    const replyTo = (made: unknown) => reply(toWire(made, call, services), exchange, call)
    const claim = claimOf(exchange, admission)
    if (!claim) return replyTo(await work())
    return answerOnce({ work, replyTo }, claim, exchange, services.replays)
  }

  /** The caller's rights may end while a body is on its way, or an answer is made or sent. */
  function isStillAllowed({ scope }: Pick<Admission, 'scope'>, { nowMs }: Exchange): boolean {
    if (!scope || !('role' in spec.who)) return true
    return services.identity.holds(scope, spec.who.role, nowMs)
  }

  function mustStillBeAllowed(admission: Admission, exchange: Exchange): void {
    if (isStillAllowed(admission, exchange)) return
    throw new Fault('forbidden', 'Your right to do this ended while the request was on its way')
  }

  /** What takes long, or writes, does so in turn with other organizations, and other people. */
  function run(exchange: Exchange, admission: Admission): WireReply | Promise<WireReply> {
    const owner = ownerOf(admission)
    if (owner === undefined) return runAdmitted(exchange, admission)
    return onBehalfOf(owner, () => runAdmitted(exchange, admission))
  }

  function runAdmitted(exchange: Exchange, admission: Admission): WireReply | Promise<WireReply> {
    if (method !== 'GET') mustStillBeAllowed(admission, exchange)
    const reading = readLarge?.(exchange)
    if (!reading) return runParsed(exchange, admission, parse(exchange, admission))
    return reading.then((large) => {
      mustStillBeAllowed(admission, exchange)
      return runParsed(exchange, admission, parse(exchange, admission, large))
    })
  }

  function runParsed(
    exchange: Exchange,
    admission: Admission,
    call: ParsedCall,
  ): WireReply | Promise<WireReply> {
    if (creates) return runCreation(creates, exchange, admission, call)
    const result = refusals.handle(call, services)
    if (!(result instanceof Promise)) return reply(result, exchange, call)
    if (!spec.isLarge) {
      return result.then((settled) => {
        if (method === 'GET') mustStillBeAllowed(admission, exchange)
        return reply(settled, exchange, call)
      })
    }
    return result.then(async (settled) => {
      // Writing it takes a turn of its own.
      await laterTurn()
      if (method === 'GET') mustStillBeAllowed(admission, exchange)
      const made = reply(settled, exchange, call)
      return zipped(made, exchange.header('accept-encoding'), Object(settled))
    })
  }

  return {
    name: route.name,
    challenge: challengeOf(spec.who),
    paramCount: paramNames(route.path).length,
    headers: headersOf(route),
    bodyBytesMax: readsBody(route) ? (spec.bodyBytesMax ?? limits.bodyBytesMax) : 0,
    deadlineMs: spec.deadlineMs ?? limits.requestMsMax,
    mayWrite: method !== 'GET' || 'pathToken' in spec.who,
    ...(spec.isHeld ? { isHeld: true } : {}),
    admit: createAdmission(route, refusals, deps),
    run: renew ? (exchange, admission) => renew(exchange, admission, run) : run,
    isForPeople: readersOf(route),
    ownerOf,
  }
}

/** Whose expense a request is; undefined for one that carries a token in its path only. */
function ownerOf({ caller, scope, probe }: Admission): string | undefined {
  return (
    scope?.orgId ??
    probe?.probe.orgId ??
    (caller && (credentialId(caller.principal) ?? countedAddress(caller.address)))
  )
}

/** Whether a browser shows the response: true for routes that return HTML, and for posted forms. */
function readersOf({ spec, method }: Route): (exchange: Exchange) => boolean {
  const isPage = method === 'GET' && spec.plain?.contentType?.startsWith('text/html') === true
  return (exchange) => isPage || (spec.takesForm === true && isForm(exchange))
}

function headersOf({ spec, method, isList, creates }: Route): readonly string[] {
  const { who, unparsed } = spec
  if ('pathToken' in who) return unparsed?.headers ?? []
  if ('probe' in who) return ['authorization', ...(unparsed?.headers ?? [])]
  const names = ['user-agent', ...(unparsed?.headers ?? [])]
  const isAnonymous = 'public' in who
  if (!isAnonymous) names.push(...credentialHeaders)
  if (spec.isLarge) names.push('accept-encoding')
  if ('tokenHeader' in who) names.push('auth-token')
  if (spec.knowsDevices || spec.cookie !== undefined) names.push('cookie')
  if (method !== 'GET' || spec.plain) names.push('accept-language')
  if (spec.streams) return [...names, 'last-event-id']
  if (method === 'GET') return isList ? names : [...names, 'if-none-match']
  names.push('sec-fetch-site')
  if (!isAnonymous || spec.takesForm) names.push('origin', 'host')
  names.push('content-type')
  if (method === 'POST') return creates ? [...names, 'idempotency-key'] : names
  return [...names, 'if-match']
}
