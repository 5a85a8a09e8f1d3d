// Classifies IP addresses, in any notation and through any tunnel.
import ipaddr from 'ipaddr.js'

export interface AddressKind {
  /**
   * The kind of a reserved address, such as `a loopback address`; null for a public unicast
   * address.
   */
  readonly special: string | null
  /** Whether a cloud hands out credentials at this address to callers inside it. */
  readonly isMetadata: boolean
  /** The normalized address; an IPv4 address mapped into IPv6 becomes IPv4. */
  readonly canonical: string
}

type Cidr = readonly [ipaddr.IPv4 | ipaddr.IPv6, number]

const rangeNames: Readonly<Record<string, string>> = {
  unspecified: 'an unspecified address',
  broadcast: 'a broadcast address',
  multicast: 'a multicast address',
  linkLocal: 'a link-local address',
  loopback: 'a loopback address',
  carrierGradeNat: 'a carrier-grade NAT address',
  private: 'a private address',
  uniqueLocal: 'a private address',
}
const reserved = 'a reserved address'
const translated = 'a translated or tunnelled IPv4 address'

/** Reserved by the IANA special-purpose registry, in case the library's table has a gap. */
const moreReserved4 = ranges('0.0.0.0/8', '192.0.0.0/24', '192.88.99.0/24', '198.18.0.0/15')
const global6 = ranges('2000::/3')
const moreReserved6 = ranges('2001::/23', '2001:db8::/32', '3fff::/20')
/** IPv6 forms around an IPv4 address, with its first byte (RFC 6052, 3056, 4380). */
const carriers: readonly (readonly [Cidr, at: readonly number[], mask: number])[] = [
  [range('::/96'), [12, 13, 14, 15], 0],
  [range('::ffff:0:0/96'), [12, 13, 14, 15], 0],
  [range('::ffff:0:0:0/96'), [12, 13, 14, 15], 0],
  [range('64:ff9b::/96'), [12, 13, 14, 15], 0],
  [range('64:ff9b:1::/48'), [6, 7, 9, 10], 0],
  [range('64:ff9b:1::/48'), [12, 13, 14, 15], 0],
  [range('2002::/16'), [2, 3, 4, 5], 0],
  [range('2001::/32'), [12, 13, 14, 15], 0xff],
]
const mapped = range('::ffff:0:0/96')

const metadata: ReadonlySet<string> = new Set(
  [
    '169.254.169.254', // AWS, GCP, Azure, DigitalOcean, OpenStack and most others
    '169.254.169.253',
    '169.254.170.2', // AWS ECS
    '169.254.170.23', // AWS EKS
    '169.254.42.42', // Scaleway
    '100.100.100.200', // Alibaba
    '168.63.129.16', // Azure wire server
    '192.0.0.192', // Oracle
    'fd00:ec2::254',
    'fd00:ec2::253',
    'fd00:ec2::23',
    'fd20:ce::254', // GCP
    'fd00:42::42', // Scaleway
  ].map((text) => ipaddr.parse(text).toNormalizedString()),
)

function range(cidr: string): Cidr {
  return ipaddr.parseCIDR(cidr)
}

function ranges(...cidrs: readonly string[]): readonly Cidr[] {
  return cidrs.map(range)
}

function within(address: ipaddr.IPv4 | ipaddr.IPv6, list: readonly Cidr[]): boolean {
  return list.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))
}

/** The kind of an address, or undefined if the text is not an IP address. */
export function classifyAddress(text: string): AddressKind | undefined {
  const [bare = ''] = text.split('%')
  // The library also accepts `0x7f.1` and `127.1`, which no resolver or socket ever reports.
  if (!/^[\d.]+$|:/.test(bare) || !ipaddr.isValid(bare)) return undefined
  const address = ipaddr.parse(bare)
  if (address instanceof ipaddr.IPv4) return ofIPv4(address)
  if (within(address, [mapped])) return ofIPv4(new ipaddr.IPv4(address.toByteArray().slice(12)))
  const canonical = address.toNormalizedString()
  return { special: special6(address), isMetadata: leadsToMetadata(address, canonical), canonical }
}

/** Whether anyone on the internet could reach it. */
export function isPublicAddress(text: string): boolean {
  const kind = classifyAddress(text)
  return kind !== undefined && kind.special === null && !kind.isMetadata
}

function ofIPv4(address: ipaddr.IPv4): AddressKind {
  const name = address.range()
  const isPublic = name === 'unicast' && !within(address, moreReserved4)
  const canonical = address.toString()
  const special = isPublic ? null : (rangeNames[name] ?? reserved)
  return { special, isMetadata: metadata.has(canonical), canonical }
}

function special6(address: ipaddr.IPv6): string | null {
  const name = address.range()
  const known = rangeNames[name]
  if (known !== undefined) return known
  if (carriers.some(([carrier]) => within(address, [carrier]))) return translated
  const isPublic = name === 'unicast' && within(address, global6) && !within(address, moreReserved6)
  return isPublic ? null : reserved
}

function leadsToMetadata(address: ipaddr.IPv6, canonical: string): boolean {
  if (metadata.has(canonical)) return true
  const bytes = address.toByteArray()
  return carriers.some(
    ([carrier, at, mask]) =>
      within(address, [carrier]) && metadata.has(at.map((i) => (bytes[i] ?? 0) ^ mask).join('.')),
  )
}
