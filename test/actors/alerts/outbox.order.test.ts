// Order within a lane: what is decided while more comes in never tells an end before its beginning.
import t from 'tap'
import { createEnqueue } from '../../../src/actors/alerts/enqueue.ts'
import { redelivered } from '../../../src/domain/alerts/delivery.ts'
import { incidentA, makeIncident, orgA } from '../../support/make-incident.ts'
import { incidentNo, startOutboxWorld, until } from '../../support/outbox-world.ts'

t.test('an outage that is over before its digest is made is told as an end', async (t) => {
  const world = startOutboxWorld(t)
  const { store, clock, outbox, sent } = world
  const channel = await world.addChannel({ isDefault: true })
  for (let number = 1; number <= 11; number++) {
    await world.owe('incident.opened', { id: incidentNo(number) })
  }
  // Committed after the lane was looked at, and before the digest is made of it.
  const enqueue = createEnqueue({ store, incidentUrl: () => 'https://up.test/alerts/x', wake() {} })
  const late = makeIncident({ orgId: orgA, id: incidentNo(12) })
  const nowMs = clock.nowMs() + 5
  const writing = store.write((tx) => {
    enqueue.incident(tx, { incident: late, event: 'incident.opened', nowMs })
    const over = { ...late, state: 'resolved', revision: 2 } as const
    enqueue.incident(tx, { incident: over, event: 'incident.resolved', nowMs: nowMs + 1 })
  })
  outbox.wake(orgA, channel.id)
  await writing
  await clock.advance(10)
  await until(() => world.deliveries(channel.id).every(({ state }) => state !== 'pending'))
  t.same(
    sent.map(({ payload }) => payload.type),
    ['incident.resolved', 'incident.digest'],
  )
  t.equal(sent[0]?.payload.data.incident.id, late.id)
  t.equal(sent[1]?.payload.data.incidentsTotal, 11)
})

t.test('an opening that is sent again after the end is not taken for a new outage', async (t) => {
  const world = startOutboxWorld(t)
  const { store, clock, outbox, sent } = world
  const { id: channelId } = await world.addChannel()
  await world.tell('incident.opened')
  await until(() => world.deliveries()[0]?.state === 'delivered')
  await world.tell('incident.resolved', { state: 'resolved', revision: 2, resolvedAtMs: 90_000 })
  await until(() => world.deliveries().every(({ state }) => state === 'delivered'))
  const told = store.announcements.get(orgA, incidentA, channelId)
  t.match(told, { announced: 'resolved', delivered: 'resolved' })
  const opening = world.deliveries().find(({ event }) => event === 'incident.opened')
  await store.write((tx) => {
    if (opening) store.deliveries.put(tx, redelivered(opening, clock.nowMs()))
  })
  outbox.wake(orgA, channelId)
  await until(() => sent.length === 3)
  await until(() => world.outbox.pending() === 0)
  t.same(store.announcements.get(orgA, incidentA, channelId), told)
})
