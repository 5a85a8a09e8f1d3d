// Turns: a loop over very many things stops now and then, so that other work has its turn.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from './clock.ts'

export interface Turns {
  /** Whether this turn has taken its time: then `next` is to be awaited. */
  isOver(): boolean
  next(): Promise<void>
}

/** Turns of about `turnMs`, the first of which begins now. */
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
