// Members: who belongs to an organization, in which role, and how that changes or ends.
import { required } from '../../base/assert.ts'
import { Fault, invalidField, notFound } from '../../base/fault.ts'
import { asId, type OrgId, type UserId } from '../../base/ids.ts'
import type { Role } from '../../domain/access.ts'
import { roleChangeProblem } from '../../domain/orgs/member.ts'
import type { Membership } from '../../domain/people/person.ts'
import type { Tx } from '../../store/engine/write.ts'
import { activeOwners } from '../../store/org-state.ts'
import type { Store } from '../../store/store.ts'
import type { OrgScope, PageOf, PageRequest } from '../context.ts'
import type { Core } from '../core.ts'
import type { Identity } from '../identity.ts'
import { needRecentSignIn } from '../sudo.ts'
import type { Invites } from './invites.ts'
import type { KeyRights, KeyView } from './key-rights.ts'

export interface Member extends Membership {
  readonly name: string | null
  readonly email: string
}

export interface ChangedMember extends Member {
  /** The API keys of the person whose rights changed with it. */
  readonly apiKeys: readonly KeyView[]
}

interface RoleChange {
  readonly userId: UserId
  readonly role: Role
}

export interface MembersDeps {
  readonly identity: Pick<Identity, 'scope'>
  readonly invites: Pick<Invites, 'endUnbacked'>
  readonly keyRights: Pick<KeyRights, 'before'>
  /** The person's sessions get new tokens at their next use. */
  readonly rotateSoon: (tx: Tx, userId: UserId) => void
}

export type Members = ReturnType<typeof createMembers>

export function createMembers(core: Core, deps: MembersDeps) {
  const { store } = core
  const writer = createMembershipWriter(core, deps)

  return {
    /** Newest account first. */
    list({ orgId }: OrgScope, { limit, after }: PageRequest): PageOf<Member> {
      const afterId = after === undefined ? undefined : asId('user', after)
      const found = store.memberships.list(orgId, limit + 1, afterId)
      const members = found.slice(0, limit)
      const items = members.map((membership) => memberOf(store, membership))
      if (found.length <= limit) return { items }
      return { items, nextAfter: required(members.at(-1), 'the last of a full page').userId }
    },
    ...createChanges(core, deps, writer),
    /** The former owner becomes an admin. Throws not_found, forbidden. */
    transfer: createTransfer(core, deps, writer),
  }
}

/** Each step reads its basis again in its transaction: two changes may run at once. */
function createMembershipWriter({ store }: Core, { invites, keyRights, ...deps }: MembersDeps) {
  /** Returns what became of the keys of the person. */
  function written(tx: Tx, scope: OrgScope, member: Membership, write: () => void) {
    const { orgId, userId } = member
    const settleKeys = keyRights.before(userId, [orgId])
    write()
    deps.rotateSoon(tx, userId)
    invites.endUnbacked(tx, scope)
    return settleKeys(tx, scope.caller)
  }

  return {
    found(orgId: OrgId, userId: UserId): Membership {
      const membership = store.memberships.get(orgId, userId)
      if (!membership) throw notFound('member')
      return membership
    },
    /** Sets the role and applies its consequences. */
    put(tx: Tx, scope: OrgScope, membership: Membership): ChangedMember {
      const apiKeys = written(tx, scope, membership, () => store.memberships.put(tx, membership))
      return { ...memberOf(store, membership), apiKeys }
    },
    /** Ends the membership, with what follows from it. */
    remove(tx: Tx, scope: OrgScope, member: Member): ChangedMember {
      const apiKeys = written(tx, scope, member, () => store.memberships.remove(tx, member))
      return { ...member, apiKeys }
    },
  }
}

type MembershipWriter = ReturnType<typeof createMembershipWriter>

function createChanges(core: Core, deps: MembersDeps, writer: MembershipWriter) {
  const { store, clock, audit } = core
  const { identity } = deps
  const { found, put } = writer

  return {
    /**
     * You cannot grant a role above your own, or change a member above you. Throws not_found,
     * forbidden, last_owner.
     */
    change: (scope: OrgScope, { userId, role }: RoleChange) =>
      store.write((tx) => {
        const now = identity.scope(scope.caller, scope.orgId, 'admin')
        const before = found(now.orgId, userId)
        const problem = roleChangeProblem(now.role, before.role, role)
        if (problem) throw new Fault('forbidden', problem)
        if (before.role === role) return { ...memberOf(store, before), apiKeys: [] }
        if (role !== 'owner') mustNotBeLastOwner(store, before)
        const changed = put(tx, now, { ...before, role })
        const detail = `${before.role} to ${role}`
        audit.note(tx, now, {
          action: 'member.role_changed',
          objectId: userId,
          fields: ['role'],
          detail,
        })
        return changed
      }),

    /**
     * The caller's own, or another's with the role admin and a recent sign-in. The person's open
     * invitations end, and so do their API keys, which an owner may adopt before or after. Throws
     * not_found, forbidden, reauthentication_required, last_owner.
     */
    remove: (scope: OrgScope, userId: UserId) =>
      store.write((tx) => {
        const { principal } = scope.caller
        const isSelf = principal.kind === 'session' && principal.userId === userId
        const now = identity.scope(scope.caller, scope.orgId, isSelf ? 'viewer' : 'admin')
        if (!isSelf) needRecentSignIn(principal, clock.nowMs())
        const member = memberOf(store, found(now.orgId, userId))
        const problem = isSelf ? undefined : roleChangeProblem(now.role, member.role, 'viewer')
        if (problem) throw new Fault('forbidden', problem)
        mustNotBeLastOwner(store, member)
        const removed = writer.remove(tx, now, member)
        const action = isSelf ? 'member.left' : 'member.removed'
        audit.note(tx, now, { action, objectId: userId, detail: member.role })
        return removed
      }),
  }
}

function createTransfer(core: Core, deps: MembersDeps, { found, put }: MembershipWriter) {
  const { store, audit } = core
  const { identity } = deps

  return (scope: OrgScope, userId: UserId) =>
    store.write((tx) => {
      const now = identity.scope(scope.caller, scope.orgId, 'owner')
      const { principal } = now.caller
      if (principal.kind !== 'session') {
        throw new Fault('forbidden', 'Handing over an organization requires a session.')
      }
      if (principal.userId === userId) {
        throw invalidField('/userId', 'const', 'must be another member')
      }
      const target = found(now.orgId, userId)
      if (store.users.get(userId)?.isDisabled !== false) {
        throw new Fault('conflict', 'This account is switched off and cannot become the owner.')
      }
      const owner: Membership = { ...target, role: 'owner' }
      const changed = put(tx, now, owner)
      put(tx, now, { ...found(now.orgId, principal.userId), role: 'admin' })
      audit.note(tx, now, { action: 'organization.transferred', objectId: userId })
      return changed
    })
}

/** A switched-off owner cannot act, so it does not count as a remaining owner. */
export function hasOtherOwner(store: Store, orgId: OrgId, userId: UserId): boolean {
  return activeOwners(store, orgId).some(({ id }) => id !== userId)
}

function mustNotBeLastOwner(store: Store, { orgId, userId, role }: Membership): void {
  if (role !== 'owner' || hasOtherOwner(store, orgId, userId)) return
  throw new Fault('last_owner', 'This is the last owner; make somebody else an owner first.')
}

function memberOf(store: Store, membership: Membership): Member {
  // An unreadable account must not hide the others, nor keep a member in the organization.
  const user = store.users.readable(membership.userId)
  return { ...membership, name: user?.name ?? null, email: user?.email ?? '' }
}
