// Tells the channels that an administrator chose about the service itself.
import type { Clock } from '../../base/clock.ts'
import { type ChannelId, newId, type OrgId } from '../../base/ids.ts'
import { newDelivery } from '../../domain/alerts/delivery.ts'
import { type SystemNotice, systemNoticePayload } from '../../domain/alerts/system-notice.ts'
import type { Tx } from '../../store/engine/write.ts'
import { isOrgOff } from '../../store/org-state.ts'
import type { Store } from '../../store/store.ts'
import type { NoticeChannel } from '../../store/tables/system/meta.ts'

export interface SystemNoticesDeps {
  readonly store: Store
  readonly clock: Clock
  /** Sends the pending messages of the channel. */
  readonly wake: (orgId: OrgId, channelId: ChannelId) => void
}

export type SystemNotices = ReturnType<typeof createSystemNotices>

export function createSystemNotices({ store, clock, wake }: SystemNoticesDeps) {
  /** The channels that still exist and are switched on. */
  function receivers(): readonly NoticeChannel[] {
    return store.meta
      .notices()
      .channels.filter(({ orgId, channelId }) =>
        isOrgOff(store, orgId) ? false : store.channels.readable(orgId, channelId)?.isActive,
      )
  }

  return {
    /** Whether anybody would hear. */
    hasReceivers: () => receivers().length > 0,

    /**
     * Queues the notice in the transaction of what it tells, whatever events a channel takes.
     * `except`: the channel that the notice is about.
     */
    tell(tx: Tx, notice: SystemNotice, except?: ChannelId): void {
      const nowMs = clock.nowMs()
      for (const { orgId, channelId } of receivers()) {
        if (channelId === except) continue
        const delivery = newDelivery({
          id: newId('delivery', nowMs),
          orgId,
          channelId,
          incidentId: null,
          event: 'system.notice',
          payloadJson: JSON.stringify(systemNoticePayload(orgId, notice, nowMs)),
          nowMs,
          sequence: 0,
        })
        store.deliveries.put(tx, delivery)
        tx.afterCommit(() => wake(orgId, channelId))
      }
    },
  }
}
