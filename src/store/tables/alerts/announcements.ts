// What was last announced to each channel about an incident, by [org, incident, channel].
import type { ChannelId, DeliveryId, IncidentId, OrgId } from '../../../base/ids.ts'
import type { Told } from '../../../domain/alerts/delivery.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Env } from '../../engine/env.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export interface ToldRecord {
  /** What the channel knows once every pending message has been delivered. */
  readonly promised: Told
  /** What was delivered. If a message dies, `promised` falls back to this. */
  readonly heard: Told
  /** An opening that waits out the channel's delay and may still be withdrawn. */
  readonly delayedId: DeliveryId | null
}

const nothing: ToldRecord = { promised: 'none', heard: 'none', delayedId: null }

export function openTold(env: Env) {
  const told = openTable<ToldRecord>(env, { name: 'told', version: 1 })

  return {
    get: (orgId: OrgId, incidentId: IncidentId, channelId: ChannelId): ToldRecord =>
      told.get([orgId, incidentId, channelId]) ?? nothing,

    /** The channels that know of an incident, or will. */
    channelIds: (orgId: OrgId, incidentId: IncidentId): ChannelId[] =>
      told
        // Some of them may have been deleted since.
        .keys({ prefix: [orgId, incidentId], limit: limits.quotaMax })
        .map((key) => key[2] as ChannelId),

    put(
      tx: Tx,
      orgId: OrgId,
      incidentId: IncidentId,
      channelId: ChannelId,
      record: ToldRecord,
    ): void {
      told.put(tx, [orgId, incidentId, channelId], record)
    },

    remove(tx: Tx, orgId: OrgId, incidentId: IncidentId, channelId: ChannelId): void {
      told.remove(tx, [orgId, incidentId, channelId])
    },

    /** Deletes those of a whole organization, at most `limit` at once; returns how many. */
    forget(tx: Tx, orgId: OrgId, limit: number): number {
      const keys = told.keys({ prefix: [orgId], limit })
      for (const key of keys) told.remove(tx, key)
      return keys.length
    },
  }
}
