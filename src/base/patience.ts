// Patience: to wait for something, but not for ever.
import type { Clock } from './clock.ts'

/** Whether it resolves within so many milliseconds. What comes later is the caller's to deal with. */
export async function isInTime(
  clock: Clock,
  promise: Promise<unknown>,
  patienceMs: number,
): Promise<boolean> {
  let timer: unknown
  const late = new Promise<false>((resolve) => {
    timer = clock.setTimeout(() => resolve(false), patienceMs)
  })
  try {
    return await Promise.race([promise.then(() => true as const), late])
  } finally {
    clock.clearTimeout(timer)
  }
}
