// Timers of the console, which tests move.
import type { Test } from 'tap'

/** Timers that wait for `pass`, and a clock that stands still meanwhile. */
export function holdTime(t: Test) {
  let nowMs = 0
  let lastId = 0
  const timers = new Map<number, { atMs: number; run: () => void }>()
  t.intercept(performance, 'now', { value: () => nowMs })
  t.intercept(globalThis, 'setTimeout', {
    value: (run: () => void, ms: number) => {
      lastId += 1
      timers.set(lastId, { atMs: nowMs + ms, run })
      return lastId
    },
  })
  t.intercept(globalThis, 'clearTimeout', { value: (id: number) => timers.delete(id) })
  return {
    async pass(ms: number) {
      nowMs += ms
      for (const [id, { atMs, run }] of timers) {
        if (atMs > nowMs) continue
        timers.delete(id)
        run()
      }
      await answersArrive()
    },
  }
}

/** Lets promises that nothing holds go on. */
export const answersArrive = () => new Promise((resolve) => setImmediate(resolve))
