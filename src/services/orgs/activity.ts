// What a member should know since the last look: incidents that opened and closed, what ends soon, channels
// that fail, messages that were given up, locations that are silent, invitations that wait, backups that
// failed. It is read from what is stored anyway; only the time of the last look is kept.
import { Fault } from '../../base/fault.ts'
import type { OrgId } from '../../base/ids.ts'
import { reaches } from '../../domain/access.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { limits } from '../../domain/limits/limits.ts'
import { sharedOwner } from '../../domain/locations/location.ts'
import type { Backups } from '../backups/backups.ts'
import type { OrgScope } from '../context.ts'
import type { Core } from '../core.ts'
import { createExpiries } from './expiries.ts'

export const activityKinds = [
  'incident.opened',
  'incident.resolved',
  'certificate.expiring',
  'domain.expiring',
  'channel.failing',
  'messages.undelivered',
  'location.silent',
  'invite.waiting',
  'backup.failed',
  'backup.uncopied',
] as const

export interface ActivityItem {
  readonly kind: (typeof activityKinds)[number]
  /** The incident, the monitor, the channel, the location or the invitation; null for what the installation does. */
  readonly objectId: string | null
  /** The title, the name, the address or the reason. */
  readonly title: string
  readonly atMs: number
  /** When the certificate or the domain ends. */
  readonly endsAtMs?: number
}

export interface Activity {
  /** Newest first. */
  readonly items: readonly ActivityItem[]
  /** How many of them came since the last look. */
  readonly unread: number
  /** The last look; before the first one, when the person joined. */
  readonly seenAtMs: number
}

export interface ActivityDeps {
  readonly backups: Pick<Backups, 'lastFailure'>
}

/** The incidents that are looked at, and the messages of a channel that were given up: the newest ones. */
const newestRead = 50

export function createActivity({ store, clock }: Core, { backups }: ActivityDeps) {
  const expiringIn = createExpiries({ store, clock })

  function membershipOf({ caller: { principal }, orgId }: OrgScope) {
    const found = principal.kind === 'session' && store.memberships.get(orgId, principal.userId)
    if (!found) throw new Fault('forbidden', 'Only a member who is signed in has this.')
    return found
  }

  async function expiriesOf(orgId: OrgId): Promise<ActivityItem[]> {
    return (await expiringIn(orgId)).map(({ kind, monitor, otherMonitors, ...at }) => ({
      kind,
      objectId: monitor.id,
      title: otherMonitors === 0 ? monitor.name : `${monitor.name} +${otherMonitors}`,
      atMs: at.warnedAtMs,
      endsAtMs: at.endsAtMs,
    }))
  }

  function* incidentsOf(orgId: OrgId): Generator<ActivityItem> {
    for (const incident of store.incidents.list(orgId, { limit: newestRead })) {
      if (incident.isShadow) continue
      const { id: objectId, title, confirmedAtMs, resolvedAtMs } = incident
      yield { kind: 'incident.opened', objectId, title, atMs: confirmedAtMs }
      if (resolvedAtMs !== null) {
        yield { kind: 'incident.resolved', objectId, title, atMs: resolvedAtMs }
      }
    }
  }

  /** A channel that fails since its message was given up is named once. */
  function* troublesOf({ orgId, id, name: title, isActive }: Channel): Generator<ActivityItem> {
    const sinceMs = store.channelHealth.get(orgId, id).failingSinceMs
    if (sinceMs !== null) yield { kind: 'channel.failing', objectId: id, title, atMs: sinceMs }
    if (!isActive) return
    const atMs = store.deliveries
      .list(orgId, id, { state: 'dead', limit: newestRead })
      .filter(({ event }) => event !== 'channel.test')
      .reduce((newest, { createdAtMs, lastAtMs }) => Math.max(newest, lastAtMs ?? createdAtMs), 0)
    if (atMs === 0 || atMs === sinceMs) return
    yield { kind: 'messages.undelivered', objectId: id, title, atMs }
  }

  function* invitesOf(orgId: OrgId): Generator<ActivityItem> {
    const nowMs = clock.nowMs()
    for (const invite of store.invites.list(orgId)) {
      const { id: objectId, email: title, createdAtMs: atMs, expiresAtMs } = invite
      if (nowMs < expiresAtMs) yield { kind: 'invite.waiting', objectId, title, atMs }
    }
  }

  function* silencesOf(owner: OrgId): Generator<ActivityItem> {
    for (const { locationId, toldAtMs: atMs } of store.probes.silences(owner)) {
      const title = store.locations.readable(owner, locationId)?.name ?? locationId
      yield { kind: 'location.silent', objectId: locationId, title, atMs }
    }
  }

  const isOperator = ({ caller: { principal } }: OrgScope): boolean =>
    principal.kind === 'session' && principal.isSystemAdmin

  function backupsOf(): ActivityItem[] {
    const failure = backups.lastFailure()
    if (!failure) return []
    const { isOfCopy, reason: title, sinceMs: atMs } = failure
    return [{ kind: isOfCopy ? 'backup.uncopied' : 'backup.failed', objectId: null, title, atMs }]
  }

  return {
    /** Throws forbidden for callers without a membership of their own. */
    async look(scope: OrgScope): Promise<Activity> {
      const { orgId, role } = scope
      const { joinedAtMs, seenAtMs = joinedAtMs } = membershipOf(scope)
      const found = [
        ...incidentsOf(orgId),
        ...(await expiriesOf(orgId)),
        ...store.channels.list(orgId, limits.quotaMax).flatMap((one) => [...troublesOf(one)]),
        ...(reaches(role, 'admin') ? [...invitesOf(orgId), ...silencesOf(orgId)] : []),
        ...(isOperator(scope) ? [...backupsOf(), ...silencesOf(sharedOwner)] : []),
      ]
      const items = found.sort((a, b) => b.atMs - a.atMs).slice(0, limits.activityItemsMax)
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
