// What was announced to channels about the objective of a monitor in its newest month, by [org, monitor].
import type { MonitorId, OrgId } from '../../../base/ids.ts'
import type { ToldObjective } from '../../../domain/reports/objective.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export function openObjectives(env: Env) {
  const told = openTable<ToldObjective>(env, { name: 'objectivesTold' })
  return {
    told: (orgId: OrgId, monitorId: MonitorId) => told.readable([orgId, monitorId]),

    put: (tx: Tx, orgId: OrgId, monitorId: MonitorId, record: ToldObjective) =>
      told.put(tx, [orgId, monitorId], record),

    remove: (tx: Tx, orgId: OrgId, monitorId: MonitorId) => told.remove(tx, [orgId, monitorId]),

    /** Deletes the records of a whole organization, at most `limit` at once; returns how many. */
    forget: (tx: Tx, orgId: OrgId, limit: number) => told.removeAll(tx, [orgId], limit),
  }
}
