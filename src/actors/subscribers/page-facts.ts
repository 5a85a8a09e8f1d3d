// What a page shows of an incident or a maintenance window, and in which of its sections.
import type { MonitorId } from '../../base/ids.ts'
import type { Incident } from '../../domain/incidents/incident.ts'
import { limits } from '../../domain/limits/limits.ts'
import { isFor } from '../../domain/maintenance/coverage.ts'
import type { MaintenanceWindow } from '../../domain/maintenance/window.ts'
import { type Monitor, publicNameOf } from '../../domain/monitors/monitor.ts'
import type { StatusPage } from '../../domain/pages/page.ts'
import { toPublicIncident, toShownMonitors } from '../../pages/view/public-incident.ts'
import type { PublicIncident } from '../../pages/view/public-page.ts'
import { shownBy } from '../../pages/view/public-view.ts'
import type { Store } from '../../store/store.ts'

type Facts = Pick<Store, 'monitors' | 'monitorStates'>

function shownOf({ monitors }: Facts, page: StatusPage, ids: readonly MonitorId[]): Monitor[] {
  const isShown = shownBy(page)
  return ids.flatMap((id) => {
    const monitor = monitors.readable(page.orgId, id)
    return monitor && isShown(monitor) ? monitor : []
  })
}

/** The incident as the page shows it; null if the page does not show it. */
export function incidentOnPage(
  store: Facts,
  page: StatusPage,
  incident: Incident,
): PublicIncident | null {
  if (!page.showIncidents || incident.orgId !== page.orgId) return null
  const shown = shownOf(store, page, incident.monitorIds).map((monitor) => ({
    monitor,
    monitorState: store.monitorStates.get(page.orgId, monitor.id),
  }))
  return toPublicIncident(incident, toShownMonitors(page, shown))
}

export interface WindowOnPage {
  /** The shown monitors that it is for. */
  readonly monitorIds: readonly MonitorId[]
  /** Empty if it is for all that the page shows. */
  readonly monitorNames: readonly string[]
}

/** Null if the page does not announce it. */
export function windowOnPage(
  store: Facts,
  page: StatusPage,
  window: MaintenanceWindow,
): WindowOnPage | null {
  if (!window.isPublic || window.orgId !== page.orgId) return null
  const { publicMonitorIds } = page
  const ids = publicMonitorIds ?? store.monitors.listPublic(page.orgId, limits.pageMonitorsMax)
  const shown = shownOf(store, page, ids)
  const covered = shown.filter((monitor) => isFor(window, monitor))
  if (covered.length === 0) return null
  if (covered.length === shown.length) return { monitorIds: [], monitorNames: [] }
  return {
    monitorIds: covered.map(({ id }) => id),
    monitorNames: covered.map(publicNameOf),
  }
}

/** The sections that have one of the monitors; null, which is all, if no monitor is named. */
export function sectionsOf(
  { sections }: StatusPage,
  monitorIds: readonly MonitorId[],
): readonly string[] | null {
  if (monitorIds.length === 0) return null
  return sections
    .filter((section) => section.monitorIds.some((id) => monitorIds.includes(id)))
    .map(({ name }) => name)
}
