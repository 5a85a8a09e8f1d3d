// Whether an organization is off: deleted, or switched off by the operator.
import type { OrgId } from '../base/ids.ts'
import type { Store } from './store.ts'

/** Nothing may happen by itself for such an organization, and nothing of it is public. */
export function isOrgOff(store: Store, orgId: OrgId): boolean {
  const org = store.orgs.readable(orgId)
  if (org) return org.isDisabled === true
  // The monitors of an organization whose own record is damaged are still watched.
  return !store.orgs.isDamaged(orgId)
}
