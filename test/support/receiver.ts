// A webhook receiver on loopback that tests script: it records each request and answers as told.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { patienceMs } from './until.ts'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** `hang` never answers (until close), `reset` cuts the connection without an answer. */
export type Scripted = Answer | 'hang' | 'reset'

export interface Receiver {
  readonly url: string
  /** Every request so far, oldest first. */
  readonly requests: readonly Received[]
  /** What comes next, in order; after the last of them the default answer (200) holds. */
  script(...answers: Scripted[]): void
  /** What every request gets that no script entry is left for. */
  always(answer: Scripted): void
  /** Resolves once that many requests have come in all; rejects after `timeoutMs`. */
  received(count: number, timeoutMs?: number): Promise<readonly Received[]>
  /** Lets go of every request that hangs, with this answer. */
  release(answer: Answer): void
  close(): Promise<void>
}

/** The JSON body of a request, for tests that know its shape. */
export function bodyOf(received: Received | undefined): Record<string, never> {
  return JSON.parse(received?.body ?? 'null')
}

export async function startReceiver(address = '127.0.0.1'): Promise<Receiver> {
  const requests: Received[] = []
  const queue: Scripted[] = []
  const hanging: ServerResponse[] = []
  const sockets = new Set<Socket>()
  const waiting = new Set<() => void>()
  let standard: Scripted = { status: 200, body: 'ok' }

  const send = (response: ServerResponse, answer: Answer) =>
    response.writeHead(answer.status, answer.headers ?? {}).end(answer.body ?? '')

  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => {})
    request.on('end', () => {
      const answer = queue.shift() ?? standard
      requests.push({
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks).toString('utf8'),
      })
      for (const check of waiting) check()
      if (answer === 'reset') request.socket.destroy()
      else if (answer === 'hang') hanging.push(response)
      else send(response, answer)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  const { port } = server.address() as AddressInfo

  return {
    url: `http://${address}:${port}/hook`,
    requests,
    script: (...answers) => queue.push(...answers),
    always: (answer) => {
      standard = answer
    },
    received(count, timeoutMs = patienceMs) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check)
          reject(new Error(`${requests.length} of ${count} requests came in ${timeoutMs} ms`))
        }, timeoutMs)
        const check = () => {
          if (requests.length < count) return
          clearTimeout(timer)
          waiting.delete(check)
          resolve(requests)
        }
        waiting.add(check)
        check()
      })
    },
    release: (answer) => {
      for (const response of hanging.splice(0)) send(response, answer)
    },
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
