// The outbox of alerts: what is owed to channels, each channel a lane of its own.
import type { ChannelId, OrgId } from '../../base/ids.ts'
import type { Lane } from '../../store/tables/alerts/deliveries.ts'
import { runDesk } from '../queue/queue.ts'
import type { Desk } from '../queue/types.ts'
import { createLanes } from './lanes.ts'
import { type AlertDeps, createAlertSending } from './send-alert.ts'

export interface Outbox {
  /** Takes up everything that is owed since before the last stop. */
  start(): void
  /** Something became owed to the channel and is on disk. */
  wake(orgId: OrgId, channelId: ChannelId): void
  /** Sends nothing for the organization any more, until it is roused. What is owed stays. */
  halt(orgId: OrgId): void
  /** Takes up everything that is owed by the organization. */
  resume(orgId: OrgId): void
  /** How many messages are owed, over all channels. */
  pending(): number
  /** Sends nothing new; resolves when what is under way is recorded, or was given up. */
  stop(): Promise<void>
}

export interface OutboxDeps extends AlertDeps {
  /** Whether the organization is deleted or switched off: nothing is sent for it. */
  readonly isOff: (orgId: OrgId) => boolean
  /** A random number in 0..1, for the jitter of retries. */
  readonly unit: () => number
}

export function startOutbox(deps: OutboxDeps): Outbox {
  const { store, log, isOff } = deps
  const send = createAlertSending(deps)
  const lanes = createLanes({
    ...deps,
    onDisabled: (lane) => log.warn('channel switched off: its receiver is gone', { ...lane }),
  })
  const desk: Desk<Lane> = {
    name: 'outbox',
    keyOf: ({ channelId }) => channelId,
    owedLanes: () => store.deliveries.owedLanes().filter(({ orgId }) => !isOff(orgId)),
    pending: () => store.deliveries.countPending(),
    async choose(lane, signal) {
      const plan = await lanes.choose(lane, signal)
      if (plan.kind !== 'send') return plan
      const { deliveryId } = plan
      return {
        kind: 'send',
        errand: {
          send: (departure) => send({ lane, deliveryId }, departure),
          record: (outcome) => lanes.record({ lane, deliveryId, outcome }),
        },
      }
    },
  }
  const running = runDesk(desk, deps)

  function wake(lane: Lane): void {
    if (!isOff(lane.orgId)) running.wake(lane)
  }

  return {
    ...running,
    wake: (orgId, channelId) => wake({ orgId, channelId }),
    halt: (orgId) => running.halt((lane) => lane.orgId === orgId),
    resume(orgId) {
      for (const lane of store.deliveries.owedLanes()) if (lane.orgId === orgId) wake(lane)
    },
  }
}
