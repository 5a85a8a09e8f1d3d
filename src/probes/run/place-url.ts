// Parses the URL of a check that does not use HTTP: a scheme, a host, a port, and little else.
import { limits } from '../../domain/limits/limits.ts'
import { didYouMean, hostOf } from '../../net/egress-policy.ts'

export interface PlaceUrl {
  /** The scheme is in lower case and without the colon. */
  readonly scheme: string
  /** The host is in URL form: lower case and ASCII, a normalized address, no brackets. */
  readonly host: string
  /** Null if the URL has none. */
  readonly port: number | null
  readonly path: string
  /** The query without the question mark. */
  readonly query: string
  readonly problem?: never
}

/** A sentence without its subject, such as `must name a host`. */
export interface UrlFault {
  readonly problem: string
}

const portMax = 65_535
const parts = /^([a-z][a-z\d]*):\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(#.*)?$/is
const hostAndPort = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/s

/** Splits a URL with one of the schemes; returns what is wrong if it is invalid. */
export function parsePlaceUrl(text: string, schemes: readonly string[]): PlaceUrl | UrlFault {
  if (text.length > limits.urlCharsMax) {
    return { problem: `must be at most ${limits.urlCharsMax} characters` }
  }
  if (/[\0-\x20\x7f\\]/.test(text)) {
    return { problem: 'must not contain spaces, control characters or \\' }
  }
  const [, name = '', authority = '', path = '', query = '', fragment = ''] = parts.exec(text) ?? []
  const scheme = name.toLowerCase()
  if (!schemes.includes(scheme)) {
    const rule = schemes.map((one) => `${one}://`).join(' or ')
    return { problem: `must start with ${rule}${didYouMean(text, schemes[0] ?? '')}` }
  }
  if (authority.includes('@')) return { problem: 'must not contain a user name or password' }
  if (fragment !== '') return { problem: 'must not contain a #' }
  const [, hostText = '', portText] = hostAndPort.exec(authority) ?? []
  if (hostText === '') return { problem: 'must name a host' }
  // With the scheme http the parser normalizes the host as browsers do: IDNA, `0x7f.1` and so on.
  const url = URL.parse(`http://${hostText}/`)
  const host = url === null ? '' : hostOf(url)
  if (host === '') return { problem: 'must name a valid host' }
  const port = portText === undefined ? null : numberOf(portText)
  if (port === undefined) return { problem: `must name a port from 1 to ${portMax}` }
  return { scheme, host, port, path, query }
}

/** The value of each option; absent if the URL does not have it. */
export type Options<Known> = { readonly [Name in keyof Known]?: string }

/**
 * Reads the query of a URL that says how to check. `known`: the values that each option may have; null for
 * any. Returns what is wrong if it has another one.
 */
export function readOptions<Known extends Readonly<Record<string, readonly string[] | null>>>(
  query: string,
  known: Known,
): Options<Known> | UrlFault {
  const found: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(query)) {
    const values = Object.hasOwn(known, name) ? known[name] : undefined
    if (values === undefined) {
      const names = Object.keys(known).join(', ')
      return { problem: `must have no query parameters other than ${names}` }
    }
    if (Object.hasOwn(found, name)) return { problem: `must have only one ${name}` }
    if (values !== null && !values.includes(value)) {
      return { problem: `must have as ${name} one of ${values.join(', ')}` }
    }
    found[name] = value
  }
  return found as Options<Known>
}

function numberOf(portText: string): number | undefined {
  const port = /^\d{1,5}$/.test(portText) ? Number(portText) : 0
  return port >= 1 && port <= portMax ? port : undefined
}
