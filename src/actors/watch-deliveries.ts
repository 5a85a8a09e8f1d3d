// Metrics of alerts: attempts by how they ended, dead messages, and how long news took to arrive.
import type { Clock } from '../base/clock.ts'
import type { OrgId } from '../base/ids.ts'
import type { Metrics } from '../base/metrics.ts'
import { createYielder } from '../base/yielding.ts'
import { isFailing } from '../domain/alerts/channel-health.ts'
import { type Delivery, dwellMs } from '../domain/alerts/delivery.ts'
import { limits } from '../domain/limits/limits.ts'
import type { Store } from '../store/store.ts'
import type { ChannelHealthEntry } from '../store/tables/alerts/channel-health.ts'

const dwellBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600, 21_600, 86_400]

export interface DeliveryWatchDeps {
  readonly metrics: Metrics
  readonly store: Pick<Store, 'deliveries' | 'channels' | 'channelHealth'>
  readonly clock: Clock
}

/** The age at which the count of organizations without a working channel is renewed. */
const unreachableCountedMs = 60_000

export function watchDeliveries({ metrics, store, clock }: DeliveryWatchDeps) {
  const attempts = metrics.counter({
    name: 'delivery_attempts_total',
    help: 'Attempts to send a message, by how they ended.',
    labels: ['class'],
  })
  const dead = metrics.counter({
    name: 'deliveries_dead_total',
    help: 'Messages that were given up.',
  })
  const dwell = metrics
    .histogram({
      name: 'delivery_dwell_seconds',
      help: 'Time from an event to the delivery of its message.',
      buckets: dwellBuckets,
    })
    .of()
  metrics.gauge(
    { name: 'delivery_oldest_pending_seconds', help: 'Age of the oldest pending message.' },
    (gauge) => {
      const oldestAtMs = store.deliveries.oldestPendingAtMs()
      gauge.set(oldestAtMs === null ? 0 : Math.max(0, clock.nowMs() - oldestAtMs) / 1_000)
    },
  )
  let counted = { atMs: Number.NEGATIVE_INFINITY, orgs: 0 }
  metrics.gauge(
    {
      name: 'orgs_without_working_channel',
      help: 'Organizations of which every alert channel that is on fails, or was switched off by us.',
    },
    async (gauge) => {
      const atMs = clock.nowMs()
      // Reads the health of all channels, so not each time somebody asks.
      if (atMs - counted.atMs >= unreachableCountedMs) {
        // Callers that ask meanwhile get the previous count.
        counted = { atMs, orgs: counted.orgs }
        counted = { atMs, orgs: await countUnreachable({ store, clock }) }
      }
      gauge.set(counted.orgs)
    },
  )
  return {
    /** Counts messages that were given up without an attempt. */
    onGivenUp: (count: number) => dead.of().inc(count),
    /** The delivery as it is after an attempt. */
    onAttempt(delivery: Delivery): void {
      const last = delivery.log.at(-1)
      if (last) attempts.of(last.class).inc()
      if (delivery.state === 'dead') dead.of().inc()
      const tookMs = dwellMs(delivery)
      if (delivery.state === 'delivered' && tookMs !== null) dwell.observe(tookMs / 1_000)
    },
  }
}

/** Only an organization with a channel that fails can have none that works. */
async function countUnreachable({
  store: { channels, channelHealth },
  clock,
}: Omit<DeliveryWatchDeps, 'metrics'>): Promise<number> {
  const yielder = createYielder(clock, limits.turnMs)
  const suspects = new Set<OrgId>()
  let last: ChannelHealthEntry | undefined
  do {
    const slice = channelHealth.slice(limits.scanSlice, last)
    for (const { orgId, health } of slice) if (isFailing(health)) suspects.add(orgId)
    last = slice.length < limits.scanSlice ? undefined : slice.at(-1)
    if (yielder.isDue()) await yielder.pause()
  } while (last)
  const isReachable = (orgId: OrgId) =>
    channels
      .list(orgId, limits.quotaMax)
      .some(({ id, isActive }) => isActive && !isFailing(channelHealth.get(orgId, id)))
  let orgs = 0
  for (const orgId of suspects) {
    if (!isReachable(orgId)) orgs += 1
    if (yielder.isDue()) await yielder.pause()
  }
  return orgs
}
