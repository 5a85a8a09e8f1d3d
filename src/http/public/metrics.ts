// Metrics for Prometheus: for this machine itself, or for whoever has the system token.
import type { Metrics } from '../../base/metrics.ts'
import { isLoopback } from '../edge/address.ts'
import { bearerToken, tokenTest } from '../pipeline/auth.ts'
import type { RawRequest, RawRoute } from '../routing/raw-route.ts'

export interface MetricsRouteDeps {
  readonly metrics: Metrics
  readonly systemToken: string | undefined
}

// A reverse proxy on this machine is a loopback peer as well: what it forwards is not from here.
const proxyHeaders = ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip'] as const

export function metricsRoute({ metrics, systemToken }: MetricsRouteDeps): RawRoute {
  const isSystemToken = tokenTest(systemToken)

  function isAllowed(request: RawRequest): boolean {
    const authorization = request.header('authorization')
    if (authorization !== '') return isSystemToken(bearerToken(authorization))
    const isDirect = proxyHeaders.every((name) => request.header(name) === '')
    return isDirect && isLoopback(request.caller.address)
  }

  return {
    name: 'metrics',
    method: 'GET',
    path: '/metrics',
    rate: 'page',
    headers: ['authorization', ...proxyHeaders],
    bodyBytesMax: 0,
    async handle(request) {
      if (!isAllowed(request)) {
        return { status: 401, headers: [['WWW-Authenticate', 'Bearer realm="stillup"']] }
      }
      const headers = [
        ['Content-Type', metrics.contentType],
        ['Cache-Control', 'no-store'],
      ] as const
      return { status: 200, headers, body: await metrics.text() }
    },
  }
}
