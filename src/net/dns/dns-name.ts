// Names in DNS form: ASCII, lower case, no trailing dot; and reverse names of addresses.
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'
import { limits } from '../../domain/limits/limits.ts'

export type NameOrProblem =
  | { readonly name: string; readonly problem?: never }
  | { readonly problem: string; readonly name?: never }

export const nameCharsMax = 253
const labelCharsMax = 63

/**
 * The name in ASCII form, or the problem with it as a sentence without its subject. Allows
 * underscores: `_dmarc.example.com` is not a host, but a name.
 */
export function dnsName(text: string): NameOrProblem {
  const bare = text.endsWith('.') ? text.slice(0, -1) : text
  if (bare === '') return { problem: 'must contain a name' }
  if (bare.includes('*')) return { problem: 'must be a single name: wildcards cannot be queried' }
  // A URL parser would drop, decode or interpret these characters.
  if (/[\0-\x20\x7f%/\\?#@:[\]]/.test(bare)) return { problem: 'is not a valid name' }
  const name = domainToASCII(bare).replace(/\.$/, '')
  if (isIP(name) !== 0) return { problem: 'must be a name, not an address' }
  if (name.length > nameCharsMax) {
    return { problem: `must be a name of at most ${nameCharsMax} characters` }
  }
  const labels = name.split('.')
  if (labels.some((label) => label.length > labelCharsMax)) {
    return { problem: `must be a name whose labels have at most ${labelCharsMax} characters each` }
  }
  const isValid = labels.every((label) => /^[a-z0-9_-]+$/.test(label))
  return isValid ? { name } : { problem: 'is not a valid name' }
}

/** The DNS name for the reverse look-up of an address (RFC 1035 §3.5, RFC 3596 §2.5). */
export function reverseName(address: string): string {
  const bytes = ipaddr.parse(address).toByteArray()
  if (bytes.length === 4) return `${bytes.reverse().join('.')}.in-addr.arpa`
  const nibbles = bytes.flatMap((byte) => [byte >> 4, byte & 15])
  return `${nibbles
    .reverse()
    .map((nibble) => nibble.toString(16))
    .join('.')}.ip6.arpa`
}

export interface NameUrl {
  /** The host as written: percent escapes are not decoded. */
  readonly host: string
  readonly query: URLSearchParams
}

/** The parts of a URL for a name instead of a location: `dns://name?…`, `domain://name`. */
export function nameUrl(text: string, scheme: string): NameUrl | { readonly problem: string } {
  if (text.length > limits.urlCharsMax) {
    return { problem: `must be at most ${limits.urlCharsMax} characters` }
  }
  if (!text.toLowerCase().startsWith(`${scheme}://`)) {
    return { problem: `must start with ${scheme}://` }
  }
  if (/[\0-\x20\x7f\\]/.test(text)) {
    return { problem: 'must not contain spaces, control characters or \\' }
  }
  const url = URL.parse(text)
  if (url === null) return { problem: 'is not a valid URL' }
  if (/^[^/?#]*\/\/[^/?#]*@/.test(text))
    return { problem: 'must not contain a user name or password' }
  if (url.port !== '') return { problem: 'must not have a port after the name' }
  if (url.pathname !== '' && url.pathname !== '/') return { problem: 'must not have a path' }
  if (url.hash !== '') return { problem: 'must not have a fragment (#)' }
  try {
    return { host: decodeURIComponent(url.hostname), query: url.searchParams }
  } catch {
    return { problem: 'is not a valid URL' }
  }
}
