// Lets a long loop yield now and then, so that other work can run.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from './clock.ts'

export interface Yielder {
  /** Whether the time slice is used up: then await `pause`. */
  isDue(): boolean
  pause(): Promise<void>
}

/** Creates time slices of about `sliceMs`; the first begins now. */
export function createYielder(clock: Pick<Clock, 'monoMs'>, sliceMs: number): Yielder {
  let sinceMs = clock.monoMs()
  return {
    isDue: () => clock.monoMs() - sinceMs >= sliceMs,
    async pause() {
      await nextTurn()
      sinceMs = clock.monoMs()
    },
  }
}
