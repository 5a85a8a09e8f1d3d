// What is kept of monitors at each of their locations: the tables of monitors once more, where the id
// names the place as well.
import type { MonitorId, OrgId } from '../../../base/ids.ts'
import { placedBounds } from '../../../domain/locations/place.ts'
import type { Env } from '../../engine/env.ts'
import type { Tx } from '../../engine/write.ts'
import { openChecks } from '../checks/checks.ts'
import { openDays } from '../checks/days.ts'
import { openTallies } from '../checks/tallies.ts'
import { openMonitorStates } from '../monitors/monitor-states.ts'

/** More places than a monitor ever has, also one that was moved often. */
const placesMax = 1_000

export function openPlaced(env: Env) {
  const monitorStates = openMonitorStates(env, { name: 'placedStandings' })
  const checks = openChecks(env, {
    blocks: 'placedChecks',
    evidence: 'placedEvidence',
    // Only push monitors have reports, and they have no places.
    reports: 'reports',
  })
  const hours = openTallies(env, 'hours', 'placedHours')
  const days = openDays(env, { days: 'placedDays', months: 'placedMonths' })

  /** The ids of a monitor at all places that ever had a result of it. */
  function idsOf(orgId: OrgId, monitorId: MonitorId): MonitorId[] {
    const [from, until] = placedBounds(monitorId)
    return monitorStates.idsWithin(orgId, from, until, placesMax)
  }

  /** Deletes all but results, hours and days, which may be many. */
  function drop(tx: Tx, orgId: OrgId, id: MonitorId): void {
    checks.removeEvidence(tx, orgId, id)
    monitorStates.remove(tx, orgId, id)
  }

  const trimOf =
    ({ trim }: Pick<typeof checks, 'trim'>): typeof trim =>
    (tx, orgId, monitorId, beforeMs, limit) => {
      let removed = 0
      for (const id of idsOf(orgId, monitorId)) {
        if (removed < limit) removed += trim(tx, orgId, id, beforeMs, limit - removed)
      }
      return removed
    }

  return {
    monitorStates,
    checks,
    hours,
    days,
    idsOf,

    /** Deletes results at all places of a monitor that ended before a time; returns how many blocks. */
    trimChecks: trimOf(checks),

    /** The same for hours. */
    trimHours: trimOf(hours),

    /** Deletes what is kept of a deleted monitor, about `limit` records at once; returns how many. */
    removeMonitor(tx: Tx, orgId: OrgId, monitorId: MonitorId, limit: number): number {
      const ever = Number.POSITIVE_INFINITY
      let removed = 0
      for (const id of idsOf(orgId, monitorId)) {
        removed +=
          checks.trim(tx, orgId, id, ever, limit) +
          days.trim(tx, orgId, id, ever, limit) +
          hours.trim(tx, orgId, id, ever, limit)
        if (removed >= limit) return removed
        // Last, because it leads to the others.
        drop(tx, orgId, id)
      }
      return removed
    },

    /** The same of a monitor whose organization is deleted, without what `forget` deletes. */
    dropMonitor(tx: Tx, orgId: OrgId, monitorId: MonitorId): void {
      for (const id of idsOf(orgId, monitorId)) drop(tx, orgId, id)
    },

    /** Deletes results, hours and days of a whole organization, about `limit` at once; returns how many. */
    forget: (tx: Tx, orgId: OrgId, limit: number): number =>
      checks.forget(tx, orgId, limit) +
      days.forget(tx, orgId, limit) +
      hours.forget(tx, orgId, limit),
  }
}
