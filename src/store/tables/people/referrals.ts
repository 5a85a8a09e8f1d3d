// Referrals by [referrer, new user], the referrer of each new user, and codes by their hash.
import { hash } from 'node:crypto'
import type { UserId } from '../../../base/ids.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Referral, ReferralCodes } from '../../../domain/people/referral.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

/** Where a scan of open referrals continues. */
export type OpenReferral = Pick<Referral, 'referrerId' | 'userId'>

export function openReferrals(env: Env) {
  const referrals = openTable<Referral>(env, { name: 'referrals' })
  const referrers = openTable<{ readonly referrerId: UserId }>(env, { name: 'referrers' })
  const open = openTable<OpenReferral>(env, { name: 'openReferrals' })
  const codes = openTable<ReferralCodes>(env, { name: 'referralCodes' })
  const owners = openTable<{ readonly userId: UserId }>(env, { name: 'referralCodeOwners' })
  const codeKey = (code: string) => [hash('sha256', code, 'base64url')]
  const all = limits.referralsPerUserMax

  function remove(tx: Tx, { referrerId, userId }: OpenReferral): void {
    referrals.remove(tx, [referrerId, userId])
    open.remove(tx, [referrerId, userId])
    referrers.remove(tx, [userId])
  }

  return {
    /** Newest first. */
    list: (referrerId: UserId) =>
      referrals.range({ prefix: [referrerId], reverse: true, limit: all }),

    count: (referrerId: UserId) => referrals.count([referrerId], all),

    /** Whether a referrer was recorded for this user before. */
    hasReferrer: (userId: UserId) => referrers.has([userId]),

    put(tx: Tx, referral: Referral): void {
      const { referrerId, userId, activatedAtMs } = referral
      referrals.put(tx, [referrerId, userId], referral)
      referrers.put(tx, [userId], { referrerId })
      if (activatedAtMs === null) open.put(tx, [referrerId, userId], { referrerId, userId })
      else open.remove(tx, [referrerId, userId])
    },

    get: ({ referrerId, userId }: OpenReferral) => referrals.readable([referrerId, userId]),

    /** Referrals that are not active yet, in slices; `after` ends the previous slice. */
    openSlice: (limit: number, after?: OpenReferral) =>
      open.range({ prefix: [], limit, after: after && [after.referrerId, after.userId] }),

    codesOf: (userId: UserId) => codes.get([userId]),

    /** Who has, or had, a code that was chosen or generated. */
    ownerOf: (code: string) => owners.get(codeKey(code))?.userId,

    putCodes(tx: Tx, after: ReferralCodes): void {
      const { userId } = after
      const before = codes.get([userId])
      for (const code of before ? [before.code, ...before.retired] : []) {
        owners.remove(tx, codeKey(code))
      }
      for (const code of [after.code, ...after.retired]) owners.put(tx, codeKey(code), { userId })
      codes.put(tx, [userId], after)
    },

    /** Deletes a person's codes and all referrals by or of this person. */
    removeUser(tx: Tx, userId: UserId): void {
      const own = codes.readable([userId])
      for (const code of own ? [own.code, ...own.retired] : []) owners.remove(tx, codeKey(code))
      codes.remove(tx, [userId])
      for (const [, referred] of referrals.keys({ prefix: [userId], limit: all })) {
        remove(tx, { referrerId: userId, userId: referred as UserId })
      }
      const referrerId = referrers.readable([userId])?.referrerId
      if (referrerId) remove(tx, { referrerId, userId })
    },
  }
}
