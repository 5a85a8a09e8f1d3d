// Accounting: adds spans of time to their day and hour, and stores finished ones.

import { accrue, dayMs, hourMs, type Span, type Tally } from '../../domain/health/span.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { TalliesTable } from '../../store/tables/checks/tallies.ts'

/** The current day and hour with the spans counted; writes those that ended. */
export function account(
  store: Store,
  tx: Tx,
  monitor: Monitor,
  before: Pick<MonitorState, 'tally' | 'hour'>,
  spans: readonly Span[],
): Pick<MonitorState, 'tally' | 'hour'> {
  const into = (table: TalliesTable, tally: Tally, bucketMs: number) => {
    let current = tally
    for (const { state, fromMs, toMs } of spans) {
      const tallies = accrue(current, state, fromMs, toMs, bucketMs)
      for (const finished of tallies.slice(0, -1)) {
        table.put(tx, monitor.orgId, monitor.id, finished)
      }
      current = tallies.at(-1) ?? current
    }
    return current
  }
  return {
    tally: into(store.days, before.tally, dayMs),
    hour: into(store.hours, before.hour, hourMs),
  }
}
