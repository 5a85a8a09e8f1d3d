// A server that chose HTTP/2 and says what a test wants, right or wrong, frame by frame.
import { once } from 'node:events'
import type { Socket } from 'node:net'
import tls from 'node:tls'
import { testCertificates } from './certificates.ts'

const frameTypes = {
  data: 0,
  headers: 1,
  priority: 2,
  reset: 3,
  settings: 4,
  push: 5,
  ping: 6,
  goaway: 7,
  window: 8,
  continuation: 9,
} as const

export const flags = { endStream: 1, ack: 1, endHeaders: 4 } as const

/** One frame: its type, its flags, the stream that it belongs to, and what is in it. */
export function frame(
  type: keyof typeof frameTypes,
  flag: number,
  stream: number,
  payload: Buffer | readonly number[] | string = [],
): Buffer {
  const body = typeof payload === 'string' ? Buffer.from(payload) : Buffer.from(payload)
  const head = Buffer.alloc(9)
  head.writeUIntBE(body.length, 0, 3)
  head[3] = frameTypes[type]
  head[4] = flag
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, body])
}

/** The head of a response: `:status: 200` in HPACK's own table. */
export const status200 = [0x88] as const

export interface FrameServer {
  readonly url: string
  /** How many connections are open now. */
  readonly open: number
  /** What it sends once a request is there. */
  answer: (socket: Socket) => void
  close(): Promise<void>
}

/** Close it with `t.after(() => server.close())`. */
export async function startFrameServer(): Promise<FrameServer> {
  const sockets = new Set<Socket>()
  const options = { ...testCertificates.good, ALPNProtocols: ['h2'] }
  const server = tls.createServer(options, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    socket.once('data', () => {
      socket.write(frame('settings', 0, 0))
      socket.once('data', () => self.answer(socket))
    })
  })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('no port')
  server.unref()
  const self: FrameServer = {
    url: `https://localhost:${bound.port}/`,
    get open() {
      return sockets.size
    },
    answer: () => {},
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return self
}
