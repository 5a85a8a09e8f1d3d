// Tells supervisors how a probe is: /healthz that it runs, /readyz whether it is connected.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { exitCodes, StartFailure } from '../base/exit.ts'

export interface HealthPlace {
  readonly host: string
  readonly port: number
}

export async function startHealthServer(
  { host, port }: HealthPlace,
  isReady: () => boolean,
): Promise<{ stop(): void }> {
  const server = createServer((asked, answer) => {
    const [path] = (asked.url ?? '').split('?')
    const isKnown = path === '/healthz' || path === '/readyz'
    const isFine = path === '/healthz' || isReady()
    const status = isKnown ? (isFine ? 200 : 503) : 404
    answer.writeHead(status, { 'content-type': 'text/plain', 'cache-control': 'no-store' })
    answer.end(isKnown ? (isFine ? 'ok\n' : 'not connected\n') : 'not found\n')
  })
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new StartFailure(exitCodes.io, `cannot listen for --health: ${why}`, { cause })
  }
  return {
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
