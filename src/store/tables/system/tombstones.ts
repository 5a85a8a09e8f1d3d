// Tombstones: deleted objects whose records are still stored; written with the deletion, cleaned up
// in slices.
import type { MonitorId, OrgId } from '../../../base/ids.ts'
import type { Env } from '../../engine/env.ts'
import type { Signals } from '../../engine/signals.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

/** A deleted monitor whose history is still stored. */
export interface MonitorTombstone {
  readonly orgId: OrgId
  readonly monitorId: MonitorId
}

/** A deleted organization whose records are mostly still stored. */
export interface OrgTombstone {
  readonly orgId: OrgId
  readonly deletedAtMs: number
}

export function openTombstones(env: Env, { tombstoneAdded }: Signals) {
  const table = openTable<MonitorTombstone>(env, { name: 'garbage' })
  const orgs = openTable<OrgTombstone>(env, { name: 'garbageOrgs' })
  return {
    list: (limit: number) => table.range({ prefix: [], limit }),
    add(tx: Tx, gone: MonitorTombstone): void {
      table.put(tx, [gone.orgId, gone.monitorId], gone)
      tombstoneAdded.raise(tx)
    },
    remove: (tx: Tx, { orgId, monitorId }: MonitorTombstone) =>
      table.remove(tx, [orgId, monitorId]),

    /** Deletes the tombstones of an organization's monitors, at most `limit`; returns how many. */
    forget: (tx: Tx, orgId: OrgId, limit: number) => table.removeAll(tx, [orgId], limit),

    listOrgs: (limit: number) => orgs.range({ prefix: [], limit }),
    /** Whether the organization is being deleted. Cheap, because there is almost never one. */
    hasOrg: (orgId: OrgId) => orgs.has([orgId]),
    addOrg(tx: Tx, gone: OrgTombstone): void {
      orgs.put(tx, [gone.orgId], gone)
      tombstoneAdded.raise(tx)
    },
    removeOrg: (tx: Tx, orgId: OrgId) => orgs.remove(tx, [orgId]),
  }
}
