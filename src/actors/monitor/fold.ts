// The fold: applies a reading to a monitor's state, with the incident and its consequences.

import { dueDomainNotice, dueNotice, withNotice } from '../../domain/alerts/expiry-notice.ts'
import { appendRow, type CheckRow, checkRow } from '../../domain/checks/check-row.ts'
import { waitsForReports } from '../../domain/checks/check-type.ts'
import type { Reading } from '../../domain/checks/reading.ts'
import { judge, type VerdictKind } from '../../domain/checks/verdict.ts'
import { foldVerdict } from '../../domain/health/fold-verdict.ts'
import {
  type Health,
  type HealthChange,
  type HealthFold,
  type HealthPolicy,
  settleFlapping,
  shownState,
} from '../../domain/health/health.ts'
import {
  foldUnderMaintenance,
  isHeldBack,
  releasedHealth,
} from '../../domain/health/maintenance.ts'
import {
  certainSpans,
  type Span,
  withCheck,
  withGaps,
  withMaintenance,
} from '../../domain/health/span.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { type MonitorState, shownMonitorState } from '../../domain/monitors/monitor-state.ts'
import { explainedMs, pushPolicy } from '../../domain/schedule/push-deadline.ts'
import type { Tx } from '../../store/engine/write.ts'
import { leftOutOf } from '../../store/left-out.ts'
import type { Store } from '../../store/store.ts'
import { account } from './accounting.ts'
import type { Consequences } from './consequences.ts'

export interface FoldResult {
  /** The state, which is not stored yet: the caller stores it last. */
  readonly monitorState: MonitorState
  readonly verdict: VerdictKind
  /** The shown state or an incident changed, so pages and lists must be updated. */
  readonly isNews: boolean
  /** The state that people see changed. */
  readonly hasTurned: boolean
}

export interface FoldDeps {
  readonly store: Store
  readonly consequences: Consequences
}

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

export function createFold({ store, consequences }: FoldDeps) {
  const leftOut = leftOutOf(store)

  /** Writes the incidents for changes of health, in order; returns the resulting health. */
  function follow(
    tx: Tx,
    monitor: Monitor,
    health: Health,
    changes: readonly (HealthChange | null)[],
    reading: Reading,
  ): Health {
    let followed = health
    for (const change of changes) {
      if (change) followed = consequences.follow(tx, monitor, followed, change, reading)
    }
    return followed
  }

  const isCovered = (monitor: Monitor, atMs: number) =>
    leftOut.maintenance(monitor, atMs, atMs + 1).length > 0

  /** The time from which an outage counts: maintenance that it began in is no part of it. */
  function afterMaintenance(monitor: Monitor, sinceMs: number, atMs: number): number {
    return leftOut.maintenance(monitor, sinceMs, atMs).at(-1)?.toMs ?? sinceMs
  }

  /** What maintenance held back begins now, if the monitor is still bad; else nothing changes. */
  function released(monitor: Monitor, health: Health, atMs: number): HealthFold {
    if (!isHeldBack(health, policyOf(monitor))) return { health, change: null }
    return releasedHealth(health, afterMaintenance(monitor, health.sinceMs, atMs), atMs)
  }

  /** The fold of a verdict outside of maintenance, which may have been on a moment ago. */
  function foldPlainly(
    monitor: Monitor,
    before: Health,
    verdict: VerdictKind,
    atMs: number,
    explicit: boolean,
  ): HealthFold {
    const folded = foldVerdict(before, verdict, policyOf(monitor), atMs, { explicit })
    const { health, change } = folded
    if (change?.kind === 'opened' || change?.kind === 'worsened') {
      const startedAtMs = afterMaintenance(monitor, change.startedAtMs, atMs)
      return { health, change: { ...change, startedAtMs } }
    }
    const isBad = verdict === 'down' || verdict === 'degraded'
    if (!isBad || health.state === 'up') return folded
    const release = released(monitor, health, atMs)
    return release.change === null ? folded : release
  }

  /** The newest rows with one more; full, they are stored in blocks, and begin anew. */
  function withRow(tx: Tx, monitor: Monitor, before: MonitorState, row: CheckRow): FoldedRows {
    const rows = appendRow(before.recentRows, row, before.recentLastMs)
    const recentRowCount = before.recentRowCount + 1
    const recentFromMs = before.recentRowCount === 0 ? row.atMs : before.recentFromMs
    if (recentRowCount < checkRowsPerBlock) {
      return { recentRows: rows, recentRowCount, recentFromMs, recentLastMs: row.atMs }
    }
    store.checks.addRows(tx, monitor.orgId, monitor.id, rows)
    return noRecentRows
  }

  /** The state with the reading applied; also writes history and evidence. */
  function withReading(
    tx: Tx,
    monitor: Monitor,
    before: MonitorState,
    withResult: { reading: Reading; verdict: VerdictKind; atMs: number; health: Health },
  ): MonitorState {
    const { reading, verdict, atMs, health } = withResult
    const spans = withMaintenance(
      withGaps(spansUntil(monitor, before, withResult), leftOut.gaps()),
      leftOut.maintenance(monitor, before.accountedToMs, atMs),
    )
    const { tally, hour } = account(store, tx, monitor, before, spans)
    const row = checkRow(reading, verdict)
    const recent = withRow(tx, monitor, before, row)
    if (reading.result === 'failed') keepEvidence(tx, monitor, reading)
    if (reading.certificate) {
      store.certificates.noteUse(tx, {
        orgId: monitor.orgId,
        monitorId: monitor.id,
        before: before.certificate?.fingerprint,
        now: reading.certificate.fingerprint,
      })
    }
    return {
      health,
      tally: withCheck(tally, verdict),
      hour: withCheck(hour, verdict),
      accountedToMs: spans.at(-1)?.toMs ?? before.accountedToMs,
      lastAtMs: atMs,
      lastVerdict: verdict,
      lastError: reading.error ?? null,
      responseTimeMs: reading.result === 'unknown' ? before.responseTimeMs : row.durationMs,
      lastPhases: reading.phases ?? null,
      address: reading.address ?? null,
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
    }
  }

  /** Warns that the domain expires, if that is news; else returns the same state. */
  function withDomainWarning(
    tx: Tx,
    monitor: Monitor,
    monitorState: MonitorState,
    reading: Reading,
  ): MonitorState {
    const notice = dueDomainNotice(monitor.domainWarnDays, monitorState.domainsTold, reading)
    if (!notice || !consequences.warnOfDomain(tx, monitor, notice)) return monitorState
    const { expiresAtMs } = notice.registration
    const announced = { expiresAtMs, thresholdDays: notice.thresholdDays }
    const domainsTold = withNotice(monitorState.domainsTold, announced, reading.atMs)
    return { ...monitorState, domainsTold }
  }

  /** Warns that the certificate expires, if that is news; else returns the same state. */
  function withWarning(
    tx: Tx,
    monitor: Monitor,
    monitorState: MonitorState,
    reading: Reading,
  ): MonitorState {
    const { certificatesTold: told } = monitorState
    const notice = dueNotice(monitor.certificateWarnDays, told, reading)
    // Without a subscribed channel the warning is not noted, so that a channel that is added later
    // gets it.
    if (!notice || !consequences.warn(tx, monitor, notice)) return monitorState
    const { expiresAtMs } = notice.certificate
    const announced = { expiresAtMs, thresholdDays: notice.thresholdDays }
    return { ...monitorState, certificatesTold: withNotice(told, announced, reading.atMs) }
  }

  function keepEvidence(tx: Tx, monitor: Monitor, reading: Reading): void {
    store.checks.putEvidence(tx, monitor.orgId, monitor.id, {
      atMs: reading.atMs,
      error: reading.error ?? null,
      evidence: reading.evidence ?? {},
    })
  }

  return {
    /** `explicit`: the sender itself reported the failure, so it needs no confirmation. */
    reading(
      tx: Tx,
      monitor: Monitor,
      before: MonitorState,
      reading: Reading,
      explicit: boolean,
    ): FoldResult {
      const verdict = verdictOn(monitor, reading)
      if (reading.isSetAside) {
        const row = checkRow(reading, verdict)
        const monitorState = { ...before, ...withRow(tx, monitor, before, row) }
        return { monitorState, verdict, isNews: false, hasTurned: false }
      }
      const atMs = Math.max(reading.atMs, before.accountedToMs)
      const settled = settleFlapping(before.health, atMs)
      const isUnderMaintenance = isCovered(monitor, atMs)
      const folded = isUnderMaintenance
        ? foldUnderMaintenance(settled.health, verdict, policyOf(monitor), atMs, { explicit })
        : foldPlainly(monitor, settled.health, verdict, atMs, explicit)
      const isChanged = settled.change !== null || folded.change !== null
      const health = isChanged
        ? follow(tx, monitor, folded.health, [settled.change, folded.change], reading)
        : folded.health
      const withResult = withReading(tx, monitor, before, { reading, verdict, atMs, health })
      // Later results find the same, so these notices wait.
      const monitorState = isUnderMaintenance
        ? withResult
        : withDomainWarning(tx, monitor, withWarning(tx, monitor, withResult, reading), reading)
      const hasTurned =
        !isUnderMaintenance && shownMonitorState(monitorState) !== shownMonitorState(before)
      const isNews = isChanged || hasTurned || monitorState !== withResult
      return { monitorState, verdict, isNews, hasTurned }
    },

    /**
     * Opens what maintenance held back of a monitor that is still bad, without waiting for a result;
     * null if there is nothing, or maintenance is still on.
     */
    release(tx: Tx, monitor: Monitor, before: MonitorState, nowMs: number): FoldResult | null {
      if (isCovered(monitor, nowMs)) return null
      const { health: opened, change } = released(monitor, before.health, nowMs)
      if (change === null) return null
      const health = follow(tx, monitor, opened, [change], newestReading(before, nowMs))
      const verdict = before.lastVerdict ?? 'unknown'
      return { monitorState: { ...before, health }, verdict, isNews: true, hasTurned: false }
    },

    /** Ends a flapping after half an hour without changes; null if there is none to end. */
    settling(tx: Tx, monitor: Monitor, before: MonitorState, nowMs: number): FoldResult | null {
      const settled = settleFlapping(before.health, nowMs)
      if (!settled.change) return null
      const reading = newestReading(before, nowMs)
      const health = follow(tx, monitor, settled.health, [settled.change], reading)
      const monitorState = { ...before, health }
      const hasTurned = shownMonitorState(monitorState) !== shownMonitorState(before)
      const verdict = before.lastVerdict ?? 'unknown'
      return { monitorState, verdict, isNews: true, hasTurned }
    },
  }
}

/** The verdict on a reading. A push report is never slow: its duration is that of the sender's work. */
export function verdictOn(monitor: Monitor, reading: Reading): VerdictKind {
  return judge(reading, waitsForReports(monitor) ? null : monitor.degradedThresholdMs)
}

function policyOf(monitor: Monitor): HealthPolicy {
  return waitsForReports(monitor) ? pushPolicy(monitor) : monitor
}

/** The newest result, for changes that come without a new one. */
function newestReading(monitorState: MonitorState, atMs: number): Reading {
  const error = monitorState.lastError
  return { atMs, durationMs: 0, result: error ? 'failed' : 'good', ...(error ? { error } : {}) }
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
