// Memberships by [org, user], and by [user, org] for the organizations of a person.
import type { OrgId, UserId } from '../../../base/ids.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Membership } from '../../../domain/people/person.ts'
import type { Env } from '../../engine/env.ts'
import type { Signals } from '../../engine/signals.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export function openMemberships(env: Env, { accessLost }: Signals) {
  const memberships = openTable<Membership>(env, { name: 'memberships' })
  const byUser = openTable<{ readonly orgId: OrgId }>(env, { name: 'userOrgs' })

  function remove(tx: Tx, { orgId, userId }: Pick<Membership, 'orgId' | 'userId'>): void {
    byUser.remove(tx, [userId, orgId])
    memberships.remove(tx, [orgId, userId])
    accessLost.raise(tx)
  }

  return {
    get: (orgId: OrgId, userId: UserId) => memberships.recall([orgId, userId]),

    readable: (orgId: OrgId, userId: UserId) => memberships.recallReadable([orgId, userId]),

    isDamaged: (orgId: OrgId, userId: UserId) => memberships.isDamaged([orgId, userId]),

    has: (orgId: OrgId, userId: UserId) => memberships.has([orgId, userId]),

    /** Newest organization first; `after` is the last one of the previous page. */
    listOfUser: (userId: UserId, limit: number, after?: OrgId): Membership[] =>
      byUser
        .range({ prefix: [userId], reverse: true, limit, after })
        .flatMap(({ orgId }) => memberships.readable([orgId, userId]) ?? []),

    /** The organizations of a person, also where the membership is damaged. */
    orgIdsOfUser: (userId: UserId, limit: number): OrgId[] =>
      byUser.keys({ prefix: [userId], reverse: true, limit }).map((key) => key[1] as OrgId),

    /** Newest account first; `after` is the last one of the previous page. */
    list: (orgId: OrgId, limit: number, after?: UserId): Membership[] =>
      memberships.range({ prefix: [orgId], reverse: true, limit, after }),

    count: (orgId: OrgId) => memberships.count([orgId], limits.quotaMax),

    countOfUser: (userId: UserId) =>
      byUser.keys({ prefix: [userId], limit: limits.organizationsPerUserMax }).length,

    put(tx: Tx, membership: Membership): void {
      const { orgId, userId } = membership
      byUser.put(tx, [userId, orgId], { orgId })
      // Another role may be a lower one.
      if (memberships.has([orgId, userId])) accessLost.raise(tx)
      memberships.put(tx, [orgId, userId], membership)
    },

    remove,

    /** Deletes the memberships of a whole organization, also damaged ones. */
    forget(tx: Tx, orgId: OrgId): void {
      for (const key of memberships.keys({ prefix: [orgId], limit: limits.quotaMax })) {
        remove(tx, { orgId, userId: key[1] as UserId })
      }
    },
  }
}
