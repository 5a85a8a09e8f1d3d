// Tells supervisors how a probe or a standby is: /healthz that it runs, /readyz whether it does its work.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { exitCodes, StartFailure } from '../base/exit.ts'

export interface HealthPlace {
  readonly host: string
  readonly port: number
}

interface HealthAnswer {
  readonly status: number
  readonly text: string
}

/** What is answered at each path. */
export interface HealthAnswers {
  readonly alive: HealthAnswer
  readonly ready: () => HealthAnswer
  readonly elsewhere: HealthAnswer
}

export const probeHealth = (isConnected: () => boolean): HealthAnswers => ({
  alive: { status: 200, text: 'ok' },
  ready: () =>
    isConnected() ? { status: 200, text: 'ok' } : { status: 503, text: 'not connected' },
  elsewhere: { status: 404, text: 'not found' },
})

const isStandby = { status: 503, text: 'standby' }

/** A standby answers nothing else, so that a proxy passes everything to the leader. */
export const standbyHealth: HealthAnswers = {
  alive: { status: 200, text: 'alive\nrole: standby' },
  ready: () => isStandby,
  elsewhere: isStandby,
}

const retryAfterSeconds = 5

export async function startHealthServer(
  { host, port }: HealthPlace,
  answers: HealthAnswers,
): Promise<{ stop(): void }> {
  const server = createServer((asked, answer) => {
    const [path] = (asked.url ?? '').split('?')
    const { status, text } =
      path === '/healthz' ? answers.alive : path === '/readyz' ? answers.ready() : answers.elsewhere
    answer.writeHead(status, {
      'content-type': 'text/plain',
      'cache-control': 'no-store',
      ...(status === 503 && { 'retry-after': String(retryAfterSeconds) }),
    })
    answer.end(`${text}\n`)
  })
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new StartFailure(exitCodes.io, `cannot listen on ${host}:${port}: ${why}`, { cause })
  }
  return {
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}
