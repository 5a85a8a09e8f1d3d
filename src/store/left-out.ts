// What is left out of every uptime: time without the daemon, and time under maintenance.
import { type Gap, type Span, withGaps, withMaintenance } from '../domain/health/span.ts'
import type { TimeWindow } from '../domain/health/time-window.ts'
import { monitorOfPlaced } from '../domain/locations/place.ts'
import { coverage } from '../domain/maintenance/coverage.ts'
import type { Monitor } from '../domain/monitors/monitor.ts'
import { type MonitorState, shownMonitorState } from '../domain/monitors/monitor-state.ts'
import type { Store } from './store.ts'

export interface LeftOut {
  /** The daemon did not run. */
  readonly gaps: () => readonly Gap[]
  /** The monitor was under maintenance. */
  readonly maintenance: (
    monitor: Pick<Monitor, 'orgId' | 'id' | 'tags'>,
    fromMs: number,
    toMs: number,
  ) => readonly Gap[]
}

/**
 * The time since the last result, until now in the current state, with what is left out of it in
 * states of its own. Only that of the window: a monitor may have been paused for years.
 */
export function spansSinceResult(
  leftOut: LeftOut,
  monitor: Monitor,
  monitorState: MonitorState,
  { fromMs, toMs }: TimeWindow,
): readonly Span[] {
  const state = monitor.isActive ? shownMonitorState(monitorState) : 'paused'
  const rest = { state, fromMs: Math.max(monitorState.accountedToMs, fromMs), toMs } as const
  const covered = leftOut.maintenance(monitor, rest.fromMs, toMs)
  return withMaintenance(withGaps([rest], leftOut.gaps()), covered)
}

export function leftOutOf({ meta, windows }: Pick<Store, 'meta' | 'windows'>): LeftOut {
  return {
    gaps: meta.gaps,
    maintenance: (monitor, fromMs, toMs) =>
      coverage(windows.coverings(monitor.orgId), monitor, fromMs, toMs),
  }
}

/** The same for monitors whose ids name a place as well: maintenance is that of the monitor. */
export function leftOutAtPlaces({ gaps, maintenance }: LeftOut): LeftOut {
  return {
    gaps,
    maintenance: ({ orgId, id, tags }, fromMs, toMs) =>
      maintenance({ orgId, id: monitorOfPlaced(id), tags }, fromMs, toMs),
  }
}
