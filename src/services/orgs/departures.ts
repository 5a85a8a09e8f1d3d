// Deletes an organization or a person immediately and permanently, with all their data.
import type { OrgSwitch } from '../../actors/org-switch.ts'
import { Fault, notFound } from '../../base/fault.ts'
import type { OrgId } from '../../base/ids.ts'
import { countedNouns } from '../../base/nouns.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Membership, User } from '../../domain/people/person.ts'
import type { Tx } from '../../store/engine/write.ts'
import { nounCounts, nounDeletions } from '../../store/nouns.ts'
import type { OrgScope, SignedInCaller } from '../context.ts'
import type { Core } from '../core.ts'
import type { Identity } from '../identity.ts'
import { mustBeAt } from '../revision.ts'
import type { Invites } from './invites.ts'
import type { KeyRights } from './key-rights.ts'
import { hasOtherOwner } from './members.ts'

export interface DeparturesDeps {
  readonly identity: Pick<Identity, 'scope'>
  readonly invites: Pick<Invites, 'endUnbacked'>
  readonly keyRights: Pick<KeyRights, 'before'>
  readonly orgSwitch: Pick<OrgSwitch, 'off'>
  /** Deletes everything that other services store about a person. */
  readonly forgetPerson: (tx: Tx, user: User) => void
}

export function createDepartures(core: Core, deps: DeparturesDeps) {
  return {
    /**
     * Resolves when nothing runs for it any more. Its records are deleted in slices afterwards,
     * even across restarts. No recovery is announced. Throws not_found, forbidden,
     * precondition_failed.
     */
    removeOrg: createOrgRemoval(core, deps),
    /**
     * Deletes the account and everything that belongs only to it. Throws conflict for the only owner
     * of an organization and for the last system administrator.
     */
    removeUser: createUserRemoval(core, deps),
  }
}

function createOrgRemoval(core: Core, deps: DeparturesDeps) {
  const { store, clock, audit } = core
  const { identity } = deps

  /** Deletes what leads to the organization from outside, and what could still act for it. */
  function cutOff(tx: Tx, orgId: OrgId, nowMs: number): string {
    const counts = countedNouns.map((name) => `${name} ${nounCounts[name](store, orgId)}`)
    for (const deletion of Object.values(nounDeletions)) {
      if ('atOnce' in deletion) deletion.atOnce(store, tx, orgId, nowMs)
    }
    store.meta.forgetNoticeChannels(tx, (channel) => channel.orgId === orgId)
    return counts.join(', ')
  }

  return async ({ caller, orgId }: OrgScope, expectedRevision?: number): Promise<void> => {
    const nowMs = clock.nowMs()
    await store.write((tx) => {
      identity.scope(caller, orgId, 'owner')
      // One whose own record is damaged has no revision, and can be deleted.
      if (expectedRevision !== undefined || !store.orgs.isDamaged(orgId)) {
        const org = store.orgs.get(orgId)
        if (!org) throw notFound('organization')
        mustBeAt(expectedRevision, org, 'The organization')
      }
      const detail = cutOff(tx, orgId, nowMs)
      store.orgs.remove(tx, orgId)
      store.tombstones.addOrg(tx, { orgId, deletedAtMs: nowMs })
      const note = { action: 'organization.deleted', objectId: orgId, detail } as const
      audit.noteIn(tx, 'system', caller, note)
    })
    await deps.orgSwitch.off(orgId)
  }
}

function createUserRemoval(core: Core, deps: DeparturesDeps) {
  const { store, audit } = core

  /** A switched-off owner cannot act, so it does not count as a remaining owner. */
  function mustBeDispensable(user: User, memberships: readonly Membership[]): void {
    if (user.isSystemAdmin && !store.users.hasOtherAdmin(user.id)) {
      throw new Fault('conflict', 'You are the last system administrator: appoint another first.')
    }
    const names = memberships
      .filter(({ orgId, role }) => role === 'owner' && !hasOtherOwner(store, orgId, user.id))
      .map(({ orgId }) => `${store.orgs.readable(orgId)?.name} (${orgId})`)
    if (names.length === 0) return
    const detail = `You are the only owner of ${names.join(', ')}: hand them over or delete them first.`
    throw new Fault('conflict', detail)
  }

  return async (caller: SignedInCaller): Promise<void> => {
    const { userId } = caller.principal
    await store.write((tx) => {
      const user = store.users.get(userId)
      if (!user) throw new Fault('unauthenticated')
      const memberships = store.memberships.listOfUser(userId, limits.quotaMax)
      mustBeDispensable(user, memberships)
      const roles = new Map(memberships.map(({ orgId, role }) => [orgId, role]))
      const orgIds = store.memberships.orgIdsOfUser(userId, limits.quotaMax)
      const settleKeys = deps.keyRights.before(userId, orgIds)
      for (const orgId of orgIds) {
        store.memberships.remove(tx, { orgId, userId })
        // What a damaged membership allowed is unknown.
        deps.invites.endUnbacked(tx, { caller, orgId, role: roles.get(orgId) ?? 'viewer' })
        const detail = 'deleted the account'
        audit.noteIn(tx, orgId, caller, { action: 'member.left', objectId: userId, detail })
      }
      deps.forgetPerson(tx, user)
      store.users.remove(tx, user)
      settleKeys(tx, caller)
      audit.noteIn(tx, 'system', caller, { action: 'user.deleted', objectId: userId })
    })
  }
}
