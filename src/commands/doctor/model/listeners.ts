// Finds listening TCP sockets in /proc/net/tcp and /proc/net/tcp6 (proc(5)).

export interface OwnedListener {
  /** As text; `0.0.0.0` and `::` are every address. */
  readonly address: string
  readonly port: number
  readonly uid: number
  readonly inode: string
}

const listening = '0A'

export function listenersIn(text: string): readonly OwnedListener[] {
  return text.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , uid, , inode = ''] = line.trim().split(/\s+/)
    const [host = '', port = ''] = local.split(':')
    if (state !== listening) return []
    return {
      address: addressOf(host),
      port: Number.parseInt(port, 16),
      uid: Number(uid),
      inode,
    }
  })
}

/** Words of four bytes in the order of the machine, which is little-endian on all that we support. */
function addressOf(hex: string): string {
  const bytes = [...Buffer.from(hex, 'hex')]
  const ordered = bytes.map((_, at) => bytes[(at & ~3) + (3 - (at & 3))] ?? 0)
  if (ordered.length === 4) return ordered.join('.')
  if (ordered.every((byte) => byte === 0)) return '::'
  const isMapped = ordered.slice(0, 10).every((byte) => byte === 0) && ordered[10] === 0xff
  if (isMapped) return ordered.slice(12).join('.')
  const words = Array.from({ length: 8 }, (_, at) =>
    (((ordered[2 * at] ?? 0) << 8) | (ordered[2 * at + 1] ?? 0)).toString(16),
  )
  return new URL(`http://[${words.join(':')}]`).hostname.slice(1, -1)
}
