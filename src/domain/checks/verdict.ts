// A verdict: what a reading means under a monitor's policy.
import type { Reading } from './reading.ts'

export const verdictKinds = ['up', 'degraded', 'down', 'unknown'] as const
export type VerdictKind = (typeof verdictKinds)[number]

/** Degraded is strictly above the threshold; a failed check is down whatever its speed. */
export function judge(reading: Reading, degradedThresholdMs: number | null): VerdictKind {
  if (reading.outcome === 'unknown') return 'unknown'
  if (reading.outcome === 'failed') return 'down'
  if (degradedThresholdMs !== null && reading.durationMs > degradedThresholdMs) return 'degraded'
  return 'up'
}
