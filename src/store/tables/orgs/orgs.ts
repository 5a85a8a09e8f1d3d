// Organizations by [org].
import type { OrgId } from '../../../base/ids.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Organization } from '../../../domain/orgs/org.ts'
import type { Env } from '../../engine/env.ts'
import type { Signals } from '../../engine/signals.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export function openOrgs(env: Env, { accessLost, pagesChanged }: Signals) {
  const orgs = openTable<Organization>(env, { name: 'orgs' })

  return {
    get: (orgId: OrgId) => orgs.recall([orgId]),

    readable: (orgId: OrgId) => orgs.recallReadable([orgId]),

    has: (orgId: OrgId) => orgs.has([orgId]),

    isDamaged: (orgId: OrgId) => orgs.isDamaged([orgId]),

    /** Newest first; `after` is the last id of the previous page. */
    list: (limit: number, after?: OrgId): Organization[] =>
      orgs.range({ prefix: [], reverse: true, limit, after }),

    /** The organizations with exactly this name. */
    named: (name: string): Organization[] =>
      orgs
        .range({ prefix: [], reverse: true, limit: limits.systemCountMax })
        .filter((org) => org.name === name),

    /** How many there are. */
    total: orgs.total,

    /** The number, counted up to `limit`. */
    count: (limit: number) => orgs.count([], limit),

    put(tx: Tx, org: Organization): void {
      const wasDisabled = orgs.get([org.id])?.isDisabled === true
      orgs.put(tx, [org.id], org)
      if ((org.isDisabled === true) === wasDisabled) return
      pagesChanged.raise(tx, org.id)
      accessLost.raise(tx)
    },

    remove(tx: Tx, orgId: OrgId): void {
      orgs.remove(tx, [orgId])
      pagesChanged.raise(tx, orgId)
      accessLost.raise(tx)
    },
  }
}
