// Leads people who ask for a page over plain HTTP to the same page over TLS.
import type { Endpoint, Exchange } from '../edge/exchange.ts'
import type { WireReply } from '../edge/reply.ts'
import { rawHead } from '../routing/raw-route.ts'
import { hostOf } from './by-host.ts'

export interface ToHttps {
  /** Whether there is a certificate for the host, in lower case. */
  readonly isCovered: (host: string) => boolean
  /** The public port of TLS, as URLs write it: '' or `:8443`. */
  readonly portText: string
}

type Led<Admission> = { readonly to: string } | { readonly admission: Admission }

/**
 * A host without a certificate is served as it is, as is what a proxy with TLS passes on. The header
 * that says so needs no trust: a lie only keeps its sender on plain HTTP.
 */
export function toHttps<Admission>(
  { isCovered, portText }: ToHttps,
  endpoint: Endpoint<Admission>,
): Endpoint<Led<Admission>> {
  function locationFor(exchange: Exchange): string | undefined {
    if (exchange.header(forwardedProto) !== '' || exchange.isSecure) return undefined
    const host = hostOf(exchange.header('host'))
    if (!hostPattern.test(host) || !isCovered(host)) return undefined
    const { base, path, queryText } = exchange
    return `https://${host}${portText}${base}${path}${queryText === '' ? '' : `?${queryText}`}`
  }

  return {
    ...endpoint,
    headers: [...new Set(['host', forwardedProto, ...endpoint.headers])],
    admit(exchange) {
      const to = locationFor(exchange)
      return to === undefined ? { admission: endpoint.admit(exchange) } : { to }
    },
    run: (exchange, led) =>
      'to' in led ? redirectTo(led.to, exchange) : endpoint.run(exchange, led.admission),
    ownerOf: (led) => ('to' in led ? undefined : endpoint.ownerOf?.(led.admission)),
  }
}

const forwardedProto = 'x-forwarded-proto'
const hostPattern = /^[a-z0-9.-]+$/

function redirectTo(location: string, { lines }: Exchange): WireReply {
  // What a caller sent could break a header; such an address leads nowhere.
  const safe = /^[\x21-\x7e]+$/.test(location) ? location : new URL('/', location).href
  const head = rawHead([
    ['Location', safe],
    ['Cache-Control', 'no-store'],
  ])
  return { status: 308, head: head + lines }
}
