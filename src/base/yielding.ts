// Lets a long loop yield now and then, so that other work can run.
import type { Clock } from './clock.ts'
import { currentOwner } from './waiting/behalf.ts'
import { createFairQueue } from './waiting/fair-queue.ts'

/** Loops that wait to go on. There is one event loop, so there is one of these. */
const paused = createFairQueue<() => void>()

function goOn(): void {
  const next = paused.take()
  if (!paused.isEmpty) setImmediate(goOn)
  next?.()
}

/**
 * Resolves in a later turn of the event loop. In each turn one of the waiting loops goes on, and owners
 * take turns: a hundred loops at once take no more of a turn than one.
 */
export function laterTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (paused.isEmpty) setImmediate(goOn)
    paused.add(currentOwner(), resolve)
  })
}

/** Creates time slices of about `sliceMs`; the first begins now. */
export function createYielder(clock: Pick<Clock, 'monoMs'>, sliceMs: number) {
  let sinceMs = clock.monoMs()
  return {
    /** Whether the time slice is used up: then await `pause`. */
    isDue: () => clock.monoMs() - sinceMs >= sliceMs,
    async pause(): Promise<void> {
      await laterTurn()
      sinceMs = clock.monoMs()
    },
  }
}
