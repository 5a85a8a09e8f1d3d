// Incidents and months beyond what a status page shows at once. Reads the store, answers projections.
import type { MonitorId } from '../../base/ids.ts'
import { accrueAll, dayMs, type Tally, uptimeRatio, workedTime } from '../../domain/health/span.ts'
import type { TimeWindow } from '../../domain/health/time-window.ts'
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
  PublicYear,
} from '../../pages/view/public-page.ts'
import { shownBy, toPublicDays } from '../../pages/view/public-view.ts'
import { leftOutOf, spansSinceResult } from '../../store/left-out.ts'
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
    return toPublicIncident(incident, toShownMonitors(page, shown))
  }

  /** Oldest first; the current day counts up to now. */
  function talliesOf(monitor: Monitor, window: TimeWindow): readonly Tally[] {
    const monitorState = store.monitorStates.get(orgId, monitor.id)
    if (!monitorState) return []
    const finished = store.days.within(orgId, monitor.id, window)
    const spans = spansSinceResult(leftOutOf(store), monitor, monitorState, window)
    const current = accrueAll(monitorState.tally, spans, dayMs)
    return [...finished, ...current].filter(({ startMs }) => startMs >= window.fromMs)
  }

  function maintenanceIn(month: string): readonly PublicMaintenance[] {
    const windows = store.windows.announced(orgId)
    if (windows.length === 0) return []
    const ids = page.publicMonitorIds ?? store.monitors.listPublic(orgId, limits.pageMonitorsMax)
    const monitors = ids.flatMap((id) => shownMonitor(id) ?? [])
    return toPastMaintenance(windows, monitors, monthBounds(month, timezone), nowMs)
  }

  return {
    year(id): PublicYear | null {
      const monitor = page.showMonitors ? shownMonitor(id) : null
      if (!monitor) return null
      const fromMs = yearBefore(nowMs)
      const tallies = talliesOf(monitor, { fromMs, toMs: nowMs })
      const count = Math.floor((nowMs - fromMs) / dayMs) + 1
      const [first] = tallies
      return {
        days: page.showHistory ? toPublicDays(tallies, fromMs, count) : [],
        uptime: page.showUptime ? uptimeRatio(workedTime(tallies)) : null,
        knownDays: first ? Math.floor((nowMs - first.startMs) / dayMs) + 1 : count,
      }
    },

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

/** The first day of the month eleven months ago. */
function yearBefore(nowMs: number): number {
  const now = new Date(nowMs)
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 11, 1)
}
