// The buckets of a chart of response times: which length they have, and what they are made of.

import { limits } from '../limits/limits.ts'
import { dayMs, hourMs } from './span.ts'
import { ceilTo, floorTo, type TimeWindow } from './time-window.ts'

const minuteMs = 60_000
const lengthsMs = [
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minuteMs),
  ...[1, 2, 3, 4, 6, 12].map((hours) => hours * hourMs),
  ...[1, 2, 7, 14, 28].map((days) => days * dayMs),
]

/** Results, finished hours, or finished days. */
type BucketSource = 'results' | 'hours' | 'days'

export interface LatencyBuckets extends TimeWindow {
  readonly bucketMs: number
  readonly source: BucketSource
}

export interface AskedBuckets extends TimeWindow {
  readonly pointsMax: number
  /** The usual distance of results. */
  readonly intervalMs: number
  readonly nowMs: number
}

/**
 * The shortest buckets that give at most so many, aligned to UTC. The window is extended to whole
 * buckets.
 */
export function latencyBuckets(asked: AskedBuckets): LatencyBuckets {
  const { fromMs, toMs, pointsMax } = asked
  const shortestMs = shortestBucketMs(asked)
  const count = (ms: number) => (ceilTo(ms, toMs) - floorTo(ms, fromMs)) / ms
  const fitting = lengthsMs.find((ms) => ms >= shortestMs && count(ms) <= pointsMax)
  // One more bucket than fit into the window begins or ends in it.
  const daysEach = Math.ceil((toMs - fromMs) / (pointsMax - 1) / dayMs)
  const bucketMs = fitting ?? Math.max(1, daysEach) * dayMs
  return {
    fromMs: floorTo(bucketMs, fromMs),
    toMs: ceilTo(bucketMs, toMs),
    bucketMs,
    source: bucketMs < hourMs ? 'results' : bucketMs < dayMs ? 'hours' : 'days',
  }
}

/** What a chart of response times reads at most: hours, or single results. */
const chartHoursMax = 1_500
const chartResultsMax = 20_000

/** The shortest bucket whose data is kept so far back, and can be read in little time. */
function shortestBucketMs({ fromMs, toMs, intervalMs, nowMs }: AskedBuckets): number {
  const lengthMs = toMs - fromMs
  const isOlderThan = (keptMs: number) => fromMs < nowMs - keptMs
  if (lengthMs > chartHoursMax * hourMs || isOlderThan(limits.hoursKept * hourMs)) {
    return dayMs
  }
  const hasManyResults = lengthMs / intervalMs > chartResultsMax
  return hasManyResults || isOlderThan(limits.checksKeptDays * dayMs) ? hourMs : minuteMs
}
