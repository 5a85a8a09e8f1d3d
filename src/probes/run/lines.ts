// Reads the lines of a protocol that talks in lines, within bounds.
import type { Socket } from 'node:net'
import { failure } from '../../net/failure.ts'
import { RunError } from '../../net/run/guarded-run.ts'
import { brokenOff } from './driver-socket.ts'

export interface LineBounds {
  readonly lineBytesMax: number
  /** The limit for all lines together. */
  readonly bytesMax: number
}

export type LineReader = ReturnType<typeof readLines>

interface LineRequest {
  readonly resolve: (line: string) => void
  readonly reject: (cause: RunError) => void
}

const newline = 0x0a

/** Starts reading. Only one `next` at a time. */
export function readLines(socket: Socket, { lineBytesMax, bytesMax }: LineBounds) {
  let unread: Buffer = Buffer.alloc(0)
  let taken = 0
  let broken: RunError | undefined
  let waiting: LineRequest | undefined

  function breakOff(found: RunError): void {
    broken ??= found
    serve()
  }

  /** Delivers a line to the waiting `next`; reports the end only after all lines. */
  function serve(): void {
    if (waiting === undefined) return
    const { resolve, reject } = waiting
    const end = unread.indexOf(newline)
    if (end >= 0 && end <= lineBytesMax) {
      waiting = undefined
      const line = unread.toString('utf8', 0, end)
      unread = unread.subarray(end + 1)
      resolve(line.endsWith('\r') ? line.slice(0, -1) : line)
    } else if (end > lineBytesMax || unread.length > lineBytesMax) {
      waiting = undefined
      reject(tooMuch(`a line of more than ${lineBytesMax} bytes`))
    } else if (broken !== undefined) {
      waiting = undefined
      reject(broken)
    }
  }

  const take = (chunk: Buffer): void => {
    taken += chunk.length
    if (taken > bytesMax) {
      socket.pause()
      breakOff(tooMuch(`more than ${bytesMax} bytes`))
      return
    }
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk])
    serve()
  }
  const closed = (): void => breakOff(brokenOff())
  socket.on('data', take)
  socket.on('end', closed)
  socket.on('close', closed)
  if (socket.destroyed) closed()

  return {
    /** The next line without its end. Throws RunError if there is none. */
    next: () =>
      new Promise<string>((resolve, reject) => {
        waiting = { resolve, reject }
        serve()
      }),
    /** Releases the socket to other code; returns how many bytes were received but not read. */
    release(): number {
      socket.off('data', take)
      socket.off('end', closed)
      socket.off('close', closed)
      socket.pause()
      return unread.length
    },
  }
}

function tooMuch(what: string): RunError {
  return new RunError(failure('invalid_response', `the server sent ${what}`))
}
