// What explains an outage: the monitors above it that are down, as the store knows them.
import type { MonitorId, OrgId } from '../../base/ids.ts'
import { shownState } from '../../domain/health/health.ts'
import type { Explanation } from '../../domain/incidents/incident.ts'
import { explains, monitorsAbove } from '../../domain/monitors/dependencies.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import { isSilent } from '../../domain/monitors/shadow.ts'
import { leftOutOf } from '../../store/left-out.ts'
import type { Store } from '../../store/store.ts'

export interface BlockerDeps {
  readonly store: Pick<Store, 'monitors' | 'monitorStates' | 'meta' | 'windows'>
  /** Whether it is not checked any more because its checks crash. */
  readonly isSuspended: (monitorId: MonitorId) => boolean
}

/** One that others depend on. */
export interface MonitorAbove extends Pick<Monitor, 'id' | 'name' | 'dependsOn' | 'checkType'> {
  readonly monitorState: MonitorState | undefined
  readonly explains: ReturnType<typeof explains>
  /** It is down, but has been for so long that this explains nothing. */
  readonly isLongDown: boolean
  /** Nobody hears of its outage, so it must not hold alerts of a monitor that is heard. */
  readonly isSilent: boolean
}

/** Undefined if it was deleted or cannot be read: then it explains nothing. */
export function monitorAbove(
  { store, isSuspended }: BlockerDeps,
  orgId: OrgId,
  monitorId: MonitorId,
  nowMs: number,
): MonitorAbove | undefined {
  // Recalled, because every look at held alerts asks for the same few.
  const monitor = store.monitors.recallReadable(orgId, monitorId)
  if (!monitor) return undefined
  const { id, name, dependsOn, checkType, isActive } = monitor
  const monitorState = store.monitorStates.recall(orgId, monitorId)
  const isWatched =
    isActive && monitorState !== undefined && !monitorState.isPaused && !isSuspended(id)
  const explained = isWatched ? explains(monitorState.health, nowMs) : 'nothing'
  const isLongDown =
    isWatched && explained === 'nothing' && shownState(monitorState.health) === 'down'
  // Under maintenance its outage is planned, and nothing is announced.
  const isMeant = explained !== 'nothing' && isUnderMaintenance(store, monitor, nowMs)
  const shown = { id, name, dependsOn, checkType, monitorState, isLongDown }
  const known = { ...shown, isSilent: isSilent(monitor) }
  return { ...known, explains: isMeant ? 'nothing' : explained }
}

export function isUnderMaintenance(
  store: Pick<Store, 'meta' | 'windows'>,
  monitor: Monitor,
  atMs: number,
): boolean {
  return leftOutOf(store).maintenance(monitor, atMs, atMs + 1).length > 0
}

/** The nearest monitor above whose outage explains that of the given one. */
export function blockerOf(
  deps: BlockerDeps,
  monitor: Pick<Monitor, 'orgId' | 'id' | 'dependsOn' | 'shadow'>,
  nowMs: number,
  find = (id: MonitorId) => monitorAbove(deps, monitor.orgId, id, nowMs),
): Explanation | undefined {
  // Most monitors depend on none.
  if (monitor.dependsOn.length === 0) return undefined
  const isHeard = !isSilent(
    deps.store.monitors.recallReadable(monitor.orgId, monitor.id) ?? monitor,
  )
  for (const { id, name, explains, isSilent } of monitorsAbove(monitor, find)) {
    if (isSilent && isHeard) continue
    if (explains !== 'nothing') return { id, name, isConfirmed: explains === 'outage' }
  }
  return undefined
}
