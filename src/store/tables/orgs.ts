// Organizations by [org].
import type { OrgId } from '../../base/ids.ts'
import type { Organization } from '../../domain/org.ts'
import type { Env } from '../env.ts'
import { openTable } from '../table.ts'
import type { Tx } from '../write.ts'

export type OrgsTable = ReturnType<typeof openOrgs>

export function openOrgs(env: Env) {
  const orgs = openTable<Organization>(env, { name: 'orgs', version: 1 })

  return {
    get: (orgId: OrgId) => orgs.get([orgId]),

    put: (tx: Tx, org: Organization) => orgs.put(tx, [org.id], org),
  }
}
