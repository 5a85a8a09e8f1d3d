// A clock that goes on by itself, in ticks.
import type { Test } from 'tap'
import { FakeClock } from './fake-clock.ts'

const tickMs = 10

/**
 * About as fast as real time, but it stands still with the process: however late a tick is on a busy
 * machine, what others sent until then is read before the next one. So no pause of the machine is
 * taken for the silence of a target, nor for time that a check took. It stops with the test.
 */
export function startTickingClock(t: Pick<Test, 'teardown'>): FakeClock {
  const clock = new FakeClock(Date.now())
  const { setTimeout: setTimer } = clock
  let isMoving = false
  const ticks = setInterval(async () => {
    if (isMoving) return
    isMoving = true
    await clock.advance(tickMs)
    isMoving = false
    if (clock.pending === 0) ticks.unref()
  }, tickMs).unref()
  t.teardown(() => clearInterval(ticks))
  return Object.assign(clock, {
    // As with a real clock, a timer that waits keeps the process alive, and nothing else does.
    setTimeout(run: (...args: never[]) => void, delayMs: number): number {
      ticks.ref()
      return setTimer(run, delayMs)
    },
  })
}
