// Invitations by [org, invite], by [hash of the token], by [org, address], and by expiry.
import { hash } from 'node:crypto'
import type { InviteId, OrgId } from '../../../base/ids.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Invite } from '../../../domain/orgs/invite.ts'
import { normalizedEmail } from '../../../domain/people/person.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

interface InviteKey {
  readonly orgId: OrgId
  readonly inviteId: InviteId
}

export function openInvites(env: Env) {
  const invites = openTable<Invite>(env, { name: 'invites' })
  const byToken = openTable<InviteKey>(env, { name: 'inviteTokens' })
  const byEmail = openTable<InviteKey>(env, { name: 'inviteEmails' })
  const byExpiry = openTable<InviteKey>(env, { name: 'inviteExpiries' })

  const emailKey = ({ orgId, email }: Pick<Invite, 'orgId' | 'email'>) => [
    orgId,
    hash('sha256', normalizedEmail(email), 'base64url'),
  ]
  const expiryKey = ({ expiresAtMs, orgId, id }: Invite) => [expiresAtMs, orgId, id]
  const at = (place: InviteKey | undefined) => place && invites.get([place.orgId, place.inviteId])

  function remove(tx: Tx, invite: Invite): void {
    invites.remove(tx, [invite.orgId, invite.id])
    byToken.remove(tx, [invite.tokenHash])
    byExpiry.remove(tx, expiryKey(invite))
    const key = emailKey(invite)
    if (byEmail.readable(key)?.inviteId === invite.id) byEmail.remove(tx, key)
  }

  return {
    get: (orgId: OrgId, inviteId: InviteId) => invites.get([orgId, inviteId]),

    findByToken: (tokenHash: string) => at(byToken.get([tokenHash])),

    findByEmail: (orgId: OrgId, email: string) => at(byEmail.get(emailKey({ orgId, email }))),

    /** All of an organization, newest first; `after` is the last id of the previous page. */
    list: (orgId: OrgId, after?: InviteId): Invite[] =>
      invites.range({ prefix: [orgId], reverse: true, limit: limits.quotaMax, after }),

    /** Writes the invitation and replaces an older one for the same address. */
    put(tx: Tx, invite: Invite): void {
      const place = { orgId: invite.orgId, inviteId: invite.id }
      const former = byEmail.readable(emailKey(invite))
      const before = former && invites.readable([former.orgId, former.inviteId])
      if (before) remove(tx, before)
      invites.put(tx, [invite.orgId, invite.id], invite)
      byToken.put(tx, [invite.tokenHash], place)
      byEmail.put(tx, emailKey(invite), place)
      byExpiry.put(tx, expiryKey(invite), place)
    },

    remove,

    /**
     * Deletes the invitations of a whole organization. The look-ups of a damaged invitation stay, and
     * lead to nothing.
     */
    forget(tx: Tx, orgId: OrgId): void {
      for (const key of invites.keys({ prefix: [orgId], limit: limits.quotaMax })) {
        const invite = invites.readable(key)
        if (invite) remove(tx, invite)
        else invites.remove(tx, key)
      }
    },

    /** Deletes at most `limit` expired ones, the longest expired first; returns how many. */
    removeExpired(tx: Tx, nowMs: number, limit: number): number {
      const ended = byExpiry.entries({ prefix: [], until: nowMs, limit })
      for (const { key, record } of ended) {
        const invite = invites.readable([record.orgId, record.inviteId])
        if (invite) remove(tx, invite)
        else byExpiry.remove(tx, key)
      }
      return ended.length
    },
  }
}
