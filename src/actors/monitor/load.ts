// Loads the fleet at a start: every active monitor of every organization, slice by slice.

import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { limits } from '../../domain/limits.ts'
import type { Monitor } from '../../domain/monitor.ts'
import type { Standing } from '../../domain/standing.ts'
import type { Store } from '../../store/store.ts'
import type { Fleet } from './fleet.ts'

export interface LoadDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly fleet: Fleet
  /** How long this daemon did not run: push deadlines move by as much. */
  readonly gapMs: number
  readonly isStopping: () => boolean
  readonly onLoaded: (monitor: Monitor, standing: Standing) => void
}

/**
 * Starts the actors between other work, so that requests are answered meanwhile. First checks are
 * spread over each monitor's own interval.
 */
export async function loadFleet(deps: LoadDeps): Promise<void> {
  const { store, clock, fleet, log } = deps
  const startedMs = clock.monoMs()
  let last: Monitor | undefined
  for (;;) {
    const slice = store.monitors.slice(limits.fleetLoadSlice, last)
    for (const monitor of slice) startOne(deps, monitor)
    last = slice.at(-1)
    if (slice.length < limits.fleetLoadSlice || deps.isStopping()) break
    await new Promise((resolve) => setImmediate(resolve))
  }
  const durationMs = Math.round(clock.monoMs() - startedMs)
  log.info('monitors started', { monitors: fleet.size(), durationMs })
}

function startOne({ store, fleet, gapMs, onLoaded }: LoadDeps, monitor: Monitor): void {
  // A request may have started it meanwhile, with fresher knowledge.
  if (!monitor.isActive || fleet.monitor(monitor.id)) return
  const standing = store.standings.get(monitor.orgId, monitor.id)
  if (!standing) return
  const { deadlineAtMs } = standing
  const moved = deadlineAtMs === null ? null : deadlineAtMs + gapMs
  fleet.start(monitor, 'start', { ...standing, deadlineAtMs: moved })
  onLoaded(monitor, standing)
}
