// Accounting: adds time in states to a monitor's current day and hour. Days and hours that ended are
// written, with the latencies of their results.
import type { MonitorId, OrgId } from '../../base/ids.ts'
import type { CheckType } from '../../domain/checks/check-type.ts'
import { createLatencySum, type Latencies, type LatencySum } from '../../domain/checks/latencies.ts'
import { dayMs, hourMs, type Span, type Tally, tallyOf } from '../../domain/health/span.ts'
import { accrueRuns, endOfRun, partsOfRun, type TallyRun } from '../../domain/health/tally-runs.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import { newestRows, type RecentRows } from '../../store/tables/checks/newest-rows.ts'
import type { RollupRun } from '../../store/tables/checks/tallies.ts'

interface AccountedMonitor {
  readonly orgId: OrgId
  readonly id: MonitorId
  readonly checkType: CheckType
}

type AccountingTables = Pick<Store, 'days' | 'hours' | 'checks'>

/**
 * Adds spans to the current day and hour, writes the days and hours that ended, and returns the current
 * ones. `before` has the results so far; the result that ends the spans belongs to a later hour.
 */
export function account(
  store: AccountingTables,
  tx: Tx,
  monitor: AccountedMonitor,
  before: Pick<MonitorState, 'tally' | 'hour'> & RecentRows,
  spans: readonly Span[],
): Pick<MonitorState, 'tally' | 'hour'> {
  const { orgId, id } = monitor
  const hours = accrueRuns(before.hour, spans, hourMs)
  const days = accrueRuns(before.tally, spans, dayMs)
  // A day ends with an hour.
  if (hours.finished.length === 0) return { tally: days.current, hour: hours.current }
  const sums = latenciesOfHours(store, monitor, before, hours.finished)
  const ofHour = (startMs: number) => sums.get(startMs)?.sum() ?? null
  store.hours.putAll(tx, orgId, id, kept(hours.finished, [...sums.keys()], hourMs, ofHour))
  // The hours of these days are all written. The first day may have measured hours from before.
  const measured = new Set([...sums.keys()].map((startMs) => tallyOf(startMs).startMs))
  measured.add(before.tally.startMs)
  const ofDay = (startMs: number) =>
    measured.has(startMs) ? latenciesOfDay(store, monitor, startMs) : null
  store.days.putAll(tx, orgId, id, kept(days.finished, [...measured], dayMs, ofDay))
  return { tally: days.current, hour: hours.current }
}

/**
 * The finished days or hours that get a record, with their latencies. `measured` are the starts of the ones
 * that may have latencies.
 */
function kept(
  finished: readonly TallyRun[],
  measured: readonly number[],
  bucketMs: number,
  latenciesOf: (startMs: number) => Latencies | null,
): RollupRun[] {
  const alone = measured.toSorted((a, b) => a - b)
  return finished
    .flatMap((run) => partsOfRun(run, alone, bucketMs))
    .map((run) => ({ ...run, latencies: latenciesOf(run.tally.startMs) }))
    .filter(({ tally, latencies }) => isCounted(tally) || isExcluded(tally) || latencies)
}

// A day or hour without a record counts as unknown, so a record of unknown time alone would add nothing.
const isCounted = ({ upMs, degradedMs, downMs, checks }: Tally) =>
  upMs + degradedMs + downMs > 0 || checks > 0
const isExcluded = ({ pausedMs, maintenanceMs }: Tally) => pausedMs + maintenanceMs > 0

/** The latencies of hours that ended, by the start of the hour, made from the rows. */
function latenciesOfHours(
  { checks }: Pick<Store, 'checks'>,
  monitor: AccountedMonitor,
  before: RecentRows,
  hours: readonly TallyRun[],
): ReadonlyMap<number, LatencySum> {
  const sums = new Map<number, LatencySum>()
  const [first] = hours
  const last = hours.at(-1)
  if (!first || !last) return sums
  const { startMs: fromMs } = first.tally
  const window = { fromMs, toMs: endOfRun(last, hourMs), rowsMax: limits.rollupRowsMax }
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
  startMs: number,
): Latencies | null {
  const sum = createLatencySum(checkType)
  const day = { fromMs: startMs, toMs: startMs + dayMs }
  for (const { latencies } of hours.rollups(orgId, id, day)) if (latencies) sum.add(latencies)
  return sum.sum()
}
