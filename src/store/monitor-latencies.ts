// The response times of a monitor within any time, from its results and their sums.
import type { LatencySum } from '../domain/checks/latencies.ts'
import type { LatencyBuckets } from '../domain/health/latency-buckets.ts'
import { limits } from '../domain/limits/limits.ts'
import type { Monitor } from '../domain/monitors/monitor.ts'
import type { MonitorState } from '../domain/monitors/monitor-state.ts'
import type { Store } from './store.ts'
import { newestRows } from './tables/checks/newest-rows.ts'
import type { TalliesTable } from './tables/checks/tallies.ts'

type SumAt = (atMs: number) => LatencySum

export function createLatencyReader(store: Pick<Store, 'checks' | 'hours' | 'days'>) {
  /** Adds what is kept to the sums of the buckets; the hour that is not over comes from its results. */
  function fill(
    monitor: Monitor,
    state: MonitorState,
    { source, fromMs, toMs }: Pick<LatencyBuckets, 'source' | 'fromMs' | 'toMs'>,
    sumAt: SumAt,
  ): void {
    const { orgId, id } = monitor
    const addRows = (startMs: number) => {
      const window = { fromMs: startMs, toMs, rowsMax: limits.rollupRowsMax }
      for (const row of newestRows(store.checks, monitor, state, window)) {
        sumAt(row.atMs).addRow(row)
      }
    }
    const addRollups = (table: Pick<TalliesTable, 'rollups'>, startMs: number) => {
      for (const { tally, latencies } of table.rollups(orgId, id, { fromMs: startMs, toMs })) {
        if (latencies) sumAt(tally.startMs).add(latencies)
      }
    }
    if (source === 'results') addRows(fromMs)
    else {
      if (source === 'days') addRollups(store.days, fromMs)
      // The hours of the day that is not over.
      const hoursFromMs = source === 'days' ? Math.max(fromMs, state.tally.startMs) : fromMs
      addRollups(store.hours, hoursFromMs)
      addRows(Math.max(fromMs, state.hour.startMs))
    }
  }

  return { fill }
}
