// Turns: long work lets other work in between.
import t from 'tap'
import { createTurns } from '../../src/base/yielding.ts'
import { FakeClock } from '../support/fake-clock.ts'

t.test('a turn is over after its time, and the next one begins anew', async (t) => {
  const clock = new FakeClock()
  const turns = createTurns(clock, 20)
  t.notOk(turns.isOver())
  await clock.advance(20)
  t.ok(turns.isOver())
  let hasOther = false
  setImmediate(() => {
    hasOther = true
  })
  await turns.next()
  t.ok(hasOther, 'other work had its turn')
  t.notOk(turns.isOver())
})
