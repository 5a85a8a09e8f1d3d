// The outbox of alerts: each channel has a queue of its own.
import type { Clock } from '../../base/clock.ts'
import type { ChannelId, DeliveryId, OrgId } from '../../base/ids.ts'
import type { Log } from '../../base/log/log.ts'
import type { OpenedChannel } from '../../channels/model/config.ts'
import { messageOf } from '../../channels/model/message.ts'
import type { Sender } from '../../channels/sender.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Store } from '../../store/store.ts'
import type { ChannelKey } from '../../store/tables/alerts/deliveries.ts'
import type { JobContext } from '../queue/machine.ts'
import { runQueue } from '../queue/queue.ts'
import { createSlots } from '../queue/slots.ts'
import { createChannelQueues } from './channel-queue.ts'

export type Outbox = ReturnType<typeof startOutbox>

export interface OutboxDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly sender: Sender
  /** The channel with its secrets. Throws if they cannot be decrypted. */
  readonly open: (channel: Channel) => OpenedChannel
  /** Whether the organization is deleted or switched off: nothing is sent for it. */
  readonly isOff: (orgId: OrgId) => boolean
  /** A random number from 0 to 1, for the jitter of retries. */
  readonly random: () => number
}

export function startOutbox(deps: OutboxDeps) {
  const { store, clock, log, sender, isOff } = deps
  const slots = createSlots(limits.deliveriesInFlightMax)
  // Retries have slots of their own: a channel that failed may be slow, and must not delay the
  // others.
  const retrySlots = createSlots(Math.ceil(limits.deliveriesInFlightMax / 2))

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
  ): Promise<Outcome> {
    const delivery = store.deliveries.get(orgId, channelId, deliveryId)
    const channel = store.channels.get(orgId, channelId)
    if (!delivery || !channel) return channelGone
    const opened = openSafely(channel)
    if (!opened) return keyMissing
    return within(delivery.attempts === 0 ? slots : retrySlots, () =>
      sender(messageOf(delivery), opened, { clock, signal }),
    )
  }

  const channelQueues = createChannelQueues({
    ...deps,
    send,
    onDisabled: (channel) => log.warn('channel switched off: its receiver is gone', { ...channel }),
  })
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
    /** The channel has a new pending message, which is on disk. */
    wake(orgId: OrgId, channelId: ChannelId): void {
      if (!isOff(orgId)) queue.wake({ orgId, channelId })
    },
    /** Sends nothing more for the organization until it is resumed. Pending messages stay. */
    halt: (orgId: OrgId) => queue.halt((channel) => channel.orgId === orgId),
    /** Starts sending the pending messages of the organization. */
    resume(orgId: OrgId): void {
      for (const channel of owedChannels()) if (channel.orgId === orgId) queue.wake(channel)
    },
  }
}

const channelGone: Outcome = { ok: false, mayRetry: false, reason: 'The channel was deleted.' }
const keyMissing: Outcome = {
  ok: false,
  mayRetry: true,
  reason: "The channel's secrets cannot be opened: the master key is missing.",
}
