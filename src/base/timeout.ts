// Waits for promises with a time limit.
import type { Clock } from './clock.ts'

/** Resolves with the value, or with undefined after the limit. The caller handles a late value. */
export async function within<Value>(
  clock: Clock,
  promise: Promise<Value>,
  timeoutMs: number,
): Promise<Value | undefined> {
  let timer: unknown
  const late = new Promise<undefined>((resolve) => {
    timer = clock.setTimeout(() => resolve(undefined), timeoutMs)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clock.clearTimeout(timer)
  }
}
