// How late the event loop is: the time by which its timers are late.
import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How often it is measured: rarely enough to cost nothing. */
const loopSampleMs = 50
const nsPerMs = 1_000_000

export function measureLoopDelay() {
  const histogram = monitorEventLoopDelay({ resolution: loopSampleMs })
  histogram.enable()
  return {
    /** The delay that 99 % of the samples since the last call do not exceed. */
    takeP99Ms(): number {
      const ms = histogram.count === 0 ? 0 : histogram.percentile(99) / nsPerMs - loopSampleMs
      histogram.reset()
      return Math.max(0, ms)
    },
    stop: (): void => void histogram.disable(),
  }
}
