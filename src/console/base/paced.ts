// Does something at most so often: at once when it was quiet, then once for all that came meanwhile.

export interface Paced {
  /** Wants it done. */
  (): void
  /** What was wanted and not yet done is given up. */
  stop(): void
}

export function paced(run: () => void, everyMs: number): Paced {
  let lastMs = Number.NEGATIVE_INFINITY
  let timer: ReturnType<typeof setTimeout> | undefined

  function now(): void {
    timer = undefined
    lastMs = performance.now()
    run()
  }

  function want(): void {
    if (timer !== undefined) return
    const waitMs = lastMs + everyMs - performance.now()
    if (waitMs <= 0) now()
    else timer = setTimeout(now, waitMs)
  }

  return Object.assign(want, {
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  })
}
