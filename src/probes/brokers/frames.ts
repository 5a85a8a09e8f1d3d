// The frames of a broker's protocol: each says in its beginning how long it is.
import type { Socket } from 'node:net'
import { RunError } from '../../net/run/guarded-run.ts'
import { brokenOff, type DriverOptions, lendSocket, notSpoken } from '../run/driver-socket.ts'
import type { ProbeRun } from '../run/probe-run.ts'

export interface FrameOptions extends DriverOptions {
  /**
   * The size of the frame that these bytes begin with; more than there are if they do not tell. Throws for
   * another protocol.
   */
  readonly sizeOf: (bytes: Buffer) => number
}

export interface Frames {
  /** The next frame; rejects with a RunError when the connection has ended. */
  next(): Promise<Buffer>
}

interface WaitingForFrame {
  readonly resolve: (frame: Buffer) => void
  readonly reject: (cause: RunError) => void
}

/** Reads a connection of the run frame by frame. */
export function framesOn(socket: Socket, run: ProbeRun, options: FrameOptions): Frames {
  const { sizeOf } = options
  let ready: Buffer[] = []
  // An index, because a list of many that loses its first one is copied.
  let taken = 0
  let waiting: WaitingForFrame | undefined
  let broken: RunError | undefined
  let chunks: Buffer[] = []
  let size = 0
  let wanted = 1
  const serve = (): void => {
    const one = waiting
    if (one === undefined) return
    const frame = ready[taken]
    if (frame === undefined && broken === undefined) return
    waiting = undefined
    if (frame !== undefined) {
      taken += 1
      one.resolve(frame)
    } else if (broken !== undefined) one.reject(broken)
  }
  lendSocket(run, socket, options)
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    // Joined once for each frame: a long one may come in many small pieces.
    if (size < wanted) return
    ready = ready.slice(taken)
    taken = 0
    let rest = Buffer.concat(chunks)
    for (wanted = sizeOf(rest); wanted <= rest.length; wanted = sizeOf(rest)) {
      ready.push(rest.subarray(0, wanted))
      rest = rest.subarray(wanted)
    }
    chunks = [rest]
    size = rest.length
    serve()
  })
  const closed = (): void => {
    broken ??= brokenOff()
    serve()
  }
  socket.on('end', closed)
  socket.on('close', closed)
  return {
    next: () =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        serve()
      }),
  }
}

/** Talks in a protocol: who reads beyond the end of a frame was answered in another one. */
export async function conversing<Answer>(
  protocol: string,
  steps: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await steps()
  } catch (cause) {
    if (cause instanceof RangeError) throw new RunError(notSpoken(protocol))
    throw cause
  }
}
