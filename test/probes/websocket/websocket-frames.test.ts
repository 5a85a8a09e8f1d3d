// Frames: what a client writes, and what is read of a server that keeps or breaks the rules.
import fc from 'fast-check'
import t from 'tap'
import {
  closePayload,
  createFrameReader,
  type FrameEvent,
  frameOf,
  opcodes,
  websocketBytesMax,
  websocketFramesMax,
} from '../../../src/probes/websocket/websocket-frames.ts'
import { runs } from '../../support/depth.ts'
import { serverFrame } from '../../support/websocket.ts'

const read = (...chunks: readonly Buffer[]): readonly FrameEvent[] => {
  const reader = createFrameReader()
  return chunks.flatMap((chunk) => [...reader.take(chunk)])
}

t.test('a frame of a client is masked, as in the examples of RFC 6455', async (t) => {
  const mask = Buffer.from('37fa213d', 'hex')
  const hello = frameOf(opcodes.text, Buffer.from('Hello'), mask)
  t.equal(hello.toString('hex'), '818537fa213d7f9f4d5158')
  const bytes = (length: number) => frameOf(opcodes.binary, Buffer.alloc(length), Buffer.alloc(4))
  t.equal(bytes(125).subarray(0, 2).toString('hex'), '82fd')
  t.equal(bytes(126).subarray(0, 4).toString('hex'), '82fe007e')
  t.equal(bytes(65_535).subarray(0, 4).toString('hex'), '82feffff')
  t.equal(bytes(65_536).subarray(0, 10).toString('hex'), '82ff0000000000010000')
  const payload = Buffer.from('stay as you are')
  frameOf(opcodes.text, payload, mask)
  t.equal(payload.toString(), 'stay as you are', 'what is sent is not changed in place')
})

t.test('messages are read whole, in pieces and between control frames', async (t) => {
  t.same(read(Buffer.from('810548656c6c6f', 'hex')), [{ kind: 'message', text: 'Hello' }])
  const pieces = Buffer.concat([
    serverFrame(0x01, 'Hel'),
    serverFrame(0x89, 'are you there'),
    serverFrame(0x8a),
    serverFrame(0x80, 'lo'),
    serverFrame(0x82, Buffer.from([0x68, 0x69, 0xff])),
    serverFrame(0x88, Buffer.concat([closePayload(1_001), Buffer.from('bye')])),
    serverFrame(0x81, 'after the end'),
  ])
  const expected = [
    { kind: 'ping', payload: Buffer.from('are you there') },
    { kind: 'message', text: 'Hello' },
    { kind: 'message', text: 'hi\ufffd' },
    { kind: 'close', code: 1_001, reason: 'bye' },
  ]
  t.same(read(pieces), expected)
  const byByte = Array.from(pieces, (_, at) => pieces.subarray(at, at + 1))
  t.same(read(...byByte), expected, 'however the bytes arrive')
  t.same(read(serverFrame(0x88)), [{ kind: 'close', code: null, reason: '' }])
})

t.test('violations of the protocol end it with a reason', async (t) => {
  const cases: readonly [name: string, bytes: Buffer, problem: RegExp][] = [
    ['a reserved bit', serverFrame(0xc1, 'x'), /an extension that was not negotiated/],
    ['a mask', Buffer.from('818137fa213d7f', 'hex'), /masked/],
    ['an unknown kind', serverFrame(0x83), /unknown opcode/],
    ['an unknown control', serverFrame(0x8b), /unknown opcode/],
    ['a ping in pieces', serverFrame(0x09), /is fragmented/],
    ['a long ping', serverFrame(0x89, 'x'.repeat(126)), /too long/],
    ['a continuation of nothing', serverFrame(0x80, 'x'), /without a message to continue/],
    [
      'a message within a message',
      Buffer.concat([serverFrame(0x01, 'a'), serverFrame(0x81, 'b')]),
      /before the previous one ended/,
    ],
    ['a text that is none', serverFrame(0x81, Buffer.from([0xff])), /not valid UTF-8/],
    ['half a close code', serverFrame(0x88, 'x'), /truncated/],
    ['HTTP', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), /./],
  ]
  for (const [name, bytes, problem] of cases) {
    t.match(read(bytes).at(-1), { kind: 'broken', problem }, name)
  }
})

t.test('no more is read than the bounds allow', async (t) => {
  const huge = Buffer.from([0x82, 127, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
  t.same(read(huge), [{ kind: 'full' }], 'before a byte of it came')
  const half = serverFrame(0x81, 'x'.repeat(websocketBytesMax / 2))
  t.same(read(half, half, serverFrame(0x81, 'y')).at(-1), { kind: 'full' }, 'in all')
  const empty = Buffer.concat(
    Array.from({ length: websocketFramesMax + 1 }, () => serverFrame(0x8a)),
  )
  t.same(read(empty), [{ kind: 'full' }], 'also where nothing is in it')
})

t.test('whatever bytes come, reading ends with a known result', async () => {
  const kinds = ['message', 'ping', 'close', 'broken', 'full']
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 }), (chunks) => {
      return read(...chunks.map((chunk) => Buffer.from(chunk))).every((one) =>
        kinds.includes(one.kind),
      )
    }),
    runs(),
  )
})
