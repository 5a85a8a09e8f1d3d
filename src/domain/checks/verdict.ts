// A verdict: how a reading counts under a monitor's policy.
import { type CheckType, isChecked } from './check-type.ts'
import type { Reading } from './reading.ts'

export const verdictKinds = ['up', 'degraded', 'down', 'unknown'] as const
export type VerdictKind = (typeof verdictKinds)[number]

/** Degraded means so by its own word, or strictly above the threshold; a failed check is down at any speed. */
export function judge(reading: Reading, degradedThresholdMs: number | null): VerdictKind {
  if (reading.result === 'unknown') return 'unknown'
  if (reading.result === 'failed') return 'down'
  if (reading.isDegraded) return 'degraded'
  if (degradedThresholdMs !== null && reading.durationMs > degradedThresholdMs) return 'degraded'
  return 'up'
}

/**
 * The verdict on a reading. What is no check is never slow: the duration of a push report is that of the
 * sender's work. Nor is a failure that is expected: it may be a time limit.
 */
export function verdictOn(
  monitor: {
    readonly checkType: CheckType
    readonly degradedThresholdMs: number | null
    readonly isUpsideDown?: boolean
  },
  reading: Reading,
): VerdictKind {
  const isNeverSlow = !isChecked(monitor) || monitor.isUpsideDown === true
  return judge(reading, isNeverSlow ? null : monitor.degradedThresholdMs)
}
