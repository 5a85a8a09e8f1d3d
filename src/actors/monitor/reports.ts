// How a push report, or its absence, changes a monitor, in the transaction of the commit.
import type { Reading } from '../../domain/checks/reading.ts'
import { shownState } from '../../domain/health/health.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import {
  begunRun,
  finishedRun,
  isPlain,
  type Run,
  runDurationMs,
  type SentReport,
  timedOutRun,
} from '../../domain/monitors/run.ts'
import {
  expectationAfter,
  missedReading,
  reportedReading,
  silenceReading,
  unendedReading,
} from '../../domain/schedule/push-deadline.ts'
import {
  endedRun,
  firstLimitAtMs,
  type OpenRun,
  repeatedStart,
  runsPastLimit,
  withStarted,
} from '../../domain/schedule/push-runs.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { createFold, FoldResult } from './fold.ts'

/** What an actor waits for. */
export interface Awaited {
  readonly lastReportAtMs: number | null
  /** When it woke, or will; later than what is stored while no report can reach us. */
  readonly wakesAtMs: number
}

type EndReport = SentReport & { readonly status: 'ok' | 'error' }

export interface ReportFoldDeps {
  readonly store: Pick<Store, 'runs' | 'checks'>
  readonly fold: ReturnType<typeof createFold>
}

export function createReports({ store, fold }: ReportFoldDeps) {
  const nextNumber = ({ orgId, id }: Monitor, { runCount }: MonitorState): number =>
    // A state that was damaged began anew.
    (runCount || store.runs.newest(orgId, id)) + 1

  function put(tx: Tx, { orgId, id }: Monitor, run: Run, log?: string): void {
    store.runs.put(tx, orgId, id, run, log)
  }

  function begin(
    tx: Tx,
    monitor: Monitor,
    before: MonitorState,
    report: SentReport,
    atMs: number,
  ): FoldResult {
    const { status, runId = null, log } = report
    const isStart = status === 'start'
    if (isStart && repeatedStart(before.openRuns, runId, atMs)) return unchanged(before)
    const number = nextNumber(monitor, before)
    put(tx, monitor, begunRun(number, report, atMs), log)
    const after = { ...before, runCount: number }
    if (!isStart) return unchanged(after)
    const { openRuns } = withStarted(before.openRuns, monitor, {
      number,
      runId,
      startedAtMs: atMs,
    })
    return unchanged({ ...after, openRuns })
  }

  /** Keeps the run that a report ends, if it is more than a sign of life; returns its number. */
  function keep(
    tx: Tx,
    monitor: Monitor,
    before: MonitorState,
    result: {
      readonly report: EndReport
      readonly open: OpenRun | undefined
      readonly atMs: number
    },
  ): number {
    const { report, open, atMs } = result
    if (open === undefined && isPlain(report)) return before.runCount
    const { orgId, id } = monitor
    const begun = open && store.runs.readable(orgId, id, open.number)
    const number = begun?.number ?? nextNumber(monitor, before)
    const run = finishedRun(number, report, open, atMs)
    const message = run.message ?? begun?.message ?? null
    const hasLog = run.hasLog || (begun?.hasLog ?? false)
    put(tx, monitor, { ...run, message, hasLog }, report.log)
    return Math.max(before.runCount, number)
  }

  function finish(
    tx: Tx,
    monitor: Monitor,
    before: MonitorState,
    { report, atMs, announce }: { report: EndReport; atMs: number; announce: Announce },
  ): FoldResult {
    const { metadataJson } = report
    const open = endedRun(before.openRuns, report.runId ?? null)
    const durationMs = runDurationMs(report, open, atMs)
    const reported = reportedReading(
      durationMs === undefined ? report : { ...report, durationMs },
      atMs,
    )
    const reading = metadataJson === undefined ? reported : { ...reported, metadataJson }
    announce(reading)
    const folded = fold.reading(tx, monitor, before, reading, reading.result === 'failed')
    if (metadataJson !== undefined) {
      store.checks.putReport(tx, monitor.orgId, monitor.id, { atMs, metadataJson })
    }
    const runCount = keep(tx, monitor, before, { report, open, atMs })
    const openRuns = open ? before.openRuns.filter((run) => run !== open) : before.openRuns
    const expected = expectationAfter(monitor, before, report, atMs)
    return {
      ...folded,
      monitorState: { ...folded.monitorState, ...expected, openRuns, runCount },
    }
  }

  /** Folds the readings in one by one; what the first one changes, the next one finds. */
  function foldAll(
    tx: Tx,
    monitor: Monitor,
    before: MonitorState,
    readings: readonly Reading[],
  ): FoldResult {
    let all = unchanged(before)
    for (const reading of readings) {
      const isFailed = reading.result === 'failed'
      const folded = fold.reading(tx, monitor, all.monitorState, reading, isFailed)
      const isNews = all.isNews || folded.isNews
      all = { ...folded, isNews, hasTurned: all.hasTurned || folded.hasTurned }
    }
    return all
  }

  return {
    /** `announce` is called with the reading before it is folded, if the report has a result. */
    report(
      tx: Tx,
      monitor: Monitor,
      before: MonitorState,
      sent: { readonly report: SentReport; readonly atMs: number; readonly announce: Announce },
    ): FoldResult {
      const { report, atMs } = sent
      const { status } = report
      if (status === 'start' || status === 'log') return begin(tx, monitor, before, report, atMs)
      return finish(tx, monitor, before, { ...sent, report: { ...report, status } })
    },

    /**
     * Folds in what is due by now: runs that have taken too long, the missing report, or the end of an
     * outage after which no report came. If a report came after all, nothing is due.
     */
    overdue(
      tx: Tx,
      monitor: Monitor,
      before: MonitorState,
      { lastReportAtMs, wakesAtMs }: Awaited,
      nowMs: number,
    ): FoldResult {
      const { late, after: openRuns } = runsPastLimit(before.openRuns, nowMs)
      const readings: Reading[] = []
      for (const { run, limitAtMs } of late) {
        put(tx, monitor, { ...timedOutRun(run), ...keptOf(store, monitor, run) })
        const atMs = Math.max(limitAtMs, wakesAtMs)
        readings.push(unendedReading(run, atMs, monitor.maxRunSeconds))
      }
      const { deadlineAtMs, recoversAtMs } = before
      const isMissed =
        deadlineAtMs !== null &&
        before.lastReportAtMs === lastReportAtMs &&
        deadlineAtMs <= nowMs &&
        firstLimitAtMs(openRuns) === null
      if (isMissed) {
        const missedAtMs = Math.max(deadlineAtMs, wakesAtMs)
        readings.push(missedReading(monitor, { lastReportAtMs, deadlineAtMs: missedAtMs }))
      }
      const isSilent = recoversAtMs !== null && recoversAtMs <= nowMs && readings.length === 0
      if (isSilent && shownState(before.health) === 'down') {
        readings.push(silenceReading(monitor, Math.max(recoversAtMs, wakesAtMs)))
      }
      if (readings.length === 0 && !isSilent) return unchanged(before)
      const all = foldAll(tx, monitor, before, readings)
      return {
        ...all,
        monitorState: {
          ...all.monitorState,
          openRuns,
          deadlineAtMs: isMissed ? null : deadlineAtMs,
          recoversAtMs: null,
        },
      }
    },
  }
}

type Announce = (reading: Reading) => void

/** What is kept of a run besides its times. */
function keptOf(
  store: ReportFoldDeps['store'],
  { orgId, id }: Monitor,
  { number }: OpenRun,
): Partial<Pick<Run, 'message' | 'hasLog'>> {
  const begun = store.runs.readable(orgId, id, number)
  return begun ? { message: begun.message, hasLog: begun.hasLog } : {}
}

/** Nothing was folded in. */
export function unchanged(monitorState: MonitorState): FoldResult {
  const verdict = monitorState.lastVerdict ?? 'unknown'
  return { monitorState, verdict, isNews: false, hasTurned: false }
}
