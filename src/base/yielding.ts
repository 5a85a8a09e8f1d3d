// Lets a long loop yield now and then, so that other work can run.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from './clock.ts'

export interface Turns {
  /** Whether the time slice is used up: then await `next`. */
  isOver(): boolean
  next(): Promise<void>
}

/** Creates time slices of about `turnMs`; the first begins now. */
export function createTurns(clock: Pick<Clock, 'monoMs'>, turnMs: number): Turns {
  let sinceMs = clock.monoMs()
  return {
    isOver: () => clock.monoMs() - sinceMs >= turnMs,
    async next() {
      await nextTurn()
      sinceMs = clock.monoMs()
    },
  }
}
