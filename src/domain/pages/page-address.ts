// The address of a status page: its slug, and the label of its platform subdomain.
import ipaddr from 'ipaddr.js'
import { limits } from '../limits/limits.ts'
import { isAtOrBelow, type OwnHosts } from './custom-hostname.ts'

export const slugPattern = `^[a-z0-9-]{1,${limits.slugCharsMax}}$`

export const labelPattern = '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'
const labelShape = new RegExp(labelPattern)

/** Names that people or software associate with the operator, so that no tenant can pose as it. */
const reservedLabels = new Set(
  `www www1 www2 web api apis app apps admin administrator root system sys internal
  mail email smtp imap pop pop3 mx mx1 mx2 webmail autoconfig autodiscover
  ns ns1 ns2 dns whois wpad isatap localhost local localdomain broadcasthost
  status statuspage status-page page pages docs help support
  login logout signin signup register account accounts auth oauth oidc sso id identity
  security ssl tls cert certs billing pay payment payments dashboard console portal panel
  cdn static assets ftp sftp ssh vpn proxy gateway push webhook webhooks hooks
  health healthz readyz metrics stillup postmaster hostmaster webmaster abuse noc legal
  privacy terms`.split(/\s+/),
)

/** Whether people could mistake a name for the operator's own. */
export function isReservedLabel(label: string): boolean {
  return reservedLabels.has(label)
}

/** What is wrong with a label as a platform subdomain, or null if it is allowed. */
export function subdomainProblem(
  label: string,
  own: OwnHosts,
): { keyword: string; message: string } | null {
  if (!labelShape.test(label)) {
    return {
      keyword: 'pattern',
      message: 'must be one DNS label: a-z, 0-9 and inner hyphens, at most 63 characters',
    }
  }
  // An encoded label (RFC 5890 §2.3.2.1) is shown decoded, and can look like another name.
  if (reservedLabels.has(label) || label.startsWith('xn--') || isOfService(label, own)) {
    return { keyword: 'reserved', message: 'is reserved' }
  }
  return null
}

/**
 * Whether the service is at this label, or below it: under `http.statusDomain`, or under a domain that may
 * become that.
 */
function isOfService(label: string, { baseHost, statusDomain }: OwnHosts): boolean {
  if (isAtOrBelow(baseHost, `${label}.${statusDomain}`)) return true
  return baseHost.startsWith(`${label}.`) && !ipaddr.isValid(baseHost)
}

/** A slug made from a name; 'status' if the name has no usable characters. */
export function slugFrom(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mark}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
  return words.slice(0, limits.slugCharsMax).replace(/^-+|-+$/g, '') || 'status'
}

/** Another slug for the same name: the end of the page's id makes it unique. */
export function slugWithId(slug: string, pageId: string): string {
  const tail = pageId.slice(-6)
  return `${slug.slice(0, limits.slugCharsMax - tail.length - 1)}-${tail}`
}
