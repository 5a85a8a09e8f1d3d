// Which alerts of an open incident maintenance holds, and until when.
import type { Delivery } from '../../domain/alerts/delivery.ts'
import type { Incident } from '../../domain/incidents/incident.ts'
import { coverageAt } from '../../domain/maintenance/coverage.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { Store } from '../../store/store.ts'

type HoldTables = Pick<Store, 'windows' | 'monitors' | 'incidents'>

/** When the first of the monitors is no longer under maintenance; null if one is not. */
export function maintenanceEndsAtMs(
  { windows }: Pick<Store, 'windows'>,
  monitors: readonly Pick<Monitor, 'orgId' | 'id' | 'tags'>[],
  atMs: number,
): number | null {
  let endsAtMs: number | null = null
  for (const monitor of monitors) {
    const maintenance = coverageAt(windows.coverings(monitor.orgId), monitor, atMs)
    if (maintenance === null) return null
    endsAtMs = Math.min(endsAtMs ?? maintenance.toMs, maintenance.toMs)
  }
  return endsAtMs
}

/**
 * Until when an escalation waits: the opening of an incident from before, for a channel with a delay.
 * Null if nothing holds it. What people declare is not held.
 */
export function escalationHeldUntilMs(
  store: HoldTables,
  delivery: Pick<
    Delivery,
    'orgId' | 'event' | 'incidentId' | 'lastAtMs' | 'dueAtMs' | 'createdAtMs'
  >,
  nowMs: number,
): number | null {
  const { orgId, event, incidentId, lastAtMs, dueAtMs, createdAtMs } = delivery
  if (store.windows.coverings(orgId).length === 0 || incidentId === null) return null
  const isEscalation = event === 'incident.opened' && lastAtMs === null && dueAtMs > createdAtMs
  const incident = isEscalation ? store.incidents.readable(orgId, incidentId) : undefined
  if (!incident || incident.isDeclared) return null
  return maintenanceEndsAtMs(store, monitorsOf(store, incident), Math.max(nowMs, dueAtMs))
}

function monitorsOf({ monitors }: HoldTables, { orgId, monitorIds }: Incident): Monitor[] {
  return monitorIds.flatMap((id) => monitors.readable(orgId, id) ?? [])
}
