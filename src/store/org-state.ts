// What the records of an organization say together: whether it is off, and who answers for it.
import type { OrgId, UserId } from '../base/ids.ts'
import type { Role } from '../domain/access.ts'
import { defaultLocale } from '../domain/language.ts'
import { limits } from '../domain/limits/limits.ts'
import type { KeyMaker } from '../domain/orgs/api-key.ts'
import type { ApiKey, User } from '../domain/people/person.ts'
import type { Language } from '../texts/languages.ts'
import type { Store } from './store.ts'

type PeopleTables = Pick<Store, 'memberships' | 'users'>

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
export function activeOwners(tables: PeopleTables, orgId: OrgId): User[] {
  return activePeople(tables, orgId, (role) => role === 'owner')
}

/** Its people with some of the roles who can sign in. */
export function activePeople(
  { memberships, users }: PeopleTables,
  orgId: OrgId,
  isMeant: (role: Role) => boolean,
): User[] {
  return memberships
    .list(orgId, limits.quotaMax)
    .filter(({ role }) => isMeant(role))
    .flatMap(({ userId }) => users.readable(userId) ?? [])
    .filter(({ isDisabled }) => !isDisabled)
}

/**
 * The language of somebody who did not ask for what they read now: what the organization chose that they have
 * been in for longest. `asked` is for one that chose none: the language of the browser that acts as this person,
 * which may be somebody else's.
 */
export function languageOf(
  { memberships, orgs }: Pick<Store, 'memberships' | 'orgs'>,
  { id }: User,
  asked: Language = defaultLocale.language,
): Language {
  const [first] = memberships
    .listOfUser(id, limits.organizationsPerUserMax)
    .toSorted((a, b) => a.joinedAtMs - b.joinedAtMs)
  return (first && orgs.readable(first.orgId)?.language) ?? asked
}

/** Somebody as an organization sees them: an operator who acts in it appears by id only. */
export function personSeenIn(
  { memberships, users }: PeopleTables,
  orgId: OrgId,
  userId: UserId,
): Pick<User, 'name' | 'email'> | undefined {
  const user = users.readable(userId)
  const isHidden = user?.isSystemAdmin && !memberships.has(orgId, userId)
  return user && !isHidden ? { name: user.name, email: user.email } : undefined
}

/** Who answers for a key, as far as its rights depend on it. Throws damaged_record. */
export function keyMaker({ memberships, users }: PeopleTables, key: ApiKey): KeyMaker {
  const { orgId, createdBy } = key
  return { account: users.get(createdBy), membership: memberships.get(orgId, createdBy) }
}

/** The same; undefined if one of the records is damaged. */
export function readableKeyMaker(tables: PeopleTables, key: ApiKey): KeyMaker | undefined {
  const { memberships, users } = tables
  const { orgId, createdBy } = key
  const account = users.readable(createdBy)
  const membership = memberships.readable(orgId, createdBy)
  if (!account && users.isDamaged(createdBy)) return undefined
  if (!membership && memberships.isDamaged(orgId, createdBy)) return undefined
  return { account, membership }
}
