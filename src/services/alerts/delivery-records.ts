// The record of deliveries: read it, and send what died once more.

import type { Enqueue } from '../../actors/alerts/enqueue.ts'
import { Fault, notFound } from '../../base/fault.ts'
import { asId, type ChannelId, type IncidentId, type OrgId } from '../../base/ids.ts'
import type { Attempt } from '../../domain/alerts/attempt.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { mayProbe } from '../../domain/alerts/channel-health.ts'
import {
  announcement,
  type Delivery,
  type DeliveryState,
  type DeliveryWait,
  redelivered,
  waitsFor,
} from '../../domain/alerts/delivery.ts'
import { heldUntilMs } from '../../domain/alerts/held-messages.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Tx } from '../../store/engine/write.ts'
import { type OrgScope, type PageOf, type PageRequest, pageOf } from '../context.ts'
import type { Core } from '../core.ts'

export interface DeliveryRecordsDeps {
  /** Queues what a channel must still hear of an incident. */
  readonly enqueue: Pick<Enqueue, 'incident'>
  readonly wake: (orgId: OrgId, channelId: ChannelId) => void
  /** Throws not_found. */
  readonly foundChannel: (scope: OrgScope, channelId: string) => Channel
}

export interface DeliveryQuery extends PageRequest {
  readonly state?: DeliveryState | undefined
}

export interface OrgDeliveryQuery extends DeliveryQuery {
  readonly channelId?: string | undefined
  readonly incidentId?: string | undefined
}

/** A delivery, and what it waits for now. */
export interface DeliveryView extends Delivery {
  readonly waitsFor: DeliveryWait | null
  /** When the quiet hours of its channel let it out; null if they do not hold it. */
  readonly heldUntilMs: number | null
}

/** A delivery with what platforms answered to its attempts. */
export interface DeliveryDetail extends DeliveryView {
  readonly attemptLog: readonly ShownAttempt[]
}

export interface ShownAttempt extends Omit<Attempt, 'answerBox'> {
  /** Null if there was none, or if its key is gone. */
  readonly response: string | null
}

export interface Redelivery {
  readonly redelivered: number
  /** There are more: repeat the request. */
  readonly hasMore: boolean
}

export function createDeliveryRecords(core: Core, deps: DeliveryRecordsDeps) {
  const { store, clock, audit } = core
  const { wake, foundChannel } = deps

  function found(scope: OrgScope, channelId: string, deliveryId: string): Delivery {
    const channel = foundChannel(scope, channelId)
    const id = asId('delivery', deliveryId)
    const delivery = id && store.deliveries.get(channel.orgId, channel.id, id)
    if (!delivery) throw notFound('delivery')
    return delivery
  }

  function seen(delivery: Delivery, channel: Channel | undefined): DeliveryView {
    const nowMs = clock.nowMs()
    const atMs = Math.max(nowMs, delivery.dueAtMs)
    const untilMs = heldUntilMs(delivery, channel?.quietHours ?? null, atMs)
    return {
      ...delivery,
      heldUntilMs: untilMs,
      waitsFor: untilMs === null ? waitsFor(delivery, nowMs) : 'quiet_hours',
    }
  }

  function openedOrNull(answerBox: string | null): string | null {
    return answerBox && (core.box.openOrUndefined(answerBox) ?? null)
  }

  /**
   * The end of its incident could not be announced any more, so a platform would show it as open for
   * ever.
   */
  function isOfDeleted({ orgId, incidentId }: Delivery): boolean {
    return incidentId !== null && !store.incidents.has(orgId, incidentId)
  }

  /** What the channel will know of an incident once this delivery has arrived. */
  function announceAgain(tx: Tx, { orgId, channelId, incidentId, event }: Delivery): void {
    if (incidentId === null) return
    const before = store.announcements.get(orgId, incidentId, channelId)
    // It has heard of the end since.
    if (before.announced === 'resolved') return
    const { isOwed, announced } = announcement(before.announced, event)
    if (!isOwed) return
    store.announcements.put(tx, orgId, incidentId, channelId, { ...before, announced })
  }

  /**
   * While an opening was dead its end was not announced, because nobody knew of the outage. Now the end
   * is announced as well: both become one message.
   */
  function announceEnd(tx: Tx, orgId: OrgId, channelId: ChannelId, incidentId: IncidentId): void {
    const incident = store.incidents.readable(orgId, incidentId)
    if (incident?.state !== 'resolved') return
    const { announced } = store.announcements.get(orgId, incidentId, channelId)
    if (announced !== 'open') return
    const nowMs = clock.nowMs()
    deps.enqueue.incident(tx, { incident, event: 'incident.resolved', nowMs, onlyTo: channelId })
  }

  /** Oldest first. The channel is tried at once, even if it has failed again and again. */
  function sendAgain(tx: Tx, channel: Channel, rows: readonly Delivery[]): Delivery[] {
    if (!channel.isActive) throw new Fault('conflict', 'This channel is switched off.')
    const { orgId, id: channelId } = channel
    const again = rows.map((row) => redelivered(row, clock.nowMs()))
    const told = again.flatMap((row) => [row, ...store.deliveries.mergedInto(row)])
    for (const row of again) store.deliveries.put(tx, row)
    for (const row of told) announceAgain(tx, row)
    const incidentIds = new Set(told.flatMap(({ incidentId }) => incidentId ?? []))
    for (const incidentId of incidentIds) announceEnd(tx, orgId, channelId, incidentId)
    const health = store.channelHealth.get(orgId, channelId)
    store.channelHealth.put(tx, orgId, channelId, mayProbe(health))
    tx.afterCommit(() => wake(orgId, channelId))
    return again
  }

  return {
    /** Newest first. */
    deliveries(
      scope: OrgScope,
      channelId: string,
      { limit, after, state }: DeliveryQuery,
    ): PageOf<DeliveryView> {
      const channel = foundChannel(scope, channelId)
      const { orgId, id } = channel
      const afterId = after === undefined ? undefined : asId('delivery', after)
      const filter = {
        limit: limit + 1,
        ...(state ? { state } : {}),
        ...(afterId ? { after: afterId } : {}),
      }
      const rows = store.deliveries.list(orgId, id, filter)
      return pageOf(
        rows.map((row) => seen(row, channel)),
        limit,
      )
    },

    /** The deliveries of all channels, newest first. A page reads a bounded number of records. */
    orgDeliveries(scope: OrgScope, query: OrgDeliveryQuery): PageOf<DeliveryView> {
      const { orgId } = scope
      const { limit, state, channelId, incidentId } = query
      const channels =
        channelId === undefined
          ? store.channels.list(orgId, limits.quotaMax)
          : [foundChannel(scope, channelId)]
      const byId = new Map(channels.map((channel) => [channel.id, channel]))
      const items: DeliveryView[] = []
      let after = query.after === undefined ? undefined : asId('delivery', query.after)
      let scanned = 0
      for (;;) {
        const keys = store.deliveries.keysOf(orgId, [...byId.keys()], {
          limit: limits.pageItemsMax,
          ...(state ? { state } : {}),
          ...(after ? { after } : {}),
        })
        for (const { channelId, id } of keys) {
          if (items.length >= limit || scanned >= limits.listScanMax) {
            return after ? { items, nextAfter: after } : { items }
          }
          scanned += 1
          after = id
          const delivery = store.deliveries.get(orgId, channelId, id)
          const fits = incidentId === undefined || delivery?.incidentId === incidentId
          if (delivery && fits) items.push(seen(delivery, byId.get(channelId)))
        }
        if (keys.length < limits.pageItemsMax) return { items }
      }
    },

    /** Throws not_found. */
    delivery(scope: OrgScope, channelId: string, deliveryId: string): DeliveryDetail {
      const delivery = found(scope, channelId, deliveryId)
      const attemptLog = delivery.log.map(({ answerBox, ...attempt }) => ({
        ...attempt,
        response: openedOrNull(answerBox),
      }))
      return { ...seen(delivery, foundChannel(scope, channelId)), attemptLog }
    },

    /** Throws conflict if it is still pending, is a part of another one, or the channel is off. */
    async redeliver(scope: OrgScope, channelId: string, deliveryId: string): Promise<DeliveryView> {
      return store.write((tx) => {
        const before = found(scope, channelId, deliveryId)
        const channel = foundChannel(scope, channelId)
        // Sent again, it would be tried for days, and count as an alert that waits.
        if (before.event === 'channel.test') {
          throw new Fault('conflict', 'This message is a test: send another test.')
        }
        if (isOfDeleted(before))
          throw new Fault('conflict', 'The incident of this message was deleted.')
        if (before.mergedIntoId !== null) {
          const detail = `This message is a part of ${before.mergedIntoId}: send that one again.`
          throw new Fault('conflict', detail)
        }
        const [after = before] = sendAgain(tx, channel, [before])
        audit.note(tx, scope, { action: 'delivery.repeated', objectId: after.id })
        return seen(after, channel)
      })
    },

    /**
     * The same for the dead ones of a channel since `sinceMs`, except tests: the oldest first, a bounded
     * number at once. Throws conflict if the channel is off.
     */
    async redeliverDead(scope: OrgScope, channelId: string, sinceMs = 0): Promise<Redelivery> {
      return store.write((tx) => {
        const channel = foundChannel(scope, channelId)
        const most = limits.redeliveredTogetherMax
        const dead = store.deliveries
          .dead(channel.orgId, channel.id, sinceMs, most + 1)
          .filter((row) => row.event !== 'channel.test' && !isOfDeleted(row))
        const again = sendAgain(tx, channel, dead.slice(0, most))
        const detail = `${again.length} dead`
        audit.note(tx, scope, { action: 'channel.repeated', objectId: channel.id, detail })
        return { redelivered: again.length, hasMore: dead.length > most }
      })
    },
  }
}
