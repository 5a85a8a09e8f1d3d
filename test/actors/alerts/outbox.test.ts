// What a receiver sees of the outbox: order, retries, restarts, no channel hurting another.
import t from 'tap'
import type { Outcome } from '../../../src/domain/alerts/delivery.ts'
import { channelNo } from '../../support/make-channel.ts'
import { channelA, incidentA, orgA } from '../../support/make-incident.ts'
import {
  delivered,
  incidentNo,
  startOutboxWorld,
  unavailable,
  until,
} from '../../support/outbox-world.ts'
import { settle } from '../../support/temp-store.ts'

const resolved = { state: 'resolved', revision: 2, resolvedAtMs: 90_000 } as const

t.test('an outage and its end arrive in order, once each, and nothing stays pending', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  await world.tell('incident.opened')
  await until(() => world.sent.length === 1 && world.outbox.pending() === 0)
  await world.tell('incident.resolved', resolved)
  await until(() => world.sent.length === 2 && world.outbox.pending() === 0)
  t.same(
    world.sent.map(({ message }) => message.event),
    ['incident.opened', 'incident.resolved'],
  )
  t.same(
    world.deliveries().map(({ state, attempts, lastStatus }) => [state, attempts, lastStatus]),
    [
      ['delivered', 1, 200],
      ['delivered', 1, 200],
    ],
  )
  t.not(world.sent[0]?.message.id, world.sent[1]?.message.id, 'each has its own id')
  t.equal(world.store.announcements.get(orgA, incidentA, channelA).delivered, 'resolved')
})

t.test(
  'a failing receiver is tried again after 5 s, 30 s, 2 min, always as one message',
  async (t) => {
    const world = startOutboxWorld(t)
    await world.addChannel()
    world.answer = () => unavailable
    const startMs = world.clock.nowMs()
    await world.tell('incident.opened')
    for (const waitMs of [5_000, 30_000, 120_000]) {
      const { length } = world.sent
      await until(() => world.deliveries()[0]?.attempts === Math.max(1, length))
      await settle()
      const before = world.sent.length
      await world.clock.advance(waitMs - 1)
      await settle()
      t.equal(world.sent.length, before, `nothing before ${waitMs} ms`)
      await world.clock.advance(1)
      await until(() => world.sent.length === before + 1)
    }
    t.same(
      world.sent.map(({ atMs }) => atMs - startMs),
      [0, 5_000, 35_000, 155_000],
    )
    t.equal(new Set(world.sent.map(({ message }) => message.id)).size, 1, 'one webhook id')
    t.equal(new Set(world.sent.map(({ message }) => message.payloadJson)).size, 1, 'the same bytes')
  },
)

t.test('a pause that a receiver asks for is respected', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  world.answer = () => ({ ...unavailable, status: 429, retryAfterMs: 600_000 }) as Outcome
  await world.tell('incident.opened')
  await until(() => world.deliveries()[0]?.attempts === 1)
  await settle()
  await world.clock.advance(599_000)
  await settle()
  t.equal(world.sent.length, 1)
  await world.clock.advance(1_000)
  await until(() => world.sent.length === 2)
})

t.test('while one message waits for its next attempt, later ones wait behind it', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  world.answer = () => unavailable
  await world.tell('incident.opened')
  await until(() => world.deliveries()[0]?.attempts === 1)
  await world.tell('incident.opened', { id: incidentNo(2) })
  await settle()
  t.equal(world.sent.length, 1, 'the second is not sent ahead')
  world.answer = () => delivered
  await world.clock.advance(5_000)
  await until(() => world.outbox.pending() === 0)
  t.same(
    world.sent.map(({ payload }) => payload.data.incident.id),
    [incidentA, incidentA, incidentNo(2)],
  )
})

t.test('after a day of failures a message is dead, shown, and not tried any more', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  world.answer = () => unavailable
  await world.tell('incident.opened')
  await until(() => world.deliveries()[0]?.attempts === 1)
  for (let hour = 0; hour < 60 && world.deliveries()[0]?.state === 'pending'; hour += 1) {
    await settle()
    await world.clock.advance(30 * 60_000)
  }
  await until(() => world.deliveries()[0]?.state === 'dead')
  const [dead] = world.deliveries()
  t.ok((dead?.attempts ?? 0) > 20)
  t.equal(dead?.lastError, 'The receiver answered 500.')
  t.equal(world.outbox.pending(), 0)
  world.answer = () => delivered
  t.same(await world.tell('incident.resolved', resolved), [], 'no recovery without an outage')
})

t.test('a receiver that is permanently gone switches its channel off', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  world.answer = () => ({
    ok: false,
    mayRetry: false,
    status: 410,
    disablesChannel: true,
    reason: 'The receiver is gone for good (410).',
  })
  await world.owe('incident.opened')
  await world.tell('incident.opened', { id: incidentNo(2) })
  await until(() => world.outbox.pending() === 0)
  const channel = world.store.channels.get(orgA, channelA)
  t.match(channel, { isActive: false, revision: 2, disabledReason: /410/ })
  t.equal(world.sent.length, 1)
  t.same(
    world.deliveries().map(({ state, lastError }) => [state, lastError]),
    [
      ['dead', 'The receiver is gone for good (410).'],
      ['dead', 'The channel is switched off.'],
    ],
  )
})

t.test('messages pending at a stop are sent after the next start', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  await world.addChannel({ id: channelNo(2) })
  await world.outbox.stop()
  await world.tell('incident.opened')
  await settle()
  t.equal(world.sent.length, 0, 'a stopped outbox sends nothing')
  t.equal(world.outbox.pending(), 2)
  world.restart().start()
  await until(() => world.outbox.pending() === 0)
  t.same(world.sent.map(({ channelId }) => channelId).sort(), [channelNo(2), channelA].sort())
})

t.test(
  'a crash between the answer and its record repeats the message with the same id',
  async (t) => {
    const world = startOutboxWorld(t)
    await world.addChannel()
    await world.owe('incident.opened')
    const dying = world.restart({
      store: { ...world.store, write: () => new Promise<never>(() => {}) },
    })
    dying.start()
    await until(() => world.sent.length === 1)
    await settle()
    t.equal(world.outbox.pending(), 1, 'not marked as delivered before it is recorded')
    world.restart().start()
    await until(() => world.outbox.pending() === 0)
    t.equal(world.sent.length, 2)
    t.same(world.sent[0]?.message, world.sent[1]?.message)
  },
)

t.test('a receiver that hangs does not delay other channels', async (t) => {
  const world = startOutboxWorld(t)
  const channels = 40
  for (let number = 1; number <= channels; number += 1) {
    await world.addChannel({ id: channelNo(number) })
  }
  world.answer = ({ channelId }) =>
    channelId === channelA ? new Promise<Outcome>(() => {}) : delivered
  await world.tell('incident.opened')
  await until(() => world.outbox.pending() === 1)
  t.equal(world.sent.length, channels)
  t.equal(world.deliveries()[0]?.state, 'pending')
})

t.test('a stop waits for the message in progress and starts no other', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  let finish = (_: Outcome) => {}
  world.answer = () => new Promise<Outcome>((resolve) => (finish = resolve))
  await world.owe('incident.opened', { id: incidentNo(2) })
  await world.tell('incident.opened')
  await until(() => world.sent.length === 1)
  const stopped = world.outbox.stop()
  await settle()
  finish(delivered)
  await stopped
  t.equal(world.sent.length, 1)
  t.same(
    world.deliveries().map(({ state }) => state),
    ['delivered', 'pending'],
  )
})

t.test('a stop gives a receiver that never answers ten seconds', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  world.answer = () => new Promise<Outcome>(() => {})
  await world.tell('incident.opened')
  await until(() => world.sent.length === 1)
  const stopped = world.outbox.stop()
  await world.clock.advance(10_000)
  await stopped
  t.equal(world.outbox.pending(), 1, 'it stays owed')
})

t.test('a bug while sending is logged and tried again, and loses nothing', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  world.answer = () => {
    throw new Error('a bug')
  }
  await world.tell('incident.opened')
  await until(() => world.errors.length === 1)
  t.equal(world.errors[0]?.message, 'outbox step failed')
  world.answer = () => delivered
  await world.clock.advance(5_000)
  await until(() => world.outbox.pending() === 0)
  t.equal(world.sent.length, 2)
})

t.test('a channel that is switched off drops its pending messages', async (t) => {
  const world = startOutboxWorld(t)
  const channel = await world.addChannel()
  await world.owe('incident.opened')
  await world.store.write((tx) => world.store.channels.put(tx, { ...channel, isActive: false }))
  world.outbox.wake(orgA, channelA)
  await until(() => world.outbox.pending() === 0)
  t.equal(world.sent.length, 0)
  t.match(world.deliveries(), [{ state: 'dead', lastError: 'The channel is switched off.' }])
})
