// Alert channels by [org, channel]. An organization has few, so lists need no index.
import type { ChannelId, OrgId } from '../../../base/ids.ts'
import { type Channel, type ChannelEvent, channelEvents } from '../../../domain/alerts/channel.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { Env } from '../../engine/env.ts'
import { openRecords } from '../../engine/records.ts'
import type { Signals } from '../../engine/signals.ts'
import type { Tx } from '../../engine/write.ts'

/** What versions did not have yet, and what a channel that takes everything else is meant to get. */
const sloEvents = ['slo.at_risk', 'slo.exhausted'] as const
const laterEvents: readonly ChannelEvent[] = ['channel.failing', ...sloEvents]

/**
 * In version 1 every channel that got openings also got digests. Version 2 had neither tags nor quiet
 * hours, nor news of failing channels, and version 3 none of objectives.
 */
function upgrade(record: unknown, version: number): Channel {
  const channel: Channel = { tags: [], quietHours: null, ...(record as OldChannel) }
  const events = new Set(channel.events)
  if (version === 1 && events.has('incident.opened')) events.add('incident.digest')
  const isForAll = channelEvents.every((event) => laterEvents.includes(event) || events.has(event))
  const added = version < 3 ? laterEvents : sloEvents
  return { ...channel, events: isForAll ? [...new Set([...events, ...added])] : [...events] }
}

type OldChannel = Omit<Channel, 'tags' | 'quietHours'>

export function openChannels(env: Env, { channelsChanged }: Pick<Signals, 'channelsChanged'>) {
  const { table: channels, ...records } = openRecords<Channel>(env, {
    name: 'channels',
    version: 4,
    upgrade,
  })

  function remove(tx: Tx, place: Pick<Channel, 'orgId' | 'id'>): void {
    records.remove(tx, place)
    channelsChanged.raise(tx, place.orgId)
  }

  return {
    ...records,

    has: (orgId: OrgId, channelId: ChannelId) => channels.has([orgId, channelId]),

    /** The channels of every organization, for operations on all of them. */
    all: (limit: number) => channels.range({ prefix: [], limit }),

    /** The same in slices. */
    slice: (limit: number, after?: Channel) =>
      channels.range({ prefix: [], limit, after: after && [after.orgId, after.id] }),

    /** The number in all organizations, counted up to `limit`. */
    countAll: (limit: number) => channels.count([], limit),

    /** The channels for monitors without channels of their own. */
    defaults: (orgId: OrgId): Channel[] =>
      channels
        .range({ prefix: [orgId], limit: limits.quotaMax })
        .filter((channel) => channel.isDefault),

    put(tx: Tx, channel: Channel): void {
      records.put(tx, channel)
      channelsChanged.raise(tx, channel.orgId)
    },

    remove,

    discard: (tx: Tx, orgId: OrgId, id: ChannelId) => remove(tx, { orgId, id }),
  }
}
