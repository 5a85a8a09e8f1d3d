// Lets a long loop yield now and then, so that other work can run.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from './clock.ts'

/** Creates time slices of about `sliceMs`; the first begins now. */
export function createYielder(clock: Pick<Clock, 'monoMs'>, sliceMs: number) {
  let sinceMs = clock.monoMs()
  return {
    /** Whether the time slice is used up: then await `pause`. */
    isDue: () => clock.monoMs() - sinceMs >= sliceMs,
    async pause(): Promise<void> {
      await nextTurn()
      sinceMs = clock.monoMs()
    },
  }
}
