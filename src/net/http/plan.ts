// A plan: a target made ready to be asked, its URL taken apart and its headers put together.
import { isIP } from 'node:net'
import { clip } from '../../base/clip.ts'
import { needsBody } from '../../domain/assertions/assertion.ts'
import type { Method } from '../../domain/checks/check-type.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { EndpointTarget } from '../../domain/monitors/monitor.ts'
import { type Failure, failure } from '../failure.ts'
import { type Guard, hostOf, portOf, urlShapeProblem } from '../guard.ts'

/** One request of a check; a redirect leads to the next one. */
export interface Hop {
  readonly url: URL
  /** The origin as undici wants it: a URL of nothing else. */
  readonly origin: URL
  readonly isTls: boolean
  /** Without brackets and trailing dot. */
  readonly host: string
  /** Where the host is an address, that address alone. */
  readonly literal: readonly [string] | null
  readonly port: number
  readonly path: string
  readonly method: Method
  /** Name, value, name, value… */
  readonly headers: readonly string[]
  readonly body: Buffer | null
}

export type Plan =
  | { readonly hop: Hop; readonly needsBody: boolean; readonly problem?: never }
  | { readonly problem: string }

/** The plan of a target, or what is wrong with its URL. */
export function planFor(target: EndpointTarget): Plan {
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

/** A request to a URL, taken apart for connecting. */
export function hopTo(url: URL, request: Pick<Hop, 'method' | 'headers' | 'body'>): Hop {
  const host = hostOf(url)
  return {
    url,
    origin: new URL(url.origin),
    isTls: url.protocol === 'https:',
    host,
    literal: isIP(host) === 0 ? null : [host],
    port: portOf(url),
    path: url.pathname + url.search,
    ...request,
  }
}

/**
 * Why the addresses of a request may not be connected to; undefined where all may. The host of a
 * redirect was chosen by the target: it is not repeated.
 */
export function forbiddenBy(
  guard: Pick<Guard, 'judgeAddress'>,
  { host, port, literal }: Hop,
  addresses: readonly string[],
  isRedirected: boolean,
): Failure | undefined {
  for (const address of addresses) {
    const judgement = guard.judgeAddress(address, port)
    if (judgement.allowed) continue
    const own = literal === null ? `${clip(host, limits.quotedCharsMax)} leads to` : `${host} is`
    const who = isRedirected ? 'a redirect leads to' : own
    return failure('blocked', `${who} ${judgement.reason}, which is not allowed`)
  }
  return undefined
}

const defaultHeaders = { 'user-agent': 'stillup', accept: '*/*' } as const

/** Headers that frame the message or belong to the connection: they are ours to write. */
const framing = new Set([
  ...['host', 'connection', 'keep-alive', 'upgrade', 'te', 'trailer'],
  ...['content-length', 'transfer-encoding', 'expect'],
])

function isFraming(name: string): boolean {
  const lower = name.toLowerCase()
  return framing.has(lower) || lower.startsWith('proxy-')
}

const onlyDefaults: readonly string[] = Object.entries(defaultHeaders).flat()

function withDefaults(custom: Readonly<Record<string, string>>): readonly string[] {
  if (Object.keys(custom).length === 0) return onlyDefaults
  const names = new Set(Object.keys(custom).map((name) => name.toLowerCase()))
  const defaults = Object.entries(defaultHeaders).filter(([name]) => !names.has(name))
  const chosen = Object.entries(custom).filter(([name]) => !isFraming(name))
  return [...defaults, ...chosen].flat()
}

export type Redirected =
  | { readonly hop: Hop; readonly problem?: never }
  | { readonly problem: 'location' | 'scheme' | 'downgrade'; readonly hop?: never }

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export function isRedirect(status: number): boolean {
  return redirectStatuses.has(status)
}

/** The next request after a redirect, after RFC 9110 §15.4 and the fetch standard. */
export function followRedirect(from: Hop, status: number, location: string): Redirected {
  const url = URL.parse(location, from.url.href)
  if (url === null) return { problem: 'location' }
  url.hash = ''
  if (urlShapeProblem(url.href) !== null) return { problem: 'scheme' }
  const isTls = url.protocol === 'https:'
  if (from.isTls && !isTls) return { problem: 'downgrade' }
  const method = redirectedMethod(from.method, status)
  const body = method === from.method ? from.body : null
  const sameOrigin = url.origin === from.url.origin
  const headers = sameOrigin ? from.headers : strangersHeaders(from, body !== null)
  return { hop: hopTo(url, { method, headers: body ? headers : unframed(headers), body }) }
}

function redirectedMethod(method: Method, status: number): Method {
  if (status === 303) return method === 'HEAD' ? 'HEAD' : 'GET'
  return (status === 301 || status === 302) && method === 'POST' ? 'GET' : method
}

/** Another origin gets nothing of what the user entrusted to the first, but what the body is. */
function strangersHeaders(from: Hop, hasBody: boolean): readonly string[] {
  const kept = onlyDefaults
  if (!hasBody) return kept
  const at = from.headers.findIndex((name, i) => i % 2 === 0 && /^content-type$/i.test(name))
  return at < 0 ? kept : [...kept, 'content-type', from.headers[at + 1] ?? '']
}

/** A request that lost its body must not describe one. */
function unframed(headers: readonly string[]): readonly string[] {
  const kept: string[] = []
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? ''
    if (!/^content-/i.test(name)) kept.push(name, headers[i + 1] ?? '')
  }
  return kept
}
