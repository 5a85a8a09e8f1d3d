// Wires the HTTP side: routes, limits and hooks; and opens the listener.
import type { Clock } from '../base/clock.ts'
import { Fault } from '../base/fault.ts'
import type { Log } from '../base/log/log.ts'
import type { Metrics } from '../base/metrics.ts'
import { createProxyTrust, isLoopback, type ProxyTrust } from './edge/address.ts'
import {
  createSharedBounds,
  type EdgeHooks,
  type EndpointTraits,
  type Exchange,
} from './edge/exchange.ts'
import { exchangeHandler } from './edge/handler.ts'
import { hostPort, listen } from './edge/server.ts'
import { createCursors } from './input/paging.ts'
import { asFault, problemPage, problemReply } from './output/problems.ts'
import { apiEndpoint } from './pipeline/api-endpoint.ts'
import { createAuthenticator } from './pipeline/auth.ts'
import { byHost } from './pipeline/by-host.ts'
import { createRateGates, type MakeLimiter, type RateSettings } from './pipeline/rate.ts'
import { rawEndpoint } from './pipeline/raw-endpoint.ts'
import { buildRouter, type MakeHandler, type TableLine } from './pipeline/router.ts'
import { type Traffic, watchRequests } from './pipeline/traffic.ts'
import { docsRoutes } from './public/docs.ts'
import { healthRoutes } from './public/health.ts'
import { metricsRoute } from './public/metrics.ts'
import type { StatusPages } from './public/pages.ts'
import { wellKnownRoute } from './public/well-known.ts'
import type { RawRoute } from './routing/raw-route.ts'
import type { Route } from './routing/route.ts'
import type { Services } from './routing/services.ts'

export interface HttpSettings {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Connections beyond this are closed at once. */
  readonly connectionsMax: number
  /** The public address of the service, for links and the check of browsers' Origin. */
  readonly baseUrl: string
  /** No setting names the public address: it was derived from where the daemon listens. */
  readonly isBaseGuessed: boolean
  /** Addresses and CIDR ranges whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[]
  readonly rates: RateSettings
  readonly systemToken: string | undefined
  /** The version of the program, for the reference. */
  readonly version: string
}

/** The pages of the service itself; no part of the API. */
export interface Site extends Pick<StatusPages, 'isOwnHost' | 'elsewhere'> {
  readonly routes: readonly Route[]
}

export interface HttpDeps {
  readonly settings: HttpSettings
  /** The routes of the API. */
  readonly routes: readonly Route[]
  /** Public status pages. */
  readonly rawRoutes: readonly RawRoute[]
  readonly site: Site
  readonly services: Services
  /** For counts that survive a restart; without it none does. */
  readonly keptLimiter?: MakeLimiter
  /** Whether the service is ready; while it drains, it is not ready in any case. */
  readonly isReady: () => boolean
  /** Whether there is space for new objects; if not, creating requests get storage_full. */
  readonly hasRoom: () => boolean
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** 32 bytes for signing cursors, derived only for this purpose. */
  readonly cursorKey: Uint8Array
}

/** Starts serving. Throws StartFailure (74) if it cannot listen on the address. */
export async function startHttp(deps: HttpDeps) {
  const { settings, services, clock } = deps
  const { host, port, connectionsMax } = settings
  let isDraining = false
  const traffic = watchRequests(deps.metrics, clock)
  const trust = createProxyTrust(settings.trustedProxies)
  const baseUrl = settings.baseUrl.replace(/\/$/, '')
  const pipeline = {
    services,
    baseUrl,
    hasRoom: deps.hasRoom,
    gates: createRateGates(settings.rates, deps.keptLimiter),
    cursors: createCursors(deps.cursorKey),
    authenticator: createAuthenticator({
      identity: services.identity,
      systemToken: settings.systemToken,
      baseOrigin: new URL(baseUrl).origin,
      isBaseGuessed: settings.isBaseGuessed,
    }),
    refuseWhileDraining() {
      if (isDraining) throw new Fault('shutting_down', 'The service is shutting down')
    },
  }
  const rawRoutes = [
    ...healthRoutes({ isReady: () => deps.isReady() && !isDraining }),
    ...docsRoutes({ routes: deps.routes, baseUrl, version: settings.version }),
    wellKnownRoute(baseUrl),
    metricsRoute({ metrics: deps.metrics, systemToken: settings.systemToken }),
    ...deps.rawRoutes,
  ]
  const hooks = createHooks(deps, trust, traffic)
  const bounds = createSharedBounds(clock)
  const makeHandler: MakeHandler = (endpoint) => exchangeHandler(endpoint, hooks, bounds)
  const lines: TableLine[] = []
  for (const route of deps.routes) {
    const { method, path } = route
    lines.push({ method, path, handle: makeHandler(apiEndpoint(route, pipeline)) })
  }
  for (const route of rawRoutes) {
    const handle = makeHandler(rawEndpoint(route, pipeline))
    lines.push({ method: 'GET', path: route.path, handle })
  }
  const { isOwnHost, elsewhere } = deps.site
  for (const route of deps.site.routes) {
    const own = apiEndpoint(route, pipeline)
    const foreign = rawEndpoint(elsewhere(route.path), pipeline)
    const handle = makeHandler(byHost(isOwnHost, own, foreign))
    lines.push({ method: route.method, path: route.path, handle })
  }
  const registrations = buildRouter(lines, makeHandler)
  const refused = deps.metrics.counter({
    name: 'http_connections_refused_total',
    help: 'Connections closed at once, because there were too many in total or from one address.',
  })
  const onRefused = () => refused.inc()
  // No limit per address for trusted proxies, because many callers share their address, nor for
  // loopback, where a proxy may run that the settings do not name.
  const isExempt = (address: string) => isLoopback(address) || trust.trusts(address)
  const peers = { isExempt, monoMs: () => clock.monoMs() }
  const server = await listen(host, port, registrations, { connectionsMax, peers, onRefused })
  deps.metrics.gauge({ name: 'http_connections', help: 'Open connections.' }, (gauge) =>
    gauge.set(server.connections()),
  )
  deps.metrics
    .gauge({ name: 'http_connections_max', help: 'The maximum number of open connections.' })
    .set(connectionsMax)

  return {
    port: server.port,
    /** As bound. */
    address: `http://${hostPort(host, server.port)}`,
    /**
     * Stops listening, answers new requests on open connections with 503, waits at most `deadlineMs`
     * for running ones, and aborts the rest.
     */
    async drain(deadlineMs: number): Promise<void> {
      isDraining = true
      server.stopListening()
      await traffic.whenIdle(deadlineMs)
      server.close()
    },
  }
}

function createHooks(
  { clock, log, services }: HttpDeps,
  trust: ProxyTrust,
  traffic: Traffic,
): EdgeHooks {
  function explain(error: unknown, exchange: Exchange, endpoint: EndpointTraits) {
    const fault = asFault(error)
    if (fault.code === 'internal') {
      const { requestId } = exchange
      const { message, stack } = error instanceof Error ? error : new Error(String(error))
      const context = { requestId, route: endpoint.name }
      log.error('a request failed', { ...context, stack: stack ?? message })
      services.errorReports.own({ message, stack, context })
    }
    const isForPeople =
      !exchange.path.startsWith('/api/') || endpoint.isForPeople?.(exchange) === true
    const reply = (isForPeople ? problemPage : problemReply)(fault, exchange, endpoint.challenge)
    return fault.code === 'shutting_down' ? { ...reply, closes: true } : reply
  }

  return {
    clock,
    trust,
    explain,
    onStart: traffic.onStart,
    onDone: traffic.onDone,
    onLate: ({ requestId }, { name }) =>
      log.warn('a request took too long', { requestId, route: name }),
  }
}
