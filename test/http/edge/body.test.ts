// Bodies: read up to a bound of bytes and of pieces, and watched after the answer.
import type { HttpResponse } from 'uWebSockets.js'
import t from 'tap'
import {
  bodyPieceBytes,
  bodyPiecesMax,
  bodyRestBytesMax,
  createPieceSenders,
  pieceSenderMs,
  pieceSendersMax,
  readBody,
  skipBody,
} from '../../../src/http/edge/body.ts'
import { FakeClock } from '../../support/fake-clock.ts'

/** A caller, and what became of the body. */
function caller(bytesMax = 1_000_000) {
  const seen: string[] = []
  let send: (chunk: ArrayBuffer, isLast: boolean) => void = () => {}
  const res = {
    onData: (listener: typeof send) => {
      send = listener
    },
  } as unknown as HttpResponse
  const reading = readBody(res, bytesMax, {
    whenRead: (body) => seen.push(`read ${body.byteLength}`),
    whenTooLarge: () => seen.push('too large'),
    whenInPieces: () => seen.push('in pieces'),
  })
  const bytesOf = (text: string) => new Uint8Array(Buffer.from(text)).buffer
  return {
    res,
    seen,
    reading,
    send: (text: string, isLast = false) => send(bytesOf(text), isLast),
  }
}

t.test('a body is read whole, in one piece or in many', async (t) => {
  const one = caller()
  one.send('abc', true)
  t.same(one.seen, ['read 3'])
  const many = caller()
  for (let count = 0; count < bodyPiecesMax - 1; count += 1) many.send('ab')
  many.send('', true)
  t.same(many.seen, [`read ${2 * (bodyPiecesMax - 1)}`])
})

t.test('a body that is too large is refused while it comes', async (t) => {
  const { send, seen } = caller(4)
  send('abc')
  t.same(seen, [])
  send('de')
  t.same(seen, ['too large'])
})

t.test('large bodies may come in many pieces, small ones not', async (t) => {
  const large = caller()
  const piece = 'x'.repeat(bodyPieceBytes)
  for (let count = 0; count < 3 * bodyPiecesMax; count += 1) large.send(piece)
  t.same(large.seen, [])
  const small = caller()
  for (let count = 0; count < 1.1 * bodyPiecesMax; count += 1) small.send('x')
  t.equal(small.seen[0], 'in pieces')
})

t.test('little that comes after the answer is dropped, much cuts the caller, once', async (t) => {
  let cuts = 0
  const { send, seen, reading } = caller()
  reading.drop(() => {
    cuts += 1
  })
  send('x'.repeat(bodyRestBytesMax))
  t.equal(cuts, 0)
  send('x')
  send('x')
  t.equal(cuts, 1)
  t.same(seen, [])
  const { send: sendPieces, reading: other } = caller()
  other.drop(() => {
    cuts += 1
  })
  for (let count = 0; count < 1.1 * bodyPiecesMax; count += 1) sendPieces('')
  t.equal(cuts, 2)
})

t.test('a body that nobody wants is not kept', async (t) => {
  const { res, send, seen } = caller()
  skipBody(res)
  send('abc', true)
  t.same(seen, [])
})

t.test('who sent a body in too many pieces is remembered for a while', async (t) => {
  const clock = new FakeClock()
  const senders = createPieceSenders(clock)
  senders.note('192.0.2.1')
  t.ok(senders.has('192.0.2.1'))
  t.notOk(senders.has('192.0.2.2'))
  await clock.advance(pieceSenderMs)
  t.notOk(senders.has('192.0.2.1'))
  for (let count = 0; count <= pieceSendersMax; count += 1) senders.note(`a${count}`)
  t.ok(senders.has(`a${pieceSendersMax}`))
})
