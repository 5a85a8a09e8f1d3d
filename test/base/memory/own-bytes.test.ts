// Bytes that are kept for long: what else they keep in memory.
import t from 'tap'
import { ownBytes } from '../../../src/base/memory/own-bytes.ts'

t.test('bytes that are kept keep no others in memory', (t) => {
  const shared = Buffer.from('the head of a status page')
  const own = ownBytes(shared)
  t.same(own, shared)
  t.equal(own.buffer.byteLength, shared.length)
  t.not(own.buffer, shared.buffer)
  t.equal(ownBytes(Buffer.alloc(0)).length, 0)
  t.end()
})
