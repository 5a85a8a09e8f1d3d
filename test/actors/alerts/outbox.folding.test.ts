// Fewer messages that say the same: overtaken news, storms, and what is no longer worth saying.
import t from 'tap'
import { channelA, incidentA, makeIncident, orgA } from '../../support/make-incident.ts'
import {
  delivered,
  incidentNo,
  type OutboxWorld,
  startOutboxWorld,
  unavailable,
  until,
} from '../../support/outbox-world.ts'
import { settle } from '../../support/temp-store.ts'

const resolved = { state: 'resolved', revision: 2, resolvedAtMs: 90_000 } as const

async function owed(world: OutboxWorld, count: number, from = 1): Promise<void> {
  for (let number = from; number < from + count; number += 1) {
    await world.owe('incident.opened', { id: incidentNo(number), title: `Site ${number} is down` })
  }
}

t.test('an outage that is over before it was announced is one message, the recovery', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  await world.owe('incident.opened')
  await world.owe('incident.acknowledged', { state: 'acknowledged', revision: 2 })
  await world.tell('incident.resolved', { ...resolved, revision: 3 })
  await until(() => world.outbox.pending() === 0)
  t.same(
    world.sent.map(({ payload }) => payload.type),
    ['incident.resolved'],
  )
  const [opening, acknowledged, resolution] = world.deliveries()
  t.equal(world.sent[0]?.message.id, resolution?.webhookId)
  t.match(
    [opening, acknowledged],
    [
      { state: 'delivered', attempts: 0, mergedIntoId: resolution?.id },
      { state: 'delivered', attempts: 0, mergedIntoId: resolution?.id },
    ],
  )
  t.equal(world.store.announcements.get(orgA, incidentA, channelA).delivered, 'resolved')
})

t.test('a channel that is down through a whole outage gets one message afterwards', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  world.answer = () => unavailable
  await world.tell('incident.opened')
  await until(() => world.deliveries()[0]?.attempts === 1)
  await world.tell('incident.resolved', resolved)
  await settle()
  t.equal(world.sent.length, 1, 'more news is no reason to try sooner')
  world.answer = () => delivered
  await world.clock.advance(5_000)
  await until(() => world.outbox.pending() === 0)
  t.same(
    world.sent.map(({ payload }) => payload.type),
    ['incident.opened', 'incident.resolved'],
  )
})

t.test('more than ten openings at once are one digest that lists them', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  await owed(world, 25)
  await world.owe('incident.resolved', { ...resolved, id: incidentNo(3) })
  world.outbox.wake(orgA, channelA)
  await until(() => world.outbox.pending() === 0)
  t.equal(world.sent.length, 2)
  const [end, digest] = world.sent
  t.match(end?.payload, { type: 'incident.resolved', data: { incident: { id: incidentNo(3) } } })
  t.match(digest?.payload, { type: 'incident.digest', data: { event: 'incident.opened' } })
  t.equal(digest?.payload.data.incidentsTotal, 24)
  t.equal(digest?.payload.data.incidents.length, 24)
  t.ok(digest?.payload.data.incidents.every(({ state }) => state === 'open'))
  const rows = world.deliveries()
  t.equal(rows.filter(({ mergedIntoId }) => mergedIntoId !== null).length, 25)
  t.equal(world.store.announcements.get(orgA, incidentNo(7), channelA).delivered, 'open')
  t.equal(world.store.announcements.get(orgA, incidentNo(3), channelA).delivered, 'resolved')

  await world.tell('incident.resolved', { ...resolved, id: incidentNo(7) })
  await until(() => world.sent.length === 3)
  t.equal(world.sent[2]?.payload.type, 'incident.resolved', 'its end is told by itself')
})

t.test('ten openings are ten messages', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  await owed(world, 10)
  world.outbox.wake(orgA, channelA)
  await until(() => world.outbox.pending() === 0)
  t.equal(world.sent.length, 10)
  t.ok(world.sent.every(({ payload }) => payload.type === 'incident.opened'))
})

t.test('openings that trickle in are gathered after ten were sent within a minute', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  for (let number = 1; number <= 14; number += 1) {
    await world.tell('incident.opened', { id: incidentNo(number) })
    await settle()
    await world.clock.advance(100)
  }
  await settle()
  t.equal(world.sent.length, 10)
  t.equal(world.outbox.pending(), 4, 'the others wait to be told together')
  await world.tell('incident.resolved', { ...resolved, id: incidentNo(1) })
  await until(() => world.sent.length === 11)
  t.equal(world.sent[10]?.payload.type, 'incident.resolved', 'other news does not wait with them')
  await world.clock.advance(5_000)
  await until(() => world.outbox.pending() === 0)
  t.equal(world.sent.length, 12)
  t.equal(world.sent[11]?.payload.data.incidentsTotal, 4)

  await world.tell('incident.opened', { id: incidentNo(15) })
  await world.tell('incident.opened', { id: incidentNo(16) })
  await world.clock.advance(4_000)
  await settle()
  t.equal(world.sent.length, 12, 'the next digest waits for more of them')
  await world.clock.advance(2_000)
  await until(() => world.outbox.pending() === 0)
  t.equal(world.sent.length, 13)
  t.equal(world.sent[12]?.payload.data.incidentsTotal, 2)

  await world.clock.advance(60_000)
  await world.tell('incident.opened', { id: incidentNo(17) })
  await world.tell('incident.opened', { id: incidentNo(18) })
  await until(() => world.outbox.pending() === 0)
  t.equal(world.sent.length, 15, 'the storm is over: one by one again')
})

t.test('a digest that was not recorded goes out again as the same message', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  await owed(world, 12)
  let writes = 0
  const dying = world.restart({
    store: {
      ...world.store,
      // The first write folds the digest, the second would record that it was delivered.
      write: (body) => (++writes === 1 ? world.store.write(body) : new Promise<never>(() => {})),
    },
  })
  dying.start()
  await until(() => world.sent.length === 1)
  await owed(world, 1, 50)
  world.restart().start()
  await until(() => world.sent.length === 2)
  t.same(world.sent[1]?.message, world.sent[0]?.message, 'though more has opened meanwhile')
  await settle()
  await world.clock.advance(60_000)
  await until(() => world.outbox.pending() === 0)
  t.equal(world.sent[2]?.payload.data.incident.id, incidentNo(50))
})

t.test('news about an outage that was never announced is dropped, with the reason', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  world.answer = () => ({ ok: false, mayRetry: false, reason: 'The URL leads to a private place.' })
  await world.owe('incident.opened')
  await world.tell('incident.acknowledged', { state: 'acknowledged', revision: 2 })
  await until(() => world.outbox.pending() === 0)
  t.equal(world.sent.length, 1)
  t.same(
    world.deliveries().map(({ lastError }) => lastError),
    ['The URL leads to a private place.', 'The opening of this incident was never delivered.'],
  )
})

t.test('a storm of thousands is a few messages, and all incidents can recover', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  const incidents = 2_500
  await world.store.write((tx) => {
    const { announcements, deliveries } = world.store
    for (let number = 1; number <= incidents; number += 1) {
      const id = incidentNo(number)
      const row = world.make(makeIncident({ id }))
      deliveries.put(tx, row)
      const record = { announced: 'open', delivered: 'none', delayedId: null } as const
      announcements.put(tx, orgA, id, channelA, record)
    }
  })
  world.outbox.wake(orgA, channelA)
  await until(() => world.outbox.pending() === 0)
  t.same(
    world.sent.map(({ payload }) => [payload.data.incidentsTotal, payload.data.incidents.length]),
    [
      [2_000, 100],
      [500, 100],
    ],
  )
  t.equal(world.store.announcements.get(orgA, incidentNo(incidents), channelA).delivered, 'open')
})

t.test('what no answer came to may have arrived, so that its end is told', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  world.answer = () => ({ ok: false, mayRetry: false, class: 'timeout', reason: 'No answer.' })
  await world.tell('incident.opened')
  await until(() => world.outbox.pending() === 0)
  t.match(world.deliveries(), [{ state: 'dead' }])
  world.answer = () => delivered
  await world.tell('incident.resolved', resolved)
  await until(() => world.outbox.pending() === 0)
  t.same(
    world.sent.map(({ payload }) => payload.type),
    ['incident.opened', 'incident.resolved'],
  )
})

t.test('the outages of a digest that died end without a word; new ones are told', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  await owed(world, 12)
  world.answer = () => ({ ok: false, mayRetry: false, status: 400, reason: 'It said 400.' })
  world.outbox.wake(orgA, channelA)
  await until(() => world.outbox.pending() === 0)
  t.match(world.sent, [{ payload: { type: 'incident.digest' } }])
  world.answer = () => delivered
  t.same(await world.tell('incident.resolved', { ...resolved, id: incidentNo(4) }), [])
  t.equal(world.store.announcements.get(orgA, incidentNo(4), channelA).announced, 'none')
  await world.tell('incident.opened', { id: incidentNo(20) })
  await until(() => world.sent.length === 2)
  t.equal(world.sent[1]?.payload.data.incident.id, incidentNo(20))
})

t.test('a channel without digests hears only the ends of what was over before', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel({ events: ['incident.opened', 'incident.resolved'] })
  const outages = 55
  await owed(world, outages)
  for (let number = 1; number <= outages; number += 1) {
    await world.owe('incident.resolved', { ...resolved, id: incidentNo(number) })
  }
  world.outbox.wake(orgA, channelA)
  await until(() => world.sent.length === 3)
  t.ok(world.sent.every(({ payload }) => payload.type === 'incident.resolved'))
  const merged = world.deliveries().filter(({ mergedIntoId }) => mergedIntoId !== null)
  t.equal(merged.length, outages, 'every opening is told by its end')
})
