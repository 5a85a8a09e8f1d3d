// The receiver of the alerts that the bench causes: takes every message, and notes when it came.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** The first request with a message: a repetition is no arrival. */
interface Arrival {
  /** The last part of the path. */
  readonly channel: string
  /** When the head of the message was there, by performance.now(). */
  readonly atMs: number
  /** What the message is: an event of one incident, or a digest of many. */
  readonly type: string
  /** All that it tells of. */
  readonly incidentIds: readonly string[]
}

export interface Receiver {
  urlOf(channel: string): string
  readonly arrivals: readonly Arrival[]
  readonly repeated: number
  /** From now on each request to the channel is answered only after this time. */
  hang(channel: string, ms: number): void
  close(): void
}

interface Message {
  readonly type: string
  readonly data: {
    readonly incident?: { readonly id: string }
    readonly incidentIds?: readonly string[]
  }
}

export async function startReceiver(): Promise<Receiver> {
  const arrivals: Arrival[] = []
  const ids = new Set<unknown>()
  const hanging = new Map<string, number>()
  let repeated = 0

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const atMs = performance.now()
    const channel = request.url?.split('/').at(-1) ?? ''
    const id = request.headers['webhook-id']
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (ids.has(id)) repeated += 1
    else {
      ids.add(id)
      const { type, data } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Message
      const incidentIds = data.incidentIds ?? (data.incident ? [data.incident.id] : [])
      arrivals.push({ channel, atMs, type, incidentIds })
    }
    const waitMs = hanging.get(channel)
    if (waitMs !== undefined) await sleep(waitMs)
    response.writeHead(200).end()
  }

  const server = createServer((request, response) => {
    // A sender that gives up closes its connection.
    response.on('error', () => {})
    take(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    urlOf: (channel) => `http://127.0.0.1:${port}/${channel}`,
    arrivals,
    get repeated() {
      return repeated
    },
    hang: (channel, ms) => void hanging.set(channel, ms),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
