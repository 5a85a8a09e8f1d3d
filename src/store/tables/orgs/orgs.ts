// Organizations by [org].
import type { OrgId } from '../../../base/ids.ts'
import type { Organization } from '../../../domain/orgs/org.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export type OrgsTable = ReturnType<typeof openOrgs>

export function openOrgs(env: Env) {
  const orgs = openTable<Organization>(env, { name: 'orgs', version: 1 })

  return {
    get: (orgId: OrgId) => orgs.recall([orgId]),

    /** Newest first; `after` is the last id of the page before. */
    list: (limit: number, after?: OrgId): Organization[] =>
      orgs.range({ prefix: [], reverse: true, limit, ...(after ? { after: [after] } : {}) }),

    /** How many there are, counted up to `limit`. */
    count: (limit: number) => orgs.count([], limit),

    put: (tx: Tx, org: Organization) => orgs.put(tx, [org.id], org),

    remove: (tx: Tx, orgId: OrgId) => orgs.remove(tx, [orgId]),
  }
}
