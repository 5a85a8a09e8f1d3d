// To wait for something for a bounded time.
import t from 'tap'
import { pause, within } from '../../src/base/timeout.ts'
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

t.test('a pause lasts its time', async (t) => {
  const clock = new FakeClock()
  let isOver = false
  const ended = pause(clock, 1_000, new AbortController().signal).then(() => {
    isOver = true
  })
  await clock.advance(999)
  t.notOk(isOver)
  await clock.advance(1)
  await ended
})

t.test('a pause ends with its signal, and leaves no timer', async (t) => {
  const clock = new FakeClock()
  const stopping = new AbortController()
  const ended = pause(clock, 1_000, stopping.signal)
  stopping.abort()
  await ended
  await pause(clock, 1_000, stopping.signal)
  t.equal(clock.pending, 0)
})
