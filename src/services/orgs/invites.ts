// Invitations: created by members who may grant the role, mailed, and accepted once.
import { required } from '../../base/assert.ts'
import { Fault, invalidField, notFound } from '../../base/fault.ts'
import { asId, type InviteId, newId, type OrgId } from '../../base/ids.ts'
import type { Role } from '../../domain/access.ts'
import { localeOf } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Invite } from '../../domain/orgs/invite.ts'
import { mayGrant } from '../../domain/orgs/member.ts'
import type { Organization } from '../../domain/orgs/org.ts'
import { normalizedEmail, type User } from '../../domain/people/person.ts'
import { invitationLetter } from '../../mail/letters/invitation.ts'
import { hashToken, isLinkTokenShaped, mintLinkToken } from '../../seal/tokens.ts'
import type { Tx } from '../../store/engine/write.ts'
import {
  type Caller,
  type OrgScope,
  type PageOf,
  type PageRequest,
  pageOf,
  type SignedInCaller,
} from '../context.ts'
import type { Core } from '../core.ts'
import type { Identity } from '../identity.ts'
import type { Throttles } from '../throttles.ts'
import type { OwnOrganization } from './orgs.ts'

interface NewInvite {
  readonly email: string
  readonly role?: Role | undefined
}

/** The invitation and its token, which otherwise exists only in the letter. */
interface CreatedInvite extends Invite {
  readonly token: string
  readonly url: string
}

interface ShownInvite {
  readonly invite: Invite
  readonly organization: Organization
}

export interface InvitesDeps {
  readonly identity: Pick<Identity, 'scope'>
  readonly throttles: Pick<Throttles, 'take'>
  readonly inviteUrl: (token: string) => string
}

export type Invites = ReturnType<typeof createInvites>

export function createInvites(core: Core, deps: InvitesDeps) {
  const { store, clock, audit } = core
  const checks = createInviteChecks(core)

  return {
    /**
     * Replaces an open one for the same address. Throws forbidden for a role above the caller's own
     * and for API keys, already_member, conflict (quota), rate_limited.
     */
    create: createInviting(core, deps, checks),
    /** The open ones, newest first. */
    list({ orgId }: OrgScope, { limit, after }: PageRequest): PageOf<Invite> {
      const afterId = after === undefined ? undefined : asId('invite', after)
      const found = store.invites.list(orgId, afterId).filter(checks.isOpen)
      return pageOf(found, limit)
    },
    /** Throws not_found. */
    revoke(scope: OrgScope, inviteId: InviteId): Promise<Invite> {
      return store.write((tx) => {
        const { orgId } = deps.identity.scope(scope.caller, scope.orgId, 'admin')
        const invite = store.invites.get(orgId, inviteId)
        if (!invite) throw notFound('invitation')
        store.invites.remove(tx, invite)
        audit.note(tx, scope, { action: 'invite.revoked', objectId: invite.id })
        return invite
      })
    },
    /** Throws link_expired for every token that does not work, in the same words. */
    look: checks.look,
    ...createAdmission(core, deps, checks),
    /** Whether the token invites this address. */
    isInvited(token: string, email: string): boolean {
      const invite = checks.find(token)?.invite
      return invite !== undefined && isFor(invite, email)
    },
    /** Ends the invitations of an organization whose inviter may no longer grant their role. */
    endUnbacked: checks.tidy,
    /** Deletes ended invitations, at most `limit`; returns how many. */
    sweep: (limit: number) =>
      store.write((tx) => store.invites.removeExpired(tx, clock.nowMs(), limit)),
  }
}

type InviteChecks = ReturnType<typeof createInviteChecks>

function createInviteChecks({ store, clock, audit }: Core) {
  const isInTime = ({ expiresAtMs }: Invite) => clock.nowMs() < expiresAtMs

  function isBacked({ orgId, invitedBy, role }: Invite): boolean {
    const inviterRole = store.memberships.get(orgId, invitedBy)?.role
    const inviter = store.users.get(invitedBy)
    return inviterRole !== undefined && mayGrant(inviterRole, role) && inviter?.isDisabled === false
  }

  /** What the inviter may grant is unknown. */
  const isOfDamaged = ({ orgId, invitedBy }: Invite) =>
    store.memberships.isDamaged(orgId, invitedBy) || store.users.isDamaged(invitedBy)

  const isOpen = (invite: Invite) => isInTime(invite) && isBacked(invite)

  function find(token: string): ShownInvite | undefined {
    const invite = isLinkTokenShaped(token)
      ? store.invites.findByToken(hashToken(token))
      : undefined
    if (!invite || !isOpen(invite)) return undefined
    const organization = store.orgs.get(invite.orgId)
    return organization && !organization.isDisabled ? { invite, organization } : undefined
  }

  return {
    isOpen,
    find,
    look(token: string): ShownInvite {
      const found = find(token)
      if (found) return found
      const detail = 'This invitation was used, withdrawn or replaced, or it has expired.'
      throw new Fault('link_expired', detail)
    },
    /** Deletes invalid invitations, and records the ones that ended early. */
    tidy(tx: Tx, scope: OrgScope): void {
      for (const invite of store.invites.list(scope.orgId)) {
        if (isOfDamaged(invite) || isOpen(invite)) continue
        store.invites.remove(tx, invite)
        if (!isInTime(invite)) continue
        audit.note(tx, scope, { action: 'invite.ended', objectId: invite.id })
      }
    },
  }
}

const inviteMs = 7 * 86_400_000

function createInviting(core: Core, deps: InvitesDeps, checks: InviteChecks) {
  const { store, clock, audit, quotas, mailer } = core
  const { identity } = deps

  function mustBeAllowed({ role: inviterRole, orgId }: OrgScope, email: string, role: Role): void {
    if (!mayGrant(inviterRole, role)) {
      throw new Fault(
        'forbidden',
        `You cannot grant a role above your own, which is ${inviterRole}.`,
      )
    }
    // Only members are recognized, so that it does not reveal who has an account.
    const known = store.users.findByEmail(email)
    if (known && store.memberships.get(orgId, known.id)) {
      throw new Fault('already_member', 'The person with this address is already a member.')
    }
  }

  function write(tx: Tx, orgId: OrgId, inviter: User, made: CreatedInvite): void {
    const { token, url, ...invite } = made
    const { email, role, expiresAtMs } = invite
    store.invites.put(tx, invite)
    const organization = required(store.orgs.get(orgId), 'the organization of a scope')
    const letter = invitationLetter({
      organizationName: organization.name,
      inviterName: inviter.name,
      inviterEmail: inviter.email,
      role,
      url,
      expiresAtMs,
      language: localeOf(organization).language,
    })
    mailer.enqueue(tx, email, letter)
  }

  return async (
    scope: OrgScope,
    { email: typed, role = 'viewer' }: NewInvite,
  ): Promise<CreatedInvite> => {
    const { principal } = scope.caller
    if (principal.kind !== 'session') {
      throw new Fault('forbidden', 'Inviting requires a session, not an API key.')
    }
    const email = typed.trim()
    mustBeAllowed(scope, email, role)
    deps.throttles.take('invites', principal.userId)
    return store.write((tx) => {
      const now = identity.scope(scope.caller, scope.orgId, 'admin')
      mustBeAllowed(now, email, role)
      checks.tidy(tx, now)
      if (!store.invites.findByEmail(now.orgId, email)) {
        quotas.mustHaveRoom(now.orgId, 'invites', store.invites.list(now.orgId).length)
      }
      const token = mintLinkToken()
      const nowMs = clock.nowMs()
      const invite: CreatedInvite = {
        id: newId('invite', nowMs),
        orgId: now.orgId,
        email,
        role,
        token,
        url: deps.inviteUrl(token),
        tokenHash: hashToken(token),
        invitedBy: principal.userId,
        createdAtMs: nowMs,
        expiresAtMs: nowMs + inviteMs,
      }
      const inviter = required(store.users.get(principal.userId), 'the user of a session')
      write(tx, now.orgId, inviter, invite)
      audit.note(tx, now, { action: 'invite.created', objectId: invite.id, detail: role })
      return invite
    })
  }
}

function createAdmission(core: Core, _deps: InvitesDeps, checks: InviteChecks) {
  const { store, clock, audit, quotas } = core

  function admit(tx: Tx, caller: Caller, { id: userId }: User, shown: ShownInvite) {
    const { invite, organization } = shown
    const { orgId, role } = invite
    if (store.memberships.get(orgId, userId)) {
      throw new Fault('already_member', 'You are already a member of this organization.')
    }
    quotas.mustHaveRoom(orgId, 'members', store.memberships.count(orgId))
    if (store.memberships.countOfUser(userId) >= limits.organizationsPerUserMax) {
      const most = limits.organizationsPerUserMax
      throw new Fault('conflict', `You are in ${most} organizations, which is the maximum.`)
    }
    store.memberships.put(tx, { orgId, userId, role, joinedAtMs: clock.nowMs() })
    store.invites.remove(tx, invite)
    audit.noteIn(tx, orgId, caller, {
      action: 'invite.accepted',
      objectId: invite.id,
      detail: `${userId} as ${role}`,
    })
    return { ...organization, role }
  }

  return {
    /**
     * Throws link_expired, forbidden if the confirmed address is not the invited one,
     * already_member, conflict beyond a quota.
     */
    accept(caller: SignedInCaller, token: string): Promise<OwnOrganization> {
      return store.write((tx) => {
        const shown = checks.look(token)
        const user = store.users.get(caller.principal.userId)
        if (!user) throw new Fault('unauthenticated')
        const { email } = shown.invite
        if (!isFor(shown.invite, user.email)) {
          const detail = `This invitation is for ${email}; your address is ${user.email}.`
          throw new Fault('forbidden', detail)
        }
        if (user.emailVerifiedAtMs === null) {
          throw new Fault('forbidden', `Confirm your address ${user.email} first, then accept.`)
        }
        return admit(tx, caller, user, shown)
      })
    },
    /**
     * The token was read in the letter or came from the inviter, so the address stays unconfirmed.
     * Throws link_expired, validation_failed at /inviteToken for another address, conflict.
     */
    join(tx: Tx, caller: Caller, user: User, token: string): OwnOrganization {
      const shown = checks.look(token)
      if (!isFor(shown.invite, user.email)) {
        throw invalidField('/inviteToken', 'const', 'must be an invitation for this e-mail address')
      }
      return admit(tx, caller, user, shown)
    },
  }
}

function isFor({ email }: Invite, address: string): boolean {
  return normalizedEmail(email) === normalizedEmail(address)
}
