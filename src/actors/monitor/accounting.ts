// Accounting: adds time in states to a monitor's current day and hour, and writes those that ended,
// with the latencies of their results.
import type { MonitorId, OrgId } from '../../base/ids.ts'
import type { CheckType } from '../../domain/checks/check-type.ts'
import { createLatencySum, type Latencies, type LatencySum } from '../../domain/checks/latencies.ts'
import {
  accrueAll,
  dayMs,
  hourMs,
  type Span,
  type Tally,
  tallyOf,
} from '../../domain/health/span.ts'
import { ceilTo, floorTo } from '../../domain/health/time-window.ts'
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
  const days = accrued(before.tally, spans, dayMs)
  // A day ends with an hour.
  if (hours.finished.length === 0) return { tally: days.current, hour: hours.current }
  const latencies = latenciesOfHours(store, monitor, before, hours.finished)
  const excludedFromMs = hours.current.startMs - limits.excludedHoursMs
  for (const hour of hours.finished) {
    const sum = latencies.get(hour.startMs)?.sum() ?? null
    const isKept = isCounted(hour) || (isExcluded(hour) && hour.startMs >= excludedFromMs)
    if (isKept || sum) store.hours.put(tx, orgId, id, hour, sum)
  }
  // Their hours are all written. The first day may have measured hours from before.
  const measuredDays = new Set([...latencies.keys()].map((startMs) => tallyOf(startMs).startMs))
  measuredDays.add(before.tally.startMs)
  for (const day of days.finished) {
    const sum = measuredDays.has(day.startMs) ? latenciesOfDay(store, monitor, day) : null
    if (isCounted(day) || isExcluded(day) || sum) store.days.put(tx, orgId, id, day, sum)
  }
  return { tally: days.current, hour: hours.current }
}

/** Of unknown time only its parts of the first and the last bucket: those between have no record. */
function endsOfUnknown(span: Span, bucketMs: number): readonly Span[] {
  if (span.state !== 'unknown') return [span]
  const firstEndMs = ceilTo(bucketMs, span.fromMs)
  const lastStartMs = floorTo(bucketMs, span.toMs)
  if (firstEndMs >= lastStartMs) return [span]
  return [
    { ...span, toMs: firstEndMs },
    { ...span, fromMs: lastStartMs },
  ]
}

// What has no record is not known, and a record of unknown time alone says nothing more. There may be
// very much of it: a machine whose clock was years behind has them all at once, for each monitor.
const isCounted = ({ upMs, degradedMs, downMs, checks }: Tally) =>
  upMs + degradedMs + downMs > 0 || checks > 0
const isExcluded = ({ pausedMs, maintenanceMs }: Tally) => pausedMs + maintenanceMs > 0

/** Without the whole buckets of which nothing is known. */
function accrued(tally: Tally, spans: readonly Span[], bucketMs: number) {
  const finished = accrueAll(
    tally,
    spans.flatMap((span) => endsOfUnknown(span, bucketMs)),
    bucketMs,
  )
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
