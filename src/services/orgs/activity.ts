// What a member should know since the last look: incidents that opened and closed, channels that fail,
// invitations that wait. It is read from what is stored anyway; only the time of the last look is kept.
import { Fault } from '../../base/fault.ts'
import { reaches } from '../../domain/access.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'

export const activityKinds = [
  'incident.opened',
  'incident.resolved',
  'channel.failing',
  'invite.waiting',
] as const

export interface ActivityItem {
  readonly kind: (typeof activityKinds)[number]
  /** The incident, the channel or the invitation. */
  readonly objectId: string
  /** The title, the name or the address. */
  readonly title: string
  readonly atMs: number
}

export interface Activity {
  /** Newest first. */
  readonly items: readonly ActivityItem[]
  /** How many of them came since the last look. */
  readonly unread: number
  /** The last look; before the first one, when the person joined. */
  readonly seenAtMs: number
}

/** The incidents that are looked at, the newest ones. */
const incidentsRead = 50

export function createActivity({ store, clock }: Core) {
  function membershipOf({ caller: { principal }, orgId }: OrgScope) {
    const found = principal.kind === 'session' && store.memberships.get(orgId, principal.userId)
    if (!found) throw new Fault('forbidden', 'Only a member who is signed in has this.')
    return found
  }

  function* itemsOf({ orgId, role }: OrgScope): Generator<ActivityItem> {
    for (const incident of store.incidents.list(orgId, { limit: incidentsRead })) {
      const { id: objectId, title, confirmedAtMs, resolvedAtMs } = incident
      yield { kind: 'incident.opened', objectId, title, atMs: confirmedAtMs }
      if (resolvedAtMs !== null) {
        yield { kind: 'incident.resolved', objectId, title, atMs: resolvedAtMs }
      }
    }
    for (const { id: objectId, name: title } of store.channels.list(orgId, limits.quotaMax)) {
      const atMs = store.channelHealth.get(orgId, objectId).failingSinceMs
      if (atMs !== null) yield { kind: 'channel.failing', objectId, title, atMs }
    }
    if (!reaches(role, 'admin')) return
    const nowMs = clock.nowMs()
    for (const { id: objectId, email: title, createdAtMs, expiresAtMs } of store.invites.list(
      orgId,
    )) {
      if (nowMs < expiresAtMs) {
        yield { kind: 'invite.waiting', objectId, title, atMs: createdAtMs }
      }
    }
  }

  return {
    /** Throws forbidden for callers without a membership of their own. */
    look(scope: OrgScope): Activity {
      const { joinedAtMs, seenAtMs = joinedAtMs } = membershipOf(scope)
      const items = [...itemsOf(scope)]
        .sort((a, b) => b.atMs - a.atMs)
        .slice(0, limits.activityItemsMax)
      return { items, unread: items.filter(({ atMs }) => atMs > seenAtMs).length, seenAtMs }
    },

    /** All of it counts as seen. */
    async see(scope: OrgScope): Promise<void> {
      await store.write((tx) => {
        store.memberships.put(tx, { ...membershipOf(scope), seenAtMs: clock.nowMs() })
      })
    },
  }
}
