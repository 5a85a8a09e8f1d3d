// The health of alert channels by [org, channel]. Apart from the channels, because a failure is no
// change that a person made: it must not make a person's change come too late.
import type { ChannelId, OrgId } from '../../../base/ids.ts'
import { type ChannelHealth, unused } from '../../../domain/alerts/channel-health.ts'
import type { Env } from '../../engine/env.ts'
import type { Signals } from '../../engine/signals.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

export interface ChannelHealthEntry {
  readonly orgId: OrgId
  readonly channelId: ChannelId
  readonly health: ChannelHealth
}

export function openChannelHealth(env: Env, { channelsChanged }: Signals) {
  const table = openTable<ChannelHealth>(env, { name: 'channelHealth' })
  return {
    /** A damaged record is as none: the next attempt makes a new one. */
    get(orgId: OrgId, channelId: ChannelId): ChannelHealth {
      return { ...unused, ...table.readable([orgId, channelId]) }
    },
    put(tx: Tx, orgId: OrgId, channelId: ChannelId, health: ChannelHealth): void {
      table.put(tx, [orgId, channelId], health)
      channelsChanged.raise(tx, orgId)
    },
    remove(tx: Tx, orgId: OrgId, channelId: ChannelId): void {
      table.remove(tx, [orgId, channelId])
    },
    /**
     * The health of the channels of all organizations, in slices; `after` is the last of the previous
     * slice.
     */
    slice(limit: number, after?: ChannelHealthEntry): ChannelHealthEntry[] {
      const from = after && [after.orgId, after.channelId]
      return table.entries({ prefix: [], limit, after: from }).map(({ key, record }) => {
        const [orgId, channelId] = key as [OrgId, ChannelId]
        return { orgId, channelId, health: { ...unused, ...record } }
      })
    },
    /** Deletes the records of a whole organization, at most `limit` at once; returns how many. */
    forget: (tx: Tx, orgId: OrgId, limit: number) => table.removeAll(tx, [orgId], limit),
  }
}
