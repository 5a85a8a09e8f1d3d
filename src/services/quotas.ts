// Quotas: the maximum numbers of objects of an organization. The operator may set its own values.
import { Fault, notFound } from '../base/fault.ts'
import type { OrgId } from '../base/ids.ts'
import { nouns } from '../base/nouns.ts'
import type { Quotas } from '../domain/orgs/org.ts'
import type { Store } from '../store/store.ts'

export interface QuotaChecksDeps {
  readonly store: Store
  /** The quotas of organizations without their own. */
  readonly usual: () => Quotas
}

export type QuotaChecks = ReturnType<typeof createQuotaChecks>

export function createQuotaChecks({ store, usual }: QuotaChecksDeps) {
  const of = (orgId: OrgId): Quotas => ({ ...usual(), ...store.orgs.get(orgId)?.quotas })
  return {
    of,
    /**
     * Throws conflict if `more` would be too many; `have` counts up to the quota. Called in the
     * transaction that adds: it throws not_found if the organization was deleted meanwhile.
     */
    mustHaveRoom(orgId: OrgId, what: keyof Quotas, have: number, more: number = 1): void {
      if (!store.orgs.get(orgId)) throw notFound('organization')
      const most = of(orgId)[what]
      if (have + more <= most) return
      const { title } = nouns[what]
      const refusal = new Fault('conflict', `This organization may have at most ${most} ${title}.`)
      if (more === 1) throw refusal
      const sum = `${refusal.message} With ${more} more, it would have ${have + more}.`
      throw new Fault('conflict', sum)
    },
  }
}
