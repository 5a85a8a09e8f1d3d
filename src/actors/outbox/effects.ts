// How a channel's messages are sent: the store, the sender, the slots. Provided once for all.
import { fromPromise } from 'xstate'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { messageOf } from '../../channels/message.ts'
import type { OpenedChannel, Sender } from '../../channels/sender.ts'
import type { Channel } from '../../domain/channel.ts'
import type { Outcome } from '../../domain/delivery.ts'
import { limits } from '../../domain/limits.ts'
import type { Store } from '../../store/store.ts'
import type { Lane } from '../../store/tables/deliveries.ts'
import type { Lanes } from './lanes.ts'
import { outboxMachine } from './machine.ts'
import { createSlots } from './slots.ts'
import type { Choice, Sending, Sent } from './types.ts'

export interface EffectsDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly lanes: Lanes
  readonly sender: Sender
  /** The channel with its secrets. Throws where they cannot be opened. */
  readonly open: (channel: Channel) => OpenedChannel
  readonly isStopping: () => boolean
  /** A message leaves now, or has been answered. */
  readonly onFlight: (lane: Lane, isUnderWay: boolean) => void
}

export function provideOutbox(deps: EffectsDeps): typeof outboxMachine {
  const { store, clock, log, lanes } = deps
  const slots = createSlots(limits.deliveriesInFlightMax)
  // A slot of their own for channels that failed lately: they may wait long for an answer.
  const ailingSlots = createSlots(Math.ceil(limits.deliveriesInFlightMax / 2))

  async function send({ lane, deliveryId }: Sending, signal: AbortSignal): Promise<Outcome> {
    const { orgId, channelId } = lane
    const delivery = store.deliveries.get(orgId, channelId, deliveryId)
    const channel = store.channels.get(orgId, channelId)
    if (!delivery || !channel) return gone
    const opened = openSafely(channel)
    if (!opened) return sealed
    const room = delivery.attempts === 0 ? slots : ailingSlots
    await room.take(signal)
    deps.onFlight(lane, true)
    try {
      signal.throwIfAborted()
      return await deps.sender(messageOf(delivery), opened, { clock, signal })
    } finally {
      deps.onFlight(lane, false)
      room.free()
    }
  }

  function openSafely(channel: Channel): OpenedChannel | undefined {
    try {
      return deps.open(channel)
    } catch (error) {
      log.error('channel secrets cannot be opened', { channelId: channel.id, error })
      return undefined
    }
  }

  return outboxMachine.provide({
    actors: {
      chooseNext: fromPromise<Choice, Lane>(async ({ input, signal }) =>
        deps.isStopping() ? { kind: 'done' } : lanes.choose(input, signal),
      ),
      send: fromPromise<Outcome, Sending>(({ input, signal }) => send(input, signal)),
      // A record does not end with its actor: what was sent must be known.
      recordOutcome: fromPromise<void, Sent>(({ input }) => lanes.record(input)),
    },
    actions: {
      logFailure: ({ context }, { error }) =>
        log.error('outbox step failed', { channelId: context.lane.channelId, error }),
    },
    delays: {
      untilDue: ({ context }) => Math.max(0, context.dueAtMs - clock.nowMs()),
    },
  })
}

const gone: Outcome = { ok: false, mayRetry: false, reason: 'The channel was deleted.' }
const sealed: Outcome = {
  ok: false,
  mayRetry: true,
  reason: "The channel's secrets cannot be opened: the master key is missing.",
}
