// The router: one table of endpoints becomes registrations, with HEAD, OPTIONS, 405 and 404.
import { assert } from '../../base/assert.ts'
import { Fault, notFound } from '../../base/fault.ts'
import { limits } from '../../domain/limits/limits.ts'
import { patternsBelow } from '../edge/base-path.ts'
import type { EdgeHandler, Endpoint, Exchange } from '../edge/exchange.ts'
import type { WireReply } from '../edge/reply.ts'
import type { EdgeMethod, EdgeRegistration } from '../edge/server.ts'
import type { RouteMethod } from '../routing/route.ts'

/** By OPTIONS a path is answered with its methods, unless it has a line. */
export type LineMethod = RouteMethod | 'OPTIONS'

/** One line of the table: the endpoint of a method and path. GET also serves HEAD. */
export interface TableLine {
  readonly method: LineMethod
  readonly path: string
  readonly handle: EdgeHandler
  /** Takes the place of `handle` for a GET that is no HEAD. */
  readonly quick?: EdgeHandler | undefined
  /** Like every line of its path, it does not exist at hosts of status pages. */
  readonly isOfService?: true
  /** By other methods, its path is answered as one that does not exist. */
  readonly isUnknownOtherwise?: true
}

/** Makes the handler of an endpoint, for any type of admission. */
export type MakeHandler = <Admission>(endpoint: Endpoint<Admission>) => EdgeHandler

const edgeMethods: Record<LineMethod, readonly EdgeMethod[]> = {
  GET: ['get', 'head'],
  POST: ['post'],
  PUT: ['put'],
  PATCH: ['patch'],
  DELETE: ['del'],
  OPTIONS: ['options'],
}
const everyMethod = ['get', 'head', 'post', 'put', 'patch', 'del', 'options', 'any'] as const

/**
 * Every registration of the service. A path that is registered twice is a bug. `makeOwnHandler` is for
 * paths of the service. Below `basePath` they are all once more.
 */
export function buildRouter(
  lines: readonly TableLine[],
  makeHandler: MakeHandler,
  makeOwnHandler: MakeHandler = makeHandler,
  basePath = '',
): EdgeRegistration[] {
  const registrations: EdgeRegistration[] = []
  const taken = new Set<string>()

  function add(method: EdgeMethod, pattern: string, handle: EdgeHandler, quick = handle): void {
    taken.add(`${method} ${pattern}`)
    registrations.push({ method, pattern, handle: quick })
    for (const below of patternsBelow(basePath, pattern)) {
      registrations.push({ method, pattern: below, handle })
    }
  }

  function addMissing(pattern: string, handle: EdgeHandler): void {
    for (const one of everyMethod) if (!taken.has(`${one} ${pattern}`)) add(one, pattern, handle)
  }

  for (const { method, path, handle, quick = handle } of lines) {
    for (const one of edgeMethods[method]) {
      assert(!taken.has(`${one} ${path}`), `${method} ${path} is registered once`)
      add(one, path, handle, one === 'get' ? quick : handle)
    }
  }
  const missing = makeHandler(refusalEndpoint('not_found'))
  // uWebSockets.js matches each method separately. Without an entry for the path under a method,
  // `*` of another pattern would match it.
  for (const path of new Set(lines.map((line) => line.path))) {
    const allowed = allowedMethods(lines, path)
    if (lines.some((line) => line.path === path && line.isUnknownOtherwise)) {
      addMissing(path, missing)
      continue
    }
    const isOfService = lines.some((line) => line.path === path && line.isOfService)
    const make = isOfService ? makeOwnHandler : makeHandler
    add('options', path, make(optionsEndpoint(allowed)))
    addMissing(path, make(refusalEndpoint('method_not_allowed', allowed)))
  }
  addMissing('/api/*', missing)
  addMissing('/*', missing)
  return registrations
}

function allowedMethods(lines: readonly TableLine[], path: string): string {
  const methods = lines.filter((line) => line.path === path).map((line) => line.method)
  const withHead = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...withHead, 'OPTIONS'].join(', ')
}

function simpleEndpoint(
  name: string,
  headers: readonly string[],
  run: (exchange: Exchange) => WireReply,
): Endpoint<void> {
  return {
    name,
    paramCount: 0,
    headers,
    bodyBytesMax: 0,
    deadlineMs: limits.requestMsMax,
    admit() {},
    run,
  }
}

// Replies to OPTIONS with the allowed methods. There are no CORS headers, because no other origin
// is allowed.
function optionsEndpoint(allowed: string): Endpoint<void> {
  return simpleEndpoint('options', [], (exchange) => ({
    status: 204,
    head: `text/plain\r\nAllow: ${allowed}${exchange.lines}`,
  }))
}

function refusalEndpoint(
  code: 'method_not_allowed' | 'not_found',
  allowed?: string,
): Endpoint<void> {
  return simpleEndpoint(code, ['accept-language'], () => {
    if (allowed === undefined) throw notFound('address')
    throw new Fault(code, `This address supports ${allowed}`, { headers: [['Allow', allowed]] })
  })
}
