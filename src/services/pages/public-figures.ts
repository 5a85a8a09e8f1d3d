// Figures that few documents of a status page show: read from the store when one of them is made.
import { createLatencySum, percentileMs } from '../../domain/checks/latencies.ts'
import { namedWindow } from '../../domain/health/time-window.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { StatusPage } from '../../domain/pages/page.ts'
import { toPublicMaintenance } from '../../pages/view/public-maintenance.ts'
import type { FigureWindow, PublicFigures } from '../../pages/view/public-page.ts'
import { type MonitorSource, shownSources } from '../../pages/view/public-view.ts'
import { createLatencyReader } from '../../store/monitor-latencies.ts'
import { createUptimeReader } from '../../store/monitor-uptime.ts'
import type { Store } from '../../store/store.ts'

/** How long before a public window calendars and programs learn of it, and how many they list. */
const maintenanceCalendarDays = 90
const maintenanceCalendarMax = 200

export function createPublicFigures(store: Store) {
  const latencies = createLatencyReader(store)

  return (page: StatusPage, sources: readonly MonitorSource[], nowMs: number): PublicFigures => {
    const uptimes = createUptimeReader({ store, clock: { nowMs: () => nowMs } })
    const shown = shownSources(page, sources).map(({ monitor }) => monitor)
    const stateOf = (monitorId: string) => {
      const monitor = page.showMonitors ? shown.find(({ id }) => id === monitorId) : undefined
      const monitorState = monitor && store.monitorStates.get(page.orgId, monitor.id)
      return monitorState && { monitor, monitorState }
    }
    return {
      maintenance: () =>
        toPublicMaintenance(store.windows.announced(page.orgId), shown, nowMs, {
          days: maintenanceCalendarDays,
          most: maintenanceCalendarMax,
        }),

      uptime(monitorId, window) {
        const found = page.showUptime ? stateOf(monitorId) : undefined
        if (!found) return null
        const { monitor, monitorState } = found
        const times = uptimes.of(monitor, monitorState, namedWindow(window, nowMs))
        return times.countedMs < limits.uptimeCountedMsMin ? null : times.ratio
      },

      responseTimeMs(monitorId, window) {
        const found = page.showResponseTimes ? stateOf(monitorId) : undefined
        if (!found) return null
        const { monitor, monitorState } = found
        const sum = createLatencySum(monitor.checkType)
        const buckets = { ...namedWindow(window, nowMs), source: sourceOf(window) } as const
        latencies.fill(monitor, monitorState, buckets, () => sum)
        const total = sum.sum()
        return total && percentileMs(total, 0.5)
      },
    }
  }
}

const sourceOf = (window: FigureWindow) => (window === '24h' ? 'hours' : 'days')
