// The stored state of a monitor. A damaged one begins anew, so that the monitor is still
// watched, and with the incident that is still open, so that a recovery ends it.
import { healthInIncident, initialHealth } from '../../domain/health/health.ts'
import { isOfHealth } from '../../domain/incidents/incident.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import { initialMonitorState, type MonitorState } from '../../domain/monitors/monitor-state.ts'
import type { Store } from '../../store/store.ts'

/** The newest incidents of a monitor among which its open one is sought if its state was lost. */
const incidentsSoughtMax = 20

/** Undefined if the monitor was deleted. */
export function knownState(
  store: Pick<Store, 'monitorStates' | 'incidents'>,
  { orgId, id: monitorId, isActive }: Pick<Monitor, 'orgId' | 'id' | 'isActive'>,
  nowMs: number,
): MonitorState | undefined {
  const stored = store.monitorStates.get(orgId, monitorId)
  if (stored || !store.monitorStates.isDamaged(orgId, monitorId)) return stored
  const open = store.incidents
    .list(orgId, { monitorId, limit: incidentsSoughtMax })
    .filter(isOfHealth)
    .find(({ state }) => state !== 'resolved')
  const health = open ? healthInIncident(open) : initialHealth(nowMs)
  return { ...initialMonitorState(nowMs), health, isPaused: !isActive }
}
