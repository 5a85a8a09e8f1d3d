// Push monitors under another grace: which reports would have been missed.
import type { CheckRow } from '../checks/check-row.ts'
import type { Gap } from '../health/span.ts'
import {
  deadlineAtMs as deadlineAfterMs,
  type MovableExpectation,
  missedReading,
  movedExpectation,
  type Pace,
} from './push-deadline.ts'

/**
 * Takes the rows of a monitor, oldest first, and returns its reports with the misses that follow from
 * their times. Stored misses are left out, because they were judged by the grace of their time.
 */
export function createReportReplay(pace: Pace, gaps: readonly Gap[]) {
  let lastReportAtMs: number | null = null

  /** The miss after the last report, if nothing came until `untilMs`. */
  function missBefore(untilMs: number): CheckRow[] {
    if (lastReportAtMs === null) return []
    const deadlineMs = deadlineAfterMs(pace, lastReportAtMs)
    const nothing = { openRuns: [], recoversAtMs: null }
    let expected: MovableExpectation = { ...nothing, deadlineAtMs: deadlineMs, excuses: 0 }
    for (const { fromMs, toMs } of gaps) {
      // No report could arrive, so the deadline moved.
      if (toMs <= lastReportAtMs || fromMs >= (expected.deadlineAtMs ?? 0)) continue
      const byMs = toMs - Math.max(fromMs, lastReportAtMs)
      expected = movedExpectation(pace, expected, byMs, toMs)
    }
    const { deadlineAtMs } = expected
    if (deadlineAtMs === null || deadlineAtMs > untilMs) return []
    const { error } = missedReading(pace, { lastReportAtMs, deadlineAtMs })
    const { kind: errorKind, message } = error ?? {}
    lastReportAtMs = null
    return [
      {
        atMs: deadlineAtMs,
        verdict: 'down',
        durationMs: 0,
        ...(errorKind === undefined ? {} : { errorKind }),
        ...(message === undefined ? {} : { message }),
      },
    ]
  }

  return {
    add(row: CheckRow): CheckRow[] {
      if (row.errorKind === 'missed') return []
      if (row.verdict === 'unknown') return [row]
      const rows = [...missBefore(row.atMs), row]
      lastReportAtMs = row.atMs
      return rows
    },
    end: (toMs: number) => missBefore(toMs),
  }
}
