// Sends large bodies in pieces, over several turns of the event loop. The operating system copies
// what it accepts at once, whether or not the caller reads; with many such callers, all other
// requests would wait. So all large responses together send a bounded number of bytes per turn.
// Most bodies fit into one piece.
//
// If a caller sends another request before such a response has ended, the library closes the
// connection.
import type { HttpResponse } from 'uWebSockets.js'
import { limits } from '../../domain/limits/limits.ts'

export interface Pieces {
  /**
   * Sends a body after its head was written. Asks `mayGoOn` before each further piece; without the
   * right to the rest, the connection is closed.
   */
  send(res: HttpResponse, body: string | Uint8Array, mayGoOn?: () => boolean): void
}

/** What all bodies above `smallBodyBytesMax` together send in one turn of the event loop. */
export const turnBytesMax = 4 * 1024 * 1024
/** A body is sent in pieces of this size. */
export const pieceBytesMax = 256 * 1024

export function createPieces(): Pieces {
  /**
   * The responses that wait for their next turn, in order. Each sends one piece, and goes to the
   * end of the queue if more is left.
   */
  const waiting = new Set<() => void>()
  let leftBytes: number = turnBytesMax
  let isTurnAsked = false

  function take(bytes: number): void {
    leftBytes -= bytes
    askTurn()
  }

  function askTurn(): void {
    if (isTurnAsked) return
    isTurnAsked = true
    setImmediate(() => {
      isTurnAsked = false
      leftBytes = turnBytesMax
      for (const sendNext of waiting) {
        if (leftBytes <= 0) break
        sendNext()
      }
      if (waiting.size > 0) askTurn()
    })
  }

  function sendInTurns(
    res: HttpResponse,
    bytes: Uint8Array,
    size: number,
    mayGoOn: () => boolean,
  ): void {
    let offset = 0

    /** False if the caller has not taken the whole piece; `onWritable` runs when it has. */
    function sendPiece(): boolean {
      if (offset > 0 && !mayGoOn()) {
        waiting.delete(sendNext)
        res.close()
        return true
      }
      const piece = bytes.subarray(offset, offset + pieceBytesMax)
      const [isTaken, isDone] = res.tryEnd(piece, size)
      offset += piece.byteLength
      waiting.delete(sendNext)
      if (isTaken && !isDone) waiting.add(sendNext)
      take(piece.byteLength)
      return isTaken
    }
    const sendNext = () => void res.cork(sendPiece)

    res.onAborted(() => void waiting.delete(sendNext))
    res.onWritable((writtenBytes) => {
      offset = writtenBytes
      return sendPiece()
    })
    if (leftBytes > 0) {
      sendPiece()
      return
    }
    waiting.add(sendNext)
    askTurn()
  }

  return {
    send(res, body, mayGoOn = () => true) {
      const size = byteLength(body)
      if (size <= limits.smallBodyBytesMax) {
        sendAtOnce(res, body, size)
      } else if (size <= pieceBytesMax && leftBytes > 0) {
        take(size)
        sendAtOnce(res, body, size)
      } else sendInTurns(res, bytesOf(body), size, mayGoOn)
    },
  }
}

// Not `end`: the library would keep a copy of every unread response while the caller sends more
// requests. After `tryEnd`, it closes the connection at the next request instead.
function sendAtOnce(res: HttpResponse, body: string | Uint8Array, size: number): void {
  const [, isDone] = res.tryEnd(body, size)
  if (isDone) return
  const bytes = bytesOf(body)
  res.onAborted(() => {})
  res.onWritable((offset) => res.tryEnd(bytes.subarray(offset), size)[0])
}

function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : body
}

export function byteLength(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
}
