// The control socket: requests of the command line to the running daemon, as lines of JSON.
import { chmodSync, closeSync, constants, openSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { limits } from '../domain/limits/limits.ts'

export interface ControlRequest {
  readonly verb: string
  readonly [name: string]: unknown
}

/** Answers one request with plain JSON. A thrown error is returned to the client as text. */
export type ControlHandler = (request: ControlRequest) => unknown

/** The path of a Unix socket must fit in `sun_path`: 108 bytes with the terminator (unix(7)). */
const pathBytesMax = 107

/**
 * Runs `use` with a short enough path to the socket, however long the directory's own path is. The
 * short path goes through an open descriptor of the directory.
 */
async function withShortPath<T>(
  dir: string,
  name: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const full = join(dir, name)
  if (Buffer.byteLength(full) <= pathBytesMax) return use(full)
  const descriptor = openSync(dir, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    return await use(`/proc/self/fd/${descriptor}/${name}`)
  } finally {
    closeSync(descriptor)
  }
}

/** Calls `take` for each complete line; disconnects a peer that sends an endless one. */
function onLines(socket: Socket, take: (line: string) => void): void {
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
    if (rest.length > limits.controlLineBytesMax) socket.destroy()
  })
}

function parseRequest(line: string): ControlRequest {
  const request: unknown = JSON.parse(line)
  const isRequest =
    typeof request === 'object' &&
    request !== null &&
    'verb' in request &&
    typeof request.verb === 'string'
  if (!isRequest) throw new Error('a request is an object with a verb')
  return request as ControlRequest
}

async function answer(handle: ControlHandler, line: string): Promise<object> {
  try {
    return { ok: true, data: (await handle(parseRequest(line))) ?? null }
  } catch (error) {
    return { ok: false, error: error instanceof Error ? error.message : String(error) }
  }
}

/** Listens on a new socket `name` in `dir`, accessible only to its owner. */
export async function serveControl(dir: string, name: string, handle: ControlHandler) {
  const open = new Set<Socket>()
  const server: Server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    // A client that disconnects is not a problem.
    socket.on('error', () => socket.destroy())
    const reply = async (line: string) => {
      const answered = await answer(handle, line)
      if (socket.writable) socket.write(`${JSON.stringify(answered)}\n`)
    }
    onLines(socket, (line) => void reply(line))
  })
  await withShortPath(dir, name, (path) => {
    return new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, resolve)
    })
  })
  chmodSync(join(dir, name), 0o600)
  // The socket must not keep an otherwise idle process alive.
  server.unref()
  return {
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}

/** Nobody listens on the socket: its daemon has ended. */
export class NotListening extends Error {
  override readonly name = 'NotListening'
}

/** Sends a request to the socket `name` in `dir`. Throws NotListening, or the daemon's error. */
export function askControl(dir: string, name: string, request: ControlRequest): Promise<unknown> {
  return withShortPath(dir, name, (path) => {
    return new Promise((resolve, reject) => {
      const socket = connect(path)
      const fail = (error: Error) => {
        socket.destroy()
        reject(error)
      }
      // A suspended process accepts in the kernel and never answers, but it is still alive.
      socket.setTimeout(limits.controlTimeoutMs, () =>
        fail(new Error('the daemon does not answer')),
      )
      socket.on('error', (error: NodeJS.ErrnoException) => {
        const isGone = error.code === 'ECONNREFUSED' || error.code === 'ENOENT'
        fail(isGone ? new NotListening('no daemon listens', { cause: error }) : error)
      })
      socket.on('close', () => fail(new Error('the daemon hung up')))
      onLines(socket, (line) => {
        const reply = JSON.parse(line) as { ok: boolean; data?: unknown; error?: string }
        if (reply.ok) resolve(reply.data)
        else reject(new Error(reply.error))
        socket.destroy()
      })
      socket.write(`${JSON.stringify(request)}\n`)
    })
  })
}
