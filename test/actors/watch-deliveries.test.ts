// The metrics of alerts, as an operator reads them.
import t from 'tap'
import { watchDeliveries } from '../../src/actors/watch-deliveries.ts'
import { createMetrics } from '../../src/base/metrics.ts'
import type { Outcome } from '../../src/domain/alerts/attempt.ts'
import { unused } from '../../src/domain/alerts/channel-health.ts'
import { nextAttempt } from '../../src/domain/alerts/delivery.ts'
import { limits } from '../../src/domain/limits/limits.ts'
import { channelNo, makeChannel } from '../support/make-channel.ts'
import { makeDelivery, orgA } from '../support/make-incident.ts'
import { orgTwo } from '../support/make-page.ts'
import { openTempStore } from '../support/temp-store.ts'

t.test('attempts, dead messages, the age of the oldest and the time until delivery', async (t) => {
  const { store, clock } = openTempStore(t)
  const metrics = createMetrics()
  const watch = watchDeliveries({ metrics, store, clock })
  const startMs = clock.nowMs()
  const tried = (outcome: Outcome, afterMs: number) => {
    const nowMs = startMs + afterMs
    const delivery = makeDelivery({ nowMs: startMs })
    watch.onAttempt(nextAttempt(delivery, { outcome, startedAtMs: nowMs, nowMs }, 0.5))
  }
  t.match(await metrics.text(), /^stillup_delivery_oldest_pending_seconds 0$/m)
  tried({ ok: true, status: 200 }, 400)
  tried({ ok: true, status: 200 }, 90_000)
  tried({ ok: false, mayRetry: true, status: 503, reason: 'busy' }, 100)
  tried({ ok: false, mayRetry: false, status: 410, disablesChannel: true, reason: 'gone' }, 100)
  watch.onGivenUp(3)
  await store.write((tx) => store.deliveries.put(tx, makeDelivery({ nowMs: startMs - 30_000 })))
  const text = await metrics.text()
  for (const line of [
    'stillup_delivery_attempts_total{class="delivered"} 2',
    'stillup_delivery_attempts_total{class="server_error"} 1',
    'stillup_delivery_attempts_total{class="disabled"} 1',
    'stillup_deliveries_dead_total 4',
    'stillup_delivery_dwell_seconds_bucket{le="0.5"} 1',
    'stillup_delivery_dwell_seconds_count 2',
    'stillup_delivery_oldest_pending_seconds 30',
  ]) {
    t.ok(text.includes(`${line}\n`), line)
  }
})

t.test('organizations that no alert can reach are counted', async (t) => {
  const { store, clock } = openTempStore(t)
  const metrics = createMetrics()
  watchDeliveries({ metrics, store, clock })
  const failing = { ...unused, failures: 5, failingSinceMs: 0 }
  await store.write((tx) => {
    const both = [makeChannel({ id: channelNo(1) }), makeChannel({ id: channelNo(2) })]
    const lonely = makeChannel({ id: channelNo(3), orgId: orgTwo, isActive: false })
    for (const channel of [...both, lonely]) store.channels.put(tx, channel)
    for (const { orgId, id } of [both[0] ?? lonely, lonely]) {
      store.channelHealth.put(tx, orgId, id, failing)
    }
  })
  const count = async () => /orgs_without_working_channel (\d+)/.exec(await metrics.text())?.[1]
  t.equal(await count(), '1', 'the other organization has a channel that works')
  await store.write((tx) => store.channelHealth.put(tx, orgA, channelNo(2), failing))
  t.equal(await count(), '1', 'counted once a minute')
  await clock.advance(60_000)
  t.equal(await count(), '2')
})

t.test('the count of organizations leaves time for other work', async (t) => {
  const { store, clock } = openTempStore(t)
  const metrics = createMetrics()
  watchDeliveries({ metrics, store, clock })
  const failing = { ...unused, failures: 5, failingSinceMs: 0 }
  await store.write((tx) => {
    for (const orgId of [orgA, orgTwo]) store.channelHealth.put(tx, orgId, channelNo(1), failing)
  })
  // Each look at the clock finds that its time is used up.
  let monoMs = 0
  Object.assign(clock, { monoMs: () => (monoMs += limits.turnMs) })
  let others = 0
  let isCounting = true
  const work = () => {
    others += 1
    if (isCounting) setImmediate(work)
  }
  setImmediate(work)
  const text = await metrics.text()
  isCounting = false
  t.match(text, /orgs_without_working_channel 2$/m)
  t.ok(others >= 3, 'once for the slice, and once for each organization')
})
