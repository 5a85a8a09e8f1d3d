// Subscribers by [org, page, subscriber], with indexes by state, by address, and of the ones that have
// not confirmed.
import type { OrgId, PageId, SubscriberId } from '../../../base/ids.ts'
import type {
  Subscriber,
  SubscriberCounts,
  SubscriberState,
} from '../../../domain/subscribers/subscriber.ts'
import type { Env } from '../../engine/env.ts'
import { namedRecords } from '../../engine/named-records.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

const none: SubscriberCounts = { pending: 0, active: 0, failed: 0 }

export function openSubscribers(env: Env) {
  const subscribers = openTable<Subscriber>(env, { name: 'subscribers', added: { consent: null } })
  const states = openTable<null>(env, { name: 'subscriberStates' })
  const marks = openTable<SubscriberId>(env, { name: 'subscriberMarks' })
  const pending = openTable<null>(env, { name: 'pendingSubscribers' })
  /** Every change of an incident asks whether there are any. */
  let counts: Map<OrgId, Map<PageId, SubscriberCounts>> | undefined

  function known(): Map<OrgId, Map<PageId, SubscriberCounts>> {
    if (counts) return counts
    counts = new Map()
    for (const key of states.keys({ prefix: [], limit: Number.MAX_SAFE_INTEGER })) {
      const [orgId, pageId, state] = key as [OrgId, PageId, SubscriberState]
      add(orgId, pageId, state, 1)
    }
    return counts
  }

  function add(orgId: OrgId, pageId: PageId, state: SubscriberState, more: number): void {
    const ofOrg = known().get(orgId) ?? new Map<PageId, SubscriberCounts>()
    const before = ofOrg.get(pageId) ?? none
    const after = { ...before, [state]: before[state] + more }
    if (after.pending + after.active + after.failed > 0) ofOrg.set(pageId, after)
    else ofOrg.delete(pageId)
    if (ofOrg.size > 0) known().set(orgId, ofOrg)
    else known().delete(orgId)
  }

  type Counted = Pick<Subscriber, 'orgId' | 'pageId' | 'state'>

  /** Counts a subscriber before the change, because a first count must not include it yet. */
  function count(tx: Tx, { orgId, pageId, state }: Counted, more: number): void {
    known()
    tx.afterCommit(() => add(orgId, pageId, state, more))
  }

  function unlink(tx: Tx, before: Subscriber): void {
    const { orgId, pageId, id, state, askedAtMs, mark } = before
    count(tx, before, -1)
    states.remove(tx, [orgId, pageId, state, id])
    marks.remove(tx, [pageId, mark])
    if (state === 'pending') pending.remove(tx, [askedAtMs, orgId, pageId, id])
  }

  function remove(tx: Tx, before: Subscriber): void {
    unlink(tx, before)
    subscribers.remove(tx, [before.orgId, before.pageId, before.id])
  }

  /** The indexes of a damaged record are found by reading them. */
  function removeKey(tx: Tx, [orgId, pageId, id]: readonly [OrgId, PageId, SubscriberId]): void {
    const record = subscribers.readable([orgId, pageId, id])
    if (record) {
      remove(tx, record)
      return
    }
    subscribers.remove(tx, [orgId, pageId, id])
    const every = { limit: Number.MAX_SAFE_INTEGER }
    for (const { key, record: markedId } of marks.entries({ prefix: [pageId], ...every })) {
      if (markedId === id) marks.remove(tx, key)
    }
    for (const state of ['pending', 'active', 'failed'] as const) {
      if (states.has([orgId, pageId, state, id])) {
        count(tx, { orgId, pageId, state }, -1)
        states.remove(tx, [orgId, pageId, state, id])
      }
    }
    for (const key of pending.keys({ prefix: [], ...every })) {
      if (key[3] === id) pending.remove(tx, key)
    }
  }

  const keyed = (key: readonly (string | number)[]) =>
    key as unknown as readonly [OrgId, PageId, SubscriberId]

  function removeSome(tx: Tx, prefix: readonly string[], limit: number): number {
    const keys = subscribers.keys({ prefix: [...prefix], limit })
    for (const key of keys) removeKey(tx, keyed(key))
    return keys.length
  }

  return {
    get: (orgId: OrgId, pageId: PageId, id: SubscriberId) => subscribers.get([orgId, pageId, id]),

    readable: (orgId: OrgId, pageId: PageId, id: SubscriberId) =>
      subscribers.readable([orgId, pageId, id]),

    isDamaged: (orgId: OrgId, pageId: PageId, id: SubscriberId) =>
      subscribers.isDamaged([orgId, pageId, id]),

    /** The subscriber of a page with this address. */
    findByMark(orgId: OrgId, pageId: PageId, mark: string): Subscriber | undefined {
      const id = marks.readable([pageId, mark])
      return id && subscribers.readable([orgId, pageId, id])
    },

    /** Newest first; `after` is the last id of the previous page. */
    list: (orgId: OrgId, pageId: PageId, limit: number, after?: SubscriberId): Subscriber[] =>
      subscribers.range({ prefix: [orgId, pageId], reverse: true, limit, after }),

    /** All subscribers, in slices. */
    slice: (limit: number, after?: Subscriber): Subscriber[] =>
      subscribers.range({
        prefix: [],
        limit,
        after: after && [after.orgId, after.pageId, after.id],
      }),

    /** The subscribers in a state, newest first; `after` is the last id of the previous page. */
    listIn(
      { orgId, pageId }: Pick<Subscriber, 'orgId' | 'pageId'>,
      state: SubscriberState,
      { limit, after }: { readonly limit: number; readonly after?: SubscriberId | undefined },
    ): Subscriber[] {
      const range = { prefix: [orgId, pageId, state], reverse: true, limit, after }
      return namedRecords(states, range, ([, , , id = '']) =>
        subscribers.readable([orgId, pageId, id]),
      )
    },

    /** The ids of the active ones after `after`, oldest first. */
    activeIds: (orgId: OrgId, pageId: PageId, limit: number, after?: SubscriberId) =>
      states
        .keys({ prefix: [orgId, pageId, 'active'], limit, after })
        .map((key) => key[3] as SubscriberId),

    /** Counts all of them now, so that no change has to wait for it. */
    load: () => void known(),

    /** The numbers of a page; from memory. */
    counts: (orgId: OrgId, pageId: PageId): SubscriberCounts =>
      known().get(orgId)?.get(pageId) ?? none,

    /** The number of an organization's subscribers; from memory. */
    count(orgId: OrgId): number {
      let total = 0
      for (const { pending, active, failed } of known().get(orgId)?.values() ?? []) {
        total += pending + active + failed
      }
      return total
    },

    /** The pages of an organization that have active subscribers; from memory. */
    pagesWithActive: (orgId: OrgId): PageId[] =>
      [...(known().get(orgId) ?? [])].flatMap(([pageId, { active }]) => (active > 0 ? pageId : [])),

    /** Whether the organization has an active subscriber; from memory. */
    hasActive(orgId: OrgId): boolean {
      for (const { active } of known().get(orgId)?.values() ?? []) if (active > 0) return true
      return false
    },

    put(tx: Tx, subscriber: Subscriber): void {
      const { orgId, pageId, id, state, askedAtMs, mark } = subscriber
      const before = subscribers.readable([orgId, pageId, id])
      if (before) unlink(tx, before)
      count(tx, subscriber, 1)
      states.put(tx, [orgId, pageId, state, id], null)
      marks.put(tx, [pageId, mark], id)
      if (state === 'pending') pending.put(tx, [askedAtMs, orgId, pageId, id], null)
      subscribers.put(tx, [orgId, pageId, id], subscriber)
    },

    remove,

    /** Deletes a damaged one. */
    discard: (tx: Tx, orgId: OrgId, pageId: PageId, id: SubscriberId) =>
      removeKey(tx, [orgId, pageId, id]),

    /** Deletes at most `limit` that were asked to confirm before `beforeMs` and have not. */
    trimPending(tx: Tx, beforeMs: number, limit: number): number {
      const old = pending.keys({ prefix: [], until: beforeMs - 1, limit })
      for (const key of old) {
        pending.remove(tx, key)
        removeKey(tx, keyed(key.slice(1)))
      }
      return old.length
    },

    /** Deletes the subscribers of a page, at most `limit` at once; returns how many. */
    forgetPage: (tx: Tx, orgId: OrgId, pageId: PageId, limit: number): number =>
      removeSome(tx, [orgId, pageId], limit),

    /** Deletes the subscribers of a whole organization, at most `limit` at once; returns how many. */
    forget: (tx: Tx, orgId: OrgId, limit: number): number => removeSome(tx, [orgId], limit),
  }
}
