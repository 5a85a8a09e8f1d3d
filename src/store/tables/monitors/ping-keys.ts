// The ping keys of Healthchecks that organizations keep, by [org, hash of the key], with a look-up by [hash].
import type { OrgId } from '../../../base/ids.ts'
import type { PingKey } from '../../../domain/monitors/kept-address.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export function openPingKeys(env: Env) {
  const keys = openTable<PingKey>(env, { name: 'pingKeys' })
  const byHash = openTable<{ readonly orgId: OrgId }>(env, { name: 'pingKeyOwners' })

  function remove(tx: Tx, orgId: OrgId, hash: string): void {
    keys.remove(tx, [orgId, hash])
    byHash.remove(tx, [hash])
  }

  return {
    list: (orgId: OrgId, limit: number) => keys.range({ prefix: [orgId], limit }),

    get: (orgId: OrgId, hash: string) => keys.readable([orgId, hash]),

    /** The organization that keeps it. */
    ownerOf: (hash: string) => byHash.readable([hash])?.orgId,

    /** Whether any organization keeps one. */
    areAny: () => byHash.keys({ prefix: [], limit: 1 }).length > 0,

    put(tx: Tx, orgId: OrgId, key: PingKey): void {
      keys.put(tx, [orgId, key.hash], key)
      byHash.put(tx, [key.hash], { orgId })
    },

    remove,

    /** Deletes those of a whole organization, at most `limit` at once; returns how many. */
    forget(tx: Tx, orgId: OrgId, limit: number): number {
      const found = keys.keys({ prefix: [orgId], limit })
      for (const [, hash = ''] of found) remove(tx, orgId, String(hash))
      return found.length
    },
  }
}
