// Incidents and months beyond what a status page shows at once. Reads the store, answers projections.
import type { MonitorId } from '../../base/ids.ts'
import type { Incident } from '../../domain/incidents/incident.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { StatusPage } from '../../domain/pages/page.ts'
import { monthBounds, monthLater, monthOf } from '../../domain/pages/page-month.ts'
import { toPublicIncident, toShownMonitors } from '../../pages/view/public-incident.ts'
import { toPastMaintenance } from '../../pages/view/public-maintenance.ts'
import type {
  PublicIncident,
  PublicMaintenance,
  PublicMonth,
  PublicReader,
} from '../../pages/view/public-page.ts'
import { shownBy } from '../../pages/view/public-view.ts'
import type { Store } from '../../store/store.ts'

export interface HistoryOptions {
  readonly page: StatusPage
  /** The time zone of the page, or of its organization. */
  readonly timezone: string
  readonly nowMs: number
}

/** The reader of one page, for one document. */
export function publicReader(
  store: Store,
  { page, timezone, nowMs }: HistoryOptions,
): PublicReader {
  const { orgId } = page
  const isShown = shownBy(page)
  const known = new Map<MonitorId, Monitor | null>()

  function shownMonitor(id: MonitorId): Monitor | null {
    const before = known.get(id)
    if (before !== undefined) return before
    const monitor = store.monitors.readable(orgId, id)
    const shown = monitor && isShown(monitor) ? monitor : null
    known.set(id, shown)
    return shown
  }

  function publicPartOf(incident: Incident): PublicIncident | null {
    const shown = incident.monitorIds.flatMap((id) => {
      const monitor = shownMonitor(id)
      return monitor ? [{ monitor, monitorState: store.monitorStates.get(orgId, id) }] : []
    })
    return toPublicIncident(incident, toShownMonitors(shown))
  }

  function maintenanceIn(month: string): readonly PublicMaintenance[] {
    const windows = store.windows.announced(orgId)
    if (windows.length === 0) return []
    const ids = page.publicMonitorIds ?? store.monitors.listPublic(orgId, limits.pageMonitorsMax)
    const monitors = ids.flatMap((id) => shownMonitor(id) ?? [])
    return toPastMaintenance(windows, monitors, monthBounds(month, timezone), nowMs)
  }

  return {
    picture: (kind) => store.pages.picture(page, kind) ?? null,

    incident(id): PublicIncident | null {
      const incident = page.showIncidents ? store.incidents.readable(orgId, id) : undefined
      return incident ? publicPartOf(incident) : null
    },

    month(wanted): PublicMonth | null {
      const newest = monthOf(nowMs, timezone)
      const oldest = monthOf(store.orgs.get(orgId)?.createdAtMs ?? nowMs, timezone)
      const month = wanted ?? newest
      if (!page.showIncidents || month > newest || month < oldest) return null
      const { found, isWhole } = store.incidents.beganIn(orgId, monthBounds(month, timezone))
      return {
        month,
        earlier: month > oldest ? monthLater(month, -1) : null,
        later: month < newest ? monthLater(month, 1) : null,
        incidents: found.map(publicPartOf).filter((incident) => incident !== null),
        isWhole,
        maintenance: maintenanceIn(month),
      }
    },
  }
}
