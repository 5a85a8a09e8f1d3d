// Large bodies go out in pieces, only so many a turn. What the system takes at once it copies at
// once, whether the caller reads or not: with many such callers all others would wait for that.
// Whoever asks again on a connection before such an answer has ended is cut by the library.
import type { HttpResponse } from 'uWebSockets.js'
import { limits } from '../../domain/limits/limits.ts'

export interface Pieces {
  /** Sends a body after its head was written. */
  send(res: HttpResponse, bytes: Uint8Array): void
}

export function createPieces(): Pieces {
  /** Each sends its next piece, and goes to the end of the line while there is more. */
  const waiting = new Set<() => void>()
  let leftBytes: number = limits.turnBytesMax
  let isTurnAsked = false

  function askTurn(): void {
    if (isTurnAsked) return
    isTurnAsked = true
    setImmediate(() => {
      isTurnAsked = false
      leftBytes = limits.turnBytesMax
      for (const sendNext of waiting) {
        if (leftBytes <= 0) break
        sendNext()
      }
      if (waiting.size > 0) askTurn()
    })
  }

  return {
    send(res, bytes) {
      const size = bytes.byteLength
      let offset = 0

      /** False where the caller has not taken the whole piece: `onWritable` tells when they have. */
      function sendPiece(): boolean {
        const piece = bytes.subarray(offset, offset + limits.pieceBytesMax)
        const [isTaken, isDone] = res.tryEnd(piece, size)
        leftBytes -= piece.byteLength
        offset += piece.byteLength
        waiting.delete(sendNext)
        if (isTaken && !isDone) waiting.add(sendNext)
        askTurn()
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
    },
  }
}
