// What was last announced to each channel about an incident, by [org, incident, channel].
import type { ChannelId, DeliveryId, IncidentId, OrgId } from '../../../base/ids.ts'
import type { AnnouncedState } from '../../../domain/alerts/delivery.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export interface AnnouncementRecord {
  /** What the channel knows once every pending message has been delivered. */
  readonly announced: AnnouncedState
  /** What was delivered. If a message dies, `announced` falls back to this. */
  readonly delivered: AnnouncedState
  /** An opening that waits out the channel's delay and may still be withdrawn. */
  readonly delayedId: DeliveryId | null
}

/** The stored names are older and stay, so that an earlier daemon can read the data. */
interface StoredAnnouncement {
  readonly promised: AnnouncedState
  readonly heard: AnnouncedState
  readonly delayedId: DeliveryId | null
}

const nothing: StoredAnnouncement = { promised: 'none', heard: 'none', delayedId: null }

export function openAnnouncements(env: Env) {
  const table = openTable<StoredAnnouncement>(env, { name: 'told' })

  return {
    get(orgId: OrgId, incidentId: IncidentId, channelId: ChannelId): AnnouncementRecord {
      const { promised, heard, delayedId } =
        table.readable([orgId, incidentId, channelId]) ?? nothing
      return { announced: promised, delivered: heard, delayedId }
    },

    has: (orgId: OrgId, incidentId: IncidentId, channelId: ChannelId): boolean =>
      table.has([orgId, incidentId, channelId]),

    /** The channels that know of an incident, or will. */
    channelIds: (orgId: OrgId, incidentId: IncidentId): ChannelId[] =>
      table
        // Some of them may have been deleted since.
        .keys({ prefix: [orgId, incidentId], limit: limits.quotaMax })
        .map((key) => key[2] as ChannelId),

    put(
      tx: Tx,
      orgId: OrgId,
      incidentId: IncidentId,
      channelId: ChannelId,
      { announced: promised, delivered: heard, delayedId }: AnnouncementRecord,
    ): void {
      table.put(tx, [orgId, incidentId, channelId], { promised, heard, delayedId })
    },

    removeIncident(tx: Tx, orgId: OrgId, incidentId: IncidentId): void {
      table.removeAll(tx, [orgId, incidentId], limits.quotaMax)
    },

    /** Deletes the announcements of a whole organization, at most `limit` at once; returns how many. */
    forget: (tx: Tx, orgId: OrgId, limit: number) => table.removeAll(tx, [orgId], limit),
  }
}
