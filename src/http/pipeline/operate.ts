// Operations: one route of the table becomes an endpoint: who, how often, what, then the handler.
import { Fault } from '../../base/fault.ts'
import { asId } from '../../base/ids.ts'
import { object } from '../../base/schema/schema.ts'
import { createCheck } from '../../base/schema/validate.ts'
import { credentialId } from '../../domain/access.ts'
import { limits } from '../../domain/limits/limits.ts'
import { countedAddress } from '../../domain/network.ts'
import type { Caller, OrgScope, PageRequest } from '../../services/context.ts'
import type { Endpoint, Exchange } from '../edge/exchange.ts'
import { headerLines, type WireReply } from '../edge/reply.ts'
import type { Cursors } from '../input/cursor.ts'
import { formFields, isForm } from '../input/form-body.ts'
import { needJsonType, parseJsonBody } from '../input/json-body.ts'
import { createPageReader } from '../input/paging.ts'
import { createQueryReader, decodePart, parseQuery, sentenceOf } from '../input/query.ts'
import { wantedRevision } from '../output/etag.ts'
import { createResponder, jsonHead } from '../output/respond.ts'
import { paramKind, type Route } from '../routing/route.ts'
import type { Services } from '../routing/services.ts'
import type { Arrivals } from './arrival.ts'
import { type Authenticator, authorize, credentialHeaders, oneCookie } from './auth.ts'
import { replayClaim } from './idempotency.ts'
import type { RateGates } from './rate.ts'
import { createRefusals, type Refusals } from './refusals.ts'
import { createRenewal } from './renewal.ts'
import { deviceOf } from './session-cookie.ts'

export interface OperateDeps {
  readonly services: Services
  readonly arrivals: Arrivals
  readonly authenticator: Authenticator
  readonly gates: RateGates
  readonly cursors: Cursors
  readonly baseUrl: string
  /** Whether anything new may be stored. */
  readonly hasRoom: () => boolean
}

/** What admission found out for the run. */
interface Admitted {
  readonly caller: Caller
  readonly scope: OrgScope | undefined
  readonly params: Readonly<Record<string, string>>
}

/** The names of a pattern's parameters, in order. */
export function paramNames(path: string): string[] {
  return path.split('/').flatMap((part) => (part.startsWith(':') ? [part.slice(1)] : []))
}

export function apiEndpoint(route: Route, deps: OperateDeps): Endpoint {
  const { spec, method } = route
  const readsBody = method !== 'GET' && (method !== 'DELETE' || spec.body !== undefined)
  const names = paramNames(route.path)
  const refusals = createRefusals(route, deps)
  const admit = createAdmission(route, names, { ...deps, refusals })
  const run = createRun({ ...route, handle: refusals.handle }, readsBody, deps)
  return {
    name: route.name,
    paramCount: names.length,
    headers: headersOf(route, deps.arrivals),
    bodyBytesMax: readsBody ? (spec.bodyBytesMax ?? limits.bodyBytesMax) : 0,
    deadlineMs: spec.deadlineMs ?? limits.requestMsMax,
    admit,
    run: createRenewal(route, deps, run),
    isForPeople: readersOf(route),
  }
}

/** A page is asked for by a person, and so is what its form is posted to. */
function readersOf({ spec, method }: Route): (exchange: Exchange) => boolean {
  const isPage = method === 'GET' && spec.plain?.contentType?.startsWith('text/html') === true
  return (exchange) => isPage || (spec.takesForm === true && isForm(exchange))
}

function headersOf({ spec, method, isList }: Route, arrivals: Arrivals): string[] {
  const names = [...arrivals.headers]
  if (!('public' in spec.who)) names.push(...credentialHeaders)
  if ('tokenHeader' in spec.who) names.push('auth-token')
  if (spec.knowsDevices || spec.cookie !== undefined) names.push('cookie')
  if (spec.streams) return [...names, 'last-event-id']
  if (method === 'GET') return isList ? names : [...names, 'if-none-match']
  names.push('content-type', 'sec-fetch-site', 'origin')
  if (method === 'POST') return spec.creates ? [...names, 'idempotency-key'] : names
  return [...names, 'if-match']
}

/** Everything that needs no body: a refused caller's body is not even read. */
function createAdmission(
  { spec, method }: Route,
  names: readonly string[],
  deps: OperateDeps & { readonly refusals: Refusals },
) {
  const { arrivals, authenticator, gates, services, refusals } = deps
  const { who } = spec
  const gate = gates[spec.rate ?? 'api']
  const countsByAddress = spec.rate === 'auth'
  const params = names.map((name) => ({ name, kind: paramKind(name) }))

  return (exchange: Exchange): void => {
    arrivals.note(exchange)
    arrivals.refuseWhileDraining()
    const { nowMs } = exchange
    const byAddress = () => gate.take(countedAddress(exchange.address), nowMs)
    let caller: Caller
    try {
      if (spec.takesForm) authenticator.refuseForeignForm(exchange)
      const principal = authenticator.authenticate(who, method, exchange, nowMs)
      caller = arrivals.callerOf(exchange, principal)
    } catch (error) {
      // Guessing is counted too: by address, because there is no credential to count by.
      exchange.lines += byAddress()
      throw error
    }
    const counted = countsByAddress ? undefined : credentialId(caller.principal)
    exchange.lines += counted === undefined ? byAddress() : gate.take(counted, nowMs)
    const values: Record<string, string> = {}
    for (const [at, { name }] of params.entries()) {
      values[name] = decodePart(exchange.params[at] ?? '')
    }
    const scope = refusals.around(caller, values.orgId, () =>
      authorize(who, caller, values.orgId, services.identity, nowMs),
    )
    for (const { name, kind } of params) {
      const isPossible = kind === undefined || asId(kind, values[name] ?? '') !== undefined
      if (!isPossible) throw new Fault('not_found', 'It does not exist')
    }
    if (spec.creates && !deps.hasRoom()) throw storageFull()
    exchange.notes = { caller, scope, params: values } satisfies Admitted
  }
}

function storageFull(): Fault {
  const headers = [['Retry-After', String(limits.retryAfterSeconds)]] as const
  return new Fault('storage_full', 'The disk is full: nothing new can be stored', { headers })
}

function createRun(route: Route, readsBody: boolean, deps: OperateDeps) {
  const { spec, method, isList, handle } = route
  const { services } = deps
  const responder = createResponder(spec.out, spec.message)
  const readQuery = createQueryReader(spec.query ?? object({}))
  const pages = isList ? createPageReader(spec.query, deps) : undefined
  const readBody = readsBody ? createBodyReader(route, deps) : undefined
  const readsRevision = method !== 'GET' && method !== 'POST'
  const revisionOf = spec.isOfMany ? noRevision : wantedRevision

  function reply(result: unknown, exchange: Exchange, page: PageRequest | undefined): WireReply {
    const ifNoneMatch = method === 'GET' && !isList ? exchange.header('if-none-match') : ''
    const context = { lines: exchange.lines, ifNoneMatch }
    if (!pages || !page) return responder.one(result, context)
    return responder.many(result, page.limit, context, (after) => pages.next(exchange, after))
  }

  return (exchange: Exchange): WireReply | Promise<WireReply> => {
    const { caller, scope, params } = exchange.notes as Admitted
    const read = pages?.read(exchange)
    const query =
      read?.query ??
      (exchange.queryText === '' && !spec.query
        ? undefined
        : readQuery(parseQuery(exchange.queryText)))
    const call = {
      caller,
      scope,
      params,
      query,
      body: readBody?.(exchange),
      lastEventId: spec.streams ? exchange.header('last-event-id') : '',
      device: spec.knowsDevices ? deviceOf(exchange) : undefined,
      cookie: spec.cookie === undefined ? '' : oneCookie(exchange.header('cookie'), spec.cookie),
      isForm: spec.takesForm === true && isForm(exchange),
      page: read?.page,
      expectedRevision: readsRevision ? revisionOf(exchange.header('if-match')) : undefined,
      nowMs: exchange.nowMs,
      get signal() {
        return exchange.signal
      },
    }
    if (spec.creates) {
      const operation = `${route.name} ${exchange.path}`
      const key = exchange.header('idempotency-key')
      const claim = replayClaim(key, caller.principal, operation, exchange.body)
      const work = async () => reply(await handle(call, services), exchange, undefined)
      if (claim) return once(work, claim, exchange, services)
    }
    const result = handle(call, services)
    return result instanceof Promise
      ? result.then((settled) => reply(settled, exchange, read?.page))
      : reply(result, exchange, read?.page)
  }
}

/** To pass the condition over would do what the caller wanted prevented. */
function noRevision(ifMatch: string): undefined {
  if (ifMatch === '') return
  const detail = 'If-Match cannot be used here: several objects have no common version'
  throw new Fault('invalid_parameter', detail)
}

/** Does the work, or gives the answer that the same request got before. */
async function once(
  work: () => Promise<WireReply>,
  claim: NonNullable<ReturnType<typeof replayClaim>>,
  { lines, nowMs }: Exchange,
  { replays }: Services,
): Promise<WireReply> {
  const before = replays.begin(claim, nowMs)
  if (before) {
    const etag: [string, string][] = before.etag === undefined ? [] : [['ETag', before.etag]]
    const more = headerLines([['Idempotency-Replayed', 'true'], ...etag])
    return { status: 200, head: jsonHead + lines + more, body: before.body }
  }
  let reply: WireReply
  try {
    reply = await work()
  } catch (error) {
    replays.abandon(claim)
    throw error
  }
  await replays.finish(claim, { body: String(reply.body), etag: reply.etag }, nowMs)
  return reply
}

function createBodyReader({ name, spec, method }: Route, { gates, services }: OperateDeps) {
  const check = createCheck(spec.bodyShape ?? spec.body ?? object({}), limits.fieldProblemsMax)
  const bounds = { keysMax: spec.jsonKeysMax ?? limits.jsonKeysMax }
  const { rateField } = spec
  const gate = gates[spec.rate ?? 'api']

  function jsonOf(exchange: Exchange): unknown {
    const { body } = exchange
    if (body.length > 0) needJsonType(method, exchange.header('content-type'))
    return parseJsonBody(body, bounds)
  }

  return (exchange: Exchange): unknown => {
    const { body } = exchange
    const value = spec.takesForm && isForm(exchange) ? formFields(body) : jsonOf(exchange)
    const errors = check(value)
    if (errors.length > 0)
      throw new Fault('validation_failed', sentenceOf(errors, 'body'), { errors })
    if (rateField !== undefined) {
      // Spelled as look-ups spell it: blanks around a name must not make it another one.
      const text = String((value as Record<string, unknown>)[rateField] ?? '')
      const counted = text.trim().toLowerCase()
      const device = spec.knowsDevices ? deviceOf(exchange) : undefined
      // Guessing from elsewhere uses up nothing of what a known device may try.
      const known = device && services.devices.keyFor(device, text)
      if (counted !== '') gate.take(known ?? `${spec.rateGroup ?? name} ${counted}`, exchange.nowMs)
    }
    return value
  }
}
