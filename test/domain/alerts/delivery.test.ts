// When a message is sent, sent again, given up, or not owed at all.
import fc from 'fast-check'
import t from 'tap'
import type { ChannelId, DeliveryId } from '../../../src/base/ids.ts'
import type { Outcome } from '../../../src/domain/alerts/attempt.ts'
import {
  type AnnouncedState,
  announcement,
  begun,
  type Delivery,
  type DeliveryEvent,
  mergeOvertaken,
  nextAttempt,
  redelivered,
  retryWaitMs,
  webhookIdOf,
} from '../../../src/domain/alerts/delivery.ts'
import { runs } from '../../support/depth.ts'
import { channelA, incidentA, incidentB, makeDelivery } from '../../support/make-incident.ts'

const hourMs = 3_600_000

/** After an attempt that took no time. */
const tried = (delivery: Delivery, outcome: Outcome, nowMs: number, random: number) =>
  nextAttempt(delivery, { outcome, startedAtMs: nowMs, nowMs }, random)

const refused = { ok: false, mayRetry: true, reason: 'connection refused' } as const

t.test('a delivered message is done', async (t) => {
  const delivery = tried(makeDelivery(), { ok: true, status: 204 }, 50, 0.5)
  t.match(delivery, { state: 'delivered', attempts: 1, deliveredAtMs: 50, lastAtMs: 50 })
  t.match(delivery, { lastStatus: 204, lastError: null })
})

t.test('a failed one is tried after 5 s, 30 s, 2 min, 10 min, 30 min, then hourly', async (t) => {
  let delivery = makeDelivery()
  const dueAtSeconds: number[] = []
  for (let attempt = 0; attempt < 8; attempt++) {
    delivery = tried(delivery, { ...refused, status: 503 }, delivery.dueAtMs, 0.5)
    dueAtSeconds.push(delivery.dueAtMs / 1_000)
  }
  t.same(dueAtSeconds, [5, 35, 155, 755, 2_555, 6_155, 9_755, 13_355])
  t.match(delivery, { state: 'pending', lastError: 'connection refused', lastStatus: 503 })
})

t.test('the last attempt is made after 24 hours; then the delivery is dead', async (t) => {
  let delivery = makeDelivery()
  while (delivery.state === 'pending') {
    delivery = tried(delivery, refused, delivery.dueAtMs, 0.5)
  }
  t.match(delivery, { state: 'dead', lastAtMs: 24 * hourMs, lastError: 'connection refused' })
  t.equal(delivery.attempts, 30)
})

t.test('a permanent refusal ends it at once', async (t) => {
  const gone = { ok: false, mayRetry: false, reason: 'gone', status: 410 } as const
  t.match(tried(makeDelivery(), gone, 0, 0.5), { state: 'dead', lastStatus: 410 })
})

t.test('waits differ by at most a fifth, so that channels do not synchronize', async (t) => {
  t.equal(retryWaitMs(0, 0), 4_000)
  t.equal(retryWaitMs(0, 1), 6_000)
  t.equal(retryWaitMs(99, 0), 0.8 * hourMs)
})

t.test('Retry-After lengthens a wait, never shortens it, and never beyond the end', async (t) => {
  const after = (retryAfterMs: number) =>
    tried(makeDelivery(), { ...refused, retryAfterMs }, 0, 0.5).dueAtMs
  t.equal(after(60_000), 60_000)
  t.equal(after(1_000), 5_000)
  t.equal(after(999 * hourMs), 24 * hourMs)
})

t.test('whatever the answers, a delivery ends within 24 hours and 31 attempts', async () => {
  const failures = fc.record({ random: fc.double({ min: 0, max: 1, noNaN: true }), wait: fc.nat() })
  const property = fc.property(fc.array(failures, { minLength: 45, maxLength: 45 }), (answers) => {
    let delivery = makeDelivery()
    for (const { random, wait } of answers) {
      if (delivery.state === 'dead') return delivery.lastAtMs === 24 * hourMs
      const nowMs = delivery.dueAtMs
      delivery = tried(delivery, { ...refused, retryAfterMs: wait % 7_200_000 }, nowMs, random)
      if (delivery.state === 'pending' && delivery.dueAtMs <= nowMs) return false
    }
    return false
  })
  fc.assert(property, runs())
})

t.test('a person can send it again, with the same id and bytes', async (t) => {
  const dead = { ...makeDelivery(), state: 'dead', attempts: 30, lastError: 'refused' } as const
  const again = redelivered(dead, 100 * hourMs)
  t.match(again, { state: 'pending', attempts: 0, dueAtMs: 100 * hourMs, payloadJson: '{}' })
  t.equal(again.webhookId, dead.webhookId)
  t.equal(tried(again, refused, 100 * hourMs, 0.5).state, 'pending', 'it has its 24 hours')
  t.throws(() => redelivered(again, 0), { code: 'conflict' })
})

t.test('sent again, a message goes to all who got it, or to all who did not', async (t) => {
  const got = { part: 1, isDelivered: true }
  const partsDone = [got, { part: 2, isDelivered: false, reason: 'No such number.' }]
  const again = (state: 'dead' | 'delivered') =>
    redelivered(makeDelivery({}, { state, partsDone }), 0).partsDone
  t.same(again('dead'), [got], 'who was refused is tried again: that may be repaired')
  t.same(again('delivered'), [])
})

t.test('what may have been sent is known before it is: by its last attempt', async (t) => {
  t.equal(begun(makeDelivery(), 50).lastAtMs, 50)
  t.equal(begun(makeDelivery({}, { lastAtMs: 40 }), 50).lastAtMs, 40)
  const merged = makeDelivery({}, { state: 'delivered', deliveredAtMs: 60, lastAtMs: null })
  t.equal(redelivered(merged, 100).lastAtMs, 60, 'another message may have told it')
  const dropped = makeDelivery({}, { state: 'dead', lastAtMs: null })
  t.equal(redelivered(dropped, 100).lastAtMs, null)
})

t.test('the webhook id is the same after a crash, and another for anything else', async (t) => {
  const id = webhookIdOf(incidentA, 1, channelA)
  t.match(id, /^msg_[0-9a-hjkmnp-tv-z]{26}$/)
  t.equal(webhookIdOf(incidentA, 1, channelA), id)
  const others = [
    webhookIdOf(incidentB, 1, channelA),
    webhookIdOf(incidentA, 2, channelA),
    webhookIdOf(incidentA, 1, 'chn_other' as ChannelId),
  ]
  t.equal(new Set([id, ...others]).size, 4)
})

t.test('no outage is announced twice, no recovery without an outage', async (t) => {
  const rows: [
    before: AnnouncedState,
    event: DeliveryEvent,
    isOwed: boolean,
    then: AnnouncedState,
  ][] = [
    ['none', 'incident.opened', true, 'open'],
    ['none', 'incident.resolved', false, 'none'],
    ['none', 'incident.acknowledged', false, 'none'],
    ['none', 'incident.reminder', false, 'none'],
    ['none', 'incident.updated', false, 'none'],
    ['open', 'incident.opened', false, 'open'],
    ['open', 'incident.acknowledged', true, 'open'],
    ['open', 'incident.reminder', true, 'open'],
    ['open', 'incident.updated', true, 'open'],
    ['open', 'incident.resolved', true, 'resolved'],
    ['resolved', 'incident.resolved', false, 'resolved'],
    ['resolved', 'incident.updated', false, 'resolved'],
    ['resolved', 'incident.opened', true, 'open'],
    ['none', 'channel.test', true, 'none'],
  ]
  for (const [before, event, isOwed, then] of rows) {
    t.same(announcement(before, event), { isOwed, announced: then }, `${event} after ${before}`)
  }
})

const waiting = (id: string, event: DeliveryEvent, incidentId = incidentA) =>
  makeDelivery({ id: id as DeliveryId, event, incidentId, sequence: id.charCodeAt(0) })

t.test('an outage that ended before it was announced is one message', async (t) => {
  const failure = { lastError: 'The receiver answered 500.', lastStatus: 500 }
  const failed = { attempts: 3, lastAtMs: 50_000, dueAtMs: 600_000, ...failure }
  const opened = { ...waiting('a', 'incident.opened'), ...failed }
  const updated = waiting('b', 'incident.updated')
  const resolved = waiting('c', 'incident.resolved')
  const merged = mergeOvertaken([opened, updated, resolved], 60_000)
  t.same(merged, [
    {
      ...opened,
      state: 'delivered',
      lastError: null,
      lastStatus: null,
      deliveredAtMs: 60_000,
      mergedIntoId: 'c',
    },
    { ...updated, state: 'delivered', deliveredAtMs: 60_000, mergedIntoId: 'c' },
    { ...resolved, attempts: 3, dueAtMs: 600_000 },
  ])
})

t.test('only what belongs together is merged', async (t) => {
  const unchanged = [
    [waiting('a', 'incident.opened'), waiting('b', 'incident.resolved', incidentB)],
    [waiting('a', 'incident.opened'), waiting('b', 'incident.updated')],
    [waiting('a', 'incident.resolved'), waiting('b', 'incident.opened')],
    [
      { ...waiting('a', 'incident.opened'), state: 'dead' as const },
      waiting('b', 'incident.resolved'),
    ],
  ]
  for (const deliveries of unchanged) t.same(mergeOvertaken(deliveries, 0), [])
  const twice = mergeOvertaken(
    [
      waiting('a', 'incident.opened'),
      waiting('b', 'incident.resolved'),
      waiting('c', 'incident.opened'),
    ],
    0,
  )
  t.same(
    twice.map((delivery) => delivery.id),
    ['a', 'b'],
    'a reopening is still to be told',
  )
})
