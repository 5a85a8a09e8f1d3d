// To wait for something for a bounded time.
import t from 'tap'
import { within } from '../../src/base/timeout.ts'
import { FakeClock } from '../support/fake-clock.ts'

t.test('a value that comes in time is awaited, and no timer is left', async (t) => {
  const clock = new FakeClock()
  t.equal(await within(clock, Promise.resolve('here'), 10), 'here')
  t.equal(clock.pending, 0)
  const late = within(clock, new Promise(() => {}), 10)
  await clock.advance(9)
  t.equal(clock.pending, 1)
  await clock.advance(1)
  t.equal(await late, undefined)
  await t.rejects(within(clock, Promise.reject(new Error('no')), 10), /no/)
  t.equal(clock.pending, 0)
})
