// The outbox: one actor for each channel that something is owed to. Start, wake, stop.
import { type ActorRefFrom, createActor } from 'xstate'
import type { Clock } from '../../base/clock.ts'
import type { ChannelId, OrgId } from '../../base/ids.ts'
import type { Log } from '../../base/log.ts'
import type { OpenedChannel, Sender } from '../../channels/sender.ts'
import type { Channel } from '../../domain/channel.ts'
import { limits } from '../../domain/limits.ts'
import type { Store } from '../../store/store.ts'
import type { Lane } from '../../store/tables/deliveries.ts'
import { provideOutbox } from './effects.ts'
import { createLanes } from './lanes.ts'
import type { outboxMachine } from './machine.ts'

export interface Outbox {
  /** Takes up everything that is owed since before the last stop. */
  start(): void
  /** Something became owed to the channel and is on disk. */
  wake(orgId: OrgId, channelId: ChannelId): void
  /** How many messages are owed, over all channels. */
  pending(): number
  /** Sends nothing new; resolves when what is under way is recorded, or was given up. */
  stop(): Promise<void>
}

export interface OutboxDeps {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** A random number in 0..1, for the jitter of retries. */
  readonly unit: () => number
  readonly sender: Sender
  /** The channel with its secrets. Throws where they cannot be opened. */
  readonly open: (channel: Channel) => OpenedChannel
}

interface Berth {
  readonly lane: Lane
  readonly actor: ActorRefFrom<typeof outboxMachine>
  readonly crashes: number
}

export function startOutbox(deps: OutboxDeps): Outbox {
  const { store, clock, log } = deps
  const berths = new Map<ChannelId, Berth>()
  const underWay = new Set<ChannelId>()
  let isStopping = false
  let emptied = () => {}

  const machine = provideOutbox({
    ...deps,
    lanes: createLanes({
      ...deps,
      onDisabled: (lane) => log.warn('channel switched off: its receiver is gone', { ...lane }),
    }),
    isStopping: () => isStopping,
    onFlight: ({ channelId }, isUnderWay) => {
      if (isUnderWay) underWay.add(channelId)
      else underWay.delete(channelId)
    },
  })

  function launch(lane: Lane, crashes: number): void {
    const actor = createActor(machine, { clock, input: { lane } })
    berths.set(lane.channelId, { lane, actor, crashes })
    actor.subscribe({
      error: (error) => onCrash(lane, actor, error),
      complete: () => leave(lane.channelId, actor),
    })
    actor.start()
  }

  function leave(channelId: ChannelId, actor: Berth['actor']): void {
    if (berths.get(channelId)?.actor !== actor) return
    berths.delete(channelId)
    if (berths.size === 0) emptied()
  }

  /** A bug of ours in one channel's actor must not take the others: it starts anew, ever later. */
  function onCrash(lane: Lane, actor: Berth['actor'], error: unknown): void {
    const current = berths.get(lane.channelId)
    if (current?.actor !== actor) return
    const crashes = Math.min(current.crashes + 1, limits.actorCrashesMax)
    log.error('outbox actor crashed', { ...lane, crashes, error })
    if (isStopping) {
      leave(lane.channelId, actor)
      return
    }
    clock.setTimeout(
      () => {
        if (berths.get(lane.channelId) === current && !isStopping) launch(lane, crashes)
      },
      limits.actorRestartMs * 2 ** (crashes - 1),
    )
  }

  /** Whether the actor has a message out, or an outcome that is not on disk yet. */
  function mustFinish({ lane, actor }: Berth): boolean {
    return underWay.has(lane.channelId) || actor.getSnapshot().matches('recording')
  }

  function halt({ lane, actor }: Berth): void {
    actor.stop()
    leave(lane.channelId, actor)
  }

  function wake(lane: Lane): void {
    if (isStopping) return
    const berth = berths.get(lane.channelId)
    if (berth) berth.actor.send({ type: 'channel.woken' })
    else launch(lane, 0)
  }

  return {
    start() {
      for (const lane of store.deliveries.owedLanes()) wake(lane)
    },
    wake: (orgId, channelId) => wake({ orgId, channelId }),
    pending: () => store.deliveries.countPending(),
    async stop() {
      isStopping = true
      for (const berth of [...berths.values()]) if (!mustFinish(berth)) halt(berth)
      if (berths.size === 0) return
      await new Promise<void>((resolve) => {
        const timer = clock.setTimeout(resolve, limits.deliveryDrainMs)
        emptied = () => {
          clock.clearTimeout(timer)
          resolve()
        }
      })
      // What is cut here stays owed and goes out again, with the same id, at the next start.
      for (const berth of [...berths.values()]) halt(berth)
    },
  }
}
