// Organizations: create, list one's own, change the name, language and time zone.
import { Fault, notFound, refuseInvalid } from '../../base/fault.ts'
import { asId, type Id, type IdKind, newId, type OrgId, type UserId } from '../../base/ids.ts'
import type { Role } from '../../domain/access.ts'
import { changedFields } from '../../domain/audit/audit.ts'
import { type Locale, localeOf } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import {
  type LocaleChoice,
  localeProblems,
  type Organization,
  withLocale,
} from '../../domain/orgs/org.ts'
import { type TagColor, tagColorProblems } from '../../domain/orgs/tag-colors.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import { type Caller, type OrgScope, type PageOf, type PageRequest, pageOf } from '../context.ts'
import type { Core } from '../core.ts'
import { mustBeAt } from '../revision.ts'

export interface OwnOrganization extends Organization {
  readonly role: Role
}

export interface NewOrg extends LocaleChoice {
  readonly name: string
}

export interface OrgChanges extends LocaleChoice {
  readonly name?: string | undefined
  /** All of them; null: none. */
  readonly tagColors?: readonly TagColor[] | null | undefined
}

/** The kinds of things by which their organization can be found. */
export const heldKinds = ['monitor', 'incident', 'channel', 'page', 'maintenance'] as const
export type HeldId = Id<(typeof heldKinds)[number]>

export interface OrgsRequest extends PageRequest {
  /** Restricts the list to the organization that has what this id names. */
  readonly holds?: HeldId | undefined
}

export type Orgs = ReturnType<typeof createOrgs>

export function createOrgs({ store, clock, audit }: Core) {
  function get({ orgId, role }: OrgScope): OwnOrganization {
    const org = store.orgs.get(orgId)
    if (!org) throw notFound('organization')
    return { ...org, role }
  }

  return {
    get,
    /** The caller, who must be signed in, becomes its owner. */
    async create(caller: Caller, { name, ...locale }: NewOrg): Promise<OwnOrganization> {
      const { principal } = caller
      if (principal.kind !== 'session') {
        throw new Fault('forbidden', 'Creating an organization requires a session, not an API key.')
      }
      refuseInvalid(localeProblems(locale))
      return store.write((tx) => {
        // The account may have been deleted after the request was authenticated.
        if (!store.users.get(principal.userId)) throw new Fault('unauthenticated')
        if (store.memberships.countOfUser(principal.userId) >= limits.organizationsPerUserMax) {
          const most = limits.organizationsPerUserMax
          throw new Fault('conflict', `You are in ${most} organizations, which is the maximum.`)
        }
        const about = withLocale({ name }, locale)
        const org = foundOrg(store, tx, about, principal.userId, clock.nowMs())
        audit.noteIn(tx, org.id, caller, { action: 'organization.created', objectId: null })
        return { ...org, role: 'owner' }
      })
    },
    /** Newest first. An API key sees only its own. */
    list(caller: Caller, { limit, after, holds }: OrgsRequest): PageOf<OwnOrganization> {
      const { principal } = caller
      const isWanted = (orgId: OrgId) => holds === undefined || hasHeld(store, orgId, holds)
      if (principal.kind === 'key') {
        const { orgId, role } = principal
        const isListed = after === undefined && isWanted(orgId)
        return { items: isListed ? [get({ caller, orgId, role })] : [] }
      }
      if (principal.kind !== 'session') throw new Fault('unauthenticated')
      const afterId = after === undefined ? undefined : asId('org', after)
      const most = limits.organizationsPerUserMax
      const found = store.memberships.listOfUser(principal.userId, most, afterId)
      // One that is damaged must not hide the others.
      const readable = found.flatMap(({ orgId, role }) => {
        const org = isWanted(orgId) && store.orgs.readable(orgId)
        return org ? [{ ...org, role }] : []
      })
      return pageOf(readable.slice(0, limit + 1), limit)
    },
    /** Throws precondition_failed if the record is no longer at `expectedRevision`. */
    change(
      scope: OrgScope,
      { name, tagColors, ...locale }: OrgChanges,
      expectedRevision?: number,
    ): Promise<OwnOrganization> {
      refuseInvalid([...localeProblems(locale), ...tagColorProblems(tagColors)])
      return store.write((tx) => {
        const { role, ...before } = get(scope)
        mustBeAt(expectedRevision, before, 'The organization')
        const org: Organization = {
          ...withLocale(before, locale),
          name: name ?? before.name,
          ...(tagColors === undefined ? {} : { tagColors: tagColors ?? [] }),
          updatedAtMs: clock.nowMs(),
          revision: before.revision + 1,
        }
        store.orgs.put(tx, org)
        // A default that returns is a change, too.
        const shown = (one: Organization) => ({ tagColors: [], ...one, ...localeOf(one) })
        const fields = changedFields(shown(before), shown(org))
        audit.note(tx, scope, { action: 'organization.changed', objectId: null, fields })
        return { ...org, role }
      })
    },
  }
}

function hasHeld(store: Store, orgId: OrgId, id: HeldId): boolean {
  function isAt<Kind extends IdKind>(
    kind: Kind,
    read: (orgId: OrgId, id: Id<Kind>) => unknown,
  ): boolean {
    const found = asId(kind, id)
    return found !== undefined && read(orgId, found) !== undefined
  }
  return (
    isAt('monitor', store.monitors.readable) ||
    isAt('incident', store.incidents.readable) ||
    isAt('channel', store.channels.readable) ||
    isAt('page', store.pages.readable) ||
    isAt('maintenance', store.windows.readable)
  )
}

export function foundOrg(
  store: Store,
  tx: Tx,
  about: Pick<Organization, 'name'> & Partial<Locale>,
  ownerId: UserId,
  nowMs: number,
): Organization {
  const id = newId('org', nowMs)
  const org: Organization = { id, ...about, createdAtMs: nowMs, updatedAtMs: nowMs, revision: 1 }
  store.orgs.put(tx, org)
  store.memberships.put(tx, { orgId: id, userId: ownerId, role: 'owner', joinedAtMs: nowMs })
  return org
}
