// The projection of maintenance windows: what a status page announces of the public ones.
import { dayMs } from '../domain/health/span.ts'
import { limits } from '../domain/limits/limits.ts'
import { type CoveredMonitor, isFor } from '../domain/maintenance/coverage.ts'
import { contains } from '../domain/maintenance/interval.ts'
import { type MaintenanceWindow, nextOccurrences } from '../domain/maintenance/window.ts'
import type { Monitor } from '../domain/monitors/monitor.ts'
import type { PublicMaintenance } from './public-page.ts'

/** Those that are on, or begin within a week, for a monitor that the page shows; in order. */
export function toPublicMaintenance(
  windows: readonly MaintenanceWindow[],
  shown: readonly (CoveredMonitor & Pick<Monitor, 'orgId' | 'name'>)[],
  nowMs: number,
): readonly PublicMaintenance[] {
  const untilMs = nowMs + limits.maintenanceAnnouncedDays * dayMs
  return windows
    .filter(({ isPublic }) => isPublic)
    .flatMap((window) => {
      const covered = shown.filter(
        (monitor) => monitor.orgId === window.orgId && isFor(window, monitor),
      )
      if (covered.length === 0) return []
      const monitorNames = covered.length === shown.length ? [] : covered.map(({ name }) => name)
      return nextOccurrences(window.times, nowMs, limits.maintenanceShownMax)
        .filter(({ fromMs }) => fromMs < untilMs)
        .map((occurrence) => ({
          name: window.name,
          description: window.description ?? '',
          startsAtMs: occurrence.fromMs,
          endsAtMs: occurrence.toMs,
          isOn: contains(occurrence, nowMs),
          monitorNames,
        }))
    })
    .toSorted((a, b) => a.startsAtMs - b.startsAtMs)
    .slice(0, limits.maintenanceShownMax)
}
