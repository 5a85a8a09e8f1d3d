// Finds a free port in advance, because links need the base URL before the listener is opened.
import { createServer } from 'node:net'

/** Asks the system for a free port of the host and releases it. Rejects for an invalid host. */
export function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, host, () => {
      const address = server.address()
      const port = typeof address === 'object' && address ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
