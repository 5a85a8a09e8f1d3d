// A secret of an organization: a named value that checks send and nobody is shown, and the hosts to which
// alone it is sent.
import { domainToASCII } from 'node:url'
import ipaddr from 'ipaddr.js'
import type { FieldProblem } from '../../base/fault.ts'
import type { OrgId, SecretId } from '../../base/ids.ts'
import { limits } from '../limits/limits.ts'
import { publicSuffixes } from '../public-suffixes.ts'
import { givenAgainRule } from '../same-server.ts'
import { maskRule, secretMask } from '../secret-mask.ts'

/** A secret as it is stored. */
export interface OrgSecret {
  readonly id: SecretId
  readonly orgId: OrgId
  /** What templates call it; no two of an organization have the same. */
  readonly name: string
  /** The encrypted value; null: an import brought none, and nobody has given it since. */
  readonly valueBox: string | null
  /** `example.com`, `*.example.com` or an address, as URLs write them. Empty: it may be sent to every host. */
  readonly hosts: readonly string[]
  readonly description: string | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly revision: number
}

/** A secret as a check uses it. */
export interface UsableSecret {
  readonly value: string
  readonly hosts: readonly string[]
}

/** The form of a name; `{{secret.NAME}}` names it in templates. */
export const secretNamePattern = '^[A-Za-z_][A-Za-z0-9_]{0,63}$'
export const secretBytesMax = 4 * 1024
export const secretHostsMax = 20

/** Control characters, except tabs and line breaks: keys in PEM have these. */
const stray = /(?![\t\n\r])\p{Cc}/u

/** What is wrong with a value that somebody gives, besides its length. */
export function secretValueProblems(value: string): FieldProblem[] {
  const problem = (keyword: string, message: string) => [{ pointer: '/value', keyword, message }]
  if (value === secretMask) return problem('secret', maskRule)
  if (Buffer.byteLength(value) > secretBytesMax) {
    return problem('maxLength', `must have at most ${secretBytesMax} bytes in UTF-8`)
  }
  if (value.trim() !== value) {
    return problem('pattern', 'must not begin or end with spaces or line breaks')
  }
  if (stray.test(value)) {
    return problem('pattern', 'must not contain control characters other than line breaks and tabs')
  }
  return []
}

/** The hosts as URLs write them, each once; what is wrong is left as it is. */
export function writtenHosts(hosts: readonly string[]): string[] {
  return [...new Set(hosts.map((host) => hostFrom(host) ?? host))]
}

/** What is wrong with hosts that `writtenHosts` wrote. */
export function secretHostProblems(hosts: readonly string[]): FieldProblem[] {
  return hosts.flatMap((host, index) => {
    const message = hostRule(host)
    return message === null ? [] : [{ pointer: `/hosts/${index}`, keyword: 'format', message }]
  })
}

/** Null: it is right. */
function hostRule(host: string): string | null {
  if (hostFrom(host) === null) {
    return 'must be a host name such as api.example.com, all names below one such as *.example.com, or an IP address'
  }
  if (!host.startsWith(anyBelow)) return null
  const domain = host.slice(anyBelow.length)
  // Where everybody may have a name, names say nothing.
  const isOpen = publicSuffixes().getPublicSuffix(domain, { allowPrivateDomains: true }) === domain
  return isOpen ? 'must be below a domain that one owner has' : null
}

const anyBelow = '*.'

/** The host in lower case, punycode and short IPv6, as `URL.hostname` has it; null: it is none. */
function hostFrom(text: string): string | null {
  const bare = text.trim()
  const address = bare.replace(/^\[(.*)\]$/, '$1')
  if (ipaddr.IPv6.isValid(address)) return URL.parse(`http://[${address}]/`)?.hostname ?? null
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return bare
  const isWild = bare.startsWith(anyBelow)
  const name = isWild ? bare.slice(anyBelow.length) : bare
  // A URL parser would drop, decode or interpret these characters; a dot at the end is another name.
  if (/[\0-\x20\x7f%/\\?#@:[\]*]|\.$|^$/.test(name)) return null
  const ascii = domainToASCII(name)
  // Numbers such as 0x7f.1 are other forms of addresses.
  const isName = ascii !== '' && !ipaddr.isValid(ascii) && ascii.length <= limits.hostnameCharsMax
  return isName ? (isWild ? anyBelow : '') + ascii : null
}

/** Whether the value may be sent to a host, which is written as `URL.hostname` has it, or without its brackets. */
export function mayBeSentTo({ hosts }: Pick<UsableSecret, 'hosts'>, hostname: string): boolean {
  const asked = hostname.includes(':') && !hostname.startsWith('[') ? `[${hostname}]` : hostname
  return hosts.length === 0 || hosts.some((host) => covers(host, asked))
}

/** `*.example.com` covers every name below example.com, at any depth, and not example.com itself. */
function covers(host: string, other: string): boolean {
  return host === other || (host.startsWith(anyBelow) && other.endsWith(host.slice(1)))
}

/** The hosts that a change adds. Who may change them need not know the value, so it must be given again. */
export function carriedHosts(before: readonly string[], after: readonly string[]): FieldProblem[] {
  const isOld = (host: string) => before.length === 0 || before.some((one) => covers(one, host))
  if (after.length > 0 ? after.every(isOld) : before.length === 0) return []
  const message = givenAgainRule('the requests go')
  return [{ pointer: '/value', keyword: 'secret', message }]
}
