// Watches whether channels work: counts failures, pauses a channel that keeps failing, switches off
// one that is beyond hope, and tells the organization by another channel.
import type { Clock } from '../../base/clock.ts'
import { type ChannelId, newId, type OrgId } from '../../base/ids.ts'
import type { Log } from '../../base/log/log.ts'
import type { Outcome } from '../../domain/alerts/attempt.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import {
  afterFailure,
  type ChannelHealth,
  isFailing,
  isHopelessChannel,
  working,
} from '../../domain/alerts/channel-health.ts'
import { type Delivery, newDelivery } from '../../domain/alerts/delivery.ts'
import { type ChannelHealthPayload, channelHealthPayload } from '../../domain/alerts/payload.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { ChannelKey } from '../../store/tables/alerts/deliveries.ts'

export interface ChannelWatchDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** A random number from 0 to 1, for jitter. */
  readonly random: () => number
  /** Sends the pending messages of the channel. */
  readonly wake: (orgId: OrgId, channelId: ChannelId) => void
  /** Writes to the owners: no other channel of the organization works. */
  readonly tellOwners: (tx: Tx, orgId: OrgId, payload: ChannelHealthPayload) => void
}

export type ChannelWatch = ReturnType<typeof createChannelWatch>

type NoticeEvent = ChannelHealthPayload['type']

/** Channels that report that another one is failing. */
const noticeChannelsMax = 10

export function createChannelWatch(deps: ChannelWatchDeps) {
  const { store, log } = deps

  function isWorking({ orgId, id, isActive }: Channel): boolean {
    return isActive && !isFailing(store.channelHealth.get(orgId, id))
  }

  /**
   * Whom to tell that a channel fails: the default channels that want to know and work, else any
   * channel that works. Never the channel itself, nor one that fails as well: so two channels that
   * fail tell nothing of each other without end.
   */
  function tellable({ orgId, channelId }: ChannelKey): readonly ChannelId[] {
    const others = store.channels
      .list(orgId, limits.quotaMax)
      .filter((other) => other.id !== channelId && isWorking(other))
    const wanting = others.filter(
      ({ isDefault, events }) => isDefault && events.includes('channel.failing'),
    )
    const chosen = wanting.length > 0 ? wanting.slice(0, noticeChannelsMax) : others.slice(0, 1)
    return chosen.map(({ id }) => id)
  }

  function payloadOf(
    event: NoticeEvent,
    { orgId, channelId }: ChannelKey,
    { lastError, failingSinceMs }: ChannelHealth,
    nowMs: number,
  ): ChannelHealthPayload | undefined {
    const channel = store.channels.readable(orgId, channelId)
    return (
      channel &&
      channelHealthPayload(event, channel, {
        reason: lastError ?? '',
        failingSinceMs: failingSinceMs ?? nowMs,
        pending: store.deliveries.countOwed(orgId, channelId, limits.pendingCountedMax),
        nowMs,
      })
    )
  }

  /** Tells it by these channels, or by a letter if there are none. Returns the channels. */
  function tell(
    tx: Tx,
    payload: ChannelHealthPayload | undefined,
    { orgId }: ChannelKey,
    channelIds: readonly ChannelId[],
    nowMs: number,
  ): readonly ChannelId[] {
    if (!payload) return []
    if (channelIds.length === 0) deps.tellOwners(tx, orgId, payload)
    for (const channelId of channelIds) {
      const id = newId('delivery', nowMs)
      const payloadJson = JSON.stringify(payload)
      const owed = { id, orgId, channelId, incidentId: null, payloadJson, nowMs, sequence: 0 }
      store.deliveries.put(tx, newDelivery({ ...owed, event: payload.type }))
      tx.afterCommit(() => deps.wake(orgId, channelId))
    }
    return channelIds
  }

  function switchOff(tx: Tx, { orgId, channelId }: ChannelKey, reason: string, nowMs: number) {
    const channel = store.channels.readable(orgId, channelId)
    if (!channel?.isActive) return
    const { revision: offFromRevision } = channel
    const off = { isActive: false, disabledReason: reason, updatedAtMs: nowMs, offFromRevision }
    store.channels.put(tx, { ...channel, ...off, revision: offFromRevision + 1 })
    tx.afterCommit(() => log.warn('channel switched off', { orgId, channelId, reason }))
  }

  /** Once in each time of failures, which a person begins anew by switching the channel on. */
  function noteFailing(
    tx: Tx,
    key: ChannelKey,
    before: ChannelHealth,
    health: ChannelHealth,
    nowMs: number,
  ): void {
    const { orgId, channelId } = key
    const isNews = health.toldBy === null || !isFailing(before)
    const toldBy = isNews
      ? tell(tx, payloadOf('channel.failing', key, health, nowMs), key, tellable(key), nowMs)
      : health.toldBy
    store.channelHealth.put(tx, orgId, channelId, { ...health, toldBy })
  }

  return {
    onDelivered(tx: Tx, key: ChannelKey, nowMs: number): void {
      const { orgId, channelId } = key
      const before = store.channelHealth.get(orgId, channelId)
      store.channelHealth.put(tx, orgId, channelId, working(before, nowMs))
      if (before.toldBy === null) return
      const informed = before.toldBy.filter((id) => store.channels.readable(orgId, id)?.isActive)
      // People who heard of it by a channel that is gone can ask for the state of the channel.
      if (informed.length === 0 && before.toldBy.length > 0) return
      tell(tx, payloadOf('channel.recovered', key, before, nowMs), key, informed, nowMs)
    },

    /** An attempt failed; `delivery` is as it is then. */
    onFailed(
      tx: Tx,
      key: ChannelKey,
      delivery: Delivery,
      { outcome, nowMs }: { readonly outcome: Outcome; readonly nowMs: number },
    ): void {
      const { orgId, channelId } = key
      const before = store.channelHealth.get(orgId, channelId)
      const after = afterFailure(before, delivery, nowMs, deps.random())
      const isGone = !outcome.ok && outcome.disablesChannel === true
      if (isGone) switchOff(tx, key, delivery.lastError ?? '', nowMs)
      else if (isHopelessChannel(after, nowMs)) {
        switchOff(tx, key, `Every attempt failed for 5 days. ${after.lastError}`, nowMs)
      }
      if (isGone || isFailing(after)) noteFailing(tx, key, before, after, nowMs)
      else store.channelHealth.put(tx, orgId, channelId, after)
    },

    /** The last recipient of the channel ended its messages, so that it is off. */
    onDeserted(tx: Tx, key: ChannelKey, nowMs: number): void {
      const lastError = store.channels.readable(key.orgId, key.channelId)?.disabledReason ?? ''
      const before = store.channelHealth.get(key.orgId, key.channelId)
      // The channel counts as working before, even if another failure was announced since: this one is news.
      noteFailing(tx, key, before, { ...before, lastError }, nowMs)
    },

    /** Messages were given up without an attempt, because the channel failed for too long. */
    onExpired(tx: Tx, key: ChannelKey, nowMs: number): void {
      const before = store.channelHealth.get(key.orgId, key.channelId)
      noteFailing(tx, key, before, { ...before, hasDeadLetter: true }, nowMs)
    },
  }
}
