// How long this thread computes in one piece: for so long no timer fires and no request is answered.

const tickMs = 2

/**
 * Watches from now on. The returned function ends it, and returns the longest piece in milliseconds of
 * the processor that this thread used between two ticks. What other threads, processes and programs do
 * meanwhile is not in it, so a busy machine makes it no longer.
 */
export function watchTurns(): () => number {
  const usedMs = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  }
  let lastMs = usedMs()
  let longestMs = 0
  function look(): void {
    const nowMs = usedMs()
    longestMs = Math.max(longestMs, nowMs - lastMs)
    lastMs = nowMs
  }
  const timer = setInterval(look, tickMs)
  return () => {
    clearInterval(timer)
    look()
    return longestMs
  }
}
