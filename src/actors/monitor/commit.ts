// Commits a reading in one transaction: folds it in and stores it with all consequences.

import type { Clock } from '../../base/clock.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import type { Reading } from '../../domain/checks/reading.ts'
import { verdictOn } from '../../domain/checks/verdict.ts'
import { type SeenVerdict, steadyVerdict } from '../../domain/health/fold-verdict.ts'
import { home } from '../../domain/locations/choice.ts'
import { hasVote, type PlaceId, placedId } from '../../domain/locations/place.ts'
import { returningMs } from '../../domain/locations/vote.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import type { SentReport } from '../../domain/monitors/run.ts'
import { asMoved, type MovableExpectation } from '../../domain/schedule/push-deadline.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { Consequences } from './consequences.ts'
import { createFold, type FoldResult } from './fold.ts'
import { knownState } from './known-state.ts'
import { isNewsOf, membersReading } from './members.ts'
import type { PlacedResult } from './places.ts'
import { type Awaited, createReports, unchanged } from './reports.ts'

/** The facts that became true when a reading was committed. */
export type CommitResult = FoldResult

export interface CommitDeps {
  readonly store: Store
  readonly clock: Clock
  readonly consequences: Consequences
  /** Called after each commit of a reading, even if nothing changed. */
  readonly onReading: (monitor: Monitor, reading: Reading, committed: CommitResult) => void
  /** Called after the commit of a failure with which a monitor that depends on others may begin an outage. */
  readonly onFailing: (monitor: Monitor) => void
  /** Called after the commit of a new result of one of several places. */
  readonly onPlaced: (
    monitor: Monitor,
    place: PlaceId,
    reading: Reading,
    committed: CommitResult,
  ) => void
  /** Called after each commit that is news. */
  readonly announce: (orgId: OrgId, monitorId: MonitorId, committed: CommitResult) => void
}

export type Commit = ReturnType<typeof createCommit>

export function createCommit(deps: CommitDeps) {
  const { store, clock, consequences, announce } = deps
  const startedMs = clock.monoMs()
  const fold = createFold({ store, consequences })
  const reports = createReports({ store, fold })

  /**
   * A body that stores the state after `step`, which announces a reading before it folds it in, so
   * that listeners learn of the check before its incident. Null: the monitor was deleted or paused.
   */
  function inTransaction(
    monitor: Monitor,
    step: (
      tx: Tx,
      before: MonitorState,
      announceIt: (reading: Reading, folded?: CommitResult) => void,
    ) => CommitResult,
  ) {
    return (tx: Tx): CommitResult | null => {
      const { orgId, id } = monitor
      // Must not recreate records that are being deleted with their organization.
      if (store.tombstones.hasOrg(orgId)) return null
      const before = knownState(store, monitor, clock.nowMs())
      if (!before || before.isPaused) return null
      let committed: CommitResult | undefined
      committed = step(tx, before, (reading, folded) =>
        tx.afterCommit(() => {
          const all = folded ?? committed
          if (all) deps.onReading(monitor, reading, all)
        }),
      )
      const { monitorState, isNews, isInDoubt } = committed
      if (monitor.dependsOn.length > 0 && (isInDoubt || beginsToFail(before, monitorState))) {
        tx.afterCommit(() => deps.onFailing(monitor))
      }
      if (monitorState !== before) store.monitorStates.put(tx, orgId, id, monitorState)
      if (isNews) tx.afterCommit(() => committed && announce(orgId, id, committed))
      return committed
    }
  }

  /** Results of one place in their order. `steady` as for `reading`; undefined if nobody knows. */
  function placed(
    monitor: Monitor,
    results: readonly PlacedResult[],
    steady: SeenVerdict | null | undefined,
  ): Promise<CommitResult | null> {
    const isRoutine =
      steady !== undefined &&
      results.every(({ reading }) => {
        const verdict = verdictOn(monitor, reading)
        return verdict === 'unknown' || verdict === steady
      })
    const body = inTransaction(monitor, (tx, before, announceIt) => {
      let all = unchanged(before)
      for (const result of results) {
        const folded = fold.placed(tx, monitor, all.monitorState, result, clock.nowMs())
        if (!folded) continue
        const { reading, place } = result
        announceIt(reading, folded)
        tx.afterCommit(() => deps.onPlaced(monitor, place, reading, folded))
        // The next one is decided on what is stored.
        if (results.length > 1) {
          store.monitorStates.put(tx, monitor.orgId, monitor.id, folded.monitorState)
        }
        all = {
          ...folded,
          isNews: all.isNews || folded.isNews,
          hasTurned: all.hasTurned || folded.hasTurned,
          isInDoubt: all.isInDoubt || folded.isInDoubt || false,
        }
      }
      return all
    })
    return isRoutine ? store.writeSoon(body) : store.writeTogether(body)
  }

  /**
   * What is said of a monitor without checks; durable when it resolves. `say` may return null: there is
   * nothing new.
   */
  function told(
    monitor: Monitor,
    say: (tx: Tx, before: MonitorState) => Reading | null,
  ): Promise<CommitResult | null> {
    const body = inTransaction(monitor, (tx, before, announceIt) => {
      const reading = say(tx, before)
      if (!reading) return unchanged(before)
      announceIt(reading)
      return fold.reading(tx, monitor, before, reading, true)
    })
    return store.writeTogether(body)
  }

  return {
    /**
     * Folds one reading in. `steady` is the verdict that changes nothing, as the actor believes (null:
     * none). If this is the verdict on the reading, or `unknown`, and no person waits, the write is
     * delayed so that many share one fsync. Resolves to null if the monitor is gone.
     */
    reading(
      monitor: Monitor,
      reading: Reading,
      options: { readonly steady?: SeenVerdict | null } = {},
    ): Promise<CommitResult | null> {
      const { steady } = options
      if (hasVote(monitor)) {
        const slot = { dueAtMs: reading.atMs, try: 0 }
        const isReturning = clock.monoMs() - startedMs < returningMs
        return placed(monitor, [{ place: home, reading, slot, isReturning }], steady)
      }
      const verdict = verdictOn(monitor, reading)
      // A reading of `unknown` does not change the health either.
      const isRoutine = steady !== undefined && (verdict === 'unknown' || verdict === steady)
      const body = inTransaction(monitor, (tx, before, announceIt) => {
        announceIt(reading)
        return fold.reading(tx, monitor, before, reading, false)
      })
      return isRoutine ? store.writeSoon(body) : store.writeTogether(body)
    },

    /**
     * Folds in results of one of a monitor's places, in their order; the same one twice counts once.
     * `isReturning`: the place was silent until a moment ago. Resolves to null if the monitor is gone.
     */
    placed(
      monitor: Monitor,
      place: PlaceId,
      results: readonly Omit<PlacedResult, 'place' | 'isReturning'>[],
      isReturning = false,
    ): Promise<CommitResult | null> {
      const { orgId, id } = monitor
      const known = store.placed.monitorStates.recall(orgId, placedId(id, place))
      const all = results.map((result) => ({ ...result, place, isReturning }))
      return placed(monitor, all, known && steadyVerdict(known.health))
    },

    /** No place of the monitor has anything to say any more, perhaps. */
    silent: (monitor: Monitor): Promise<CommitResult | null> =>
      store.writeTogether(
        inTransaction(
          monitor,
          (tx, before) => fold.silent(tx, monitor, before, clock.nowMs()) ?? unchanged(before),
        ),
      ),

    /** Takes a push report in; durable when it resolves. */
    report: (monitor: Monitor, report: SentReport, atMs: number): Promise<CommitResult | null> =>
      store.writeTogether(
        inTransaction(monitor, (tx, before, announce) =>
          reports.report(tx, monitor, before, { report, atMs, announce }),
        ),
      ),

    told,

    /** The members of a group, or their states, may have changed. */
    members(monitor: Monitor): Promise<CommitResult | null> {
      return told(monitor, (_tx, before) => {
        const reading = membersReading(store, monitor, clock.nowMs())
        return isNewsOf(monitor, before, reading) ? reading : null
      })
    },

    /** Something that a push monitor waits for is due. */
    overdue: (monitor: Monitor, awaited: Awaited): Promise<CommitResult | null> =>
      store.writeTogether(
        inTransaction(monitor, (tx, before) => {
          const nowMs = clock.nowMs()
          const due = reports.overdue(tx, monitor, before, awaited, nowMs)
          // It may have been due under maintenance that has ended by the time that this is noticed.
          const released = fold.release(tx, monitor, due.monitorState, nowMs)
          return released ? { ...released, hasTurned: true } : due
        }),
      ),

    /** Moves the expected report. If a report came meanwhile, its own deadline stays. */
    expect(
      monitor: Monitor,
      lastReportAtMs: number | null,
      moved: MovableExpectation,
    ): Promise<CommitResult | null> {
      const body = inTransaction(monitor, (_tx, before) => {
        if (before.lastReportAtMs !== lastReportAtMs) return unchanged(before)
        return unchanged({ ...before, ...asMoved(before, moved) })
      })
      return store.writeTogether(body)
    },

    /** The monitor's current facts, without folding anything in. */
    look(monitor: Monitor): CommitResult | null {
      const monitorState = store.monitorStates.get(monitor.orgId, monitor.id)
      return monitorState ? unchanged(monitorState) : null
    },

    /**
     * Maintenance has ended: opens the incident that it held back, if the monitor is still bad. For
     * monitors without checks, whose next result may be far away.
     */
    release(monitor: Monitor): Promise<CommitResult | null> {
      const body = inTransaction(
        monitor,
        (tx, before) => fold.release(tx, monitor, before, clock.nowMs()) ?? unchanged(before),
      )
      return store.writeTogether(body)
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

function beginsToFail({ health: before }: MonitorState, { health: after }: MonitorState): boolean {
  return after.state === 'confirming' && before.state !== 'confirming'
}
