// The requests of a check, with the URL parsed and the headers assembled.
import type { Method } from '../../domain/checks/check-type.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { hostOf, portOf } from '../egress-policy.ts'

/** One request of a check; a redirect leads to the next one. */
export interface Hop {
  readonly url: URL
  /** The origin in undici's form: a URL without anything else. */
  readonly origin: URL
  readonly isTls: boolean
  /** The host without brackets and trailing dot. */
  readonly host: string
  readonly port: number
  readonly path: string
  readonly method: Method
  /** Name, value, name, value… */
  readonly headers: readonly string[]
  readonly body: Buffer | null
}

/** The first request of a target, whose URL was read before. */
export function hopFor(target: EndpointTarget, url: URL): Hop {
  const sendsBody = target.body !== null && target.body !== '' && target.method !== 'HEAD'
  return hopTo(url, {
    method: target.method,
    headers: withDefaults(target.headers),
    body: sendsBody ? Buffer.from(target.body) : null,
  })
}

/** A request to a URL, split for connecting. */
export function hopTo(url: URL, request: Pick<Hop, 'method' | 'headers' | 'body'>): Hop {
  const host = hostOf(url)
  return {
    url,
    origin: new URL(url.origin),
    isTls: url.protocol === 'https:',
    host,
    port: portOf(url),
    path: url.pathname + url.search,
    ...request,
  }
}

const defaultHeaders = { 'user-agent': 'stillup', accept: '*/*' } as const

/** Headers that frame the message or belong to the connection; only our code sets them. */
const framing = new Set([
  ...['host', 'connection', 'keep-alive', 'upgrade', 'http2-settings', 'te', 'trailer'],
  ...['content-length', 'transfer-encoding', 'expect'],
])

function isFraming(name: string): boolean {
  const lower = name.toLowerCase()
  return framing.has(lower) || lower.startsWith('proxy-')
}

export const onlyDefaultHeaders: readonly string[] = Object.entries(defaultHeaders).flat()

function withDefaults(custom: Readonly<Record<string, string>>): readonly string[] {
  if (Object.keys(custom).length === 0) return onlyDefaultHeaders
  const names = new Set(Object.keys(custom).map((name) => name.toLowerCase()))
  const defaults = Object.entries(defaultHeaders).filter(([name]) => !names.has(name))
  const chosen = Object.entries(custom).filter(([name]) => !isFraming(name))
  return [...defaults, ...chosen].flat()
}
