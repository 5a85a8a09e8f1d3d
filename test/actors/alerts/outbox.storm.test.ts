// Many monitors go down and come back: how many messages one channel gets, and what they name.
import t from 'tap'
import { wideLookRowsMax } from '../../../src/actors/alerts/channel-queues.ts'
import { createEnqueue } from '../../../src/actors/alerts/enqueue.ts'
import { amount } from '../../support/depth.ts'
import { channelNo } from '../../support/make-channel.ts'
import { makeIncident, orgA } from '../../support/make-incident.ts'
import {
  delivered,
  incidentNo,
  type OutboxWorld,
  type SentMessage,
  startOutboxWorld,
  unavailable,
} from '../../support/outbox-world.ts'
import { settle } from '../../support/temp-store.ts'

const monitors = amount(150, 1_000)
const incidentUrl = () => 'https://up.test/alerts/x'

/** As many at once as one turn of the checks confirms. */
async function happen(
  { store, clock, outbox }: OutboxWorld,
  event: 'incident.opened' | 'incident.resolved',
  overMs: number,
): Promise<void> {
  const enqueue = createEnqueue({ store, incidentUrl, wake: outbox.wake })
  const perTurn = 50
  for (let first = 1; first <= monitors; first += perTurn) {
    const nowMs = clock.nowMs()
    await store.write((tx) => {
      for (let number = first; number < first + perTurn; number += 1) {
        const over = { state: 'resolved', revision: 2, resolvedAtMs: nowMs } as const
        const incident = makeIncident({
          orgId: orgA,
          id: incidentNo(number),
          ...(event === 'incident.resolved' ? over : {}),
        })
        enqueue.incident(tx, { incident, event, nowMs })
      }
    })
    await settle()
    await clock.advance(Math.round((overMs * perTurn) / monitors))
  }
}

async function pass({ clock }: OutboxWorld, ms: number): Promise<void> {
  const stepMs = ms > 600_000 ? 60_000 : 5_000
  for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
    await settle()
    await clock.advance(stepMs)
  }
  await settle()
}

/** How often each incident is named in the messages about one event. */
function named(sent: readonly SentMessage[], event: string): Map<string, number> {
  const times = new Map<string, number>()
  for (const { payload } of sent) {
    const { data } = payload
    const isDigest = payload.type === 'incident.digest' && data.event === event
    const ids = isDigest ? data.incidentIds : payload.type === event ? [data.incident.id] : []
    for (const id of ids) times.set(id, (times.get(id) ?? 0) + 1)
  }
  return times
}

t.test('openings and recoveries are a handful of digests; each incident is in one', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel({ isDefault: true })
  await happen(world, 'incident.opened', 60_000)
  await pass(world, 180_000)
  const openings = world.sent.length
  await happen(world, 'incident.resolved', 60_000)
  await pass(world, 180_000)
  t.equal(world.outbox.pending(), 0)
  for (const event of ['incident.opened', 'incident.resolved']) {
    const times = named(world.sent, event)
    t.equal(times.size, monitors)
    t.ok(
      [...times.values()].every((count) => count === 1),
      `${event}: none is named twice`,
    )
  }
  t.ok(openings <= 10 + 3, `${openings} messages about openings`)
  t.ok(world.sent.length - openings <= 10 + 3, `${world.sent.length - openings} about recoveries`)
})

/** Sixty monitors fail within ten seconds, and come back the same way. */
async function shortStorm(world: OutboxWorld, event: 'incident.opened' | 'incident.resolved') {
  const { clock } = world
  const beganAtMs = new Map<string, number>()
  for (let number = 1; number <= 60; number += 1) {
    const over = { state: 'resolved', revision: 2, resolvedAtMs: clock.nowMs() } as const
    const incident = { id: incidentNo(number), ...(event === 'incident.resolved' ? over : {}) }
    beganAtMs.set(incidentNo(number), clock.nowMs())
    await world.tell(event, incident)
    await settle()
    await clock.advance(170)
  }
  for (let half = 0; half < 60; half += 1) {
    await settle()
    await clock.advance(500)
  }
  return beganAtMs
}

t.test('an outage early in a storm is told within about ten seconds', async (t) => {
  const world = startOutboxWorld(t)
  const chat = await world.addChannel({ isDefault: true, type: 'slack' })
  const hook = await world.addChannel({ isDefault: true, id: channelNo(2) })
  const pager = await world.addChannel({ isDefault: true, id: channelNo(3), type: 'pagerduty' })
  for (const event of ['incident.opened', 'incident.resolved'] as const) {
    world.sent.length = 0
    const beganAtMs = await shortStorm(world, event)
    for (const { id, type } of [chat, hook, pager]) {
      const sent = world.sent.filter((one) => one.channelId === id)
      const waitsMs = sent.flatMap(({ payload: { data }, atMs }) =>
        (data.incidentIds ?? [data.incident.id]).map((one) => atMs - (beganAtMs.get(one) ?? 0)),
      )
      const longestMs = Math.max(...waitsMs)
      t.equal(waitsMs.length, 60, `${type} hears of each once: ${event}`)
      t.ok(longestMs < 11_000, `${type}: ${longestMs} ms after the ${event}`)
      if (type === 'pagerduty') t.equal(sent.length, 60)
      else t.ok(sent.length <= 10 + 4, `${type}: ${sent.length} messages`)
    }
  }
  t.equal(world.outbox.pending(), 0)
})

t.test('after an outage of the channel, what is over is one digest of resolved ones', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel({ isDefault: true })
  world.answer = () => unavailable
  await happen(world, 'incident.opened', 60_000)
  await pass(world, 600_000)
  await happen(world, 'incident.resolved', 60_000)
  await pass(world, 600_000)
  world.answer = () => delivered
  const before = world.sent.length
  await pass(world, 2 * 3_600_000)
  t.equal(world.outbox.pending(), 0)
  const after = world.sent.slice(before)
  t.ok(after.length <= 4, `${after.length} messages: ${after.map((one) => one.payload.type)}`)
  const ends = named(after, 'incident.resolved')
  t.equal(ends.size, monitors)
  t.ok([...ends.values()].every((count) => count === 1))
})

t.test('messages that wait out a delay hide no others, however many they are', async (t) => {
  const world = startOutboxWorld(t)
  const { clock } = world
  const channel = await world.addChannel({ isDefault: true, delayMinutes: 30 })
  await happen(world, 'incident.opened', 1_000)
  await settle()
  t.equal(world.sent.length, 0)
  const undelayed = { ...channel, delayMinutes: 0 }
  await world.store.write((tx) => world.store.channels.put(tx, undelayed))
  await world.tell('incident.opened', { id: incidentNo(5_000) })
  await settle()
  await clock.advance(1_000)
  await settle()
  t.match(world.sent, [{ payload: { data: { incident: { id: incidentNo(5_000) } } } }])
})

t.test('of more messages than a channel can hold back, the oldest are given up', async (t) => {
  const world = startOutboxWorld(t)
  const { store, clock } = world
  await world.addChannel({ isDefault: true })
  const dueAtMs = clock.nowMs() + 24 * 3_600_000
  const count = wideLookRowsMax + 700
  await store.write((tx) => {
    for (let number = 1; number <= count; number += 1) {
      const incident = makeIncident({ orgId: orgA, id: incidentNo(number) })
      store.deliveries.put(tx, { ...world.make(incident), dueAtMs })
    }
  })
  await world.tell('incident.opened', { id: incidentNo(10_000) })
  await pass(world, 15_000)
  t.match(world.sent, [{ payload: { data: { incident: { id: incidentNo(10_000) } } } }])
  const held = store.deliveries.pending(orgA, channelNo(1), count)
  t.ok(held.length <= wideLookRowsMax && held.length >= count - 1_000, `${held.length} wait`)
  t.equal(held.at(-1)?.incidentId, incidentNo(count), 'the newest are kept')
  const all = store.deliveries.list(orgA, channelNo(1), { limit: count + 1 })
  const given = all.find(({ incidentId }) => incidentId === incidentNo(1))
  t.match(given, { state: 'dead', lastError: /More than 5000 messages waited/ })
})
