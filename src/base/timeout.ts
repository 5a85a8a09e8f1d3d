// Waits for promises with a time limit.
import type { Clock } from './clock.ts'

/**
 * Resolves with the value, or with undefined after the time limit. The caller handles a late value.
 */
export async function within<Value>(
  clock: Clock,
  promise: Promise<Value>,
  patienceMs: number,
): Promise<Value | undefined> {
  let timer: unknown
  const late = new Promise<undefined>((resolve) => {
    timer = clock.setTimeout(() => resolve(undefined), patienceMs)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clock.clearTimeout(timer)
  }
}

/** Resolves with whether the promise settles within the time limit. */
export async function settlesInTime(
  clock: Clock,
  promise: Promise<unknown>,
  patienceMs: number,
): Promise<boolean> {
  const settled = promise.then(() => true as const)
  return (await within(clock, settled, patienceMs)) === true
}
