// A port of the system's choice that nobody else gets until the daemon listens on it.
import { createServer } from 'node:net'

export interface HeldPort {
  readonly port: number
  /** Gives it up. The caller must listen on it in the same turn, before others can take it. */
  readonly release: () => void
}

/**
 * Holds a free port of a host: the address is known, and cannot be taken by another program, while
 * the start goes on. Rejects for a host that does not belong to this machine.
 */
export function holdPort(host: string): Promise<HeldPort> {
  return new Promise((resolve, reject) => {
    // Nobody knows the port, so nobody waits there.
    const server = createServer((socket) => socket.destroy())
    server.once('error', reject)
    server.listen(0, host, () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      resolve({ port, release: () => void server.close() })
    })
  })
}
