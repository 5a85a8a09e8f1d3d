// Whether a monitor is under maintenance, for everything that shows its state.
import { coverageAt, isCovered } from '../../domain/maintenance/coverage.ts'
import type { Interval } from '../../domain/maintenance/interval.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { Store } from '../../store/store.ts'

/** The time without a break in which the monitor is under maintenance now; else null. */
export function maintenanceAt(
  { windows }: Pick<Store, 'windows'>,
  monitor: Pick<Monitor, 'orgId' | 'id' | 'tags'>,
  nowMs: number,
): Interval | null {
  return coverageAt(windows.coverings(monitor.orgId), monitor, nowMs)
}

/** Whether the monitor is under maintenance, which costs less than finding the whole time. */
export function isMaintained(
  { windows }: Pick<Store, 'windows'>,
  monitor: Pick<Monitor, 'orgId' | 'id' | 'tags'>,
  nowMs: number,
): boolean {
  return isCovered(windows.coverings(monitor.orgId), monitor, nowMs)
}
