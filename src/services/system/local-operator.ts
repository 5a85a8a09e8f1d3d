// What the operator may do on the machine itself and nobody by the API: accounts without an
// invitation, organizations and memberships of others.
import { Fault, notFound } from '../../base/fault.ts'
import type { OrgId, UserId } from '../../base/ids.ts'
import type { Role } from '../../domain/access.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { User } from '../../domain/people/person.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Caller, OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import type { Member, Members } from '../orgs/members.ts'
import { foundOrg, type OwnOrganization } from '../orgs/orgs.ts'
import type { Accounts, CreatedAccount } from '../people/accounts.ts'
import type { OwnPassword } from '../sign-in/own-password.ts'
import type { SetupToken } from '../sign-in/setup.ts'

export interface LocalAccount {
  readonly email: string
  readonly name?: string | undefined
  readonly isSystemAdmin: boolean
  /** The name of an organization of their own. */
  readonly organizationName?: string | undefined
  /** Becomes a member there instead. */
  readonly joins?: { readonly scope: OrgScope; readonly role: Role } | undefined
}

export interface MadeAccount extends CreatedAccount {
  /** Where the person sets a password. */
  readonly url: string
}

export interface LocalOperatorDeps {
  readonly accounts: Accounts
  readonly members: Pick<Members, 'change'>
  readonly ownPassword: Pick<OwnPassword, 'issueIn'>
  readonly setupToken: Pick<SetupToken, 'spend'>
}

export function createLocalOperator(core: Core, deps: LocalOperatorDeps) {
  const { store, clock, audit, quotas } = core
  const { accounts } = deps

  function join(tx: Tx, { caller, orgId }: OrgScope, userId: UserId, role: Role): OwnOrganization {
    const organization = store.orgs.get(orgId)
    if (!organization) throw notFound('organization')
    quotas.mustHaveRoom(orgId, 'members', store.memberships.count(orgId))
    mustHaveRoom(userId)
    store.memberships.put(tx, { orgId, userId, role, joinedAtMs: clock.nowMs() })
    audit.noteIn(tx, orgId, caller, { action: 'member.added', objectId: userId, detail: role })
    return { ...organization, role }
  }

  function mustHaveRoom(userId: UserId): void {
    if (store.memberships.countOfUser(userId) < limits.organizationsPerUserMax) return
    const most = limits.organizationsPerUserMax
    throw new Fault('conflict', `This person is in ${most} organizations, which is the maximum.`)
  }

  return {
    /** Throws not_found. */
    userOf(email: string): User {
      const user = store.users.findByEmail(email)
      if (user) return user
      throw new Fault('not_found', `There is no account with the address ${email}.`)
    },

    /**
     * An account without a password, and the link that sets one. The first account of the service is
     * an administrator. Throws email_taken, storage_full, conflict (quota).
     */
    addUser(caller: Caller, { joins, ...input }: LocalAccount): Promise<MadeAccount> {
      return store.write((tx) => {
        const isSystemAdmin = input.isSystemAdmin || store.users.isEmpty()
        const made = accounts.make(tx, caller, {
          ...input,
          isSystemAdmin,
          emailVerifiedAtMs: null,
          passwordHash: null,
          ...(joins ? { join: (tx, { id }) => join(tx, joins.scope, id, joins.role) } : {}),
        })
        // The operator of the machine made an administrator, which is what the token was for.
        if (isSystemAdmin) deps.setupToken.spend(tx)
        return { ...made, url: deps.ownPassword.issueIn(tx, caller, made.user) }
      })
    },

    /** The person becomes its owner. Throws conflict. */
    createOrg(caller: Caller, name: string, owner: User): Promise<OwnOrganization> {
      return store.write((tx) => {
        mustHaveRoom(owner.id)
        const org = foundOrg(store, tx, { name }, owner.id, clock.nowMs())
        audit.noteIn(tx, org.id, caller, { action: 'organization.created', objectId: null })
        return { ...org, role: 'owner' }
      })
    },

    /** Makes somebody a member, or changes the role. Throws last_owner, conflict (quota). */
    async setMember(scope: OrgScope, user: User, role: Role): Promise<Member> {
      if (store.memberships.get(scope.orgId, user.id)) {
        return deps.members.change(scope, { userId: user.id, role })
      }
      await store.write((tx) => join(tx, scope, user.id, role))
      const { orgId } = scope
      const joinedAtMs = clock.nowMs()
      return { orgId, userId: user.id, role, joinedAtMs, name: user.name, email: user.email }
    },

    /** Who answers for a key: the named member, else an owner. Throws conflict, not_found. */
    keyHolder(orgId: OrgId, email: string | undefined): UserId {
      const user = email === undefined ? undefined : this.userOf(email)
      const holder = store.memberships
        .list(orgId, limits.quotaMax)
        .filter(({ userId }) => store.users.readable(userId)?.isDisabled === false)
        .find(({ userId, role }) => (user ? userId === user.id : role === 'owner'))
      if (holder) return holder.userId
      throw new Fault(
        'conflict',
        user
          ? `${user.email} is not a member of this organization, or is switched off.`
          : 'This organization has no owner who is not switched off: name a member.',
      )
    },
  }
}
