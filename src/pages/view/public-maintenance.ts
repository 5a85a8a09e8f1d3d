// The projection of maintenance windows: what a status page shows of the public windows.
import { dayMs } from '../../domain/health/span.ts'
import { limits } from '../../domain/limits/limits.ts'
import { type CoveredMonitor, isFor } from '../../domain/maintenance/coverage.ts'
import { contains, type Interval } from '../../domain/maintenance/interval.ts'
import { lastOccurrencesIn } from '../../domain/maintenance/occurrences.ts'
import { type MaintenanceWindow, nextOccurrences } from '../../domain/maintenance/window.ts'
import { type Monitor, publicNameOf } from '../../domain/monitors/monitor.ts'
import type { PublicMaintenance } from './public-page.ts'

type MaintainedMonitor = CoveredMonitor & Pick<Monitor, 'orgId' | 'name' | 'publicName'>

interface MaintenanceBounds {
  /** How many days ahead windows are announced. */
  readonly days: number
  readonly most: number
}

/** Public windows that a page shows. */
const maintenanceShownMax = 20

const announced: MaintenanceBounds = {
  days: limits.maintenanceAnnouncedDays,
  most: maintenanceShownMax,
}

/** The windows that are on, or begin within some days, for a monitor that the page shows; in order. */
export function toPublicMaintenance(
  windows: readonly MaintenanceWindow[],
  shown: readonly MaintainedMonitor[],
  nowMs: number,
  { days, most }: MaintenanceBounds = announced,
): readonly PublicMaintenance[] {
  const untilMs = nowMs + days * dayMs
  return announcedOf(windows, shown, nowMs, ({ times }) =>
    nextOccurrences(times, nowMs, most, untilMs),
  )
    .toSorted((a, b) => a.startsAtMs - b.startsAtMs)
    .slice(0, most)
}

/** Occurrences of maintenance windows that a month of the history lists. */
const historyMaintenanceMax = 50

/**
 * The windows that have begun in a stretch of time, newest first. What a window covered before it was
 * changed is left out, because its name may have been another one.
 */
export function toPastMaintenance(
  windows: readonly MaintenanceWindow[],
  shown: readonly MaintainedMonitor[],
  { fromMs, toMs }: Interval,
  nowMs: number,
): readonly PublicMaintenance[] {
  const endMs = Math.min(toMs, nowMs)
  return announcedOf(windows, shown, nowMs, ({ times, coversFromMs }) =>
    lastOccurrencesIn(
      times,
      { fromMs: Math.max(fromMs, coversFromMs), toMs: endMs },
      historyMaintenanceMax,
    ).filter((occurrence) => occurrence.fromMs >= fromMs),
  )
    .toSorted((a, b) => b.startsAtMs - a.startsAtMs)
    .slice(0, historyMaintenanceMax)
}

function announcedOf(
  windows: readonly MaintenanceWindow[],
  shown: readonly MaintainedMonitor[],
  nowMs: number,
  occurrencesOf: (window: MaintenanceWindow) => readonly Interval[],
): PublicMaintenance[] {
  return windows
    .filter(({ isPublic }) => isPublic)
    .flatMap((window) => {
      const covered = shown.filter(
        (monitor) => monitor.orgId === window.orgId && isFor(window, monitor),
      )
      if (covered.length === 0) return []
      const monitorNames = covered.length === shown.length ? [] : covered.map(publicNameOf)
      return occurrencesOf(window).map((occurrence) => ({
        windowId: window.id,
        name: window.name,
        description: window.description ?? '',
        startsAtMs: occurrence.fromMs,
        endsAtMs: occurrence.toMs,
        isOn: contains(occurrence, nowMs),
        monitorIds: covered.map(({ id }) => id),
        monitorNames,
        changedAtMs: window.updatedAtMs,
      }))
    })
}
