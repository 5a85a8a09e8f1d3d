// How an alert is sent: the store, the channel with its secrets, the sender, the slots.
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log/log.ts'
import type { OpenedChannel } from '../../channels/model/config.ts'
import { messageOf } from '../../channels/model/message.ts'
import type { Sender } from '../../channels/sender.ts'
import type { Channel } from '../../domain/alerts/channel.ts'
import type { Outcome } from '../../domain/alerts/delivery.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Store } from '../../store/store.ts'
import { createSlots } from '../queue/slots.ts'
import type { Departure } from '../queue/types.ts'
import type { ChosenDelivery } from './lanes.ts'

export interface AlertDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly sender: Sender
  /** The channel with its secrets. Throws where they cannot be opened. */
  readonly open: (channel: Channel) => OpenedChannel
}

export type SendAlert = (chosen: ChosenDelivery, departure: Departure) => Promise<Outcome>

export function createAlertSending({ store, clock, log, sender, open }: AlertDeps): SendAlert {
  const slots = createSlots(limits.deliveriesInFlightMax)
  // A slot of their own for channels that failed lately: they may wait long for an answer.
  const ailingSlots = createSlots(Math.ceil(limits.deliveriesInFlightMax / 2))

  function openSafely(channel: Channel): OpenedChannel | undefined {
    try {
      return open(channel)
    } catch (error) {
      log.error('channel secrets cannot be opened', { channelId: channel.id, error })
      return undefined
    }
  }

  return async ({ lane, deliveryId }, { signal, within }) => {
    const { orgId, channelId } = lane
    const delivery = store.deliveries.get(orgId, channelId, deliveryId)
    const channel = store.channels.get(orgId, channelId)
    if (!delivery || !channel) return gone
    const opened = openSafely(channel)
    if (!opened) return sealed
    const room = delivery.attempts === 0 ? slots : ailingSlots
    return within(room, () => sender(messageOf(delivery), opened, { clock, signal }))
  }
}

const gone: Outcome = { ok: false, mayRetry: false, reason: 'The channel was deleted.' }
const sealed: Outcome = {
  ok: false,
  mayRetry: true,
  reason: "The channel's secrets cannot be opened: the master key is missing.",
}
