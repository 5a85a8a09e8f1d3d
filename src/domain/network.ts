// Networks: how a caller's address is counted and how it is shown to others.
import ipaddr from 'ipaddr.js'

const ipv4Bits = 24
const ipv6Bits = 48

/** `203.0.113.7` → `203.0.113.0/24`, `2001:db8:1:2::3` → `2001:db8:1::/48`; null: no address. */
export function networkOf(address: string): string | null {
  if (!ipaddr.isValid(address)) return null
  const parsed = ipaddr.process(address)
  const bits = parsed.kind() === 'ipv4' ? ipv4Bits : ipv6Bits
  const { IPv4, IPv6 } = ipaddr
  const cidr = `${parsed.toString()}/${bits}`
  const network =
    parsed.kind() === 'ipv4' ? IPv4.networkAddressFromCIDR(cidr) : IPv6.networkAddressFromCIDR(cidr)
  return `${network.toString()}/${bits}`
}

/** The key for counting an address: the /64 for IPv6, because one host owns all of it. */
export function countedAddress(address: string): string {
  if (!address.includes(':') || !ipaddr.IPv6.isValid(address)) return address
  return ipaddr.IPv6.parse(address).parts.slice(0, 4).join(':')
}
