// Quotas: how many of each thing an organization may have. The operator may change one's own.
import { Fault } from '../base/fault.ts'
import type { OrgId } from '../base/ids.ts'
import { nouns } from '../base/nouns.ts'
import type { Quotas } from '../domain/orgs/org.ts'
import type { Store } from '../store/store.ts'

export interface QuotaBook {
  of(orgId: OrgId): Quotas
  /**
   * Throws Fault('conflict') where `more` (1) would be too many. `have` counts up to the quota. It
   * is asked in the transaction that adds, so it also throws Fault('not_found') where the
   * organization was deleted since the request was let in.
   */
  mustHaveRoom(orgId: OrgId, what: keyof Quotas, have: number, more?: number): void
}

export interface QuotaBookDeps {
  readonly store: Store
  /** For every organization that the operator set nothing else for. */
  readonly usual: Quotas
}

export function createQuotaBook({ store, usual }: QuotaBookDeps): QuotaBook {
  const of = (orgId: OrgId): Quotas => ({ ...usual, ...store.orgs.get(orgId)?.quotas })
  return {
    of,
    mustHaveRoom(orgId, what, have, more = 1) {
      if (!store.orgs.get(orgId)) throw new Fault('not_found', 'There is no such organization.')
      const most = of(orgId)[what]
      if (have + more <= most) return
      throw new Fault(
        'conflict',
        `This organization may have at most ${most} ${nouns[what].title}.`,
      )
    },
  }
}
