// What follows for the messages of a channel when it is changed.
import type { Channel } from '../../domain/alerts/channel.ts'
import { afresh, mayProbe, withNewConfig } from '../../domain/alerts/channel-health.ts'
import { heldUntilMs } from '../../domain/alerts/held-messages.ts'
import { limits } from '../../domain/limits/limits.ts'
import type { Tx } from '../../store/engine/write.ts'
import type { Core } from '../core.ts'

export function createChannelAftermath({ store }: Pick<Core, 'store'>) {
  /** Retries waiting messages now, because the config was corrected. */
  function retryNow(tx: Tx, { orgId, id }: Channel, nowMs: number): void {
    for (const row of store.deliveries.pending(orgId, id, limits.digestFoldsMax)) {
      if (row.attempts > 0) store.deliveries.put(tx, { ...row, dueAtMs: nowMs })
    }
  }

  return {
    retryNow,

    /** What new quiet hours hold has the usual time for attempts when they end. */
    giveTime(tx: Tx, { orgId, id, quietHours }: Channel, nowMs: number): void {
      for (const row of store.deliveries.pending(orgId, id, limits.digestFoldsMax)) {
        const untilMs = heldUntilMs(row, quietHours, Math.max(nowMs, row.dueAtMs))
        if (untilMs === null || row.lastAtMs !== null) continue
        const giveUpAtMs = Math.max(row.giveUpAtMs, untilMs + limits.deliveryAgeMsMax)
        store.deliveries.put(tx, { ...row, giveUpAtMs })
      }
    },

    /** The channel may be tried at once, because something about it was corrected. */
    tryAgain(tx: Tx, channel: Channel, isConfigNew: boolean, nowMs: number): void {
      const { orgId, id } = channel
      retryNow(tx, channel, nowMs)
      const health = mayProbe(store.channelHealth.get(orgId, id))
      store.channelHealth.put(tx, orgId, id, isConfigNew ? withNewConfig(health) : health)
    },

    startAfresh(tx: Tx, { orgId, id }: Channel): void {
      store.channelHealth.put(tx, orgId, id, afresh(store.channelHealth.get(orgId, id)))
    },
  }
}
