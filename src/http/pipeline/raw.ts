// Raw routes: pages, push, badges and probes, which answer in their own words.

import { limits } from '../../domain/limits/limits.ts'
import { countedAddress } from '../../domain/network.ts'
import type { Caller } from '../../services/context.ts'
import type { Endpoint, Exchange } from '../edge/exchange.ts'
import { headerLines, type WireReply } from '../edge/reply.ts'
import { decodePart, parseQuery, type QueryPairs } from '../input/query.ts'
import type { RawRequest, RawRoute, Reply } from '../routing/raw-route.ts'
import type { Services } from '../routing/services.ts'
import type { Arrivals } from './arrival.ts'
import { paramNames } from './operate.ts'
import type { RateGates } from './rate.ts'

export interface RawDeps {
  readonly services: Services
  readonly arrivals: Arrivals
  readonly gates: RateGates
}

const plainLines = '\r\nX-Content-Type-Options: nosniff'

export function rawEndpoint(route: RawRoute, deps: RawDeps): Endpoint {
  const { services, arrivals } = deps
  const names = paramNames(route.path)
  const isProbe = route.rate === null
  const gate = route.rate === null ? undefined : deps.gates[route.rate]
  // The headers that tell about limits belong to the API; pages are kept by caches.
  const tellsRate = route.path.startsWith('/api/')

  return {
    name: route.name,
    paramCount: names.length,
    headers: [...new Set([...arrivals.headers, 'host', ...(route.headers ?? [])])],
    bodyBytesMax: route.bodyBytesMax,
    deadlineMs: limits.requestMsMax,
    admit(exchange) {
      arrivals.note(exchange)
      if (!isProbe) arrivals.refuseWhileDraining()
    },
    run(exchange) {
      const request = new ArrivedRequest(exchange, names, arrivals)
      if (gate) {
        const key = route.rateKey ? route.rateKey(request) : countedAddress(exchange.address)
        const rateLines = gate.take(key, exchange.nowMs)
        if (tellsRate) exchange.lines += rateLines
      }
      const reply = route.handle(request, services)
      return reply instanceof Promise
        ? reply.then((settled) => toWire(settled, exchange))
        : toWire(reply, exchange)
    },
  }
}

/** Reads what it is asked for, once: most handlers look at one parameter and nothing else. */
class ArrivedRequest implements RawRequest {
  readonly params: Readonly<Record<string, string>>
  readonly #exchange: Exchange
  readonly #arrivals: Arrivals
  #pairs: QueryPairs | undefined
  #caller: Caller | undefined

  constructor(exchange: Exchange, names: readonly string[], arrivals: Arrivals) {
    this.#exchange = exchange
    this.#arrivals = arrivals
    const params: Record<string, string> = {}
    for (const [at, name] of names.entries()) params[name] = decodePart(exchange.params[at] ?? '')
    this.params = params
  }

  get method(): string {
    return this.#exchange.method
  }

  get path(): string {
    return this.#exchange.path
  }

  get body(): Buffer {
    return this.#exchange.body
  }

  get nowMs(): number {
    return this.#exchange.nowMs
  }

  get signal(): AbortSignal {
    return this.#exchange.signal
  }

  get host(): string {
    return this.#exchange.header('host').replace(/:\d*$/, '').toLowerCase()
  }

  get caller(): Caller {
    this.#caller ??= this.#arrivals.callerOf(this.#exchange, { kind: 'anonymous' })
    return this.#caller
  }

  query(name: string): string | undefined {
    this.#pairs ??= parseQuery(this.#exchange.queryText)
    return this.#pairs.find(([key]) => key === name)?.[1]
  }

  header(name: string): string {
    return this.#exchange.header(name)
  }
}

type Headers = NonNullable<Reply['headers']>

// Frozen lists are constants of their module: their lines are made once.
const constantHeads = new WeakMap<Headers, string>()

function headOf(headers: Headers): string {
  const known = constantHeads.get(headers)
  if (known !== undefined) return known
  const isType = ([name]: readonly [string, string]) => name.toLowerCase() === 'content-type'
  const type = headers.find(isType)?.[1] ?? 'text/plain; charset=utf-8'
  // Checked with the others: a line break in it would forge headers as well.
  headerLines([['Content-Type', type]])
  const head = type + headerLines(headers.filter((header) => !isType(header))) + plainLines
  if (Object.isFrozen(headers)) constantHeads.set(headers, head)
  return head
}

const noHeaders: Headers = Object.freeze([])

function toWire({ status, headers = noHeaders, body }: Reply, { lines }: Exchange): WireReply {
  return { status, head: headOf(headers) + lines, body }
}
