// The control socket: requests of the command line to the running daemon, as lines of JSON.

import { chmodSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { Fault, type FieldProblem } from '../base/fault.ts'
import { errorText } from '../base/log/error-text.ts'
import { limits } from '../domain/limits/limits.ts'
import { socketPath } from '../net/socket-path.ts'

export interface ControlRequest {
  readonly verb: string
  readonly [name: string]: unknown
}

/** An answer of bytes, which are made as the client takes them. */
export class ControlParts {
  readonly parts: AsyncIterable<Uint8Array>
  /** Called once no part is wanted any more, also after the last one. */
  readonly close: () => void

  constructor({ parts, close }: Pick<ControlParts, 'parts' | 'close'>) {
    this.parts = parts
    this.close = close
  }
}

/** Answers one request with plain JSON, or in parts. A thrown error is returned to the client as text. */
export type ControlHandler = (request: ControlRequest) => unknown

/** Runs `use` with a short enough path to the socket. */
async function withShortPath<T>(
  dir: string,
  name: string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const { path, release } = socketPath(dir, name)
  try {
    return await use(path)
  } finally {
    release()
  }
}

/**
 * Calls `take` for each complete line; disconnects a peer that sends an endless one. A long line comes
 * in many chunks, which are joined once.
 */
function onLines(
  socket: Socket,
  bytesMaxOf: (start: string) => number,
  take: (line: string) => void,
): void {
  let parts: string[] = []
  let chars = 0
  socket.setEncoding('utf8')
  socket.on('data', (chunk: string) => {
    const [first = '', ...lines] = chunk.split('\n')
    parts.push(first)
    chars += first.length
    for (const next of lines) {
      take(parts.join(''))
      parts = [next]
      chars = next.length
    }
    if (chars > bytesMaxOf(parts[0] ?? '')) socket.destroy()
  })
}

const controlLineBytesMax = 64 * 1024
/** A request that holds a document: limits.importBytesMax and what is around it. */
const controlDocumentBytesMax = 17 * 1024 * 1024
const controlAnswerBytesMax = 256 * 1024 * 1024
const controlConnectionsMax = 64

/** The largest size of a request: only one with a document to import is long. */
function requestBytesMax(start: string): number {
  const isDocument = ['import-org', 'import-past'].some((verb) =>
    start.startsWith(`{"verb":"${verb}",`),
  )
  return isDocument ? controlDocumentBytesMax : controlLineBytesMax
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

async function answer(handle: ControlHandler, line: string, socket: Socket): Promise<string> {
  try {
    const handled = await handle(parseRequest(line))
    const isInParts = handled instanceof ControlParts
    if (isInParts) await sendParts(socket, handled)
    const text = JSON.stringify({ ok: true, data: isInParts ? null : (handled ?? null) })
    if (text.length <= controlAnswerBytesMax) return text
    throw new Error('the answer is too large: ask for less at a time')
  } catch (error) {
    // A refused document has a problem for each field.
    const problems = error instanceof Fault ? error.errors : []
    const why = errorText(error)
    return JSON.stringify({ ok: false, error: why, problems })
  }
}

/** Each part is a line of its own; the next one is made once there is room for it. */
async function sendParts(socket: Socket, { parts, close }: ControlParts): Promise<void> {
  try {
    for await (const part of parts) {
      if (!socket.writable) return
      const line = JSON.stringify({ part: Buffer.from(part).toString('base64') })
      if (!socket.write(`${line}\n`)) await roomIn(socket)
    }
  } finally {
    close()
  }
}

/** Resolves once the client has taken what was written, or has left. */
function roomIn(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      socket.off('drain', settle)
      socket.off('close', settle)
      resolve()
    }
    socket.on('drain', settle)
    socket.on('close', settle)
    if (socket.destroyed) settle()
  })
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
      const answered = await answer(handle, line, socket)
      if (socket.writable) socket.write(`${answered}\n`)
    }
    onLines(socket, requestBytesMax, (line) => void reply(line))
  })
  server.maxConnections = controlConnectionsMax
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

interface ControlReply {
  readonly ok: boolean
  /** In base64; more follows. */
  readonly part?: string
  readonly data?: unknown
  readonly error?: string
  readonly problems?: readonly FieldProblem[]
}

// The daemon at the other end made it with `answer`; its user owns the socket.
function readReply(line: string): ControlReply {
  return JSON.parse(line) as ControlReply
}

/** Nobody listens on the socket: its daemon has ended. */
export class NotListening extends Error {
  override readonly name = 'NotListening'
}

/** The daemon refused the request, and why. */
export class ControlRefused extends Error {
  override readonly name = 'ControlRefused'
  /** What is wrong in a document, with pointers into it. */
  readonly problems: readonly FieldProblem[]

  constructor(message: string, problems: readonly FieldProblem[]) {
    super(message)
    this.problems = problems
  }
}

/** Takes one part of an answer; the next one follows once it resolves. */
export type PartTaker = (bytes: Uint8Array) => Promise<void>

/** Sends a request to the socket `name` in `dir`. Throws NotListening, ControlRefused, or what `onPart` throws. */
export function askControl(
  dir: string,
  name: string,
  request: ControlRequest,
  timeoutMs: number = limits.controlTimeoutMs,
  onPart?: PartTaker,
): Promise<unknown> {
  return withShortPath(dir, name, (path) => {
    return new Promise((resolve, reject) => {
      const socket = connect(path)
      let taken = Promise.resolve()
      let isAnswered = false
      const take = (part: string) => {
        if (!onPart) throw new Error('no parts were asked for')
        socket.pause()
        taken = taken.then(() => onPart(Buffer.from(part, 'base64')))
        const latest = taken
        const goOn = () => void (latest === taken && socket.resume())
        latest.then(goOn, fail)
      }
      const fail = (error: Error) => {
        socket.destroy()
        reject(error)
      }
      // A suspended process accepts in the kernel and never answers, but it is still alive.
      socket.setTimeout(timeoutMs, () => fail(new Error('the daemon does not answer')))
      socket.on('error', (error: NodeJS.ErrnoException) => {
        const isGone = error.code === 'ECONNREFUSED' || error.code === 'ENOENT'
        fail(isGone ? new NotListening('no daemon listens', { cause: error }) : error)
      })
      socket.on('close', () => {
        if (!isAnswered) fail(new Error('the daemon hung up'))
      })
      onLines(
        socket,
        () => controlAnswerBytesMax,
        (line) => {
          try {
            const reply = readReply(line)
            if (reply.part !== undefined) {
              take(reply.part)
              return
            }
            isAnswered = true
            if (reply.ok) taken.then(() => resolve(reply.data), reject)
            else reject(new ControlRefused(reply.error ?? '', reply.problems ?? []))
          } catch (cause) {
            reject(new Error('the daemon answered something else than expected', { cause }))
          }
          socket.destroy()
        },
      )
      socket.write(`${JSON.stringify(request)}\n`)
    })
  })
}
