// Latencies: what the results of an hour, a day or any other time were, and how long the good ones
// took: sums that add up, and a histogram.

import type { CheckRow } from './check-row.ts'
import { type CheckType, isChecked } from './check-type.ts'
import { bucketMs, bucketOf, bucketsMax } from './histogram.ts'
import { type PhaseName, type Phases, phaseNames } from './reading.ts'
import { type VerdictKind, verdictKinds } from './verdict.ts'

export interface Latencies {
  /** How many results there were of each kind. */
  readonly results: Readonly<Record<VerdictKind, number>>
  /** How many of them have a latency: the good ones, and push reports only if they state one. */
  readonly count: number
  readonly minMs: number
  readonly maxMs: number
  readonly sumMs: number
  /** The results with a latency: in how many a phase happened, and how long it took in all. */
  readonly phases: Readonly<Record<PhaseName, PhaseSum>>
  /** Buckets with their counts, the fastest first. */
  readonly histogram: readonly (readonly [bucket: number, count: number])[]
}

export interface PhaseSum {
  readonly count: number
  readonly sumMs: number
}

/**
 * Whether the duration of a result is a latency of its target. That of a failed check says how long it
 * took to fail, and a push report without a duration has none.
 */
function isTimed({ verdict, durationMs }: CheckRow, isReported: boolean): boolean {
  if (verdict === 'down' || verdict === 'unknown') return false
  return !isReported || durationMs > 0
}

export type LatencySum = ReturnType<typeof createLatencySum>

/** Adds up rows, and the latencies of shorter times, in any order. */
export function createLatencySum(checkType: CheckType) {
  const isReported = !isChecked({ checkType })
  const results: Record<VerdictKind, number> = { up: 0, degraded: 0, down: 0, unknown: 0 }
  const phaseCounts = phaseNames.map(() => 0)
  const phaseSumsMs = phaseNames.map(() => 0)
  const buckets = new Uint32Array(bucketsMax)
  let rows = 0
  let count = 0
  let sumMs = 0
  let minMs = Number.POSITIVE_INFINITY
  let maxMs = 0

  function addPhase(at: number, phaseCount: number, ms: number): void {
    phaseCounts[at] = (phaseCounts[at] ?? 0) + phaseCount
    phaseSumsMs[at] = (phaseSumsMs[at] ?? 0) + ms
  }

  function addCount(bucket: number, more: number): void {
    buckets[bucket] = (buckets[bucket] ?? 0) + more
  }

  return {
    addRow(row: CheckRow): void {
      rows += 1
      results[row.verdict] += 1
      if (!isTimed(row, isReported)) return
      const { durationMs, phases } = row
      count += 1
      sumMs += durationMs
      minMs = Math.min(minMs, durationMs)
      maxMs = Math.max(maxMs, durationMs)
      addCount(bucketOf(durationMs), 1)
      if (!phases) return
      for (const [at, name] of phaseNames.entries()) {
        const ms = phases[name]
        if (ms !== undefined) addPhase(at, 1, ms)
      }
    },

    add(latencies: Latencies): void {
      for (const kind of verdictKinds) {
        results[kind] += latencies.results[kind]
        rows += latencies.results[kind]
      }
      if (latencies.count === 0) return
      count += latencies.count
      sumMs += latencies.sumMs
      minMs = Math.min(minMs, latencies.minMs)
      maxMs = Math.max(maxMs, latencies.maxMs)
      for (const [at, name] of phaseNames.entries()) {
        const phase = latencies.phases[name]
        addPhase(at, phase.count, phase.sumMs)
      }
      for (const [bucket, more] of latencies.histogram) addCount(bucket, more)
    },

    /** Null if there was no result. */
    sum(): Latencies | null {
      if (rows === 0) return null
      const histogram: (readonly [number, number])[] = []
      for (const [bucket, some] of buckets.entries()) {
        if (some > 0) histogram.push([bucket, some])
      }
      const phases = phasesOf((at) => ({
        count: phaseCounts[at] ?? 0,
        sumMs: phaseSumsMs[at] ?? 0,
      }))
      const extremes = { minMs: count === 0 ? 0 : minMs, maxMs }
      return { results: { ...results }, count, ...extremes, sumMs, phases, histogram }
    },
  }
}

/** Each phase, by its place in `phaseNames`. */
export function phasesOf(sumOf: (at: number) => PhaseSum): Latencies['phases'] {
  const [dns, connect, tls, firstByte, download] = phaseNames.map((_, at) => sumOf(at))
  const none = { count: 0, sumMs: 0 }
  return {
    dns: dns ?? none,
    connect: connect ?? none,
    tls: tls ?? none,
    firstByte: firstByte ?? none,
    download: download ?? none,
  }
}

/**
 * The latency that a share of the results did not exceed, at most 2 % off; null if none has one.
 * `share` is from 0 to 1.
 */
export function percentileMs(latencies: Latencies, share: number): number | null {
  const { count, minMs, maxMs } = latencies
  if (count === 0) return null
  let left = Math.max(1, Math.ceil(share * count))
  for (const [bucket, some] of latencies.histogram) {
    left -= some
    if (left <= 0) return Math.min(maxMs, Math.max(minMs, bucketMs(bucket)))
  }
  return maxMs
}

/** Latencies as people read them: times in ms, to a tenth where they are not exact. */
export function latencyFigures(latencies: Latencies | null) {
  const count = latencies?.count ?? 0
  if (!latencies || count === 0) {
    const none = { minMs: null, avgMs: null, p50Ms: null, p95Ms: null, p99Ms: null, maxMs: null }
    return { count, ...none, phasesMs: {} }
  }
  const phasesMs: { -readonly [Phase in keyof Phases]: Phases[Phase] } = {}
  for (const name of phaseNames) {
    const { count: times, sumMs } = latencies.phases[name]
    if (times > 0) phasesMs[name] = rounded(sumMs / times)
  }
  return {
    count,
    minMs: latencies.minMs,
    avgMs: rounded(latencies.sumMs / count),
    p50Ms: roundedOrNull(percentileMs(latencies, 0.5)),
    p95Ms: roundedOrNull(percentileMs(latencies, 0.95)),
    p99Ms: roundedOrNull(percentileMs(latencies, 0.99)),
    maxMs: latencies.maxMs,
    phasesMs,
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10
}

function roundedOrNull(ms: number | null): number | null {
  return ms === null ? null : rounded(ms)
}
