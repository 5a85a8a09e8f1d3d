// Normalizes peer addresses, and resolves the caller behind trusted proxies.
import ipaddr from 'ipaddr.js'

type ProxyRange = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** The normalized address: IPv4 dotted, even if mapped into IPv6; IPv6 shortened. */
export function normalAddress(text: string): string {
  // Almost every peer is a plain IPv4 address already.
  if (plainIpv4.test(text) || !ipaddr.isValid(text)) return text
  return ipaddr.process(text).toString()
}

const plainIpv4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/

export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}

export interface ProxyTrust {
  /** True if there are no trusted proxies: then forwarding headers need not be read. */
  readonly isEmpty: boolean
  /** Whether a peer is a trusted proxy. */
  trusts(peer: string): boolean
  /** The caller's address: the peer, or the one that trusted proxies report. */
  resolve(peer: string, forwardedFor: string): string
}

/** Trusts the proxies of a list of valid addresses and CIDR ranges. */
export function createProxyTrust(proxies: readonly string[]): ProxyTrust {
  const ranges = proxies.map((text): ProxyRange => {
    if (text.includes('/')) return ipaddr.parseCIDR(text)
    const address = ipaddr.parse(text)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  })

  function isTrusted(text: string): boolean {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    return ranges.some(
      ([base, bits]) => address.kind() === base.kind() && address.match(base, bits),
    )
  }

  return {
    isEmpty: ranges.length === 0,
    trusts: isTrusted,
    resolve(peer, forwardedFor) {
      if (forwardedFor === '' || !isTrusted(peer)) return peer
      let address = peer
      // Read from the right, because each proxy appends the address of its peer. What stands left
      // of the first untrusted address may be invented.
      for (const part of forwardedFor.split(',').toReversed()) {
        const hop = normalAddress(bare(part.trim()))
        if (!ipaddr.isValid(hop)) break
        address = hop
        if (!isTrusted(hop)) break
      }
      return address
    },
  }
}

// Some proxies append a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
function bare(hop: string): string {
  const [, inBrackets, beforePort] = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? []
  return inBrackets ?? beforePort ?? hop
}
