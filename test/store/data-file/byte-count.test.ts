// How far a thread is with a file, as the daemon reads it.
import t from 'tap'
import { createByteCount } from '../../../src/store/data-file/byte-count.ts'

const kib = 1_024

t.test('the one who counts and the one who reads share the memory', async (t) => {
  const plan = { passBytes: 400 * kib, passes: 2 }
  const reader = createByteCount(plan)
  const counter = createByteCount(plan, reader.memory)
  const doneKib = () => reader.read().doneBytes / kib
  t.same(reader.read(), { doneBytes: 0, totalBytes: 800 * kib })
  counter.next()
  counter.add(100 * kib)
  t.equal(doneKib(), 100)
  counter.add(1)
  counter.add(4 * kib - 1)
  t.equal(doneKib(), 104, 'small pieces add up')
  counter.next()
  t.equal(doneKib(), 400, 'a pass that read less is over all the same')
  counter.add(9_000 * kib)
  t.equal(doneKib(), 800, 'never beyond the end')
})
