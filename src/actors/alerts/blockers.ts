// What explains an outage: the monitors above it that are down, as the store knows them.
import type { MonitorId, OrgId } from '../../base/ids.ts'
import type { Explanation } from '../../domain/incidents/incident.ts'
import { explains, monitorsAbove } from '../../domain/monitors/dependencies.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { MonitorState } from '../../domain/monitors/monitor-state.ts'
import { leftOutOf } from '../../store/left-out.ts'
import type { Store } from '../../store/store.ts'

export type BlockerStore = Pick<Store, 'monitors' | 'monitorStates' | 'meta' | 'windows'>

/** One that others depend on. */
export interface MonitorAbove extends Pick<Monitor, 'id' | 'name' | 'dependsOn' | 'checkType'> {
  readonly monitorState: MonitorState | undefined
  readonly explains: ReturnType<typeof explains>
}

/** Undefined if it was deleted or cannot be read: then it explains nothing. */
export function monitorAbove(
  store: BlockerStore,
  orgId: OrgId,
  monitorId: MonitorId,
  nowMs: number,
): MonitorAbove | undefined {
  const monitor = store.monitors.readable(orgId, monitorId)
  if (!monitor) return undefined
  const { id, name, dependsOn, checkType, isActive } = monitor
  const monitorState = store.monitorStates.get(orgId, monitorId)
  const isWatched = isActive && monitorState !== undefined && !monitorState.isPaused
  const explained = isWatched ? explains(monitorState.health) : 'nothing'
  // Then its outage is meant to be, and announces nothing.
  const isMeant = explained !== 'nothing' && isUnderMaintenance(store, monitor, nowMs)
  return { id, name, dependsOn, checkType, monitorState, explains: isMeant ? 'nothing' : explained }
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
  store: BlockerStore,
  monitor: Pick<Monitor, 'orgId' | 'dependsOn'>,
  nowMs: number,
  find = (id: MonitorId) => monitorAbove(store, monitor.orgId, id, nowMs),
): Explanation | undefined {
  // Most monitors depend on none.
  if (monitor.dependsOn.length === 0) return undefined
  for (const { id, name, explains } of monitorsAbove(monitor, find)) {
    if (explains !== 'nothing') return { id, name, isConfirmed: explains === 'outage' }
  }
  return undefined
}
