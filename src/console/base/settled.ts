// Reads again what events say has changed: at once when it was quiet, then soon after the last of them,
// so that the newest change is never late, and now and then while they go on. Never before the last
// answer is here, because a question that is always asked anew is never answered.
import type { Paced } from './paced.ts'

export interface SettledOptions {
  /** How long nothing more must happen until it is read. */
  readonly quietMs: number
  /** However much happens, it is read after this time. */
  readonly everyMs: number
}

/** Reading takes a third of the time at most: a long list is read less often than a short one. */
const pausePerReading = 2

export function settled(read: () => Promise<unknown>, { quietMs, everyMs }: SettledOptions): Paced {
  let timer: ReturnType<typeof setTimeout> | undefined
  let readByMs: number | undefined
  let lastMs = Number.NEGATIVE_INFINITY
  let pauseMs = quietMs
  let isReading = false
  let isWanted = false

  async function run(): Promise<void> {
    timer = undefined
    readByMs = undefined
    isReading = true
    lastMs = performance.now()
    try {
      await read()
    } finally {
      pauseMs = Math.max(quietMs, pausePerReading * (performance.now() - lastMs))
      isReading = false
      if (isWanted) schedule()
    }
  }

  function schedule(): void {
    isWanted = false
    const nowMs = performance.now()
    readByMs ??= nowMs + everyMs
    clearTimeout(timer)
    timer = setTimeout(() => void run(), Math.max(0, Math.min(pauseMs, readByMs - nowMs)))
  }

  function want(): void {
    if (isReading) isWanted = true
    else if (timer === undefined && performance.now() - lastMs >= everyMs) void run()
    else schedule()
  }

  return Object.assign(want, {
    stop() {
      clearTimeout(timer)
      timer = undefined
      readByMs = undefined
      isWanted = false
    },
  })
}
