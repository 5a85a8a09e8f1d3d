// The response times of monitors in the newest hours, as status pages show them.
//
// An hour that is over never changes, so it is computed once: a page of fifty monitors reads
// only the results of the hour that is not over.
import { LRUCache } from 'lru-cache'
import type { MonitorId } from '../../base/ids.ts'
import { createLatencySum, type Latencies, percentileMs } from '../../domain/checks/latencies.ts'
import { packLatencies, unpackLatencies } from '../../domain/checks/packed-latencies.ts'
import { hourMs } from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import type { PublicResponseTime, PublicResponseTimes } from '../../pages/view/public-page.ts'
import type { Store } from '../../store/store.ts'
import { newestRows } from '../../store/tables/checks/newest-rows.ts'

interface FinishedHours {
  readonly hourStartMs: number
  readonly firstMs: number
  readonly hours: readonly PublicResponseTime[]
  /** All of them together; packed, because it takes a tenth of the memory. Null: no result. */
  readonly packed: Uint8Array | null
}

/** The start is the first of the hours that are shown. */
export type NewestResponseTimes = (
  monitor: Monitor,
  monitorState: MonitorState,
  nowMs: number,
) => PublicResponseTimes | null

function hourOf(startMs: number, latencies: Latencies | null): PublicResponseTime {
  return {
    startMs,
    p50Ms: latencies && percentileMs(latencies, 0.5),
    p95Ms: latencies && percentileMs(latencies, 0.95),
  }
}

/** Results of the hour that is not over: one in 30 seconds, and as many again by retries. */
const publicChartRowsMax = 240

export function createNewestResponseTimes({
  hours,
  checks,
}: Pick<Store, 'hours' | 'checks'>): NewestResponseTimes {
  const known = new LRUCache<MonitorId, FinishedHours>({ max: limits.dayMemoryMonitorsMax })

  function readFinished(monitor: Monitor, firstMs: number, hourStartMs: number): FinishedHours {
    const { orgId, id, checkType } = monitor
    const byStart = new Map<number, Latencies | null>()
    const sum = createLatencySum(checkType)
    for (const rollup of hours.rollups(orgId, id, { fromMs: firstMs, toMs: hourStartMs })) {
      byStart.set(rollup.tally.startMs, rollup.latencies)
      if (rollup.latencies) sum.add(rollup.latencies)
    }
    const all: PublicResponseTime[] = []
    for (let startMs = firstMs; startMs < hourStartMs; startMs += hourMs) {
      all.push(hourOf(startMs, byStart.get(startMs) ?? null))
    }
    const total = sum.sum()
    return { hourStartMs, firstMs, hours: all, packed: total && packLatencies(total) }
  }

  function finished(monitor: Monitor, firstMs: number, hourStartMs: number): FinishedHours {
    const before = known.get(monitor.id)
    // An hour is finished by the same write that starts the next.
    if (before?.hourStartMs === hourStartMs && before.firstMs === firstMs) return before
    const entry = readFinished(monitor, firstMs, hourStartMs)
    known.set(monitor.id, entry)
    return entry
  }

  return (monitor, monitorState, nowMs) => {
    const thisHourMs = Math.floor(nowMs / hourMs) * hourMs
    const firstMs = thisHourMs - (limits.publicChartHours - 1) * hourMs
    // Without checks for hours, the hour that is being counted is an earlier one.
    const countedMs = Math.min(monitorState.hour.startMs, thisHourMs)
    const before = finished(monitor, firstMs, Math.max(firstMs, countedMs))
    const total = createLatencySum(monitor.checkType)
    if (before.packed) total.add(unpackLatencies(before.packed))
    const current = createLatencySum(monitor.checkType)
    const window = {
      fromMs: before.hourStartMs,
      toMs: nowMs + 1,
      rowsMax: publicChartRowsMax,
    }
    for (const row of newestRows(checks, monitor, monitorState, window)) {
      if (row.atMs < before.hourStartMs + hourMs) current.addRow(row)
    }
    const ofHour = current.sum()
    if (ofHour) total.add(ofHour)
    const sum = total.sum()
    const p50Ms = sum && percentileMs(sum, 0.5)
    const p95Ms = sum && percentileMs(sum, 0.95)
    if (p50Ms === null || p95Ms === null) return null
    const shown = [...before.hours, hourOf(before.hourStartMs, ofHour)]
    for (let startMs = before.hourStartMs + hourMs; startMs <= thisHourMs; startMs += hourMs) {
      shown.push(hourOf(startMs, null))
    }
    return { p50Ms, p95Ms, hours: shown }
  }
}
