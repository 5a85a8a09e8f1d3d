// Loads the fleet at the start: every active monitor of every organization, slice by slice.

import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log/log.ts'
import { waitsForReports } from '../../domain/checks/check-type.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import { movedExpectation, wakesAtMs } from '../../domain/schedule/push-deadline.ts'
import type { Store } from '../../store/store.ts'
import type { Fleet } from './fleet.ts'
import { knownState } from './known-state.ts'

export interface LoadDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly fleet: Fleet
  /** How long this daemon did not run: push deadlines move by this time. */
  readonly gapMs: number
  readonly isStopping: () => boolean
  readonly onLoaded: (monitor: Monitor, monitorState: MonitorState) => void
}

export const fleetLoadSlice = 500

/** Yields between slices. First checks are spread over each monitor's own interval. */
export async function loadFleet(deps: LoadDeps): Promise<void> {
  const { store, clock, fleet, log } = deps
  const startedMs = clock.monoMs()
  const startedAtMs = clock.nowMs()
  let last: Monitor | undefined
  for (;;) {
    const slice = store.monitors.slice(fleetLoadSlice, last)
    if (deps.gapMs > 0) await moveDeadlines(store, slice, deps.gapMs, startedAtMs)
    for (const monitor of slice) startOne(deps, monitor)
    last = slice.at(-1)
    if (slice.length < fleetLoadSlice || deps.isStopping()) break
    await new Promise((resolve) => setImmediate(resolve))
  }
  const durationMs = Math.round(clock.monoMs() - startedMs)
  log.info('monitors started', { monitors: fleet.size(), durationMs })
}

/**
 * Moves push deadlines after a time in which no report could arrive, which ended at `endedAtMs`:
 * the daemon did not run, or the organization was switched off. The new deadlines are stored,
 * because the next start knows only its own gap. Deadlines set after that time do not move.
 */
export async function moveDeadlines(
  store: Store,
  slice: readonly Monitor[],
  gapMs: number,
  endedAtMs: number,
): Promise<void> {
  const waiting = slice.filter((monitor) => monitor.isActive && waitsForReports(monitor))
  if (waiting.length === 0) return
  await store.write((tx) => {
    for (const monitor of waiting) {
      const { orgId, id } = monitor
      const monitorState = store.monitorStates.get(orgId, id)
      if (!monitorState || wakesAtMs(monitorState) === null) continue
      if ((monitorState.lastReportAtMs ?? 0) >= endedAtMs) continue
      const moved = movedExpectation(monitor, monitorState, gapMs, endedAtMs)
      store.monitorStates.put(tx, orgId, id, { ...monitorState, ...moved })
    }
  })
}

/** Starts the stored version of a listed monitor, unless it runs already. */
export function startOne(
  { store, clock, fleet, onLoaded }: Pick<LoadDeps, 'store' | 'clock' | 'fleet' | 'onLoaded'>,
  listed: Monitor,
): void {
  // The stored version may be newer than the listed one, because a request changed it meanwhile.
  const monitor = store.monitors.readable(listed.orgId, listed.id)
  if (!monitor?.isActive || fleet.monitor(monitor.id)) return
  const monitorState = knownState(store, monitor, clock.nowMs())
  if (!monitorState) return
  fleet.start(monitor, 'start', monitorState)
  if (fleet.monitor(monitor.id)) onLoaded(monitor, monitorState)
}
