// Parsing: query, body and headers of an admitted request become the call that its handler gets.
import Type, { type TSchema } from 'typebox'
import type { Clock } from '../../base/clock.ts'
import { Fault, type FieldProblem } from '../../base/fault.ts'
import { isRecord } from '../../base/schema/pick.ts'
import { object } from '../../base/schema/schema.ts'
import { createCheck } from '../../base/schema/validate.ts'
import { createYielder } from '../../base/yielding.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Services } from '../../services/assembly/services.ts'
import type { Caller, OrgScope, PageRequest } from '../../services/context.ts'
import type { LinkedProbe } from '../../services/locations/probe-link.ts'
import type { Exchange } from '../edge/exchange.ts'
import { formFields, isForm } from '../input/form-body.ts'
import { fieldOf, needJsonType, parseJsonBody, parseLargeJson } from '../input/json-body.ts'
import type { PageReader } from '../input/paging.ts'
import { createQueryReader, parseQuery, sentenceOf } from '../input/query.ts'
import { wantedRevision } from '../output/etag.ts'
import type { BodyRules, ParsedCall, Route } from '../routing/route.ts'
import type { Admission } from './admission.ts'
import { oneCookie } from './auth.ts'
import type { RateGates } from './rate.ts'
import { deviceOf, trustOf } from './session-cookie.ts'

export interface ParsingDeps {
  readonly services: Services
  readonly gates: RateGates
  /** Present only if the route returns a list. */
  readonly pages: PageReader | undefined
}

/** `large`: the body, where it had to be read before. */
export type Parse = (exchange: Exchange, admission: Admission, large?: LargeBody) => ParsedCall

interface LargeBody {
  readonly value: unknown
}

/** Whether requests to the route may have a body. */
export function readsBody({ spec, method }: Route): boolean {
  return method !== 'GET' && (method !== 'DELETE' || spec.body !== undefined)
}

export function createParsing(route: Route, deps: ParsingDeps): Parse {
  const { spec, method } = route
  const isParsed = spec.unparsed === undefined
  const readQuery = isParsed ? createQueryReader(spec.query ?? object({})) : undefined
  const readBody = isParsed && readsBody(route) ? bodyReader(route, deps) : undefined
  const readsRevision = method !== 'GET' && method !== 'POST'
  const revisionOf = spec.isOfMany ? noRevision : wantedRevision

  function queryOf({ queryText }: Exchange): unknown {
    if (queryText === '' && !spec.query) return undefined
    return readQuery?.(parseQuery(queryText))
  }

  return (exchange, admission, large) => {
    const list = deps.pages?.read(exchange)
    const query = list ? list.query : queryOf(exchange)
    const body = readBody?.(exchange, admission, large)
    const call = new RequestCall(exchange, admission, query, body)
    call.page = list?.page
    if (spec.streams) call.lastEventId = exchange.header('last-event-id')
    if (spec.knowsDevices) {
      call.device = deviceOf(exchange)
      call.trusted = trustOf(exchange)
    }
    if (spec.cookie !== undefined) call.cookie = oneCookie(exchange.header('cookie'), spec.cookie)
    if (spec.takesForm) call.isForm = isForm(exchange)
    if (readsRevision) call.expectedRevision = revisionOf(exchange.header('if-match'))
    return call
  }
}

function bodyReader(route: Route, deps: ParsingDeps) {
  return route.spec.takesBytes ? mustBeBytes : createBodyReader(route, deps)
}

/** A form of another site cannot have this type. Throws unsupported_media_type. */
function mustBeBytes(exchange: Exchange): void {
  if (exchange.header('content-type') === 'application/octet-stream') return
  throw new Fault('unsupported_media_type', 'The Content-Type must be application/octet-stream')
}

const boundsOf = ({ jsonKeysMax }: Route['spec']) => ({
  keysMax: jsonKeysMax ?? limits.jsonKeysMax,
})

/** Reads a body that is too large to be read in one piece; undefined for any other. */
export function createLargeReader({ spec, method }: Route, clock: Pick<Clock, 'monoMs'>) {
  const bounds = boundsOf(spec)
  const isParsed = spec.unparsed === undefined && !spec.takesBytes
  const isLarge = (spec.bodyBytesMax ?? 0) > limits.jsonSliceBytes && isParsed
  if (!isLarge) return undefined
  return (exchange: Exchange): Promise<LargeBody> | undefined => {
    if (exchange.body.length <= limits.jsonSliceBytes) return undefined
    needJsonType(method, exchange.header('content-type'))
    const yielder = createYielder(clock, limits.turnMs)
    return parseLargeJson(exchange.body, bounds, yielder).then((value) => ({ value }))
  }
}

/** A class, because an object literal with a getter costs a microsecond per request. */
class RequestCall implements ParsedCall {
  readonly caller: Caller | undefined
  readonly scope: OrgScope | undefined
  readonly probe: LinkedProbe | undefined
  readonly params: Readonly<Record<string, string>>
  readonly query: unknown
  readonly body: unknown
  readonly sent: Exchange
  readonly nowMs: number
  page: PageRequest | undefined = undefined
  expectedRevision: number | undefined = undefined
  lastEventId = ''
  device: string | undefined = undefined
  trusted: string | undefined = undefined
  cookie = ''
  isForm = false

  constructor(exchange: Exchange, admission: Admission, query: unknown, body: unknown) {
    this.caller = admission.caller
    this.scope = admission.scope
    this.probe = admission.probe
    this.params = admission.params
    this.query = query
    this.body = body
    this.sent = exchange
    this.nowMs = exchange.nowMs
  }

  get signal(): AbortSignal {
    return this.sent.signal
  }
}

/**
 * Refuses If-Match on a route that cannot compare revisions: the caller asked for no change if the
 * object is newer, and ignoring that could overwrite it.
 */
function noRevision(ifMatch: string): undefined {
  if (ifMatch === '') return
  const detail = 'If-Match cannot be used here: several objects have no common version'
  throw new Fault('invalid_parameter', detail)
}

type RulesAbout = Omit<Parameters<BodyRules>[1], 'services'>

/** Each field that is left has the type of the route's schema, which is what its rules expect. */
function acceptedFields(value: unknown, found: readonly FieldProblem[]): never {
  const refused = new Set(found.map(({ pointer }) => pointer.split('/')[1]))
  const entries = isRecord(value) ? Object.entries(value) : []
  return Object.fromEntries(entries.filter(([name]) => !refused.has(name))) as never
}

/** The names of the fields that are true or false. */
function flagsOf(schema: TSchema = object({})): readonly string[] {
  const fields = Type.IsObject(schema) ? Object.entries(schema.properties) : []
  return fields.flatMap(([name, field]) =>
    'type' in field && field.type === 'boolean' ? name : [],
  )
}

/** A ticked box of a form arrives as a text. */
function ticked(fields: Record<string, string>, flags: readonly string[]): object {
  const isTicked = (name: string) => flags.includes(name) && fields[name] === 'true'
  const entries = Object.entries(fields)
  return Object.fromEntries(entries.map(([name, value]) => [name, isTicked(name) || value]))
}

function createBodyReader({ name, spec, method }: Route, { gates, services }: ParsingDeps) {
  const check = createCheck(spec.bodyShape ?? spec.body ?? object({}), limits.fieldProblemsMax)
  const bounds = boundsOf(spec)
  const { rateField } = spec
  const flags = flagsOf(spec.body)
  const gate = gates.of(spec.rate ?? 'api')

  function jsonOf(exchange: Exchange): unknown {
    const { body } = exchange
    if (body.length > 0) needJsonType(method, exchange.header('content-type'))
    return parseJsonBody(body, bounds)
  }

  /** The problems that the schema found, and the problems of the fields that it accepts. */
  function allProblems(value: unknown, found: readonly FieldProblem[], about: RulesAbout) {
    const others = spec.rules?.(acceptedFields(value, found), { ...about, services }) ?? []
    return [...found, ...others].slice(0, limits.fieldProblemsMax)
  }

  function bodyOf(exchange: Exchange, large: LargeBody | undefined): unknown {
    if (large) return large.value
    if (!spec.takesForm || !isForm(exchange)) return jsonOf(exchange)
    return ticked(formFields(exchange.body), flags)
  }

  return (exchange: Exchange, { scope }: Admission, large?: LargeBody): unknown => {
    const value = bodyOf(exchange, large)
    const found = check(value)
    if (found.length > 0) {
      const errors = allProblems(value, found, { scope, nowMs: exchange.nowMs })
      throw new Fault('validation_failed', sentenceOf(errors, 'body'), { errors })
    }
    if (rateField !== undefined) {
      // Normalized as look-ups normalize it. Otherwise a caller could avoid the limit by adding
      // spaces around the name.
      const text = String(fieldOf(value, rateField) ?? '')
      const counted = text.trim().toLowerCase()
      const device = spec.knowsDevices ? deviceOf(exchange) : undefined
      // Known devices are counted separately, so that an attacker elsewhere cannot use up their
      // attempts.
      const known = device && services.devices.keyFor(device, text)
      if (counted !== '') gate.take(known ?? `${spec.rateGroup ?? name} ${counted}`, exchange.nowMs)
    }
    return value
  }
}
