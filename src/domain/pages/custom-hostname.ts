// The host name of a custom domain: which ones are allowed, and how they are written.
import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'
import { limits } from '../limits/limits.ts'
import { publicSuffixes, registeredDomain } from '../public-suffixes.ts'

/** The hosts of the service itself, in lower case and without ports. */
export interface OwnHosts {
  readonly baseHost: string
  /** The domain below which pages have subdomains; null if they have none. */
  readonly statusDomain: string | null
}

export type HostnameOrProblem =
  | { readonly hostname: string; readonly problem?: never }
  | {
      readonly problem: { readonly keyword: string; readonly message: string }
      readonly hostname?: never
    }

const labelCharsMax = 63
const labelShape = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/
// Names that are not in the public DNS, or have a meaning of their own (RFC 6761, RFC 7686).
const specialNames = new Set(['localhost', 'local', 'invalid', 'onion', 'arpa'])

/** The host name as in the DNS (ASCII, lower case, no dot at its end), or what is wrong with it. */
export function hostnameFrom(text: string, own: OwnHosts): HostnameOrProblem {
  const bare = text.trim().replace(/\.$/, '')
  if (ipaddr.isValid(bare.replace(/^\[|\]$/g, ''))) {
    return refused('format', 'must be a name, not an IP address')
  }
  // A URL parser would drop, decode or interpret these characters.
  const isPlain = bare !== '' && !/[\0-\x20\x7f%/\\?#@:[\]*_]/.test(bare)
  const hostname = isPlain ? domainToASCII(bare) : ''
  if (hostname === '') return refused('format', 'must be a host name such as status.example.com')
  if (ipaddr.isValid(hostname)) return refused('format', 'must be a name, not an IP address')
  if (hostname.length > limits.hostnameCharsMax) {
    const message = `must have at most ${limits.hostnameCharsMax} characters, as the DNS writes it`
    return refused('maxLength', message)
  }
  const labels = hostname.split('.')
  if (!labels.every((label) => labelShape.test(label) && label.length <= labelCharsMax)) {
    return refused('format', 'must be a host name such as status.example.com')
  }
  return judged(hostname, labels, own)
}

function judged(
  hostname: string,
  labels: readonly string[],
  { baseHost, statusDomain }: OwnHosts,
): HostnameOrProblem {
  if (labels.length < 2) return refused('format', 'must be a full name with its domain')
  if (specialNames.has(labels.at(-1) ?? '')) {
    return refused('reserved', 'must not end with a name that has a special meaning')
  }
  const { getDomain, getPublicSuffix } = publicSuffixes()
  const withPrivate = { allowPrivateDomains: true } as const
  if (getPublicSuffix(hostname, withPrivate) === hostname || !getDomain(hostname, withPrivate)) {
    return refused('publicSuffix', 'must be below a domain that can be registered')
  }
  if (hostname === baseHost || (statusDomain !== null && isAtOrBelow(hostname, statusDomain))) {
    return refused('reserved', 'must not be a name of this service itself')
  }
  return { hostname }
}

function refused(keyword: string, message: string): HostnameOrProblem {
  return { problem: { keyword, message } }
}

/** Whether a host is this domain or a name below it. */
export function isAtOrBelow(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`)
}

/** Whether two hosts are below the same registered domain, so that one can set cookies for the other. */
export function areRelated(one: string, other: string): boolean {
  const { getDomain } = publicSuffixes()
  const domain = getDomain(one, { allowPrivateDomains: true })
  return domain !== null && domain === getDomain(other, { allowPrivateDomains: true })
}

/** Whether a name is the registered domain itself: such a name cannot have a CNAME record. */
export function isApex(hostname: string): boolean {
  return publicSuffixes().getDomain(hostname, { allowPrivateDomains: true }) === hostname
}

/** The zones in which a host name may be: from its own to that of the registered domain. */
export function zonesOf(hostname: string): readonly string[] {
  const domain = registeredDomain(hostname)
  const labels = hostname.split('.')
  const deepest = labels.length - domain.split('.').length
  return labels.slice(0, deepest + 1).map((_, at) => labels.slice(at).join('.'))
}

/** Where the TXT record is expected that proves a host name. */
export function proofName(hostname: string): string {
  return `_status-challenge.${hostname}`
}
