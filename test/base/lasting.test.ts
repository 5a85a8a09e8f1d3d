// A copy for keeping is equal to what it was made of, and shares nothing with it.
import t from 'tap'
import { lastingCopy } from '../../src/base/lasting.ts'

t.test('a lasting copy is equal and its own', async (t) => {
  const record = { id: 'mon_1', tags: ['a'], url: null, nested: { isOn: true } }
  const copy = lastingCopy(record)
  t.strictSame(copy, record)
  t.not(copy, record)
  t.not(copy.tags, record.tags)
})
