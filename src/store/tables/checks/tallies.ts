// Finished days and hours by [org, monitor, start]: time in each state, and counts.
import type { MonitorId, OrgId } from '../../../base/ids.ts'
import type { Tally } from '../../../domain/health/span.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export type TalliesTable = ReturnType<typeof openTallies>

/** Days are kept forever, hours for two years, so each has its own table. */
export function openTallies(env: Env, name: 'days' | 'hours') {
  const table = openTable<Tally>(env, { name })
  return {
    put: (tx: Tx, orgId: OrgId, monitorId: MonitorId, tally: Tally) =>
      table.put(tx, [orgId, monitorId, tally.startMs], tally),

    /** Finished ones from a time on, oldest first, at most `limit`. */
    since: (orgId: OrgId, monitorId: MonitorId, fromMs: number, limit: number) =>
      table.range({ prefix: [orgId, monitorId], from: fromMs, limit }),

    /** Deletes up to `limit` that began before a time; returns how many. */
    trim(tx: Tx, orgId: OrgId, monitorId: MonitorId, beforeMs: number, limit: number): number {
      const old = table
        .keys({ prefix: [orgId, monitorId], limit })
        .filter((key) => Number(key[2]) < beforeMs)
      for (const key of old) table.remove(tx, key)
      return old.length
    },

    /** Deletes those of a whole organization, at most `limit` at once; returns how many. */
    forget: (tx: Tx, orgId: OrgId, limit: number) => table.removeAll(tx, [orgId], limit),
  }
}
