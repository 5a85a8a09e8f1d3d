// Quiet hours: what is held, what passes, and how it is summed up afterwards.
import t, { type Test } from 'tap'
import type { Channel } from '../../../src/domain/alerts/channel.ts'
import type { QuietHours } from '../../../src/domain/alerts/quiet-hours.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { makeIncident, orgA } from '../../support/make-incident.ts'
import {
  delivered,
  incidentNo,
  type OutboxWorld,
  startOutboxWorld,
  unavailable,
  until,
} from '../../support/outbox-world.ts'
import { settle } from '../../support/temp-store.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** The clock of the world starts at midnight UTC. */
const night: QuietHours = { timezone: 'UTC', from: '22:00', to: '07:00' }
const resolved = { state: 'resolved', resolvedAtMs: 90_000 } as const

async function begin(t: Test, channel: Partial<Channel> = {}) {
  const world = startOutboxWorld(t)
  const made = await world.addChannel({ quietHours: night, ...channel })
  return { world, channel: made }
}

async function pass(world: OutboxWorld, ms: number): Promise<void> {
  await settle()
  await world.clock.advance(ms)
  await settle()
}

/** What was sent, in order: the event, and the number of incidents of a digest. */
const heard = ({ sent }: OutboxWorld) =>
  sent.map(({ message, payload }) =>
    message.event === 'incident.digest'
      ? `${payload.data.incidentsTotal} ${JSON.parse(message.payloadJson).data.event}`
      : message.event,
  )

t.test('a message waits until quiet hours are over', async (t) => {
  const { world } = await begin(t)
  await world.tell('incident.opened')
  await pass(world, 7 * hourMs - 1)
  t.same(heard(world), [])
  await pass(world, 1)
  await until(() => world.sent.length === 1)
  t.same(heard(world), ['incident.opened'])
})

t.test('an outage that came and went is told as over', async (t) => {
  const { world } = await begin(t)
  await world.tell('incident.opened')
  await pass(world, hourMs)
  await world.tell('incident.acknowledged', { state: 'acknowledged', revision: 2 })
  await world.tell('incident.resolved', { ...resolved, revision: 3 })
  await pass(world, 6 * hourMs)
  await until(() => world.outbox.pending() === 0)
  t.same(heard(world), ['incident.resolved'])
})

t.test('several become one digest, those that are over another', async (t) => {
  const { world } = await begin(t)
  for (const number of [1, 2, 3, 4, 5])
    await world.tell('incident.opened', { id: incidentNo(number) })
  await pass(world, hourMs)
  for (const number of [1, 2]) {
    await world.tell('incident.resolved', { ...resolved, id: incidentNo(number), revision: 2 })
  }
  await pass(world, 6 * hourMs)
  await until(() => world.outbox.pending() === 0)
  t.same(heard(world).toSorted(), ['2 incident.resolved', '3 incident.opened'])
})

t.test('a channel that takes no digests gets each by itself', async (t) => {
  const { world } = await begin(t, { events: ['incident.opened'] })
  for (const number of [1, 2, 3]) await world.tell('incident.opened', { id: incidentNo(number) })
  await pass(world, 7 * hourMs)
  await until(() => world.outbox.pending() === 0)
  t.same(heard(world), Array(3).fill('incident.opened'))
})

t.test('the end of an outage that the channel knew of before is held too', async (t) => {
  const { world } = await begin(t)
  await pass(world, 21 * hourMs)
  await world.tell('incident.opened')
  await until(() => world.sent.length === 1)
  await pass(world, 2 * hourMs)
  await world.tell('incident.resolved', { ...resolved, revision: 2 })
  await pass(world, 7 * hourMs)
  t.same(heard(world), ['incident.opened'])
  await pass(world, hourMs)
  await until(() => world.sent.length === 2)
  t.same(heard(world), ['incident.opened', 'incident.resolved'])
})

t.test('outages may pass, with everything that follows on them', async (t) => {
  const { world } = await begin(t, { quietHours: { ...night, allowDown: true } })
  await world.tell('incident.opened', { severity: 'degraded', id: incidentNo(2) })
  await world.tell('incident.opened')
  await world.tell('incident.reminder')
  await world.tell('incident.resolved', { ...resolved, revision: 2 })
  await until(() => world.sent.length > 0)
  await pass(world, minuteMs)
  t.equal(world.outbox.pending(), 1)
  t.ok(world.sent.every(({ payload }) => payload.data.incident.id !== incidentNo(2)))
  t.equal(heard(world).at(-1), 'incident.resolved')
  await pass(world, 7 * hourMs)
  await until(() => world.outbox.pending() === 0)
  t.equal(world.sent.at(-1)?.payload.data.incident.id, incidentNo(2))
})

t.test('slowness that becomes an outage passes, from its beginning and in order', async (t) => {
  const { world } = await begin(t, { quietHours: { ...night, allowDown: true } })
  await world.tell('incident.opened', { severity: 'degraded' })
  await pass(world, hourMs)
  t.same(heard(world), [])
  await world.tell('incident.updated', { severity: 'down', revision: 2 })
  await until(() => world.sent.length === 2)
  t.same(heard(world), ['incident.opened', 'incident.updated'])
})

t.test('many held messages hide no outage that may pass', async (t) => {
  const { world } = await begin(t, { quietHours: { ...night, allowDown: true } })
  for (let number = 1; number <= 60; number++) {
    await world.owe('incident.opened', { severity: 'degraded', id: incidentNo(number) })
  }
  await world.tell('incident.opened', { id: incidentNo(61) })
  await until(() => world.sent.length === 1)
  t.equal(world.sent[0]?.payload.data.incident.id, incidentNo(61))
})

t.test('reminders of the night are left out', async (t) => {
  const { world } = await begin(t)
  await world.tell('incident.opened')
  t.same(await world.tell('incident.reminder'), [])
  await pass(world, 7 * hourMs)
  await until(() => world.outbox.pending() === 0)
  t.same(heard(world), ['incident.opened'])
})

t.test(
  'a failed message is not repeated at night, and has a day from its first attempt',
  async (t) => {
    const { world } = await begin(t)
    await pass(world, 21 * hourMs)
    world.answer = () => unavailable
    await world.tell('incident.opened')
    await pass(world, hourMs)
    const tried = world.sent.length
    t.ok(tried > 1)
    await pass(world, 8 * hourMs)
    t.equal(world.sent.length, tried)
    await pass(world, 2 * hourMs)
    t.ok(world.sent.length > tried)
    await world.tell('incident.opened', { id: incidentNo(2) })
    const [, held] = world.deliveries()
    t.equal(held && held.giveUpAtMs - held.createdAtMs, 24 * hourMs, 'by day nothing is added')
  },
)

t.test('what is held has its 24 hours for attempts after quiet hours', async (t) => {
  const { world } = await begin(t)
  await world.owe('incident.opened')
  const [held] = world.deliveries()
  t.equal(held && held.giveUpAtMs - held.createdAtMs, 31 * hourMs)
})

t.test('quiet hours that are taken away let everything out', async (t) => {
  const { world, channel } = await begin(t)
  await world.tell('incident.opened')
  await pass(world, hourMs)
  t.same(heard(world), [])
  await world.store.write((tx) => world.store.channels.put(tx, { ...channel, quietHours: null }))
  world.outbox.wake(channel.orgId, channel.id)
  await until(() => world.sent.length === 1)
})

t.test(
  'an escalation that is due in quiet hours waits, and is not sent if somebody took care',
  async (t) => {
    const { world } = await begin(t, { delayMinutes: 30 })
    await world.tell('incident.opened')
    await world.tell('incident.opened', { id: incidentNo(2) })
    await pass(world, hourMs)
    t.same(heard(world), [], 'the delay is over, the quiet hours are not')
    await world.tell('incident.resolved', { ...resolved, revision: 2 })
    t.equal(world.outbox.pending(), 1)
    await pass(world, 6 * hourMs)
    await until(() => world.outbox.pending() === 0)
    t.same(
      world.sent.map(({ payload }) => payload.data.incident.id),
      [incidentNo(2)],
    )
  },
)

t.test('a restart at night and one in the morning change nothing', async (t) => {
  const { world } = await begin(t)
  for (const number of [1, 2]) await world.tell('incident.opened', { id: incidentNo(number) })
  await pass(world, hourMs)
  await world.outbox.stop()
  const again = world.restart()
  again.start()
  await pass(world, 5 * hourMs)
  t.same(heard(world), [])
  const stopped = again.stop()
  await world.clock.advance(10_000)
  await stopped
  await pass(world, 3 * hourMs)
  world.restart().start()
  await until(() => world.sent.length === 1)
  t.same(heard(world), ['2 incident.opened'])
})

t.test('a digest tells no more than it notes as told, however many wait', async (t) => {
  const { world, channel } = await begin(t, { quietHours: { ...night, allowDown: true } })
  const { store, outbox } = world
  const held = 10 * limits.deliveriesPerLookMax
  const total = limits.digestFoldsMax + 5
  const numbers = Array.from({ length: total }, (_, index) => index + 1)
  await store.write((tx) => {
    // More than the first two looks see, so that the outages are found by a wide one.
    for (const number of Array(held).keys()) {
      const id = incidentNo(10_000 + number)
      store.deliveries.put(tx, world.make(makeIncident({ orgId: orgA, id, severity: 'degraded' })))
    }
    for (const number of numbers) {
      const about = makeIncident({ orgId: orgA, id: incidentNo(number) })
      const promised = { announced: 'open', delivered: 'none', delayedId: null } as const
      store.announcements.put(tx, orgA, about.id, channel.id, promised)
      store.deliveries.put(tx, world.make(about))
    }
  })
  outbox.wake(orgA, channel.id)
  await until(() => outbox.pending() < total)
  // Wide looks have pauses between them.
  for (let second = 0; outbox.pending() > held && second < 70; second += 1) {
    await pass(world, 1_000)
  }
  t.same(heard(world).toSorted(), [
    `${limits.digestFoldsMax} incident.opened`,
    ...Array(5).fill('incident.opened'),
  ])
  const toldOf = (number: number) => store.announcements.get(orgA, incidentNo(number), channel.id)
  const told = numbers.filter((number) => toldOf(number).delivered === 'open')
  t.same(told, numbers, 'none is left that would be told again')
})

for (const resolution of ['paused', 'deleted'] as const) {
  t.test(`an opening that waits is not sent once its monitor is ${resolution}`, async (t) => {
    const ended = { ...resolved, resolution } as const
    const { world } = await begin(t)
    for (const id of [incidentNo(1), incidentNo(2), incidentNo(3)]) {
      await world.tell('incident.opened', { id })
    }
    await world.store.write((tx) => {
      for (const id of [incidentNo(1), incidentNo(2)]) {
        world.store.incidents.put(tx, makeIncident({ orgId: orgA, id, ...ended }))
      }
    })
    await pass(world, 7 * hourMs)
    await until(() => world.outbox.pending() === 0)
    t.same(heard(world), ['incident.opened'], 'only of the third')
    t.equal(world.deliveries().filter(({ state }) => state === 'dead').length, 2, 'and is listed')

    const delayed = await begin(t, { quietHours: null, delayMinutes: 10 })
    await delayed.world.tell('incident.opened')
    await delayed.world.store.write((tx) =>
      delayed.world.store.incidents.put(tx, makeIncident({ orgId: orgA, ...ended })),
    )
    await pass(delayed.world, 10 * minuteMs)
    await until(() => delayed.world.outbox.pending() === 0)
    t.same(heard(delayed.world), [])
    t.match(delayed.world.deliveries(), [{ state: 'dead', lastError: /paused or deleted/ }])

    const failing = await begin(t, { quietHours: null })
    failing.world.answer = () => unavailable
    await failing.world.tell('incident.opened')
    await until(() => failing.world.sent.length === 1)
    await failing.world.store.write((tx) =>
      failing.world.store.incidents.put(tx, makeIncident({ orgId: orgA, ...ended })),
    )
    await pass(failing.world, minuteMs)
    await until(() => failing.world.outbox.pending() === 0)
    t.equal(failing.world.sent.length, 1, 'it is not tried again')
  })

  t.test(`news of an outage that reopened is not told without it: ${resolution}`, async (t) => {
    const { world } = await begin(t, { quietHours: null })
    await world.tell('incident.opened', { revision: 1 })
    await world.tell('incident.resolved', { revision: 2 })
    await until(() => world.sent.length === 2)
    world.answer = () => unavailable
    await world.tell('incident.opened', { revision: 3 })
    await until(() => world.sent.length === 3)
    await world.tell('incident.acknowledged', { revision: 4 })
    const ended = { state: 'resolved', resolution, resolvedAtMs: world.clock.nowMs() } as const
    await world.store.write((tx) =>
      world.store.incidents.put(tx, makeIncident({ orgId: orgA, ...ended })),
    )
    world.answer = () => delivered
    await pass(world, minuteMs)
    await until(() => world.outbox.pending() === 0)
    t.same(
      world.deliveries().map(({ event, state }) => `${event} ${state}`),
      [
        'incident.opened delivered',
        'incident.resolved delivered',
        'incident.opened dead',
        'incident.acknowledged dead',
      ],
    )
    t.equal(world.sent.length, 3)
  })
}
