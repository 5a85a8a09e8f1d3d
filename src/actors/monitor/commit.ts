// The transaction: what a reading means, and all that follows from it, together or not at all.
import type { Clock } from '../../base/clock.ts'
import type { ChannelId, IncidentId, MonitorId, OrgId } from '../../base/ids.ts'
import { appendRow, checkRow } from '../../domain/check-row.ts'
import {
  type Folded,
  foldVerdict,
  type HealthPolicy,
  settleFlapping,
  shownState,
  steady,
} from '../../domain/health.ts'
import { limits } from '../../domain/limits.ts'
import type { Monitor } from '../../domain/monitor.ts'
import { deadlineAtMs, missedReading, pushPolicy } from '../../domain/push.ts'
import type { Reading } from '../../domain/reading.ts'
import { certainSpans, type Span, withCheck } from '../../domain/span.ts'
import type { Standing } from '../../domain/standing.ts'
import { judge, type VerdictKind } from '../../domain/verdict.ts'
import type { Store } from '../../store/store.ts'
import type { Tx } from '../../store/write.ts'
import { account } from './account.ts'
import type { Consequences } from './consequences.ts'

/** What became true when a reading was committed. */
export interface Committed {
  readonly standing: Standing
  readonly verdict: VerdictKind
  /** The shown state changed, or an incident did: pages and lists are out of date. */
  readonly isNews: boolean
  readonly incidentId: IncidentId | null
  /** Channels that have something new to deliver. */
  readonly channelIds: readonly ChannelId[]
}

export interface CommitDeps {
  readonly store: Store
  readonly clock: Clock
  readonly consequences: Consequences
  /** Called after each commit that is news, with what is now durable. */
  readonly announce: (orgId: OrgId, monitorId: MonitorId, committed: Committed) => void
}

export type Commit = ReturnType<typeof createCommit>

export function createCommit({ store, clock, consequences, announce }: CommitDeps) {
  function fold(tx: Tx, monitor: Monitor, reading: Reading, explicit: boolean): Committed | null {
    const before = store.standings.get(monitor.orgId, monitor.id)
    // Deleted while its check was under way: there is nothing left to judge.
    if (!before) return null
    const verdict = verdictOn(monitor, reading)
    const atMs = Math.max(reading.atMs, before.accountedToMs)
    const settled = settleFlapping(before.health, atMs)
    const folded = foldVerdict(settled.health, verdict, policyOf(monitor), atMs, { explicit })
    const changed = apply(tx, monitor, [settled, folded], reading)
    const standing = nextStanding(tx, monitor, before, { reading, verdict, atMs, ...changed })
    store.standings.put(tx, monitor.orgId, monitor.id, standing)
    if (reading.outcome === 'failed') keepEvidence(tx, monitor, reading)
    const isNews = shownState(before.health) !== shownState(standing.health) || changed.isNews
    const incidentId = standing.health.openIncidentId
    return { standing, verdict, isNews, incidentId, channelIds: changed.channelIds }
  }

  /** Writes the incidents that the changes of health ask for, in order. */
  function apply(tx: Tx, monitor: Monitor, steps: readonly Folded[], reading: Reading) {
    let health = steps.at(-1)?.health
    let isNews = false
    const channelIds: ChannelId[] = []
    for (const { change } of steps) {
      if (!change || !health) continue
      const followed = consequences.follow(tx, monitor, health, change, reading)
      health = followed.health
      isNews = true
      channelIds.push(...followed.channelIds)
    }
    return { health: health as Standing['health'], isNews, channelIds }
  }

  interface Step {
    readonly reading: Reading
    readonly verdict: VerdictKind
    readonly atMs: number
    readonly health: Standing['health']
  }

  function nextStanding(tx: Tx, monitor: Monitor, before: Standing, step: Step): Standing {
    const { reading, verdict, atMs, health } = step
    const spans = spansUntil(monitor, before, step)
    const { tally, hour } = account(store, tx, monitor, before, spans)
    const row = checkRow(reading, verdict)
    const rows = appendRow(before.recentRows, row, before.recentLastMs)
    const isFull = before.recentRowCount + 1 >= limits.checkRowsPerBlock
    const fromMs = before.recentRowCount === 0 ? row.atMs : before.recentFromMs
    if (isFull) store.checks.putBlock(tx, monitor.orgId, monitor.id, fromMs, rows)
    return {
      ...before,
      health,
      tally: withCheck(tally, verdict),
      hour: withCheck(hour, verdict),
      accountedToMs: spans.at(-1)?.toMs ?? before.accountedToMs,
      lastAtMs: atMs,
      lastVerdict: verdict,
      lastError: reading.error ?? null,
      responseTimeMs: reading.outcome === 'unknown' ? before.responseTimeMs : row.durationMs,
      lastPhases: reading.phases ?? null,
      address: reading.address ?? null,
      certificate: reading.certificate ?? before.certificate,
      recentRows: isFull ? new Uint8Array(0) : rows,
      recentRowCount: isFull ? 0 : before.recentRowCount + 1,
      recentFromMs: isFull ? 0 : fromMs,
      recentLastMs: isFull ? 0 : row.atMs,
    }
  }

  function keepEvidence(tx: Tx, monitor: Monitor, reading: Reading): void {
    store.checks.putEvidence(tx, monitor.orgId, monitor.id, {
      atMs: reading.atMs,
      error: reading.error ?? null,
      evidence: reading.evidence ?? {},
    })
  }

  function announced(monitor: Monitor, committed: Committed | null): Committed | null {
    if (committed?.isNews) announce(monitor.orgId, monitor.id, committed)
    return committed
  }

  return {
    /**
     * Folds one reading in. `health` is what the actor believes: where the reading cannot change
     * it and nobody waits, the write may lie a moment so that many share one fsync. Resolves to
     * null where the monitor is gone.
     */
    async reading(
      monitor: Monitor,
      reading: Reading,
      options: { readonly health?: Standing['health']; readonly explicit?: boolean } = {},
    ): Promise<Committed | null> {
      const verdict = verdictOn(monitor, reading)
      const isRoutine = options.health !== undefined && steady(options.health, verdict)
      const body = (tx: Tx) => fold(tx, monitor, reading, options.explicit ?? false)
      const write = isRoutine ? store.writeSoon(body) : store.write(body)
      return announced(monitor, await write)
    },

    /** Folds a push report in; durable when it resolves. */
    async report(
      monitor: Monitor,
      reading: Reading,
      metadataJson?: string,
    ): Promise<Committed | null> {
      const committed = await store.write((tx) => {
        const folded = fold(tx, monitor, reading, reading.outcome === 'failed')
        if (!folded) return null
        const graceMs = monitor.graceSeconds * 1_000
        const standing = {
          ...folded.standing,
          lastReportAtMs: reading.atMs,
          deadlineAtMs: deadlineAtMs(reading.atMs, monitor.intervalSeconds * 1_000, graceMs),
        }
        store.standings.put(tx, monitor.orgId, monitor.id, standing)
        if (metadataJson !== undefined) {
          const report = { atMs: reading.atMs, metadataJson }
          store.checks.putReport(tx, monitor.orgId, monitor.id, report)
        }
        return { ...folded, standing }
      })
      return announced(monitor, committed)
    },

    /**
     * A push deadline has passed. Where a report came after all (the stored deadline is another
     * one), nothing is missed and the standing tells the new deadline.
     */
    async missed(
      monitor: Monitor,
      expected: { readonly lastReportAtMs: number | null; readonly deadlineAtMs: number },
    ): Promise<Committed | null> {
      const committed = await store.write((tx) => {
        const before = store.standings.get(monitor.orgId, monitor.id)
        if (!before) return null
        if (before.deadlineAtMs === null || before.lastReportAtMs !== expected.lastReportAtMs) {
          return unchanged(before)
        }
        const intervalMs = monitor.intervalSeconds * 1_000
        const graceMs = monitor.graceSeconds * 1_000
        const folded = fold(tx, monitor, missedReading({ ...expected, intervalMs, graceMs }), true)
        if (!folded) return null
        const standing = { ...folded.standing, deadlineAtMs: null }
        store.standings.put(tx, monitor.orgId, monitor.id, standing)
        return { ...folded, standing }
      })
      return announced(monitor, committed)
    },

    /** The monitor as it stands, where there is nothing to fold in. */
    look(monitor: Monitor): Committed | null {
      const standing = store.standings.get(monitor.orgId, monitor.id)
      return standing ? unchanged(standing) : null
    },

    /** Ends a flapping whose quiet half hour is over, for a monitor that is not checked meanwhile. */
    async settle(monitor: Monitor): Promise<Committed | null> {
      const committed = await store.write((tx) => {
        const before = store.standings.get(monitor.orgId, monitor.id)
        if (!before) return null
        const settled = settleFlapping(before.health, clock.nowMs())
        if (!settled.change) return unchanged(before)
        const changed = apply(tx, monitor, [settled], quietReading(before, clock.nowMs()))
        const standing = { ...before, health: changed.health }
        store.standings.put(tx, monitor.orgId, monitor.id, standing)
        return { ...unchanged(standing), isNews: true, channelIds: changed.channelIds }
      })
      return announced(monitor, committed)
    },
  }
}

/** What the newest result said, for a change that no new one brought about. */
function quietReading(standing: Standing, atMs: number): Reading {
  const error = standing.lastError
  return { atMs, durationMs: 0, outcome: error ? 'failed' : 'good', ...(error ? { error } : {}) }
}

function unchanged(standing: Standing): Committed {
  const { openIncidentId: incidentId } = standing.health
  const verdict = standing.lastVerdict ?? 'unknown'
  return { standing, verdict, isNews: false, incidentId, channelIds: [] }
}

/** How long a sender's own work takes is its own affair: a report is never slow. */
function verdictOn(monitor: Monitor, reading: Reading): VerdictKind {
  return judge(reading, monitor.checkType === 'push' ? null : monitor.degradedThresholdMs)
}

function policyOf(monitor: Monitor): HealthPolicy {
  return monitor.checkType === 'push' ? pushPolicy(monitor) : monitor
}

/**
 * The time since the last result, by state. Where much more passed than the schedule explains,
 * nobody looked (the daemon was down), and that counts in nobody's uptime.
 */
function spansUntil(
  monitor: Monitor,
  before: Standing,
  step: {
    readonly health: Standing['health']
    readonly atMs: number
    readonly verdict: VerdictKind
  },
): Span[] {
  const { accountedToMs } = before
  const { atMs } = step
  if (step.verdict === 'unknown') return [{ state: 'unknown', fromMs: accountedToMs, toMs: atMs }]
  const lookedMs = Math.max(accountedToMs, before.lastAtMs ?? 0)
  const explainedMs =
    2 * monitor.intervalSeconds * 1_000 + monitor.timeoutMs + monitor.graceSeconds * 1_000
  if (atMs - lookedMs <= explainedMs || before.health.state === 'pending') {
    return certainSpans(before.health, step.health, accountedToMs, atMs)
  }
  return [
    { state: shownState(before.health), fromMs: accountedToMs, toMs: lookedMs },
    { state: 'unknown', fromMs: lookedMs, toMs: atMs },
  ]
}
