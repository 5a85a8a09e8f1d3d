// Where a proxy asks whether it may get a certificate for a host (Caddy's on-demand TLS).
import { isLoopback } from '../edge/address.ts'
import { bearerToken } from '../pipeline/auth.ts'
import { type RawReply, type RawRequest, type RawRoute, rawHead } from '../routing/raw-route.ts'
import { proxyHeaders } from './metrics.ts'

export interface TlsAskDeps {
  readonly isSystemToken: (text: string) => boolean
  /** Whether an address is a trusted proxy. */
  readonly isTrustedProxy: (address: string) => boolean
  readonly mayHaveCertificate: (host: string) => boolean
}

const head = rawHead([['Cache-Control', 'no-store']])
const yes: RawReply = { status: 200, head, body: 'yes\n' }
const no: RawReply = { status: 404, head, body: 'no\n' }
const refused: RawReply = {
  status: 401,
  head: rawHead([
    ['WWW-Authenticate', 'Bearer realm="stillup"'],
    ['Cache-Control', 'no-store'],
  ]),
}

export function tlsAskRoute(deps: TlsAskDeps): RawRoute {
  /** The proxy itself may ask, but not callers whose requests it passes on. */
  function mayAsk(request: RawRequest): boolean {
    const authorization = request.header('authorization')
    if (authorization !== '') return deps.isSystemToken(bearerToken(authorization))
    const isDirect = proxyHeaders.every((name) => request.header(name) === '')
    return isDirect && (isLoopback(request.address) || deps.isTrustedProxy(request.address))
  }

  return {
    name: 'tls-ask',
    path: '/internal/tls-ask',
    rate: 'page',
    headers: ['authorization', ...proxyHeaders],
    handle(request) {
      if (!mayAsk(request)) return refused
      const host = new URLSearchParams(request.queryText).get('domain')
      return host !== null && deps.mayHaveCertificate(host) ? yes : no
    },
  }
}
