// Deleted monitors whose history is still there: noted with the deletion, taken away in slices.
import type { MonitorId, OrgId } from '../../base/ids.ts'
import type { Env } from '../env.ts'
import { openTable } from '../table.ts'
import type { Tx } from '../write.ts'

export interface Gone {
  readonly orgId: OrgId
  readonly monitorId: MonitorId
}

export type GarbageTable = ReturnType<typeof openGarbage>

export function openGarbage(env: Env) {
  const table = openTable<Gone>(env, { name: 'garbage', version: 1 })
  return {
    list: (limit: number) => table.range({ prefix: [], limit }),
    add: (tx: Tx, gone: Gone) => table.put(tx, [gone.orgId, gone.monitorId], gone),
    remove: (tx: Tx, { orgId, monitorId }: Gone) => table.remove(tx, [orgId, monitorId]),
  }
}
