// A server on loopback that misbehaves on purpose, from the first byte of each connection.
import { once } from 'node:events'
import net, { type AddressInfo, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import tls from 'node:tls'
import zlib from 'node:zlib'

/** What a connection gets, from its beginning. */
export type Serve = (socket: Socket) => void

export interface BadServer {
  readonly port: number
  /** How many connections are open now. */
  readonly open: number
  /** How many were accepted so far. */
  readonly accepted: number
  close(): Promise<void>
}

export interface BadServerOptions {
  /** Speaks TLS from the first byte; takes weak keys and old versions, unlike Node by itself. */
  readonly tls?: tls.TlsOptions
  readonly address?: string
  readonly port?: number
}

export async function startBadServer(
  serve: Serve,
  options: BadServerOptions = {},
): Promise<BadServer> {
  const { address = '127.0.0.1', port = 0 } = options
  const open = new Set<Socket>()
  let accepted = 0
  const begin = (socket: Socket): void => {
    socket.on('error', () => {})
    const plain = [...open].find((one) => one.remotePort === socket.remotePort)
    if (plain) plainOf.set(socket, plain)
    serve(socket)
    // What is not read would hide that the other side has gone.
    socket.resume()
  }
  const lax = { ciphers: 'DEFAULT:@SECLEVEL=0', minVersion: 'TLSv1' } as const
  const server = options.tls
    ? tls.createServer({ ...lax, ...options.tls }, begin)
    : net.createServer(begin)
  server.on('connection', (socket: Socket) => {
    accepted += 1
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
  })
  server.on('tlsClientError', () => {})
  server.listen({ port, host: address, backlog: 4_096 })
  await once(server, 'listening')
  server.unref()
  const { port: bound } = server.address() as AddressInfo
  return {
    port: bound,
    get open() {
      return open.size
    },
    get accepted() {
      return accepted
    },
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Runs the script with what was asked, once a request has come. */
export function asked(script: (socket: Socket, head: string) => void): Serve {
  return (socket) => {
    let head = ''
    socket.on('data', (chunk: Buffer) => {
      if (head.includes('\r\n\r\n')) return
      head += chunk.toString('latin1')
      if (head.includes('\r\n\r\n')) script(socket, head)
    })
  }
}

/** Answers a request with these bytes, and closes. */
export function says(bytes: string | Buffer): Serve {
  return asked((socket) => socket.end(bytes))
}

/** The same, without closing. */
export function saysAndWaits(bytes: string | Buffer): Serve {
  return asked((socket) => socket.write(bytes))
}

/** Breaks the connection off after these bytes. */
export function saysAndResets(bytes: string): Serve {
  return asked((socket) => {
    socket.write(bytes, () => setTimeout(() => breakOff(socket), 20))
  })
}

const plainOf = new WeakMap<Socket, Socket>()

/** Resets the connection, below TLS where it speaks that. */
function breakOff(socket: Socket): void {
  const plain = plainOf.get(socket) ?? socket
  plain.resetAndDestroy()
}

/** Says these bytes unasked. */
export function greets(bytes: string | Buffer): Serve {
  return (socket) => {
    socket.write(bytes)
  }
}

/** After the head, a piece every so many milliseconds, for ever. */
export function drips(head: string, piece: string | Buffer, everyMs = 20): Serve {
  return asked((socket) => {
    socket.write(head)
    const timer = setInterval(() => socket.write(piece), everyMs)
    socket.on('close', () => clearInterval(timer))
  })
}

/** After the head, the piece for ever, as fast as it is taken. */
export function floods(head: string, piece: string | Buffer): Serve {
  const bytes = Buffer.from(piece)
  const block = Buffer.concat(Array.from({ length: Math.ceil(65_536 / bytes.length) }, () => bytes))
  return asked((socket) => {
    socket.write(head)
    const push = (): void => {
      while (socket.writable && socket.write(block));
    }
    socket.on('drain', push)
    push()
  })
}

const packers = {
  gzip: () => zlib.createGzip({ level: 1 }),
  deflate: () => zlib.createDeflate({ level: 1 }),
  br: () => zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: () => zlib.createZstdCompress(),
} as const

/** A body of so many zeros, packed while it is sent. */
export function bombs(coding: keyof typeof packers, bytes: number): Serve {
  return asked((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: ${coding}\r\n\r\n`)
    const packer = packers[coding]()
    packer.on('error', () => {})
    socket.on('close', () => packer.destroy())
    Readable.from(zeros(bytes)).pipe(packer).pipe(socket)
  })
}

function* zeros(bytes: number): Generator<Buffer> {
  const block = Buffer.alloc(1024 * 1024)
  for (let sent = 0; sent < bytes; sent += block.length) yield block
}
