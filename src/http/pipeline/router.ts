// The router: one table of endpoints becomes registrations, with HEAD, OPTIONS, 405 and 404.
import { assert } from '../../base/assert.ts'
import { Fault } from '../../base/fault.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type EdgeHooks, type Endpoint, exchangeHandler } from '../edge/exchange.ts'
import { createPieces } from '../edge/pieces.ts'
import type { EdgeMethod, EdgeRegistration } from '../edge/server.ts'
import type { Arrivals } from './arrival.ts'

type TableMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'ANY'

export interface TableEntry {
  readonly method: TableMethod
  readonly path: string
  readonly endpoint: Endpoint
}

const edgeMethods: Record<TableMethod, readonly EdgeMethod[]> = {
  GET: ['get', 'head'],
  POST: ['post'],
  PUT: ['put'],
  PATCH: ['patch'],
  DELETE: ['del'],
  ANY: ['get', 'head', 'post', 'put', 'patch', 'del', 'options', 'any'],
}

/** Every registration of the service. A path that is registered twice is a bug. */
export function buildRouter(
  entries: readonly TableEntry[],
  arrivals: Arrivals,
  hooks: EdgeHooks,
): EdgeRegistration[] {
  const registrations: EdgeRegistration[] = []
  const taken = new Set<string>()
  const pieces = createPieces()

  function add(method: EdgeMethod, pattern: string, endpoint: Endpoint): void {
    taken.add(`${method} ${pattern}`)
    registrations.push({ method, pattern, handle: exchangeHandler(endpoint, hooks, pieces) })
  }

  for (const { method, path, endpoint } of entries) {
    for (const one of edgeMethods[method]) {
      assert(!taken.has(`${one} ${path}`), `${method} ${path} is registered once`)
      add(one, path, endpoint)
    }
  }
  // Each method has a tree of its own: without an entry there, another pattern's star would win.
  for (const path of new Set(entries.map((entry) => entry.path))) {
    const allowed = allowedMethods(entries, path)
    const options = optionsEndpoint(allowed, arrivals)
    const refusal = refusalEndpoint('method_not_allowed', arrivals, allowed)
    for (const one of edgeMethods.ANY) {
      if (!taken.has(`${one} ${path}`)) add(one, path, one === 'options' ? options : refusal)
    }
  }
  const missing = refusalEndpoint('not_found', arrivals)
  for (const path of ['/api/*', '/*']) {
    for (const one of edgeMethods.ANY) {
      if (!taken.has(`${one} ${path}`)) add(one, path, missing)
    }
  }
  return registrations
}

function allowedMethods(entries: readonly TableEntry[], path: string): string {
  const methods = entries.filter((entry) => entry.path === path).map((entry) => entry.method)
  const withHead = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...withHead, 'OPTIONS'].join(', ')
}

function simpleEndpoint(arrivals: Arrivals, name: string, run: Endpoint['run']): Endpoint {
  return {
    name,
    paramCount: 0,
    headers: arrivals.headers,
    bodyBytesMax: 0,
    deadlineMs: limits.requestMsMax,
    admit: (exchange) => arrivals.note(exchange),
    run,
  }
}

// Says which methods there are, and nothing about other origins: none of them is let in.
function optionsEndpoint(allowed: string, arrivals: Arrivals): Endpoint {
  return simpleEndpoint(arrivals, 'options', (exchange) => ({
    status: 204,
    head: `text/plain\r\nAllow: ${allowed}${exchange.lines}`,
  }))
}

function refusalEndpoint(
  code: 'method_not_allowed' | 'not_found',
  arrivals: Arrivals,
  allowed?: string,
): Endpoint {
  return simpleEndpoint(arrivals, code, () => {
    if (allowed === undefined) throw new Fault(code, 'There is nothing at this address')
    throw new Fault(code, `This address supports ${allowed}`, { headers: [['Allow', allowed]] })
  })
}
