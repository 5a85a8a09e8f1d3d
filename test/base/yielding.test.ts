// Long work lets other work run in between.
import t from 'tap'
import { createYielder } from '../../src/base/yielding.ts'
import { FakeClock } from '../support/fake-clock.ts'

t.test('a pause is due after the time, and the next slice begins', async (t) => {
  const clock = new FakeClock()
  const yielder = createYielder(clock, 20)
  t.notOk(yielder.isDue())
  await clock.advance(20)
  t.ok(yielder.isDue())
  let hasOther = false
  setImmediate(() => {
    hasOther = true
  })
  await yielder.pause()
  t.ok(hasOther, 'other work ran')
  t.notOk(yielder.isDue())
})
