// Acts when maintenance begins or ends: tells listeners, and finds what is still bad afterwards.

import type { Clock, Jump } from '../../base/clock.ts'
import type { MonitorId, OrgId } from '../../base/ids.ts'
import type { Log } from '../../base/log/log.ts'
import { createYielder } from '../../base/yielding.ts'
import { isChecked } from '../../domain/checks/check-type.ts'
import { isHeldBack } from '../../domain/health/maintenance.ts'
import { limits } from '../../domain/limits/limits.ts'
import {
  type Covering,
  coverage,
  coverageAt,
  isCovered,
  nextTurnAtMs,
} from '../../domain/maintenance/coverage.ts'
import type { Interval } from '../../domain/maintenance/interval.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { pushPolicy } from '../../domain/schedule/push-deadline.ts'
import { slotOf } from '../../domain/schedule/schedule.ts'
import type { Store } from '../../store/store.ts'
import type { Commit } from '../monitor/commit.ts'
import type { Fleet } from '../monitor/fleet.ts'

export interface MaintenanceWatchDeps {
  readonly store: Pick<Store, 'windows' | 'monitors' | 'monitorStates' | 'signals'>
  readonly clock: Clock & { onJump?(listener: (jump: Jump) => void): void }
  readonly log: Log
  readonly commit: Pick<Commit, 'release'>
  readonly fleet: Pick<Fleet, 'hasten' | 'nextAtMs'>
  /** Whether the organization is deleted or switched off. */
  readonly isOff: (orgId: OrgId) => boolean
  /** A monitor is under maintenance from now on, or no longer. */
  readonly onTurned: (monitor: Monitor, maintenance: Interval | null) => void
  /** Something began, ended or was changed in the organization. */
  readonly onLooked: (orgId: OrgId) => Promise<void>
}

interface OrgWatch {
  timer: unknown
  /** Up to when everything was acted on. */
  seenMs: number
  isLooking: boolean
  /** Something changed meanwhile. */
  mustLookAgain: boolean
}

/** The time over which monitors are checked again after a window. */
const maintenanceRecheckMs = 60_000
/** The same for each of many monitors. */
const maintenanceRecheckEachMs = 2

/** Each time follows from stored windows, so a restart loses nothing. */
export function watchMaintenance(deps: MaintenanceWatchDeps) {
  const { store, clock, log, commit, fleet } = deps
  const watches = new Map<OrgId, OrgWatch>()
  let isStarted = false
  let isStopped = false

  function watchOf(orgId: OrgId, seenMs: number): OrgWatch {
    const before = watches.get(orgId)
    if (before) return before
    const watch = { timer: undefined, seenMs, isLooking: false, mustLookAgain: false }
    watches.set(orgId, watch)
    return watch
  }

  function look(orgId: OrgId, watch: OrgWatch): void {
    if (isStopped) return
    clock.clearTimeout(watch.timer)
    if (watch.isLooking) {
      watch.mustLookAgain = true
      return
    }
    watch.isLooking = true
    lookAt(orgId, watch)
      .catch((error: unknown) => log.error('maintenance not acted on', { orgId, error }))
      .finally(() => {
        watch.isLooking = false
        const mustLookAgain = watch.mustLookAgain
        watch.mustLookAgain = false
        if (mustLookAgain) look(orgId, watch)
        else plan(orgId, watch)
      })
  }

  function plan(orgId: OrgId, watch: OrgWatch): void {
    const coverings = store.windows.coverings(orgId)
    if (isStopped || coverings.length === 0) {
      watches.delete(orgId)
      return
    }
    const nowMs = clock.nowMs()
    const nextMs = nextTurnAtMs(coverings, watch.seenMs) ?? Number.POSITIVE_INFINITY
    const delayMs = Math.max(0, Math.min(nextMs - nowMs, limits.maintenanceLookMs))
    watch.timer = clock.setTimeout(() => look(orgId, watch), delayMs)
  }

  /** Looks at every monitor of the organization, with yields. */
  async function lookAt(orgId: OrgId, watch: OrgWatch): Promise<void> {
    const range = { fromMs: watch.seenMs, toMs: clock.nowMs() }
    watch.seenMs = range.toMs
    if (deps.isOff(orgId)) return
    const coverings = store.windows.coverings(orgId)
    const ended: Monitor[] = []
    const yielder = createYielder(clock, limits.turnMs)
    let after: MonitorId | undefined
    do {
      const slice = store.monitors.list(orgId, limits.scanSlice, after)
      for (const monitor of slice) {
        if (monitor.isActive && hasEnded(monitor, coverings, range)) ended.push(monitor)
        if (yielder.isDue()) await yielder.pause()
      }
      after = slice.length < limits.scanSlice ? undefined : slice.at(-1)?.id
      if (after) await yielder.pause()
    } while (after && !isStopped)
    recheck(ended, range.toMs)
    await deps.onLooked(orgId)
  }

  /** Whether the monitor was under maintenance and is no longer; also tells who listens. */
  function hasEnded(monitor: Monitor, coverings: readonly Covering[], range: Interval): boolean {
    const isNow = isCovered(coverings, monitor, range.toMs)
    if (isCovered(coverings, monitor, range.fromMs) !== isNow) {
      deps.onTurned(monitor, coverageAt(coverings, monitor, range.toMs))
    }
    if (isNow) return false
    // Also if its tags have changed, so that windows do not cover it any more.
    if (!isChecked(monitor)) release(monitor)
    return coverage(coverings, monitor, range.fromMs - 1, range.toMs).length > 0
  }

  /** The next result of a monitor without checks may be far away, so what was held back opens now. */
  function release(monitor: Monitor): void {
    const { orgId, id } = monitor
    const health = store.monitorStates.get(orgId, id)?.health
    // One that went live under maintenance may have an incident that nobody was told of.
    const mayOweNews = monitor.shadow !== undefined && health?.openIncidentId != null
    if (!health || (!mayOweNews && !isHeldBack(health, pushPolicy(monitor)))) return
    commit
      .release(monitor)
      .catch((error: unknown) => log.error('outage not opened', { monitorId: id, error }))
  }

  /** Checks soon what would be checked late; spread, because it may be much. */
  function recheck(ended: readonly Monitor[], nowMs: number): void {
    const spreadMs = Math.max(maintenanceRecheckMs, ended.length * maintenanceRecheckEachMs)
    for (const { id, checkType } of ended) {
      if (!isChecked({ checkType })) continue
      const soonMs = nowMs + slotOf(id, spreadMs)
      const dueMs = fleet.nextAtMs(id)
      if (dueMs !== null && dueMs > soonMs) fleet.hasten(id, soonMs)
    }
  }

  function lookAtAll(): void {
    for (const [orgId, watch] of watches) look(orgId, watch)
  }

  store.signals.maintenanceChanged.listen((orgId) => {
    // Before the start, no monitor runs that could be checked.
    if (!isStarted) return
    if (!watches.has(orgId) && store.windows.coverings(orgId).length === 0) return
    look(orgId, watchOf(orgId, clock.nowMs() - 1))
  })
  clock.onJump?.(lookAtAll)

  return {
    /** Acts on everything that began or ended since a time at which the daemon certainly ran. */
    start(sinceMs: number): void {
      isStarted = true
      for (const orgId of store.windows.orgIds()) watchOf(orgId, sinceMs)
      lookAtAll()
    },
    stop(): void {
      isStopped = true
      for (const { timer } of watches.values()) clock.clearTimeout(timer)
    },
  }
}
