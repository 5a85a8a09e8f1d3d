// What the daemon remembers of itself: a point a minute for a day, one an hour for a quarter, and when the
// disk will be full if it fills as it did.
import { limits } from '../limits/limits.ts'

export const systemMinuteMs = 60_000
export const systemHourMs = 3_600_000
const dayMs = 86_400_000

/** How long points of each length are kept. */
export const systemMinutesKeptMs = dayMs
export const systemHoursKeptMs = 90 * dayMs

/** The numbers of a point, in the order in which they are stored. */
const systemMeasures = [
  'checksPerSecond',
  'latenessP50Ms',
  'latenessP99Ms',
  'waiting',
  'memoryBytes',
  'dataBytes',
  'diskFreeBytes',
  'loopDelayP99Ms',
  'errors',
] as const
type SystemMeasure = (typeof systemMeasures)[number]

/** One span of time; null is what could not be measured in it. */
export interface SystemPoint extends Readonly<Record<SystemMeasure, number | null>> {
  readonly fromMs: number
}

type Fold = (values: readonly number[]) => number
const sum: Fold = (values) => values.reduce((total, value) => total + value, 0)
const mean: Fold = (values) => sum(values) / values.length
const highest: Fold = (values) => values.reduce((most, value) => Math.max(most, value))
const newest: Fold = (values) => values[values.length - 1] ?? 0

/** What a longer span says of the spans within: usual values of what is usual, the worst of what is not. */
const folds: Readonly<Record<SystemMeasure, Fold>> = {
  checksPerSecond: mean,
  latenessP50Ms: mean,
  latenessP99Ms: highest,
  waiting: highest,
  memoryBytes: highest,
  dataBytes: newest,
  diskFreeBytes: newest,
  loopDelayP99Ms: highest,
  errors: sum,
}

/** Points of longer spans, aligned to them; the points given are in the order of time. */
export function foldedPoints(points: readonly SystemPoint[], spanMs: number): SystemPoint[] {
  const groups = Map.groupBy(points, ({ fromMs }) => Math.floor(fromMs / spanMs) * spanMs)
  return [...groups].map(([fromMs, within]) => {
    const entries = systemMeasures.map((name) => {
      const values = within.map((point) => point[name]).filter((value) => value !== null)
      return [name, values.length === 0 ? null : folds[name](values)]
    })
    return { fromMs, ...measured(Object.fromEntries(entries)) }
  })
}

// The entries have the names of the list, from which the type is made.
function measured(entries: object): Readonly<Record<SystemMeasure, number | null>> {
  return entries as Readonly<Record<SystemMeasure, number | null>>
}

/** A point as it is stored: its time, and its numbers in the order of `systemMeasures`. */
export type PackedPoint = readonly (number | null)[]

export function packedPoint(point: SystemPoint): PackedPoint {
  return [point.fromMs, ...systemMeasures.map((name) => point[name])]
}

export function unpackedPoint([fromMs, ...values]: PackedPoint): SystemPoint {
  const entries = systemMeasures.map((name, at) => [name, values[at] ?? null])
  return { fromMs: fromMs ?? 0, ...measured(Object.fromEntries(entries)) }
}

/**
 * The value below which a share of the counted ones lies; `counts` are by bucket, the last without a bound.
 * Null without values.
 */
export function quantileOf(
  counts: readonly number[],
  bounds: readonly number[],
  share: number,
): number | null {
  const total = sum(counts)
  if (total === 0) return null
  let seen = 0
  for (const [at, count] of counts.entries()) {
    seen += count
    if (seen >= share * total) return bounds[Math.min(at, bounds.length - 1)] ?? null
  }
  return bounds.at(-1) ?? null
}

/**
 * When the disk will be full. `short`: too little history to say. `steady`: it does not fill, or will not
 * within a year. `unclear`: it fills and empties without a trend.
 */
export interface DiskForecast {
  readonly state: 'fills' | 'short' | 'steady' | 'unclear'
  readonly fullAtMs: number | null
  /** What is taken of it in a day; null unless it fills. */
  readonly bytesPerDay: number | null
}

/** A forecast looks back so far, and needs so much history, in so many points. */
const forecastWindowMs = 14 * dayMs
const forecastHistoryMsMin = 3 * dayMs
const forecastPointsMin = 48
/** What is further away is no news, and no forecast can know it. */
const forecastAheadMsMax = 365 * dayMs
/** The share of what happened that the line must explain. */
const forecastFitMin = 0.5

const noForecast = { fullAtMs: null, bytesPerDay: null }

/** A line through the free bytes of the hours. */
export function diskForecast(hours: readonly SystemPoint[], nowMs: number): DiskForecast {
  const known = hours
    .filter(
      ({ fromMs, diskFreeBytes }) => fromMs >= nowMs - forecastWindowMs && diskFreeBytes !== null,
    )
    .map(({ fromMs, diskFreeBytes }) => ({ x: (fromMs - nowMs) / dayMs, y: diskFreeBytes ?? 0 }))
  const [first] = known
  const last = known.at(-1)
  if (!first || !last) return { state: 'short', ...noForecast }
  const isShort = (last.x - first.x) * dayMs < forecastHistoryMsMin
  if (isShort || known.length < forecastPointsMin) return { state: 'short', ...noForecast }
  const { slope, fit } = line(known)
  if (slope >= 0) return { state: 'steady', ...noForecast }
  const daysLeft = Math.max(0, last.y - limits.spaceBytesFull) / -slope
  if (daysLeft * dayMs > forecastAheadMsMax) return { state: 'steady', ...noForecast }
  if (fit < forecastFitMin) return { state: 'unclear', ...noForecast }
  const fullAtMs = Math.round(nowMs + daysLeft * dayMs)
  return { state: 'fills', fullAtMs, bytesPerDay: Math.round(-slope) }
}

/** Least squares; `fit` is the share of the variance that the line explains. */
function line(points: readonly { readonly x: number; readonly y: number }[]) {
  const meanX = mean(points.map(({ x }) => x))
  const meanY = mean(points.map(({ y }) => y))
  let xx = 0
  let xy = 0
  let yy = 0
  for (const { x, y } of points) {
    xx += (x - meanX) ** 2
    xy += (x - meanX) * (y - meanY)
    yy += (y - meanY) ** 2
  }
  const slope = xx === 0 ? 0 : xy / xx
  return { slope, fit: yy === 0 ? 0 : (xy * xy) / (xx * yy) }
}
