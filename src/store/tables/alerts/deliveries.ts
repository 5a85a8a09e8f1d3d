// Deliveries by [org, channel, delivery], with indexes by state and by the message they were merged
// into.
import { type ChannelId, type DeliveryId, lowestId, type OrgId } from '../../../base/ids.ts'
import {
  type Delivery,
  type DeliveryState,
  deliveryStates,
  nothingTried,
} from '../../../domain/alerts/delivery.ts'
import { limits } from '../../../domain/limits/limits.ts'
import type { TableKey } from '../../engine/damage.ts'
import type { Env } from '../../engine/env.ts'
import { namedRecords } from '../../engine/named-records.ts'
import type { RangeOptions } from '../../engine/ranges.ts'
import { openTable } from '../../engine/table.ts'
import type { Tx } from '../../engine/write.ts'

/** One channel of one organization: the key of a queue in the outbox. */
export interface ChannelKey {
  readonly orgId: OrgId
  readonly channelId: ChannelId
}

export interface DeliveryKey extends ChannelKey {
  readonly id: DeliveryId
}

export interface DeliveryFilter {
  readonly state?: DeliveryState
  readonly limit: number
  readonly after?: DeliveryId
}

/** Records of earlier versions lack fields. They are added here, so that nothing else must know. */
function openDeliveryRows(env: Env) {
  const table = openTable<Stored>(env, { name: 'deliveries' })
  const whole = (stored: Stored): Delivery => ({ ...nothingTried, ...stored })
  return {
    ...table,
    readable(key: TableKey): Delivery | undefined {
      const stored = table.readable(key)
      return stored && whole(stored)
    },
    recall(key: TableKey): Delivery | undefined {
      const stored = table.recallReadable(key)
      return stored && whole(stored)
    },
    range: (options: RangeOptions): Delivery[] => table.range(options).map(whole),
  }
}

type Stored = Omit<Delivery, keyof typeof nothingTried> & Partial<typeof nothingTried>

/** Finished deliveries removed in one transaction. */
const deliveriesTrimmedMax = 1_000

export function openDeliveries(env: Env) {
  const deliveries = openDeliveryRows(env)
  // The state comes first, so that a start finds pending deliveries without reading finished ones.
  const byState = openTable<1>(env, { name: 'deliveriesByState' })
  const byMerge = openTable<1>(env, { name: 'deliveriesByMerge' })

  const get = (orgId: OrgId, channelId: ChannelId, deliveryId: DeliveryId) =>
    deliveries.readable([orgId, channelId, deliveryId])

  const stateKey = (delivery: Delivery) => [
    delivery.state,
    delivery.orgId,
    delivery.channelId,
    delivery.id,
  ]

  function dropIndexes(tx: Tx, delivery: Delivery): void {
    const { orgId, channelId, id, mergedIntoId } = delivery
    byState.remove(tx, stateKey(delivery))
    if (mergedIntoId !== null) byMerge.remove(tx, [orgId, channelId, mergedIntoId, id])
  }

  function remove(tx: Tx, delivery: Delivery): void {
    dropIndexes(tx, delivery)
    deliveries.remove(tx, [delivery.orgId, delivery.channelId, delivery.id])
  }

  /** Deletes one that may be damaged: then its state is unknown. */
  function removeAt(tx: Tx, key: TableKey): void {
    const delivery = deliveries.readable(key)
    if (delivery) dropIndexes(tx, delivery)
    else for (const state of deliveryStates) byState.remove(tx, [state, ...key])
    deliveries.remove(tx, key)
  }

  const inState = (range: RangeOptions): Delivery[] =>
    namedRecords(byState, range, (key) =>
      range.recalls ? deliveries.recall(key.slice(1)) : deliveries.readable(key.slice(1)),
    )

  /** Ids sort by the time at which they were made. */
  function oldestOwedAtMs(orgId: OrgId, channelId: ChannelId): number | null {
    const [oldest] = inState({ prefix: ['pending', orgId, channelId], limit: 1 })
    return oldest?.createdAtMs ?? null
  }

  /** Every channel with pending deliveries. */
  function owedChannels(): ChannelKey[] {
    const found: ChannelKey[] = []
    let [key] = byState.keys({ prefix: ['pending'], limit: 1 })
    while (key) {
      const [, orgId, channelId] = key as ['pending', OrgId, ChannelId, DeliveryId]
      found.push({ orgId, channelId })
      // After every id of this channel: one read per channel, however many are pending.
      const after = [orgId, channelId, '\uffff']
      key = byState.keys({ prefix: ['pending'], after, limit: 1 })[0]
    }
    return found
  }

  return {
    get,
    remove,

    /**
     * The pending deliveries of a channel, oldest first. The few that each look at its queue reads are
     * recalled: in a storm a look follows on each commit.
     */
    pending: (orgId: OrgId, channelId: ChannelId, limit: number): Delivery[] =>
      inState({
        prefix: ['pending', orgId, channelId],
        limit,
        recalls: limit <= limits.deliveriesPerLookMax,
      }),

    /** The dead deliveries of a channel that were made at `sinceMs` or later, oldest first. */
    dead(orgId: OrgId, channelId: ChannelId, sinceMs: number, limit: number): Delivery[] {
      const found: Delivery[] = []
      let after: DeliveryId | undefined
      for (;;) {
        const keys = byState.keys({
          prefix: ['dead', orgId, channelId],
          limit: deliveriesTrimmedMax,
          after,
        })
        for (const key of keys) {
          after = key.at(-1) as DeliveryId
          const row = deliveries.readable(key.slice(1))
          if (row && row.createdAtMs >= sinceMs) found.push(row)
          if (found.length >= limit) return found
        }
        if (keys.length < deliveriesTrimmedMax) return found
      }
    },

    /** The number of pending deliveries of all channels. */
    countPending: (): number => byState.count(['pending'], Number.MAX_SAFE_INTEGER),

    /** The number of pending deliveries of one channel, counted up to `limit`. */
    countOwed: (orgId: OrgId, channelId: ChannelId, limit: number): number =>
      byState.count(['pending', orgId, channelId], limit),

    /** When the oldest pending delivery of a channel was made; null if there is none. */
    oldestOwedAtMs,

    /** The same of all channels. One read for each channel, like a start. */
    oldestPendingAtMs(): number | null {
      const oldest = owedChannels().map(({ orgId, channelId }) => oldestOwedAtMs(orgId, channelId))
      return oldest.reduce((a, b) => (a === null || (b !== null && b < a) ? b : a), null)
    },

    owedChannels,

    /** Newest first; `after` is the last id of the previous page. */
    list(orgId: OrgId, channelId: ChannelId, filter: DeliveryFilter): Delivery[] {
      const { state, limit, after } = filter
      const newest = { reverse: true, limit, after }
      if (!state) return deliveries.range({ prefix: [orgId, channelId], ...newest })
      return inState({ prefix: [state, orgId, channelId], ...newest })
    },

    /**
     * The keys of the organization's deliveries to these channels, newest first, at most `limit`;
     * `after` is the last id of the previous page.
     */
    keysOf(orgId: OrgId, channelIds: readonly ChannelId[], filter: DeliveryFilter): DeliveryKey[] {
      const { state, limit, after } = filter
      const newest = { reverse: true, limit, after }
      return channelIds
        .flatMap((channelId): DeliveryKey[] => {
          const keys = state
            ? byState.keys({ prefix: [state, orgId, channelId], ...newest })
            : deliveries.keys({ prefix: [orgId, channelId], ...newest })
          return keys.map((key) => ({ orgId, channelId, id: key.at(-1) as DeliveryId }))
        })
        .sort((a, b) => (a.id < b.id ? 1 : -1))
        .slice(0, limit)
    },

    /** The deliveries that were merged into another one. */
    mergedInto: (delivery: Delivery): Delivery[] =>
      byMerge
        .keys({
          prefix: [delivery.orgId, delivery.channelId, delivery.id],
          limit: limits.digestFoldsMax,
        })
        .flatMap(
          ([orgId = '', channelId = '', , id = '']) =>
            deliveries.readable([orgId, channelId, id]) ?? [],
        ),

    /** The deliveries of a channel that were made at a time or later, oldest first. */
    *madeSince(orgId: OrgId, channelId: ChannelId, sinceMs: number): Generator<Delivery> {
      const prefix = [orgId, channelId]
      const limit = limits.deliveriesPerLookMax
      let rows = deliveries.range({ prefix, from: lowestId('delivery', sinceMs), limit })
      while (rows.length > 0) {
        yield* rows
        if (rows.length < limit) return
        rows = deliveries.range({ prefix, after: rows.at(-1)?.id, limit })
      }
    },

    /** Writes the record and updates both indexes. */
    put(tx: Tx, delivery: Delivery): void {
      const { orgId, channelId, id, mergedIntoId } = delivery
      const before = get(orgId, channelId, id)
      if (before) dropIndexes(tx, before)
      byState.put(tx, stateKey(delivery), 1)
      if (mergedIntoId !== null) byMerge.put(tx, [orgId, channelId, mergedIntoId, id], 1)
      deliveries.put(tx, [orgId, channelId, id], delivery)
    },

    /** The next entries of the index of pending ones, and whether each has such a record. */
    slicePending: (limit: number, after?: TableKey) =>
      byState.keys({ prefix: ['pending'], limit, after: after?.slice(1) }).map((key) => {
        const id = key.slice(1)
        const isStray = deliveries.readable(id)?.state !== 'pending' && !deliveries.isDamaged(id)
        return { key, isStray }
      }),

    removeStray(tx: Tx, key: TableKey): void {
      byState.remove(tx, key)
    },

    /** The next records of all organizations, and whether the index knows the state of each. */
    sliceIndexed: (limit: number, after?: DeliveryKey) =>
      deliveries
        .range({
          prefix: [],
          limit,
          after: after && [after.orgId, after.channelId, after.id],
        })
        .map((delivery) => ({ delivery, isIndexed: byState.has(stateKey(delivery)) })),

    /** Deletes all deliveries of a channel. */
    removeAll(tx: Tx, orgId: OrgId, channelId: ChannelId): void {
      const range = { prefix: [orgId, channelId], limit: deliveriesTrimmedMax }
      for (let keys = deliveries.keys(range); keys.length > 0; keys = deliveries.keys(range)) {
        for (const key of keys) removeAt(tx, key)
      }
    },

    /** Deletes the deliveries of a whole organization, at most `limit` at once; returns how many. */
    forget(tx: Tx, orgId: OrgId, limit: number): number {
      const keys = deliveries.keys({ prefix: [orgId], limit })
      for (const key of keys) removeAt(tx, key)
      return keys.length
    },

    /** Deletes the deliveries that finished before `beforeMs`, oldest first; returns how many. */
    trim(tx: Tx, orgId: OrgId, channelId: ChannelId, beforeMs: number): number {
      const rows = deliveries
        .range({ prefix: [orgId, channelId], limit: deliveriesTrimmedMax })
        .filter((row) => row.state !== 'pending' && row.createdAtMs < beforeMs)
      for (const row of rows) remove(tx, row)
      return rows.length
    },
  }
}
