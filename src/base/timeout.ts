// Patience: to wait for something, but not for ever.
import type { Clock } from './clock.ts'

/** What it resolves to; undefined where that takes longer. What comes later is the caller's. */
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

/** Whether it resolves within so many milliseconds. */
export async function settlesInTime(
  clock: Clock,
  promise: Promise<unknown>,
  patienceMs: number,
): Promise<boolean> {
  const settled = promise.then(() => true as const)
  return (await within(clock, settled, patienceMs)) === true
}
