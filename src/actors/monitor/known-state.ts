// The stored state of a monitor. A damaged one begins anew: nobody would watch the monitor else.
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { initialMonitorState, type MonitorState } from '../../domain/monitors/monitor-state.ts'
import type { Store } from '../../store/store.ts'

/** Undefined if the monitor was deleted. */
export function knownState(
  store: Pick<Store, 'monitorStates'>,
  { orgId, id, isActive }: Pick<Monitor, 'orgId' | 'id' | 'isActive'>,
  nowMs: number,
): MonitorState | undefined {
  const stored = store.monitorStates.get(orgId, id)
  if (stored || !store.monitorStates.isDamaged(orgId, id)) return stored
  return { ...initialMonitorState(nowMs), isPaused: !isActive }
}
