// The outbox of alerts: each channel has a queue of its own.
import type { Clock } from '../../base/clock.ts'
import type { ChannelId, DeliveryId, OrgId } from '../../base/ids.ts'
import type { Log } from '../../base/log/log.ts'
import type { OpenedChannel } from '../../channels/model/config.ts'
import { messageOf } from '../../channels/model/message.ts'
import type { Sender } from '../../channels/sender.ts'
import type { Outcome } from '../../domain/alerts/attempt.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import { begun, type Delivery } from '../../domain/alerts/delivery.ts'
import type { ChannelHealthPayload } from '../../domain/alerts/payload.ts'
import { localeOf } from '../../domain/language.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Store } from '../../store/store.ts'
import type { ChannelKey } from '../../store/tables/alerts/deliveries.ts'
import type { JobContext } from '../queue/machine.ts'
import { createPlaces } from '../queue/places.ts'
import { runQueue } from '../queue/queue.ts'

import { createChannelQueues, type SendReport } from './channel-queues.ts'
import { createChannelWatch } from './channel-watch.ts'
import { escalationHeldUntilMs } from './held-alerts.ts'

export type Outbox = ReturnType<typeof startOutbox>

export interface OutboxDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly sender: Sender
  /** The channel with its secrets. Throws if they cannot be decrypted. */
  readonly open: (channel: Channel) => OpenedChannel
  /** Encrypts what a platform answered. */
  readonly seal: (text: string) => string
  /** Whether the organization is deleted or switched off: nothing is sent for it. */
  readonly isOff: (orgId: OrgId) => boolean
  /** Where people find all incidents of an organization. */
  readonly incidentsUrl: (orgId: OrgId) => string
  /** A random number from 0 to 1, for the jitter of retries. */
  readonly random: () => number
  /** Writes to the owners of an organization if none of its channels works. */
  readonly tellOwners: (tx: Tx, orgId: OrgId, payload: ChannelHealthPayload) => void
  /** An attempt was made and is on disk; the delivery is as it is then. */
  readonly onAttempt: (delivery: Delivery) => void
  /** Counts messages that were given up without an attempt. */
  readonly onGivenUp: (count: number) => void
}

const deliveriesInFlightMax = 64
/** The last places are for organizations that hold few: with all of them free, four each. */
const deliveriesKeptPlaces = 16
/** Messages to channels that failed last have places of their own, because they may be slow. */
const retriesInFlightMax = 32
const retriesKeptPlaces = 8
/** An attempt that takes longer goes on at another place, so that slow receivers delay no others. */
const deliverySlowMs = 500
const deliveriesSlowMax = 256

export function startOutbox(deps: OutboxDeps) {
  const { store, clock, log, sender, isOff } = deps
  const share = limits.deliveriesKeptShare
  const places = createPlaces(clock, {
    total: deliveriesInFlightMax,
    kept: { places: deliveriesKeptPlaces, share },
    slow: { slowMs: deliverySlowMs, total: deliveriesSlowMax },
  })
  // Channels that failed last have places of their own: they may be slow, and must not delay the
  // others.
  const retryPlaces = createPlaces(clock, {
    total: retriesInFlightMax,
    kept: { places: retriesKeptPlaces, share },
  })

  function openSafely(channel: Channel): OpenedChannel | undefined {
    try {
      return deps.open(channel)
    } catch (error) {
      log.error('channel secrets cannot be opened', { channelId: channel.id, error })
      return undefined
    }
  }

  async function send(
    { orgId, channelId }: ChannelKey,
    deliveryId: DeliveryId,
    { signal, within }: JobContext,
  ): Promise<SendReport> {
    const delivery = store.deliveries.get(orgId, channelId, deliveryId)
    const channel = store.channels.readable(orgId, channelId)
    const atOnce = (outcome: Outcome) => ({ outcome, startedAtMs: clock.nowMs() })
    if (!delivery || !channel) return atOnce(channelGone)
    const opened = openSafely(channel)
    if (!opened) return atOnce(keyMissing)
    const isSuspect =
      delivery.attempts > 0 || store.channelHealth.get(orgId, channelId).failures > 0
    return within((isSuspect ? retryPlaces : places).for(orgId, channelId), async () => {
      if (!(await noteBegun(delivery))) return atOnce(withdrawn)
      const startedAtMs = clock.nowMs()
      const readers = { locale: localeOf(store.orgs.readable(orgId)), nowMs: startedAtMs }
      const { partsDone } = delivery
      const outcome = await sender(messageOf(delivery, readers), opened, {
        clock,
        signal,
        partsDone,
      })
      const { response = '' } = outcome
      return { outcome, startedAtMs, ...(response ? { answerBox: deps.seal(response) } : {}) }
    })
  }

  /**
   * From now on this message is sent under its own id or not at all, also after a crash: the
   * receiver may have got it. Messages to several channels share a commit. Resolves to false if it
   * was taken back a moment ago.
   */
  async function noteBegun({ orgId, channelId, id, lastAtMs }: Delivery): Promise<boolean> {
    if (lastAtMs !== null) return true
    return store.writeTogether((tx) => {
      const row = store.deliveries.get(orgId, channelId, id)
      if (row?.state === 'pending') store.deliveries.put(tx, begun(row, clock.nowMs()))
      return row !== undefined
    })
  }

  const watch = createChannelWatch({
    ...deps,
    wake: (orgId, channelId) => queue.wake({ orgId, channelId }),
  })
  const channelQueues = createChannelQueues({ ...deps, send, watch })
  const owedChannels = () => store.deliveries.owedChannels().filter(({ orgId }) => !isOff(orgId))
  const queue = runQueue<ChannelKey>(
    {
      name: 'outbox',
      keyOf: ({ channelId }) => channelId,
      recipients: owedChannels,
      choose: channelQueues.choose,
      drainMs: limits.deliveryDrainMs,
    },
    deps,
  )

  return {
    start: queue.start,
    stop: queue.stop,
    /** The number of pending messages of all channels. */
    pending: () => store.deliveries.countPending(),
    /**
     * Whether a message that was due before this time was never tried, although its channel works
     * and holds nothing back.
     */
    isStuck: (sinceMs: number): boolean =>
      owedChannels().some(({ orgId, channelId }) => {
        const channel = store.channels.readable(orgId, channelId)
        if (!channel?.isActive || channel.quietHours) return false
        if (store.channelHealth.get(orgId, channelId).failures > 0) return false
        const [oldest] = store.deliveries.pending(orgId, channelId, 1)
        if (oldest === undefined || oldest.lastAtMs !== null) return false
        const heldUntilMs = escalationHeldUntilMs(store, oldest, clock.nowMs())
        return Math.max(oldest.dueAtMs, heldUntilMs ?? 0) < sinceMs
      }),
    /** The channel has a new pending message, which is on disk. */
    wake(orgId: OrgId, channelId: ChannelId): void {
      if (!isOff(orgId)) queue.wake({ orgId, channelId })
    },
    /** A message that is no delivery, such as a test, arrived: the channel works. */
    noteArrived(tx: Tx, orgId: OrgId, channelId: ChannelId): void {
      watch.onDelivered(tx, { orgId, channelId }, clock.nowMs())
    },
    /** Tells the organization that a channel is off, because its last recipient left. */
    onDeserted: watch.onDeserted,
    /** Sends nothing more for the organization until it is resumed. Pending messages stay. */
    halt: (orgId: OrgId) => queue.halt((channel) => channel.orgId === orgId),
    /** Starts sending the pending messages of the organization. */
    resume(orgId: OrgId): void {
      for (const channel of owedChannels()) if (channel.orgId === orgId) queue.wake(channel)
    },
  }
}

const channelGone: Outcome = { ok: false, mayRetry: false, reason: 'The channel was deleted.' }
const withdrawn: Outcome = { ok: false, mayRetry: false, reason: 'The message was taken back.' }
const keyMissing: Outcome = {
  ok: false,
  mayRetry: true,
  class: 'not_sent',
  reason: "The channel's secrets cannot be opened: the master key is missing.",
}
