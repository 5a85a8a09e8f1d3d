// Uptime: how long a monitor was in each state within a window, and how much of it counts.
import type { Tally } from './span.ts'
import type { TimeWindow } from './time-window.ts'

export type StateTimes = Pick<
  Tally,
  'upMs' | 'degradedMs' | 'downMs' | 'pausedMs' | 'maintenanceMs'
>

export interface UptimeTimes extends StateTimes {
  /** Paused or under maintenance. */
  readonly excludedMs: number
  /** Not known: before the first result, without the daemon, or without a network of its own. */
  readonly unknownMs: number
  /** Up, degraded or down. */
  readonly countedMs: number
  /** The share of the window that counts, from 0 to 1. */
  readonly coverage: number
  /** The share of the counted time that was up or degraded; null if none counts. */
  readonly ratio: number | null
}

/** The uptime of a window by its tallies, or sums of them. The rest of the window is unknown. */
export function uptimeIn({ fromMs, toMs }: TimeWindow, tallies: Iterable<StateTimes>): UptimeTimes {
  return timesOf(sumOfTimes(tallies), Math.max(0, toMs - fromMs))
}

export function sumOfTimes(tallies: Iterable<StateTimes>): StateTimes {
  let upMs = 0
  let degradedMs = 0
  let downMs = 0
  let pausedMs = 0
  let maintenanceMs = 0
  for (const tally of tallies) {
    upMs += tally.upMs
    degradedMs += tally.degradedMs
    downMs += tally.downMs
    pausedMs += tally.pausedMs
    maintenanceMs += tally.maintenanceMs
  }
  return { upMs, degradedMs, downMs, pausedMs, maintenanceMs }
}

/** The uptime of several monitors together, over the same window. */
export function uptimeOfAll(each: readonly UptimeTimes[], { fromMs, toMs }: TimeWindow) {
  return timesOf(sumOfTimes(each), each.length * Math.max(0, toMs - fromMs))
}

/** What the times in each state come to; `wholeMs` is the length of their window, if it is known. */
export function timesOf(states: StateTimes, wholeMs = 0): UptimeTimes {
  const { upMs, degradedMs, downMs, pausedMs, maintenanceMs } = states
  const countedMs = upMs + degradedMs + downMs
  const excludedMs = pausedMs + maintenanceMs
  return {
    ...states,
    excludedMs,
    unknownMs: Math.max(0, wholeMs - countedMs - excludedMs),
    countedMs,
    coverage: wholeMs === 0 ? 0 : countedMs / wholeMs,
    ratio: countedMs === 0 ? null : (upMs + degradedMs) / countedMs,
  }
}
