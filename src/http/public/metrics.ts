// Metrics for Prometheus, available from this machine, and elsewhere with the system token.
import type { Metrics } from '../../base/metrics.ts'
import { isLoopback } from '../edge/address.ts'
import { bearerToken } from '../pipeline/auth.ts'
import { type RawReply, type RawRequest, type RawRoute, rawHead } from '../routing/raw-route.ts'

export interface MetricsRouteDeps {
  readonly metrics: Metrics
  readonly isSystemToken: (text: string) => boolean
}

// A request with one of these headers came through a reverse proxy. Its peer is this machine, but
// its sender is not.
export const proxyHeaders = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'] as const

/** Whether a program on this machine asks, and nobody through it. */
export function isFromHere(request: RawRequest): boolean {
  const isDirect = proxyHeaders.every((name) => request.header(name) === '')
  return isDirect && isLoopback(request.address)
}

export function metricsRoute({ metrics, isSystemToken }: MetricsRouteDeps): RawRoute {
  const head = rawHead([
    ['Content-Type', metrics.contentType],
    ['Cache-Control', 'no-store'],
  ])
  const refused: RawReply = {
    status: 401,
    head: rawHead([['WWW-Authenticate', 'Bearer realm="stillup"']]),
  }

  function isAllowed(request: RawRequest): boolean {
    const authorization = request.header('authorization')
    if (authorization !== '') return isSystemToken(bearerToken(authorization))
    return isFromHere(request)
  }

  return {
    name: 'metrics',
    path: '/metrics',
    rate: 'page',
    headers: ['authorization', ...proxyHeaders],
    async handle(request) {
      if (!isAllowed(request)) return refused
      return { status: 200, head, body: await metrics.text() }
    },
  }
}
