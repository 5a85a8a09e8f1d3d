// The health of channels as it is shown: from the record of attempts, what waits, and the settings.
import type { Channel } from '../../domain/alerts/channel.ts'
import { canWork, type HealthReport, healthReport } from '../../domain/alerts/channel-health.ts'
import type { Delivery } from '../../domain/alerts/delivery.ts'
import { heldUntilMs } from '../../domain/alerts/held-messages.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Core } from '../core.ts'

export interface ChannelHealthsDeps {
  /** The settings of the service that a channel needs and that are not set. */
  readonly missingSettings: (channel: Pick<Channel, 'type' | 'config'>) => readonly string[]
}

export function createChannelHealths(
  { store, clock }: Core,
  { missingSettings }: ChannelHealthsDeps,
) {
  function nextAttemptAtMs(channel: Channel, pending: readonly Delivery[]): number | null {
    if (!channel.isActive || pending.length === 0) return null
    const { orgId, id, quietHours } = channel
    const nowMs = clock.nowMs()
    const due = pending.map((row) => {
      const atMs = Math.max(nowMs, row.dueAtMs)
      return heldUntilMs(row, quietHours, atMs) ?? atMs
    })
    return Math.max(Math.min(...due), store.channelHealth.get(orgId, id).probeAtMs ?? 0)
  }

  function healthOf(channel: Channel): HealthReport {
    const { orgId, id } = channel
    const pending = store.deliveries.pending(orgId, id, limits.deliveriesPerLookMax)
    return healthReport(channel, store.channelHealth.get(orgId, id), {
      oldestPendingAtMs: pending[0]?.createdAtMs ?? null,
      pending: store.deliveries.countOwed(orgId, id, limits.pendingCountedMax),
      nextAttemptAtMs: nextAttemptAtMs(channel, pending),
      missingSettings: missingSettings(channel),
    })
  }

  const otherDefaults = ({ orgId, id }: Channel) =>
    store.channels
      .defaults(orgId)
      .filter((other) => other.isActive && other.id !== id)
      .map(healthOf)

  return {
    healthOf,

    /**
     * Whether a channel becomes a default channel without being asked: it can work, and no default
     * channel can; or it works, and no default channel has been seen to work.
     */
    isWantedAsDefault(channel: Channel): boolean {
      const health = healthOf(channel)
      if (!canWork(health)) return false
      const others = otherDefaults(channel).filter(canWork)
      return others.length === 0 || (health.state === 'ok' && others.every(isUnproven))
    },
  }
}

const isUnproven = ({ state }: HealthReport) => state === 'untested'
