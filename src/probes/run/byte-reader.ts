// Reads what a target sends by counts of bytes, for protocols whose messages begin with their length.
import type { Socket } from 'node:net'
import { brokenOff } from './driver-socket.ts'

export type SocketReader = ReturnType<typeof readBytes>

/** Starts reading a lent socket, which bounds the bytes. Only one `take` at a time. */
export function readBytes(socket: Socket) {
  let unread: Buffer = Buffer.alloc(0)
  let isOver = socket.destroyed
  let wake = (): void => {}
  const read = (chunk: Buffer): void => {
    unread = unread.length === 0 ? chunk : Buffer.concat([unread, chunk])
    wake()
  }
  const closed = (): void => {
    isOver = true
    wake()
  }
  socket.on('data', read)
  socket.on('end', closed)
  socket.on('close', closed)
  return {
    /** The next bytes. Throws RunError if the target closes before them. */
    async take(count: number): Promise<Buffer> {
      while (unread.length < count) {
        if (isOver) throw brokenOff()
        await new Promise<void>((resolve) => (wake = resolve))
      }
      const taken = unread.subarray(0, count)
      unread = unread.subarray(count)
      return taken
    },
    /** Leaves the socket to other code; returns how many bytes were received but not read. */
    release(): number {
      socket.off('data', read)
      socket.off('end', closed)
      socket.off('close', closed)
      socket.pause()
      return unread.length
    },
  }
}
