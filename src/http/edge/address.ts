// Normalizes peer addresses, and resolves the caller behind trusted proxies.

import type { HttpResponse } from 'uWebSockets.js'
import ipaddr from 'ipaddr.js'

type ProxyRange = [ipaddr.IPv4 | ipaddr.IPv6, number]

/** The normalized address: IPv4 dotted, even if mapped into IPv6; IPv6 shortened. */
export function normalAddress(text: string): string {
  // Almost every peer is a plain IPv4 address already.
  if (plainIpv4.test(text) || !ipaddr.isValid(text)) return text
  return ipaddr.process(text).toString()
}

const plainIpv4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/

type Peer = Pick<
  HttpResponse,
  'getRemoteAddress' | 'getRemoteAddressAsText' | 'getProxiedRemoteAddressAsText'
>

/**
 * Whether the caller speaks TLS with this daemon: only the private listener has peers without an
 * address, because they come through a Unix socket.
 */
export function isSecure(res: Peer): boolean {
  return res.getRemoteAddress().byteLength === 0
}

/** The normalized address of the other end; through the private listener edge/tls names it. */
export function peerOf(res: Peer): string {
  const own = res.getRemoteAddressAsText()
  const text = own.byteLength === 0 ? res.getProxiedRemoteAddressAsText() : own
  return normalAddress(Buffer.from(text).toString('latin1'))
}

export function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}

export interface ProxyTrust {
  /** Trusts these from now on: valid addresses and CIDR ranges. */
  setProxies(proxies: readonly string[]): void
  /** True if there are no trusted proxies: then forwarding headers need not be read. */
  readonly isEmpty: boolean
  /** Whether a peer is a trusted proxy. */
  trusts(peer: string): boolean
  /** The caller's address: the peer, or the one that trusted proxies report. */
  resolve(peer: string, forwardedFor: string): string
}

/** Trusts the proxies of a list of valid addresses and CIDR ranges. */
export function createProxyTrust(proxies: readonly string[]): ProxyTrust {
  let ranges = proxies.map(rangeOf)

  function isTrusted(text: string): boolean {
    if (!ipaddr.isValid(text)) return false
    const address = ipaddr.process(text)
    return ranges.some(
      ([base, bits]) => address.kind() === base.kind() && address.match(base, bits),
    )
  }

  return {
    get isEmpty() {
      return ranges.length === 0
    },
    setProxies(next) {
      ranges = next.map(rangeOf)
    },
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

function rangeOf(text: string): ProxyRange {
  if (text.includes('/')) return ipaddr.parseCIDR(text)
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

// Some proxies append a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`.
function bare(hop: string): string {
  const [, inBrackets, beforePort] = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? []
  return inBrackets ?? beforePort ?? hop
}

/** An address with its port, as URLs and settings write it. */
export function hostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
