// Reads the body of a request, and watches what else arrives after the request was answered.
import type { HttpResponse } from 'uWebSockets.js'
import type { Clock } from '../../base/clock.ts'
import { Fault } from '../../base/fault.ts'

/** At most one of them is called. */
export interface BodyListener {
  whenRead(body: Buffer): void
  whenTooLarge(): void
  whenInPieces(): void
}

export interface BodyReading {
  /** The request was answered. `cut` is called if much more of the body arrives. */
  drop(cut: () => void): void
}

/** A longer rest of a body is not read after its request was answered: the connection ends. */
export const bodyRestBytesMax = 64 * 1024

/** Must be called before the handler of the request returns. */
export function readBody(
  res: HttpResponse,
  bytesMax: number,
  { whenRead, whenTooLarge, whenInPieces }: BodyListener,
): BodyReading {
  let chunks: Buffer[] = []
  let bytes = 0
  let pieces = 0
  let isDropped = false
  let whenTooMuch: (() => void) | undefined

  function drop(cut?: () => void): void {
    isDropped = true
    whenTooMuch = cut
    chunks = []
    bytes = 0
    pieces = 0
  }

  function countRest(): void {
    if (bytes <= bodyRestBytesMax && !isInPieces(pieces, bytes)) return
    const cut = whenTooMuch
    whenTooMuch = undefined
    cut?.()
  }

  res.onData((chunk, isLast) => {
    bytes += chunk.byteLength
    pieces += 1
    if (isDropped) countRest()
    else if (bytes > bytesMax) whenTooLarge()
    else if (isInPieces(pieces, bytes)) whenInPieces()
    else {
      // The library reuses the chunk's memory after this callback, so it must be copied.
      if (bytes > 0) chunks.push(Buffer.from(chunk.slice(0)))
      if (!isLast) return
      const [first] = chunks
      const body = chunks.length === 1 && first ? first : Buffer.concat(chunks)
      drop()
      whenRead(body)
    }
  })
  return { drop }
}

/** Reads nothing, for a request whose body is not wanted. */
export function skipBody(res: HttpResponse): BodyReading {
  const reading = readBody(res, 0, { whenRead() {}, whenTooLarge() {}, whenInPieces() {} })
  reading.drop(() => {})
  return reading
}

/** A body without a listener: the connection ends with the answer. */
export const restUnread: BodyReading = { drop: (cut) => cut() }

/** Pieces in which a body may arrive, in addition to one for each `bodyPieceBytes`. */
export const bodyPiecesMax = 1_024
export const bodyPieceBytes = 64

// Each piece costs about a microsecond, even a chunk of one byte.
function isInPieces(pieces: number, bytes: number): boolean {
  return pieces > bodyPiecesMax + bytes / bodyPieceBytes
}

export function tooLarge(bytesMax: number): Fault {
  return new Fault('body_too_large', `The body is larger than ${bytesMax} bytes`)
}

export function tooManyPieces(): Fault {
  return new Fault('body_too_large', 'The body arrives in too many small pieces')
}

/** Remembers who sent a body in too many pieces, so that their next chunked body is not read. */
export interface PieceSenders {
  note(address: string): void
  has(address: string): boolean
}

/** How long no chunked body is read from an address that sent one in too many pieces. */
export const pieceSenderMs = 10_000
export const pieceSendersMax = 1_000

export function createPieceSenders(clock: Pick<Clock, 'monoMs'>): PieceSenders {
  const untilMonoMs = new Map<string, number>()
  return {
    note(address) {
      if (untilMonoMs.size >= pieceSendersMax) untilMonoMs.clear()
      untilMonoMs.set(address, clock.monoMs() + pieceSenderMs)
    },
    has: (address) => (untilMonoMs.get(address) ?? 0) > clock.monoMs(),
  }
}
