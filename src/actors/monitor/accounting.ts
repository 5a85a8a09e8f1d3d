// Accounting: adds time in states to a monitor's current day and hour, and writes those that ended,
// with the latencies of their results.
import type { MonitorId, OrgId } from '../../base/ids.ts'
import type { CheckType } from '../../domain/checks/check-type.ts'
import { createLatencySum, type Latencies, type LatencySum } from '../../domain/checks/latencies.ts'
import { accrueAll, dayMs, hourMs, type Span, type Tally } from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import { newestRows, type RecentRows } from '../../store/tables/checks/newest-rows.ts'

interface AccountedMonitor {
  readonly orgId: OrgId
  readonly id: MonitorId
  readonly checkType: CheckType
}

type Tables = Pick<Store, 'days' | 'hours' | 'checks'>

/**
 * The current day and hour with the spans counted; writes those that ended. `before` has the results
 * so far: that of the spans' end belongs to a later hour.
 */
export function account(
  store: Tables,
  tx: Tx,
  monitor: AccountedMonitor,
  before: Pick<MonitorState, 'tally' | 'hour'> & RecentRows,
  spans: readonly Span[],
): Pick<MonitorState, 'tally' | 'hour'> {
  const { orgId, id } = monitor
  const hours = accrued(before.hour, spans, hourMs)
  if (hours.finished.length > 0) {
    const latencies = latenciesOfHours(store, monitor, before, hours.finished)
    for (const hour of hours.finished) {
      store.hours.put(tx, orgId, id, hour, latencies.get(hour.startMs)?.sum() ?? null)
    }
  }
  const days = accrued(before.tally, spans, dayMs)
  // Its hours ended with it, so they are all written.
  for (const day of days.finished) {
    store.days.put(tx, orgId, id, day, latenciesOfDay(store, monitor, day))
  }
  return { tally: days.current, hour: hours.current }
}

function accrued(tally: Tally, spans: readonly Span[], bucketMs: number) {
  const finished = accrueAll(tally, spans, bucketMs)
  const current = finished.pop() ?? tally
  return { finished, current }
}

/** By the start of the hour. Made once, when it ends, from the rows. */
function latenciesOfHours(
  { checks }: Pick<Store, 'checks'>,
  monitor: AccountedMonitor,
  before: RecentRows,
  hours: readonly Tally[],
): ReadonlyMap<number, LatencySum> {
  const sums = new Map<number, LatencySum>()
  const window = {
    fromMs: hours.at(0)?.startMs ?? 0,
    toMs: (hours.at(-1)?.startMs ?? 0) + hourMs,
    rowsMax: limits.rollupRowsMax,
  }
  for (const row of newestRows(checks, monitor, before, window)) {
    const startMs = Math.floor(row.atMs / hourMs) * hourMs
    const sum = sums.get(startMs) ?? createLatencySum(monitor.checkType)
    sums.set(startMs, sum)
    sum.addRow(row)
  }
  return sums
}

function latenciesOfDay(
  { hours }: Pick<Store, 'hours'>,
  { orgId, id, checkType }: AccountedMonitor,
  { startMs }: Tally,
): Latencies | null {
  const sum = createLatencySum(checkType)
  for (const hour of hours.rollupsSince(orgId, id, startMs, dayMs / hourMs)) {
    if (hour.tally.startMs < startMs + dayMs && hour.latencies) sum.add(hour.latencies)
  }
  return sum.sum()
}
