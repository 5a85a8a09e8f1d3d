// Subscriptions that ended, by [org, hash of the address, page]: no import brings them back.
import type { OrgId, PageId } from '../../../base/ids.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

interface EndedSubscription {
  readonly endedAtMs: number
}

/** Pages of one address that are looked at: an organization has about as many. */
const endedPagesMax = 200
/** How many an organization keeps; with one more, some other is forgotten. */
const endedSubscriptionsMax = 200_000

export function openEndedSubscriptions(env: Env) {
  const ended = openTable<EndedSubscription>(env, { name: 'endedSubscriptions' })
  return {
    /** The pages that the address, by its `endedMark`, has left, with the time. */
    of: (orgId: OrgId, mark: string): readonly (readonly [PageId, number])[] =>
      ended
        .entries({ prefix: [orgId, mark], limit: endedPagesMax })
        .map(({ key, record }) => [key[2] as PageId, record.endedAtMs] as const),

    put(tx: Tx, orgId: OrgId, mark: string, pageId: PageId, endedAtMs: number): void {
      if (ended.count([orgId], endedSubscriptionsMax) >= endedSubscriptionsMax) {
        // Hashes have no order that means anything.
        const [first] = ended.keys({ prefix: [orgId], limit: 1 })
        if (first) ended.remove(tx, first)
      }
      ended.put(tx, [orgId, mark, pageId], { endedAtMs })
    },

    remove: (tx: Tx, orgId: OrgId, mark: string, pageId: PageId) =>
      ended.remove(tx, [orgId, mark, pageId]),

    /** Deletes those of a whole organization, at most `limit` at once; returns how many. */
    forget: (tx: Tx, orgId: OrgId, limit: number) => ended.removeAll(tx, [orgId], limit),
  }
}
