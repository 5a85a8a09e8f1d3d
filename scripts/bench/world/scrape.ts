// Reads the daemon's own metrics: counters, and quantiles of a histogram between two moments.
import type { Daemon } from './daemon.ts'
import { type Figure, info } from './figure.ts'

export interface Bucket {
  /** Upper bound. */
  readonly le: number
  /** How many lie at or below it. */
  readonly count: number
}

export async function scrape({ baseUrl }: Daemon): Promise<string> {
  const response = await fetch(`${baseUrl}/metrics`)
  if (!response.ok) throw new Error(`GET /metrics: ${response.status}`)
  return response.text()
}

/** A counter, all its labels together; only the series whose labels hold `having`. */
export function sumOf(text: string, name: string, having = ''): number {
  let sum = 0
  for (const [, labels = '', value] of text.matchAll(new RegExp(`^${name}({.*})? (\\S+)$`, 'gm'))) {
    if (labels.includes(having)) sum += Number(value)
  }
  return sum
}

/** What came into each bucket from one text to the other. */
export function bucketsBetween(before: string, after: string, name: string): Bucket[] {
  const earlier = bucketsOf(before, name)
  return bucketsOf(after, name).map(({ le, count }, index) => {
    return { le, count: count - (earlier[index]?.count ?? 0) }
  })
}

function bucketsOf(text: string, name: string): Bucket[] {
  const lines = text.matchAll(new RegExp(`^${name}_bucket{.*?le="([^"]+)".*?} (\\S+)$`, 'gm'))
  return Array.from(lines, ([, le, count]) => {
    return { le: le === '+Inf' ? Number.POSITIVE_INFINITY : Number(le), count: Number(count) }
  })
}

/** Interpolated within its bucket, as Prometheus does; the last finite bound beyond it. */
export function quantile(buckets: readonly Bucket[], share: number): number {
  const total = buckets.at(-1)?.count ?? 0
  const rank = total * share
  let before: Bucket = { le: 0, count: 0 }
  for (const bucket of buckets) {
    if (bucket.count >= rank && bucket.count > before.count) {
      if (bucket.le === Number.POSITIVE_INFINITY) return before.le
      const part = (rank - before.count) / (bucket.count - before.count)
      return before.le + (bucket.le - before.le) * part
    }
    before = bucket
  }
  return before.le
}

/** What kept the daemon's one thread from its work between two texts, `seconds` apart. */
export function stallFigures(before: string, after: string, seconds: number): Figure[] {
  const collecting = 'nodejs_gc_duration_seconds_sum'
  const collected = sumOf(after, collecting) - sumOf(before, collecting)
  // The daemon's gauge begins anew whenever it is read.
  const longest = sumOf(after, 'nodejs_eventloop_lag_max_seconds')
  return [
    info('longest stall of the event loop', longest * 1_000, 'ms'),
    info('time in garbage collection', (100 * collected) / seconds, '%'),
  ]
}
