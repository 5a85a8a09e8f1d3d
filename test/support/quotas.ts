// Quotas with room for what tests make, and the organizations that they are asked for.
import { nouns, quotaNouns, recordOf } from '../../src/base/nouns.ts'
import type { Quotas } from '../../src/domain/orgs/org.ts'
import { createQuotaChecks, type QuotaChecks } from '../../src/services/quotas.ts'
import type { Store } from '../../src/store/store.ts'
import { orgA as httpOrgA, orgB as httpOrgB } from './http.ts'
import { orgA } from './make-incident.ts'
import { putOrgs } from './make-org.ts'
import { orgTwo } from './make-page.ts'

export const usualQuotas: Quotas = recordOf(
  quotaNouns,
  (name) => nouns[name].quota.usual ?? 100_000,
)

/** The book; the organizations of most tests are there for every later write. */
export function openQuotas(store: Store, quotas: Partial<Quotas> = {}): QuotaChecks {
  putOrgs(store, [orgA, orgTwo, httpOrgA, httpOrgB])
  return createQuotaChecks({ store, usual: () => ({ ...usualQuotas, ...quotas }) })
}
