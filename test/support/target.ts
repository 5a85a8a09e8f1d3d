// A target that does exactly what a test says: a raw server on loopback, one script per connection.
import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'
import zlib from 'node:zlib'
import { freePort } from './free-port.ts'

/** One request that arrived, and the socket to answer on. */
export interface Call {
  readonly method: string
  readonly path: string
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** What of the body came with the head. */
  readonly body: string
  readonly socket: net.Socket
}

/** Answers a call in whatever way it likes. */
export type Script = (call: Call) => void

export interface Target {
  /** The address of the target, without a slash at its end. */
  readonly url: string
  readonly port: number
  /** Every request so far. */
  readonly calls: readonly Call[]
  /** How many connections were accepted so far. */
  readonly accepted: number
  /** How many connections are open now. */
  readonly open: number
  /** What it does from now on: one script, or one for each path (404 for the others). */
  script: Script | Readonly<Record<string, Script>>
  /** What it does with a connection before any request. */
  greet: ((socket: net.Socket) => void) | undefined
  close(): Promise<void>
}

export interface TargetOptions {
  readonly tls?: { readonly key: string; readonly cert: string }
  readonly address?: string
  readonly port?: number
}

/** Starts a target on a free port. Close it with `t.after(() => target.close())`. */
export async function startTarget(
  script: Target['script'] = answer(),
  options: TargetOptions = {},
): Promise<Target> {
  const calls: Call[] = []
  const sockets = new Set<net.Socket>()
  let accepted = 0
  const serve = (socket: net.Socket): void => {
    let text = ''
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      const call = parseCall(text.slice(0, end), text.slice(end + 4), socket)
      text = ''
      calls.push(call)
      run(target.script, call)
    })
  }
  const server = options.tls ? tls.createServer(options.tls, serve) : net.createServer(serve)
  server.on('connection', (socket: net.Socket) => {
    accepted += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    target.greet?.(socket)
  })
  server.on('tlsClientError', () => {})
  const address = options.address ?? '127.0.0.1'
  server.listen({ port: options.port ?? 0, host: address, backlog: 4_096 })
  await once(server, 'listening')
  const bound = server.address()
  if (bound === null || typeof bound === 'string') throw new Error('no port')
  const { port } = bound
  // A test that has ended must not be kept alive by its target.
  server.unref()
  const host = address.includes(':') ? `[${address}]` : address
  const target: Target = {
    url: `${options.tls ? 'https' : 'http'}://${host}:${port}`,
    port,
    calls,
    get accepted() {
      return accepted
    },
    get open() {
      return sockets.size
    },
    script,
    greet: undefined,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  return target
}

function run(script: Target['script'], call: Call): void {
  if (typeof script === 'function') script(call)
  else (script[call.path] ?? answer({ status: 404 }))(call)
}

function parseCall(head: string, body: string, socket: net.Socket): Call {
  const [first = '', ...lines] = head.split('\r\n')
  const [method = '', path = ''] = first.split(' ')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()]
    }),
  )
  return { method, path, headers, body, socket }
}

export interface AnswerOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** A whole, proper response. */
export function answer({ status = 200, headers = {}, body = 'ok' }: AnswerOptions = {}): Script {
  const bytes = Buffer.from(body)
  const all = { 'content-type': 'text/plain', 'content-length': String(bytes.length), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = Buffer.from(`HTTP/1.1 ${status} Some Reason\r\n${lines.join('')}\r\n`)
  return ({ method, socket }) => {
    socket.end(method === 'HEAD' ? head : Buffer.concat([head, bytes]))
  }
}

export function answerJson(value: unknown, options: AnswerOptions = {}): Script {
  const headers = { 'content-type': 'application/json', ...options.headers }
  return answer({ ...options, headers, body: JSON.stringify(value) })
}

export function redirectTo(location: string, status = 302): Script {
  return answer({ status, headers: { location }, body: '' })
}

/** Writes these bytes and closes. */
export function raw(bytes: string | Buffer): Script {
  return ({ socket }) => {
    socket.end(bytes)
  }
}

/** Takes the request and says nothing, for ever. */
export const silent: Script = () => {}

/** Closes without a word. */
export const hangUp: Script = ({ socket }) => {
  socket.end()
}

/** Breaks the connection off, after these bytes where there are any. */
export function reset(bytes = ''): Script {
  return ({ socket }) => {
    if (bytes === '') socket.resetAndDestroy()
    else socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), 20))
  }
}

/** Sends a head, then the pieces one by one, `everyMs` apart, for ever. */
export function drip(head: string, piece: string, everyMs = 20): Script {
  return ({ socket }) => {
    socket.write(head)
    const timer = setInterval(() => socket.write(piece), everyMs)
    socket.on('close', () => clearInterval(timer))
  }
}

/** Sends a body without an end as fast as it is taken. */
export const endless: Script = ({ socket }) => {
  const piece = Buffer.alloc(64 * 1024, 'x')
  socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n')
  const push = (): void => {
    while (!socket.destroyed && socket.write(piece));
  }
  socket.on('drain', push)
  push()
}

/** A few hundred kilobytes that unpack to `bytes` zeros. */
export function gzipBomb(bytes = 200 * 1024 * 1024): Script {
  const packed = zlib.gzipSync(Buffer.alloc(bytes), { level: 9 })
  return answer({ body: packed, headers: { 'content-encoding': 'gzip' } })
}

/** A port on loopback on which nothing listens. */
export const closedPort = freePort
