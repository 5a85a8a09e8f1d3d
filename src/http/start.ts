// Wires the HTTP side: routes, limits and hooks; and opens the listener.
import type { Clock } from '../base/clock.ts'
import { Fault } from '../base/fault.ts'
import type { Log } from '../base/log/log.ts'
import type { Metrics } from '../base/metrics.ts'
import { languageFor } from '../domain/language.ts'
import { socketPath } from '../net/socket-path.ts'
import type { Services } from '../services/assembly/services.ts'
import { createProxyTrust, hostPort, isLoopback, type ProxyTrust } from './edge/address.ts'
import {
  createSharedBounds,
  type EdgeHandler,
  type EdgeHooks,
  type EndpointTraits,
  type Exchange,
} from './edge/exchange.ts'
import { exchangeHandler } from './edge/handler.ts'
import { hstsName, type QuickHooks, quickHandler } from './edge/quick.ts'
import { headerLines } from './edge/reply.ts'
import {
  type ConnectionBounds,
  type EdgeRegistration,
  listen,
  listenPrivately,
} from './edge/server.ts'
import { type CertificateSource, createContexts } from './edge/tls/contexts.ts'
import { startTlsFront } from './edge/tls/tls-front.ts'
import { createCursors } from './input/paging.ts'
import { asFault, problemPage, problemReply } from './output/problems.ts'
import { apiEndpoint } from './pipeline/api-endpoint.ts'
import { createAuthenticator, tokenTest } from './pipeline/auth.ts'
import { byHost, exceptAt, hostOf } from './pipeline/by-host.ts'
import { createRateGates, type MakeLimiter, type RateSettings } from './pipeline/rate.ts'
import { rawEndpoint } from './pipeline/raw-endpoint.ts'
import { buildRouter, type MakeHandler, type TableLine } from './pipeline/router.ts'
import { toHttps } from './pipeline/to-https.ts'
import { type Traffic, watchRequests } from './pipeline/traffic.ts'
import { acmeChallengeRoute } from './public/acme-challenge.ts'
import { consoleRoutes } from './public/console-routes.ts'
import { docsRoutes } from './public/docs.ts'
import { guideRoutes } from './public/guide-routes.ts'
import { healthRoutes } from './public/health.ts'
import { KeptRefusal, keptEndpoints, keptMethods } from './public/kept-reports.ts'
import { metricsRoute } from './public/metrics.ts'
import { monitorMetricsRoutes } from './public/monitor-metrics.ts'
import type { StatusPages } from './public/pages/status-pages.ts'
import { tlsAskRoute } from './public/tls-ask.ts'
import { wellKnownRoute } from './public/well-known.ts'
import type { RawRoute } from './routing/raw-route.ts'
import type { Route } from './routing/route.ts'

export interface HttpSettings extends LiveHttpSettings {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Called in the moment before the port is taken, to give it up where it was held. */
  readonly releasePort?: (() => void) | undefined
  /** Connections beyond this are closed at once. */
  readonly connectionsMax: number
  /** The public address of the service, for links and the check of browsers' Origin. */
  readonly baseUrl: string
  /** No setting names the public address: it was derived from where the daemon listens. */
  readonly isBaseGuessed: boolean
  /** The version of the program, for the reference. */
  readonly version: string
}

export interface LiveHttpSettings {
  /** Addresses and CIDR ranges whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[]
  readonly rates: RateSettings
  readonly systemToken: string | undefined
}

/** TLS, beside the plain listener. */
export interface HttpTls extends CertificateSource {
  /** null: every address of the machine. */
  readonly host: string | null
  /** 0: any free port. */
  readonly port: number
  /** Holds the socket between TLS and the routes; only this user can enter it. */
  readonly socketDir: string
  /** Whether there is a certificate for the host, in lower case. */
  readonly isCovered: (host: string) => boolean
  /** What an authority asks of a host, by the token of its question. */
  readonly challengeAnswer: (token: string) => string | undefined
  /** How long browsers use TLS only, once they did; 0: no such header. */
  readonly hstsSeconds: number
}

/** The pages of the service itself; no part of the API. */
export interface Site extends Pick<StatusPages, 'isOwnHost' | 'isPageHost' | 'elsewhere'> {
  readonly routes: readonly Route[]
}

export interface HttpDeps {
  readonly settings: HttpSettings
  /** The routes of the API. */
  readonly routes: readonly Route[]
  /** For our own programs: no part of the API. */
  readonly innerRoutes: readonly Route[]
  /** Public status pages. */
  readonly rawRoutes: readonly RawRoute[]
  readonly site: Site
  /** Whether a proxy may get a certificate for a host. */
  readonly mayHaveCertificate: (host: string) => boolean
  readonly services: Services
  /** For counts that survive a restart; without it none does. */
  readonly keptLimiter?: MakeLimiter
  /** What the machine is beside others; undefined: it is alone. */
  readonly role?: string | undefined
  /** Whether the service is ready; while it drains, it is not ready in any case. */
  readonly isReady: () => boolean
  /** Whether there is space for new objects; if not, creating requests get storage_full. */
  readonly hasRoom: () => boolean
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  /** The certificates for TLS; absent if there is no TLS. */
  readonly tls?: HttpTls | undefined
  /** 32 bytes for signing cursors, derived only for this purpose. */
  readonly cursorKey: Uint8Array
}

/** Starts serving. Throws StartFailure if it cannot listen on the address. */
export async function startHttp(deps: HttpDeps) {
  const { settings, services, clock } = deps
  const { host, port, releasePort, connectionsMax } = settings
  let isDraining = false
  const traffic = watchRequests(deps.metrics, clock)
  const trust = createProxyTrust(settings.trustedProxies)
  let tokenFits = tokenTest(settings.systemToken)
  const isSystemToken = (text: string) => tokenFits(text)
  const baseUrl = settings.baseUrl.replace(/\/$/, '')
  const pipeline = {
    services,
    baseUrl,
    hasRoom: deps.hasRoom,
    gates: createRateGates(settings.rates, deps.keptLimiter),
    cursors: createCursors(deps.cursorKey),
    clock,
    authenticator: createAuthenticator({
      identity: services.identity,
      isSystemToken,
      baseOrigin: new URL(baseUrl).origin,
      isBaseGuessed: settings.isBaseGuessed,
    }),
    refuseWhileDraining() {
      if (isDraining) throw new Fault('shutting_down', 'The service is shutting down')
    },
  }
  const { isOwnHost, isPageHost, elsewhere } = deps.site
  const ofService: RawRoute[] = [
    ...docsRoutes({ routes: deps.routes, baseUrl, version: settings.version }),
    ...consoleRoutes({ isOwnHost }),
    ...guideRoutes(),
    wellKnownRoute(baseUrl),
    metricsRoute({ metrics: deps.metrics, isSystemToken }),
    ...monitorMetricsRoutes({ isSystemToken }),
    tlsAskRoute({
      isSystemToken,
      isTrustedProxy: trust.trusts,
      mayHaveCertificate: deps.mayHaveCertificate,
    }),
  ]
  const rawRoutes = [
    ...healthRoutes({ isReady: () => deps.isReady() && !isDraining, role: deps.role }),
    ...(deps.tls ? [acmeChallengeRoute(deps.tls.challengeAnswer)] : []),
    ...ofService.map((route): RawRoute => ({ ...route, isOfService: true })),
  ]
  const hooks = createHooks(deps, trust, traffic)
  const bounds = createSharedBounds(clock)
  const makeHandler: MakeHandler = (endpoint) => exchangeHandler(endpoint, hooks, bounds)
  const makeOwnHandler: MakeHandler = (endpoint) => makeHandler(exceptAt(isPageHost, endpoint))
  const lines: TableLine[] = []
  for (const route of [...deps.routes, ...deps.innerRoutes]) {
    const { method, path } = route
    const handle = makeOwnHandler(apiEndpoint(route, pipeline))
    lines.push({ method, path, handle, isOfService: true })
  }
  for (const [path, endpoint] of keptEndpoints(pipeline)) {
    const handle = makeHandler(endpoint)
    for (const method of keptMethods) lines.push({ method, path, handle, isUnknownOtherwise: true })
  }
  const { tls } = deps
  const leads = (host: string) => tls?.isCovered(hostOf(host)) === true
  const secure = tls && { leads, hsts: hstsOf(tls) }
  function quick({ name, rate, quick: look }: RawRoute, otherwise: EdgeHandler) {
    if (!look || rate === null) return undefined
    const gate = pipeline.gates.of(rate)
    const quickHooks: QuickHooks = {
      clock,
      trust,
      limitsAddress: () => !gate.isOpen,
      isAllowed: gate.isAllowed,
      isOpen: () => !isDraining,
      secure,
      onAnswered: traffic.quickCounter(name),
    }
    return quickHandler(look, quickHooks, bounds, otherwise)
  }
  const makePageHandler = pageHandlers(deps.tls, baseUrl, makeHandler)
  function add(route: RawRoute, make: MakeHandler): void {
    const { method = 'GET', path, isOfService } = route
    const endpoint = rawEndpoint(route, pipeline)
    const handle = make(isOfService ? exceptAt(isPageHost, endpoint) : endpoint)
    const line = { method, path, handle, quick: quick(route, handle) }
    lines.push(isOfService ? { ...line, isOfService } : line)
  }
  for (const route of rawRoutes) add(route, route.isForPeople ? makePageHandler : makeHandler)
  for (const route of deps.rawRoutes) {
    add(route, (route.method ?? 'GET') === 'GET' ? makePageHandler : makeHandler)
  }
  for (const route of deps.site.routes) {
    const own = apiEndpoint(route, pipeline)
    const elsewhereRoute = elsewhere(route.path)
    const foreign = rawEndpoint(elsewhereRoute, pipeline)
    const { method, path } = route
    const make = method === 'GET' ? makePageHandler : makeHandler
    const handle = make(byHost(isOwnHost, own, foreign))
    const line = { method, path, handle, quick: quick(elsewhereRoute, handle) }
    lines.push(path === '/' ? line : { ...line, isOfService: true })
  }
  const registrations = buildRouter(lines, makeHandler, makeOwnHandler, hooks.basePath)
  const refused = deps.metrics.counter({
    name: 'http_connections_refused_total',
    help: 'Connections closed at once, because there were too many in total or from one address.',
  })
  const onRefused = () => refused.of().inc()
  // No limit per address for trusted proxies, because many callers share their address, nor for
  // loopback, where a proxy may run that the settings do not name.
  const isExempt = (address: string) => isLoopback(address) || trust.trusts(address)
  const peers = { isExempt, monoMs: () => clock.monoMs() }
  const connectionBounds = { connectionsMax, peers, onRefused, releasePort }
  const server = await listen(host, port, registrations, connectionBounds)
  const front =
    deps.tls &&
    (await startTls(deps.tls, clock, registrations, connectionBounds).catch((error: unknown) => {
      server.close()
      throw error
    }))
  deps.metrics.gauge({ name: 'http_connections', help: 'Open connections.' }, (gauge) =>
    gauge.set(server.connections() + (front?.connections() ?? 0)),
  )
  deps.metrics
    .gauge({ name: 'http_connections_max', help: 'The maximum number of open connections.' })
    .set(front ? 2 * connectionsMax : connectionsMax)

  async function settle(deadlineMs: number): Promise<void> {
    isDraining = true
    server.stopListening()
    front?.stopListening()
    await traffic.whenIdle(deadlineMs)
  }

  function close(): void {
    server.close()
    front?.close()
  }

  return {
    port: server.port,
    /** Where TLS is; undefined without it. */
    tlsPort: front?.port,
    /** As bound. */
    address: `http://${hostPort(host, server.port)}`,
    /** Changes what can change while it serves. */
    apply({ trustedProxies, rates, systemToken }: LiveHttpSettings): void {
      trust.setProxies(trustedProxies)
      pipeline.gates.setLimits(rates)
      tokenFits = tokenTest(systemToken)
    },
    /**
     * Stops listening, answers new requests on open connections with 503, waits at most `deadlineMs`
     * for running ones, and aborts the rest.
     */
    async drain(deadlineMs: number): Promise<void> {
      await settle(deadlineMs)
      close()
    },

    /** As `drain`, but routes that outlive it are answered on open connections until `close`. */
    settle,
    close,
  }
}

/** What every response over TLS tells browsers; '' for nothing. */
function hstsOf({ hstsSeconds }: HttpTls): string {
  return hstsSeconds === 0 ? '' : `max-age=${hstsSeconds}`
}

/** TLS in front of a private listener with the same routes. */
async function startTls(
  tls: HttpTls,
  clock: Clock,
  registrations: readonly EdgeRegistration[],
  bounds: ConnectionBounds,
) {
  const { host, port, socketDir } = tls
  const socket = socketPath(socketDir, 'tls.sock')
  const inner = await listenPrivately(socket.path, registrations)
  const contextOf = createContexts(tls)
  let isOpen = true
  function close(): void {
    if (!isOpen) return
    isOpen = false
    inner.close()
    socket.release()
  }
  try {
    const privatePath = socket.path
    const front = await startTlsFront({ host, port, privatePath, contextOf, bounds, clock })
    const takeDefault = () => front.useDefault(tls.defaultPair())
    takeDefault()
    tls.onDefaultChanged(takeDefault)
    return {
      ...front,
      close() {
        front.close()
        close()
      },
    }
  } catch (error) {
    close()
    throw error
  }
}

/** Makes the handlers of what people read: with TLS, they are led there. */
function pageHandlers(
  tls: HttpTls | undefined,
  baseUrl: string,
  makeHandler: MakeHandler,
): MakeHandler {
  if (!tls) return makeHandler
  const { port } = new URL(baseUrl)
  const led = { isCovered: tls.isCovered, portText: port && `:${port}` }
  return (endpoint) => makeHandler(toHttps(led, endpoint))
}

function createHooks(
  { clock, log, services, settings, tls }: HttpDeps,
  trust: ProxyTrust,
  traffic: Traffic,
): EdgeHooks {
  function explain(error: unknown, exchange: Exchange, endpoint: EndpointTraits) {
    if (error instanceof KeptRefusal) {
      return { ...error.reply, head: error.reply.head + exchange.lines }
    }
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
    const reply = isForPeople
      ? problemPage(
          fault,
          exchange,
          languageFor(exchange.header('accept-language')),
          endpoint.challenge,
        )
      : problemReply(fault, exchange, endpoint.challenge)
    return fault.code === 'shutting_down' ? { ...reply, closes: true } : reply
  }

  return {
    clock,
    trust,
    basePath: new URL(settings.baseUrl).pathname.replace(/\/$/, ''),
    ...(tls?.hstsSeconds && { secureLines: headerLines([[hstsName, hstsOf(tls)]]) }),
    explain,
    onStart: traffic.onStart,
    onDone: traffic.onDone,
    onLate: ({ requestId }, { name }) =>
      log.warn('a request took too long', { requestId, route: name }),
  }
}
