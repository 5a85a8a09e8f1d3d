// One port for TCP and UDP, as name servers have.
import type { Socket } from 'node:dgram'
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

const triesMax = 20

/**
 * Has both listen on a port of the system's choice, and resolves with it. What is free for TCP may be
 * in use for UDP: then another is tried.
 */
export async function listenOnSamePort(tcp: Server, udp: Socket, host: string): Promise<number> {
  for (let tries = 1; ; tries += 1) {
    tcp.listen(0, host)
    await once(tcp, 'listening')
    const { port } = tcp.address() as AddressInfo
    try {
      udp.bind(port, host)
      await once(udp, 'listening')
      return port
    } catch (error) {
      const isInUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
      if (!isInUse || tries === triesMax) throw error
      tcp.close()
      await once(tcp, 'close')
    }
  }
}
