// How long this thread computes in one piece: for so long no timer fires and no request is answered.
// Processor time of the thread counts, so a busy machine makes no piece longer.

/** Pieces shorter than this are not told apart. */
const tickMs = 2

export interface MeasuredTurns {
  readonly longestMs: number
  /** The time of all pieces together. */
  readonly allMs: number
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Measures from now on, as long as the timer runs. */
export function measureTurns() {
  let lastMs = usedMs()
  let longestMs = 0
  let allMs = 0
  function look(): void {
    const nowMs = usedMs()
    longestMs = Math.max(longestMs, nowMs - lastMs)
    allMs += nowMs - lastMs
    lastMs = nowMs
  }
  return {
    timer: setInterval(look, tickMs),
    /** What was measured since the last call. */
    take(): MeasuredTurns {
      look()
      const taken = { longestMs, allMs }
      longestMs = 0
      allMs = 0
      return taken
    },
  }
}

/** Measures from now on. The returned function ends it, and returns the longest piece. */
export function watchTurns(): () => number {
  const turns = measureTurns()
  return () => {
    clearInterval(turns.timer)
    return turns.take().longestMs
  }
}
