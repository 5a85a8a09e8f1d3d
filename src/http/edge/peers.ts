// Limits how many connections one peer may hold: a share of the free ones. A peer is one IPv4
// address, or a /64 of IPv6. The fewer connections are free, the fewer a peer may add, so even
// several greedy peers leave some for a newcomer.
import { readFileSync } from 'node:fs'
import { limits } from '../../domain/limits/limits.ts'

/** The number of connections of each peer, by its key. */
export type ConnectionCounts = ReadonlyMap<string, number>

export interface PeerShareOptions {
  /** The maximum number of open connections. */
  readonly connectionsMax: number
  readonly monoMs: () => number
  /** Counts the open connections, including the newest; undefined if that is unknown. */
  readonly count: () => ConnectionCounts | undefined
}

export interface PeerShare {
  /**
   * Counts a new connection, when `open` are open in all; returns whether its peer now has too
   * many.
   */
  isTooMany(peer: string, open: number): boolean
}

/**
 * The share of connections for one address if no other has any: it may serve many people, but must
 * not take most. The more are taken, the fewer one address may have.
 */
const connectionsPeerShare = 1 / 4
/** The age at which the count of connections per address is renewed. */
export const peersCountedMs = 1_000

/**
 * uWebSockets.js reports the peer when a connection opens, but not when it closes. So opened
 * connections are added up, and the sum may be too high. If it exceeds the limit, the real number
 * is read from the operating system, at most once in a while.
 */
export function createPeerShare(options: PeerShareOptions): PeerShare {
  const { connectionsMax, monoMs, count } = options
  let held = new Map<string, number>()
  let countAtMs = monoMs()

  function countAnew(): void {
    countAtMs = monoMs() + peersCountedMs
    held = new Map(count())
  }

  /**
   * Solves used = freePart × free for one peer alone, so that it ends up with exactly
   * `connectionsPeerShare` of all connections.
   */
  const freePart = connectionsPeerShare / (1 - connectionsPeerShare)

  return {
    isTooMany(peer, open) {
      const peerMax = Math.max(1, Math.floor((connectionsMax - open + 1) * freePart))
      const before = held.get(peer) ?? 0
      held.set(peer, before + 1)
      const isDue = held.size > limits.connectionsMax || (open > peerMax && before >= peerMax)
      if (isDue && monoMs() >= countAtMs) countAnew()
      if (open <= peerMax || (held.get(peer) ?? 0) <= peerMax) return false
      held.set(peer, (held.get(peer) ?? 1) - 1)
      return true
    },
  }
}

const ipv4InIpv6 = '00000000000000000000ffff'

/** The key for counting a peer, from the 4 or 16 bytes of its address. */
export function peerKey(address: Uint8Array): string {
  const hex = Buffer.from(address).toString('hex')
  if (hex.startsWith(ipv4InIpv6)) return hex.slice(ipv4InIpv6.length)
  // Hosts usually own a whole /64, so all its addresses count as one peer.
  return hex.slice(0, 16)
}

/**
 * The system's connections to a port of this machine, by peer; undefined if it does not report
 * them.
 */
export function connectionsOfSystem(port: number): ConnectionCounts | undefined {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => {
    try {
      return readFileSync(path, 'latin1')
    } catch {
      return ''
    }
  })
  const text = tables.join('\n')
  return text === '\n' ? undefined : connectionsIn(text, port)
}

// The columns of a row: number, our address and port, the peer's, state, queues, timer, retries,
// user, timeout, file.
const row =
  /^ *\d+: [\dA-F]+:([\dA-F]{4}) ([\dA-F]+):[\dA-F]{4} ([\dA-F]{2}) \S+ \S+ \S+ +\d+ +\d+ (\d+)/gm
const openStates = new Set(['01', '08'])
/** States of connections that we have closed. The operating system keeps them for a while. */
const endingStates = new Set(['04', '05'])

/** Reads the tables of Linux. */
export function connectionsIn(text: string, port: number): ConnectionCounts {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0')
  const byAddress = new Map<string, number>()
  for (const [, ours, address = '', state = '', file] of text.matchAll(row)) {
    if (ours !== wanted) continue
    if (!openStates.has(state) && !(endingStates.has(state) && file !== '0')) continue
    byAddress.set(address, (byAddress.get(address) ?? 0) + 1)
  }
  const held = new Map<string, number>()
  for (const [address, connections] of byAddress) {
    // The file shows an address as words of four bytes in little-endian order.
    const bytes = Buffer.from(address, 'hex').swap32()
    const key = peerKey(bytes)
    held.set(key, (held.get(key) ?? 0) + connections)
  }
  return held
}
