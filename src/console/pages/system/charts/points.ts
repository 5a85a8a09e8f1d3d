// The points of the service's history on an even grid of time, so that gaps are seen as gaps.
import type { Data } from '../../../api/client.ts'

export type SystemHistoryData = Data<'system.history'>
export type SystemPointData = SystemHistoryData['points'][number]

export interface SystemGrid {
  /** When each place of the grid begins, in seconds. */
  readonly seconds: readonly number[]
  /** Undefined where the service did not run. */
  readonly points: readonly (SystemPointData | undefined)[]
}

/** A grid is never longer, whatever the answer says. */
const placesMax = 1_000

export function gridOf({ from, to, pointSeconds, points }: SystemHistoryData): SystemGrid {
  const first = Date.parse(from) / 1_000
  const count = Math.ceil((Date.parse(to) / 1_000 - first) / pointSeconds)
  const byTime = new Map(points.map((point) => [Date.parse(point.from) / 1_000, point]))
  const newest = points.at(-1)
  // The present time has no point until it is over: without one, the grid ends before it.
  const last = newest ? (Date.parse(newest.from) / 1_000 - first) / pointSeconds : count - 1
  const places = Math.min(placesMax, Math.max(0, count), Math.max(last + 1, count - 1))
  const seconds = Array.from({ length: places }, (_, at) => first + at * pointSeconds)
  return { seconds, points: seconds.map((at) => byTime.get(at)) }
}
