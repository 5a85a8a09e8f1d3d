// Runs something by itself a while after the last change: never two at once, and not before the service
// takes another one.

export interface AutoRunDeps {
  /** Runs it; how long to wait before it is tried again, or undefined once it ran. */
  readonly run: () => Promise<number | undefined>
  readonly quietMs: number
  readonly nowMs: () => number
  readonly setTimer: (work: () => void, ms: number) => unknown
  readonly clearTimer: (timer: unknown) => void
}

export interface AutoRun {
  /** Something changed. */
  want(): void
  stop(): void
}

export function createAutoRun({ run, quietMs, nowMs, setTimer, clearTimer }: AutoRunDeps): AutoRun {
  let timer: unknown
  let isRunning = false
  let isWanted = false
  let isStopped = false
  let notBeforeMs = Number.NEGATIVE_INFINITY

  function schedule(): void {
    isWanted = false
    clearTimer(timer)
    timer = setTimer(() => void go(), Math.max(quietMs, notBeforeMs - nowMs()))
  }

  async function go(): Promise<void> {
    isRunning = true
    const waitMs = await run()
    isRunning = false
    if (waitMs !== undefined) notBeforeMs = nowMs() + waitMs
    if (!isStopped && (waitMs !== undefined || isWanted)) schedule()
  }

  return {
    want() {
      isStopped = false
      if (isRunning) isWanted = true
      else schedule()
    },
    stop() {
      clearTimer(timer)
      isStopped = true
    },
  }
}
