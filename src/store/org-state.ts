// What the records of an organization say together: whether it is off, and who answers for it.
import type { OrgId } from '../base/ids.ts'
import { limits } from '../domain/limits/limits.ts'
import type { User } from '../domain/people/person.ts'
import type { Store } from './store.ts'

/**
 * Whether it is deleted, or switched off by the operator. Nothing may happen by itself for such an
 * organization, and nothing of it is public.
 */
export function isOrgOff(store: Store, orgId: OrgId): boolean {
  const org = store.orgs.readable(orgId)
  if (org) return org.isDisabled === true
  // The monitors of an organization whose own record is damaged are still watched.
  return !store.orgs.isDamaged(orgId)
}

/** The owners of an organization who can sign in. */
export function activeOwners(
  { memberships, users }: Pick<Store, 'memberships' | 'users'>,
  orgId: OrgId,
): User[] {
  return memberships
    .list(orgId, limits.quotaMax)
    .filter(({ role }) => role === 'owner')
    .flatMap(({ userId }) => users.readable(userId) ?? [])
    .filter(({ isDisabled }) => !isDisabled)
}
