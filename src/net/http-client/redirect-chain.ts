// Redirects: computes the next request, and detects chains that must not be followed further.
import type { Method } from '../../domain/checks/check-type.ts'
import { urlShapeProblem } from '../egress-policy.ts'
import { type Failure, failure } from '../failure.ts'
import { type Hop, hopTo, onlyDefaultHeaders } from './plan.ts'

export type NextHop =
  | { readonly hop: Hop; readonly failure?: never }
  | { readonly failure: Failure; readonly hop?: never }

/** A class because it grows. Created with the first redirect: most checks have none. */
export class RedirectChain {
  /** The number of redirects so far. */
  count = 0
  /** The target of the last one, followed or not. */
  location = ''
  readonly #max: number
  readonly #visited = new Set<string>()

  constructor(max: number) {
    this.#max = max
  }

  /** The next request, or why the redirect is not followed. */
  follow(from: Hop, status: number, location: string): NextHop {
    this.#visited.add(keyOf(from))
    this.count += 1
    const { hop, problem } = followRedirect(from, status, location)
    this.location = hop?.url.href ?? URL.parse(location, from.url.href)?.href ?? location
    if (hop === undefined) return { failure: redirectFailures[problem] }
    if (this.#visited.has(keyOf(hop))) {
      return { failure: failure('redirect_loop', 'the redirects lead in a circle') }
    }
    if (this.count > this.#max) {
      const many = `more than ${this.#max} redirects in a row`
      return { failure: failure('redirect_loop', many) }
    }
    return { hop }
  }
}

function keyOf({ method, url }: Hop): string {
  return `${method} ${url.href}`
}

/** Why a redirect is not followed. */
const redirectFailures = {
  location: failure('invalid_response', 'a redirect leads to something that is not a URL'),
  scheme: failure('blocked', 'a redirect leads to a URL that checks may not open'),
  downgrade: failure('blocked', 'a redirect leads from https to http'),
} as const

type RedirectTarget =
  | { readonly hop: Hop; readonly problem?: never }
  | { readonly problem: 'location' | 'scheme' | 'downgrade'; readonly hop?: never }

const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

export function isRedirect(status: number): boolean {
  return redirectStatuses.has(status)
}

/** The next request after a redirect, according to RFC 9110 §15.4 and the fetch standard. */
export function followRedirect(from: Hop, status: number, location: string): RedirectTarget {
  const url = URL.parse(location, from.url.href)
  if (url === null) return { problem: 'location' }
  url.hash = ''
  if (urlShapeProblem(url.href) !== null) return { problem: 'scheme' }
  const isTls = url.protocol === 'https:'
  if (from.isTls && !isTls) return { problem: 'downgrade' }
  const method = redirectedMethod(from.method, status)
  const body = method === from.method ? from.body : null
  const sameOrigin = url.origin === from.url.origin
  const headers = sameOrigin ? from.headers : headersForStranger(from, body !== null)
  return { hop: hopTo(url, { method, headers: body ? headers : unframed(headers), body }) }
}

function redirectedMethod(method: Method, status: number): Method {
  if (status === 303) return method === 'HEAD' ? 'HEAD' : 'GET'
  return (status === 301 || status === 302) && method === 'POST' ? 'GET' : method
}

/**
 * A redirect to another origin keeps only the headers that describe the body, because the
 * user's may be secret.
 */
function headersForStranger(from: Hop, hasBody: boolean): readonly string[] {
  const kept = onlyDefaultHeaders
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
