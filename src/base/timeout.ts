// Waits with a limit of time: for a promise, or for nothing.
import { addAbortListener } from 'node:events'
import type { Clock } from './clock.ts'

/** Why a signal was aborted, where it was a limit of time. */
export class TooLate extends Error {
  override readonly name = 'TooLate'
  readonly limitMs: number

  constructor(limitMs: number) {
    super(`It took longer than ${limitMs / 1_000} seconds`)
    this.limitMs = limitMs
  }
}

/** The limit that the signal was aborted by; undefined if nothing or something else aborted it. */
export function limitMsOf(signal: AbortSignal | undefined): number | undefined {
  return signal?.reason instanceof TooLate ? signal.reason.limitMs : undefined
}

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

/** Resolves after some milliseconds, or as soon as the signal is aborted; never rejects. */
export function pause(
  clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>,
  ms: number,
  signal: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const timer = clock.setTimeout(done, ms)
    const listener = addAbortListener(signal, done)
    function done(): void {
      clock.clearTimeout(timer)
      listener[Symbol.dispose]()
      resolve()
    }
  })
}
