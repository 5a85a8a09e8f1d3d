// A plan: the requests of a target, with its URL parsed and its headers assembled.
import { needsBody } from '../../domain/assertions/assertion.ts'
import type { Method } from '../../domain/checks/check-type.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { hostOf, portOf, urlShapeProblem } from '../egress-policy.ts'

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

export type HopPlan =
  | { readonly hop: Hop; readonly needsBody: boolean; readonly problem?: never }
  | { readonly problem: string }

/** The plan of a target, or what is wrong with its URL. */
export function planFor(target: EndpointTarget): HopPlan {
  const problem = urlShapeProblem(target.url)
  if (problem !== null) return { problem: `the URL ${problem}` }
  const sendsBody = target.body !== null && target.body !== '' && target.method !== 'HEAD'
  const hop = hopTo(new URL(target.url), {
    method: target.method,
    headers: withDefaults(target.headers),
    body: sendsBody ? Buffer.from(target.body) : null,
  })
  return { hop, needsBody: needsBody(target.expect) && target.method !== 'HEAD' }
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
