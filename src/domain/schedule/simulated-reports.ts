// Push monitors under another grace: which reports would have been missed.
import type { CheckRow } from '../checks/check-row.ts'
import type { Gap } from '../health/span.ts'
import { type MovableDeadline, missedReading, movedDeadline } from './push-deadline.ts'

export interface ReportPace {
  readonly intervalSeconds: number
  readonly graceSeconds: number
  /** When the report after one is due, without the grace. */
  readonly dueAfterMs: (reportAtMs: number) => number
}

/**
 * Takes the rows of a monitor, oldest first, and returns its reports with the misses that follow from
 * their times. Stored misses are left out, because they were judged by the grace of their time.
 */
export function createReportReplay(pace: ReportPace, gaps: readonly Gap[]) {
  const graceMs = pace.graceSeconds * 1_000
  let lastReportAtMs: number | null = null

  /** The miss after the last report, if nothing came until `untilMs`. */
  function missBefore(untilMs: number): CheckRow[] {
    if (lastReportAtMs === null) return []
    const dueAtMs = pace.dueAfterMs(lastReportAtMs)
    let expected: MovableDeadline = { deadlineAtMs: dueAtMs + graceMs, excuses: 0 }
    for (const { fromMs, toMs } of gaps) {
      // No report could arrive, so the deadline moved.
      if (toMs <= lastReportAtMs || fromMs >= expected.deadlineAtMs) continue
      const byMs = toMs - Math.max(fromMs, lastReportAtMs)
      expected = movedDeadline(pace, expected, byMs, toMs)
    }
    const { deadlineAtMs } = expected
    if (deadlineAtMs > untilMs) return []
    const intervalMs = dueAtMs - lastReportAtMs
    const { error } = missedReading({ lastReportAtMs, deadlineAtMs, intervalMs, graceMs })
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
