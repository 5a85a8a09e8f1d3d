// Large bodies share the turns, so that what is small need not wait for all of them.

import type { HttpResponse } from 'uWebSockets.js'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { createPieces, pieceBytesMax, turnBytesMax } from '../../../src/http/edge/pieces.ts'

/** A caller who takes what is sent while there is room, and remembers what came. */
function caller(size: number, roomBytes = Number.POSITIVE_INFINITY) {
  const taken: Uint8Array[] = []
  let bytes = 0
  let room = roomBytes
  let isClosed = false
  let whenAborted = () => {}
  let whenWritable: (offset: number) => boolean = () => true
  const res = {
    onAborted: (listener: () => void) => {
      whenAborted = listener
    },
    onWritable: (listener: (offset: number) => boolean) => {
      whenWritable = listener
    },
    cork: (run: () => void) => run(),
    close: () => {
      isClosed = true
    },
    tryEnd(piece: Uint8Array, whole: number) {
      if (whole !== size || bytes === size) throw new Error('asked for what is over')
      const part = piece.subarray(0, Math.min(piece.byteLength, room))
      taken.push(Buffer.from(part))
      bytes += part.byteLength
      room -= part.byteLength
      return [part.byteLength === piece.byteLength, bytes === size]
    },
  }
  return {
    // What the library offers and the sender needs of it.
    res: res as unknown as HttpResponse,
    bytes: () => bytes,
    body: () => Buffer.concat(taken),
    isClosed: () => isClosed,
    abort: () => whenAborted(),
    reads(moreBytes: number) {
      room += moreBytes
      return whenWritable(bytes)
    },
  }
}

const size = 5 * pieceBytesMax + 1
const body = Buffer.from(Array.from({ length: size }, (_, i) => i % 251))

t.test('many large bodies arrive whole, only so much of them a turn', async (t) => {
  const pieces = createPieces()
  const callers = Array.from({ length: 30 }, () => caller(size))
  const sum = () => callers.reduce((all, { bytes }) => all + bytes(), 0)
  let before = 0
  for (const { res } of callers) pieces.send(res, body)
  for (let turns = 0; sum() < size * callers.length; turns++) {
    const sent = sum() - before
    t.ok(sent > 0 && sent < turnBytesMax + pieceBytesMax, `turn ${turns}: ${sent}`)
    before = sum()
    const counts = callers.map(({ bytes }) => bytes())
    t.ok(Math.max(...counts) - Math.min(...counts) <= 2 * pieceBytesMax, 'by turns')
    await nextTurn()
  }
  t.ok(callers.every((one) => one.body().equals(body)))
})

t.test('a reader that takes only part gets the next piece when there is room again', async (t) => {
  const pieces = createPieces()
  const slow = caller(size, 100)
  pieces.send(slow.res, body)
  for (let turns = 0; turns < 5; turns++) await nextTurn()
  t.equal(slow.bytes(), 100, 'nothing is sent to somebody who has no room')
  t.equal(slow.reads(7), false)
  t.equal(slow.bytes(), 107)
  t.equal(slow.reads(size), true)
  for (let turns = 0; turns < 5; turns++) await nextTurn()
  t.ok(slow.body().equals(body))
})

t.test('nothing more is sent to a caller that has disconnected', async (t) => {
  const pieces = createPieces()
  const gone = caller(size)
  const other = caller(size)
  pieces.send(gone.res, body)
  pieces.send(other.res, body)
  gone.abort()
  for (let turns = 0; turns < 8; turns++) await nextTurn()
  t.equal(gone.bytes(), pieceBytesMax)
  t.ok(other.body().equals(body))
})

t.test('nothing more of a body is sent once its reader has lost the right to it', async (t) => {
  const pieces = createPieces()
  const late = caller(size, 100)
  let may = true
  pieces.send(late.res, body, () => may)
  t.equal(late.reads(7), false)
  may = false
  late.reads(size)
  for (let turns = 0; turns < 5; turns++) await nextTurn()
  t.equal(late.bytes(), 107)
  t.ok(late.isClosed())
})
