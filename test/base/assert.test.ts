// Assertions: a mistake of ours is told by name, and never taken for a caller's.
import t from 'tap'
import { AssertionFailure, assert, required, unreachable } from '../../src/base/assert.ts'
import { Fault } from '../../src/base/fault.ts'

t.test('a true claim passes, and a false one throws with the claim', async (t) => {
  assert(1 + 1 === 2, 'sums are right')
  t.throws(() => assert(false, 'a record has a header'), { message: 'a record has a header' })
})

t.test('a required value is returned unchanged', async (t) => {
  for (const value of [0, '', false]) t.equal(required(value), value)
  for (const value of [null, undefined]) {
    t.throws(() => required(value, 'the key'), { message: 'the key must be present' })
  }
})

t.test('a bug is not reported to a caller', async (t) => {
  try {
    unreachable('paused' as never)
  } catch (error) {
    t.ok(error instanceof AssertionFailure)
    t.notOk(error instanceof Fault)
    t.match(error, { message: /"paused"/ })
  }
})
