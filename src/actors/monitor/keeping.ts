// Keeping: what a result leaves behind, of a monitor or of a monitor at one place: its row, the time in
// each state, what it found, and the evidence of a failure.
import type { MonitorId } from '../../base/ids.ts'
import { appendRow, type CheckRow, checkRow } from '../../domain/checks/check-row.ts'
import { isTold, waitsForReports } from '../../domain/checks/check-type.ts'
import type { Reading } from '../../domain/checks/reading.ts'
import type { VerdictKind } from '../../domain/checks/verdict.ts'
import { type Health, shownState } from '../../domain/health/health.ts'
import {
  certainSpans,
  type Span,
  withCheck,
  withGaps,
  withMaintenance,
} from '../../domain/health/span.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { type MonitorState, shownMonitorState } from '../../domain/monitors/monitor-state.ts'
import { explainedMs } from '../../domain/schedule/push-deadline.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { LeftOut } from '../../store/left-out.ts'
import type { Store } from '../../store/store.ts'
import { account } from './accounting.ts'

type FoldedRows = Pick<
  MonitorState,
  'recentRows' | 'recentRowCount' | 'recentFromMs' | 'recentLastMs'
>

const noRecentRows: FoldedRows = {
  recentRows: new Uint8Array(0),
  recentRowCount: 0,
  recentFromMs: 0,
  recentLastMs: 0,
}

/** A monitor's state collects this many results, which are then written as one block. */
export const checkRowsPerBlock = 64

/** The ids that the tables know. */
type KeptIds = Pick<Monitor, 'orgId' | 'id'>

/** What a result makes of a monitor. */
export interface FoldedResult {
  readonly reading: Reading
  /** On the reading itself. */
  readonly verdict: VerdictKind
  /** On the monitor, where its locations vote; default: the same. */
  readonly monitorVerdict?: VerdictKind
  readonly atMs: number
  readonly health: Health
  /** Present for a result of one of several places. */
  readonly atPlace?: KeptAtPlace
}

/** What is kept of a monitor at one place, besides what is kept of a monitor. */
interface KeptAtPlace extends Pick<MonitorState, 'lastSlot' | 'isUnsure'> {
  /** The id of the monitor at that place. */
  readonly id: MonitorId
}

/** Keeps results in these tables. */
export function createKeeping(tables: Pick<Store, 'checks' | 'hours' | 'days'>, leftOut: LeftOut) {
  const { checks } = tables

  /** The newest rows with one more; full, they are stored in blocks, and begin anew. */
  function withRow(tx: Tx, kept: KeptIds, before: MonitorState, row: CheckRow): FoldedRows {
    const rows = appendRow(before.recentRows, row, before.recentLastMs)
    const recentRowCount = before.recentRowCount + 1
    const recentFromMs = before.recentRowCount === 0 ? row.atMs : before.recentFromMs
    if (recentRowCount < checkRowsPerBlock) {
      return { recentRows: rows, recentRowCount, recentFromMs, recentLastMs: row.atMs }
    }
    checks.addRows(tx, kept.orgId, kept.id, rows)
    return noRecentRows
  }

  return {
    /** The state with a result that counts nowhere else. */
    withRowAlone: (
      tx: Tx,
      kept: KeptIds,
      before: MonitorState,
      { reading, verdict }: Pick<FoldedResult, 'reading' | 'verdict'>,
    ): MonitorState => ({ ...before, ...withRow(tx, kept, before, checkRow(reading, verdict)) }),

    /** The state when no place has anything to say any more; the time since the last result is unknown. */
    withSilence(tx: Tx, monitor: Monitor, before: MonitorState, nowMs: number): MonitorState {
      const span = { state: 'unknown', fromMs: before.accountedToMs, toMs: nowMs } as const
      if (span.toMs <= span.fromMs) return { ...before, lastVerdict: 'unknown' }
      const spans = withMaintenance(
        withGaps([span], leftOut.gaps()),
        leftOut.maintenance(monitor, span.fromMs, nowMs),
      )
      const tallies = account(tables, tx, monitor, before, spans)
      return { ...before, ...tallies, accountedToMs: nowMs, lastVerdict: 'unknown' }
    },

    /** The state with the reading applied; also writes history and evidence. */
    withReading(
      tx: Tx,
      monitor: Monitor,
      before: MonitorState,
      result: FoldedResult,
    ): MonitorState {
      const { reading, verdict, monitorVerdict = verdict, atMs, health, atPlace } = result
      const { orgId, checkType } = monitor
      const { id } = atPlace ?? monitor
      const { lastSlot, isUnsure } = atPlace ?? before
      const kept = { orgId, id, checkType }
      const spans = withMaintenance(
        withGaps(
          spansUntil(monitor, before, { health, atMs, verdict: monitorVerdict }),
          leftOut.gaps(),
        ),
        leftOut.maintenance(monitor, before.accountedToMs, atMs),
      )
      const { tally, hour } = account(tables, tx, kept, before, spans)
      const row = checkRow(reading, verdict)
      const recent = withRow(tx, kept, before, row)
      if (reading.result === 'failed') {
        const error = reading.error ?? null
        const failure = { atMs: reading.atMs, error, evidence: reading.evidence ?? {} }
        checks.putEvidence(tx, orgId, id, failure)
      }
      // A place whose word is not that of the monitor, or which could not look, says neither how fast its
      // target is, nor what is wrong.
      const isOutvoted =
        verdict !== monitorVerdict &&
        (verdict === 'unknown' || (verdict === 'down') !== (monitorVerdict === 'down'))
      const isFailing = monitorVerdict === 'down'
      return {
        health,
        tally: withCheck(tally, verdict),
        hour: withCheck(hour, verdict),
        accountedToMs: spans.at(-1)?.toMs ?? before.accountedToMs,
        lastAtMs: atMs,
        lastVerdict: monitorVerdict,
        lastError: !isOutvoted ? (reading.error ?? null) : isFailing ? before.lastError : null,
        responseTimeMs:
          reading.result === 'unknown' || isOutvoted ? before.responseTimeMs : row.durationMs,
        lastPhases: isOutvoted ? before.lastPhases : (reading.phases ?? null),
        address: isOutvoted ? before.address : (reading.address ?? null),
        certificate: reading.certificate ?? before.certificate,
        domainExpiresAtMs:
          reading.result === 'good'
            ? (reading.registration?.expiresAtMs ?? null)
            : before.domainExpiresAtMs,
        lastReportAtMs: before.lastReportAtMs,
        deadlineAtMs: before.deadlineAtMs,
        excuses: before.excuses,
        recentRows: recent.recentRows,
        recentRowCount: recent.recentRowCount,
        recentFromMs: recent.recentFromMs,
        recentLastMs: recent.recentLastMs,
        isPaused: before.isPaused,
        certificatesTold: before.certificatesTold,
        domainsTold: before.domainsTold,
        openRuns: before.openRuns,
        recoversAtMs: before.recoversAtMs,
        runCount: before.runCount,
        lastSlot,
        isUnsure,
      }
    },
  }
}

/**
 * The time since the last result, by state. If far more time passed than the schedule explains, the
 * daemon was down, and the time does not count in the uptime.
 */
function spansUntil(
  monitor: Monitor,
  before: MonitorState,
  withResult: { readonly health: Health; readonly atMs: number; readonly verdict: VerdictKind },
): Span[] {
  const { accountedToMs } = before
  const { atMs } = withResult
  // What was said holds until something else is said.
  if (isTold(monitor)) {
    return [{ state: shownMonitorState(before), fromMs: accountedToMs, toMs: atMs }]
  }
  if (withResult.verdict === 'unknown')
    return [{ state: 'unknown', fromMs: accountedToMs, toMs: atMs }]
  const lookedMs = Math.max(accountedToMs, before.lastAtMs ?? 0)
  const isPush = waitsForReports(monitor)
  // After a missed report, a push monitor gets no result until the next report comes. A monitor from
  // which no report is expected gets none either.
  const isSilent = isPush && (shownState(before.health) === 'down' || before.deadlineAtMs === null)
  const isExplained = isSilent || atMs - lookedMs <= explainedMs(monitor, lookedMs)
  if (isExplained || before.health.state === 'pending') {
    return certainSpans(before.health, withResult.health, accountedToMs, atMs)
  }
  return [
    { state: shownState(before.health), fromMs: accountedToMs, toMs: lookedMs },
    { state: 'unknown', fromMs: lookedMs, toMs: atMs },
  ]
}
