// Metrics of alerts: attempts by how they ended, dead messages, and how long news took to arrive.
import type { Clock } from '../base/clock.ts'
import type { Metrics } from '../base/metrics.ts'
import { type Delivery, dwellMs } from '../domain/alerts/delivery.ts'
import type { Store } from '../store/store.ts'

const dwellBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600, 21_600, 86_400]

export interface DeliveryWatchDeps {
  readonly metrics: Metrics
  readonly store: Pick<Store, 'deliveries'>
  readonly clock: Clock
}

export function watchDeliveries({ metrics, store, clock }: DeliveryWatchDeps) {
  const attempts = metrics.counter({
    name: 'delivery_attempts_total',
    help: 'Attempts to send a message, by how they ended.',
    labels: ['class'],
  })
  const dead = metrics.counter({
    name: 'deliveries_dead_total',
    help: 'Messages that were given up after an attempt.',
  })
  const dwell = metrics.histogram({
    name: 'delivery_dwell_seconds',
    help: 'Time from an event to the delivery of its message.',
    buckets: dwellBuckets,
  })
  metrics.gauge(
    { name: 'delivery_oldest_pending_seconds', help: 'Age of the oldest pending message.' },
    (gauge) => {
      const oldestAtMs = store.deliveries.oldestPendingAtMs()
      gauge.set(oldestAtMs === null ? 0 : Math.max(0, clock.nowMs() - oldestAtMs) / 1_000)
    },
  )
  return {
    /** The delivery as it is after an attempt. */
    onAttempt(delivery: Delivery): void {
      const last = delivery.log.at(-1)
      if (last) attempts.inc({ class: last.class })
      if (delivery.state === 'dead') dead.inc()
      const tookMs = dwellMs(delivery)
      if (delivery.state === 'delivered' && tookMs !== null) dwell.observe(tookMs / 1_000)
    },
  }
}
