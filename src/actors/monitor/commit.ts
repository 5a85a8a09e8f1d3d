// Commits a reading in one transaction: folds it in and stores it with all consequences.
import type { Clock } from '../../base/clock.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import type { Reading } from '../../domain/checks/reading.ts'
import { steady } from '../../domain/health/fold-verdict.ts'
import type { Health } from '../../domain/health/health.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import {
  deadlineAtMs,
  type MovableDeadline,
  missedReading,
} from '../../domain/schedule/push-deadline.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { Consequences } from './consequences.ts'
import { createFold, type FoldResult, verdictOn } from './fold.ts'
import { knownState } from './known-state.ts'

/** The facts that became true when a reading was committed. */
export type CommitResult = FoldResult

/** The push report that is expected next, and its deadline. */
interface Expected {
  readonly lastReportAtMs: number | null
  readonly deadlineAtMs: number
}

export interface CommitDeps {
  readonly store: Store
  readonly clock: Clock
  readonly consequences: Consequences
  /** Called after each commit of a reading, even if nothing changed. */
  readonly onReading: (monitor: Monitor, reading: Reading, committed: CommitResult) => void
  /** Called after each commit that is news. */
  readonly announce: (orgId: OrgId, monitorId: MonitorId, committed: CommitResult) => void
}

export type Commit = ReturnType<typeof createCommit>

export function createCommit(deps: CommitDeps) {
  const { store, clock, consequences, announce } = deps
  const fold = createFold({ store, consequences })

  /** A body that stores the state after `step`. Null: the monitor was deleted or paused. */
  function inTransaction(
    monitor: Monitor,
    step: (tx: Tx, before: MonitorState) => CommitResult,
    reading?: Reading,
  ) {
    return (tx: Tx): CommitResult | null => {
      const { orgId, id } = monitor
      // Must not recreate records that are being deleted with their organization.
      if (store.tombstones.hasOrg(orgId)) return null
      const before = knownState(store, monitor, clock.nowMs())
      if (!before || before.isPaused) return null
      let committed: CommitResult | undefined
      // Registered before the step, so that listeners learn of the check before its incident.
      if (reading) tx.afterCommit(() => committed && deps.onReading(monitor, reading, committed))
      committed = step(tx, before)
      const { monitorState, isNews } = committed
      if (monitorState !== before) store.monitorStates.put(tx, orgId, id, monitorState)
      if (isNews) tx.afterCommit(() => committed && announce(orgId, id, committed))
      return committed
    }
  }

  return {
    /**
     * Folds one reading in. `health` is what the actor believes: if the reading cannot change it
     * and no person waits, the write is delayed so that many share one fsync. Resolves to null if
     * the monitor is gone.
     */
    reading(
      monitor: Monitor,
      reading: Reading,
      options: { readonly health?: Health } = {},
    ): Promise<CommitResult | null> {
      const { health } = options
      const verdict = verdictOn(monitor, reading)
      // A reading of `unknown` does not change the health either.
      const isRoutine = health !== undefined && (verdict === 'unknown' || steady(health, verdict))
      const body = inTransaction(
        monitor,
        (tx, before) => fold.reading(tx, monitor, before, reading, false),
        reading,
      )
      return isRoutine ? store.writeSoon(body) : store.writeTogether(body)
    },

    /** Folds a push report in; durable when it resolves. */
    report(
      monitor: Monitor,
      reading: Reading,
      metadataJson?: string,
    ): Promise<CommitResult | null> {
      const { atMs } = reading
      const graceMs = monitor.graceSeconds * 1_000
      const dueAtMs = deadlineAtMs(atMs, monitor.intervalSeconds * 1_000, graceMs)
      const step = (tx: Tx, before: MonitorState) => {
        const completeReading = metadataJson === undefined ? reading : { ...reading, metadataJson }
        const folded = fold.reading(
          tx,
          monitor,
          before,
          completeReading,
          reading.result === 'failed',
        )
        if (metadataJson !== undefined) {
          store.checks.putReport(tx, monitor.orgId, monitor.id, { atMs, metadataJson })
        }
        const expected = { lastReportAtMs: atMs, deadlineAtMs: dueAtMs, excuses: 0 }
        return { ...folded, monitorState: { ...folded.monitorState, ...expected } }
      }
      return store.writeTogether(inTransaction(monitor, step, reading))
    },

    /**
     * A push deadline has passed. If a report came in time after all, the stored deadline is a
     * later one; then nothing is missed.
     */
    missed(monitor: Monitor, expected: Expected): Promise<CommitResult | null> {
      const intervalMs = monitor.intervalSeconds * 1_000
      const graceMs = monitor.graceSeconds * 1_000
      const reading = missedReading({ ...expected, intervalMs, graceMs })
      const body = inTransaction(monitor, (tx, before) => {
        if (!isExpecting(before, expected)) return unchanged(before)
        const folded = fold.reading(tx, monitor, before, reading, true)
        return { ...folded, monitorState: { ...folded.monitorState, deadlineAtMs: null } }
      })
      return store.writeTogether(body)
    },

    /**
     * Moves the deadline of the expected report. If a report came meanwhile, its own deadline
     * stays.
     */
    expect(monitor: Monitor, expected: Expected & MovableDeadline): Promise<CommitResult | null> {
      const body = inTransaction(monitor, (_tx, before) =>
        unchanged(isExpecting(before, expected) ? { ...before, ...expected } : before),
      )
      return store.writeTogether(body)
    },

    /** The monitor's current facts, without folding anything in. */
    look(monitor: Monitor): CommitResult | null {
      const monitorState = store.monitorStates.get(monitor.orgId, monitor.id)
      return monitorState ? unchanged(monitorState) : null
    },

    /**
     * Ends a flapping after half an hour without changes, for a monitor that is not checked
     * meanwhile.
     */
    settle(monitor: Monitor): Promise<CommitResult | null> {
      const body = inTransaction(
        monitor,
        (tx, before) => fold.settling(tx, monitor, before, clock.nowMs()) ?? unchanged(before),
      )
      return store.writeTogether(body)
    },
  }
}

function isExpecting(monitorState: MonitorState, { lastReportAtMs }: Expected): boolean {
  return monitorState.deadlineAtMs !== null && monitorState.lastReportAtMs === lastReportAtMs
}

function unchanged(monitorState: MonitorState): FoldResult {
  const verdict = monitorState.lastVerdict ?? 'unknown'
  return { monitorState, verdict, isNews: false, hasTurned: false }
}
