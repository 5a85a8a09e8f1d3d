// What becomes owed to which channel when a certificate expires soon: no incident, one message.
import { newId } from '../../base/ids.ts'
import type { CertificateNotice } from '../../domain/alerts/certificate-notice.ts'
import { isLoudEnough } from '../../domain/alerts/channel.ts'
import { owedDelivery } from '../../domain/alerts/delivery.ts'
import { certificatePayload } from '../../domain/alerts/payload.ts'
import type { Monitor } from '../../domain/monitors/monitor.ts'
import type { Tx } from '../../store/engine/write.ts'
import { chosenChannels, type EnqueueDeps } from './enqueue.ts'

export interface MonitorNotice {
  readonly monitor: Monitor
  readonly notice: CertificateNotice
  readonly nowMs: number
}

/** Writes what is owed; tells whether a channel is owed the notice. */
export type EnqueueNotice = (tx: Tx, news: MonitorNotice) => boolean

/** A channel's delay is for what may pass by itself: a notice is due at once. */
export function createEnqueueNotice({ store, baseUrl, wake }: EnqueueDeps): EnqueueNotice {
  return (tx, { monitor, notice, nowMs }) => {
    const { orgId } = monitor
    const event = 'certificate.expiring'
    const audience = chosenChannels(store, orgId, [monitor]).filter(
      (channel) =>
        channel.isActive && channel.events.includes(event) && isLoudEnough(channel, 'certificate'),
    )
    if (audience.length === 0) return false
    const payloadJson = JSON.stringify(certificatePayload(monitor, notice, nowMs, baseUrl))
    for (const { id: channelId } of audience) {
      const id = newId('delivery', nowMs)
      const owed = { id, orgId, channelId, incidentId: null, event, payloadJson, nowMs } as const
      store.deliveries.put(tx, owedDelivery({ ...owed, sequence: 0 }))
      tx.afterCommit(() => wake(orgId, channelId))
    }
    return true
  }
}
