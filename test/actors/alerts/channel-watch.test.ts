// What an organization hears of its own channels: one that fails is reported by another, once.
import t from 'tap'
import type { Outcome } from '../../../src/domain/alerts/attempt.ts'
import { afresh } from '../../../src/domain/alerts/channel-health.ts'
import { channelNo } from '../../support/make-channel.ts'
import { channelA, orgA } from '../../support/make-incident.ts'
import {
  delivered,
  incidentNo,
  type OutboxWorld,
  startOutboxWorld,
  unavailable,
  until,
} from '../../support/outbox-world.ts'
import { settle } from '../../support/temp-store.ts'

const healthOf = ({ store }: OutboxWorld, number = 1) =>
  store.channelHealth.get(orgA, channelNo(number))
const noticesTo = ({ sent }: OutboxWorld, number: number) =>
  sent.filter(
    ({ channelId, message }) =>
      channelId === channelNo(number) && message.event.startsWith('channel.'),
  )

/** Time passes in small steps, so that what is written on the way is on disk in time. */
async function pass(world: OutboxWorld, ms: number, stepMs = 60_000): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += stepMs) {
    await settle()
    await world.clock.advance(stepMs)
  }
  await settle()
}

/** Only the first channel gets the incidents; it fails. */
async function start(t: Parameters<typeof startOutboxWorld>[0], others: object[]) {
  const world = startOutboxWorld(t)
  await world.addChannel({ isDefault: true })
  const failing = new Set<string>([channelA])
  world.answer = ({ channelId }) => (failing.has(channelId) ? unavailable : delivered)
  await world.tell('incident.opened')
  for (const [index, other] of others.entries()) {
    await world.addChannel({ id: channelNo(index + 2), ...other })
  }
  return { world, failing }
}

t.test('after three failures the organization hears it by another channel, once', async (t) => {
  const { world, failing } = await start(t, [{ isDefault: true }, { isDefault: false }])
  await pass(world, 30_000, 5_000)
  t.match(healthOf(world), { failures: 2, toldBy: null })
  t.equal(noticesTo(world, 2).length, 0)
  await pass(world, 20_000, 5_000)
  const [notice] = noticesTo(world, 2)
  t.match(notice?.payload, {
    type: 'channel.failing',
    data: {
      orgId: orgA,
      channel: { id: channelA, name: 'Pager', type: 'webhook' },
      reason: 'The receiver answered 500.',
      failingSince: /Z$/,
      pending: 1,
    },
  })
  await pass(world, 3_600_000)
  t.equal(noticesTo(world, 2).length, 1, 'not at each failure')
  t.equal(noticesTo(world, 3).length, 0, 'a default channel that works is enough')
  t.equal(noticesTo(world, 1).length, 0, 'never by the failing one')
  const before = world.store.channels.get(orgA, channelA)
  t.equal(before?.revision, 1, 'a failure is no change that a person made')

  failing.clear()
  await pass(world, 5_000_000)
  t.equal(world.outbox.pending(), 0)
  t.match(noticesTo(world, 2)[1]?.payload, {
    type: 'channel.recovered',
    data: { channel: { id: channelA }, pending: 0 },
  })
  t.equal(noticesTo(world, 2).length, 2)
  t.match(healthOf(world), { failures: 0, toldBy: null, probeAtMs: null })
  t.same(world.letters, [])
})

t.test('without another default channel, any that works is used', async (t) => {
  const { world } = await start(t, [
    { isDefault: false, isActive: false },
    { isDefault: false, events: ['incident.opened'] },
  ])
  await pass(world, 60_000, 5_000)
  t.equal(noticesTo(world, 2).length, 0)
  t.equal(noticesTo(world, 3).length, 1)
})

t.test(
  'if none works, the owners get a letter; two channels do not tell of each other',
  async (t) => {
    const { world, failing } = await start(t, [{ isDefault: true }])
    failing.add(channelNo(2))
    await pass(world, 60_000, 5_000)
    t.equal(world.letters.length, 0, 'the second one seemed to work')
    await pass(world, 4 * 3_600_000)
    t.same(
      world.letters.map(({ type, data }) => [type, data.channel.id]),
      [['channel.failing', channelNo(2)]],
    )
    t.equal(noticesTo(world, 1).length, 0)
    failing.clear()
    await pass(world, 2 * 3_600_000)
    t.same(
      world.letters.map(({ type }) => type),
      ['channel.failing', 'channel.recovered'],
    )
  },
)

t.test('a receiver that is gone for good is reported at once, with its reason', async (t) => {
  const { world } = await start(t, [{ isDefault: true }])
  const gone: Outcome = {
    ok: false,
    mayRetry: false,
    status: 410,
    reason: 'The receiver is gone for good (410).',
    disablesChannel: true,
  }
  world.answer = ({ channelId }) => (channelId === channelA ? gone : delivered)
  await pass(world, 10_000, 5_000)
  t.match(noticesTo(world, 2), [{ payload: { data: { reason: gone.reason } } }])
  t.match(world.store.channels.get(orgA, channelA), {
    isActive: false,
    disabledReason: gone.reason,
  })
})

t.test('who heard of a failing channel hears that it works, also if it was off', async (t) => {
  const { world } = await start(t, [{ isDefault: true }])
  const gone = { ok: false, mayRetry: false, reason: 'It is gone.', disablesChannel: true } as const
  world.answer = ({ channelId }) => (channelId === channelA ? gone : delivered)
  await pass(world, 10_000, 5_000)
  const { store, clock, outbox } = world
  async function switchOn() {
    const off = store.channels.get(orgA, channelA)
    if (!off) return
    await store.write((tx) => {
      store.channels.put(tx, { ...off, isActive: true, disabledReason: null })
      store.channelHealth.put(tx, orgA, channelA, afresh(healthOf(world)))
    })
  }
  await switchOn()
  await world.tell('incident.opened', { id: incidentNo(7) })
  await pass(world, 10_000, 5_000)
  const typesOf = () => noticesTo(world, 2).map(({ payload }) => payload.type)
  t.same(typesOf(), ['channel.failing', 'channel.failing'], 'it failed again')
  await switchOn()
  t.match(healthOf(world), { failures: 0, failingSinceMs: Number, lastError: 'It is gone.' })
  await store.write((tx) => outbox.noteArrived(tx, orgA, channelA))
  await pass(world, 10_000, 5_000)
  t.same(typesOf().slice(2), ['channel.recovered'], 'a test arrived')
  t.match(healthOf(world), { toldBy: null, lastDeliveredAtMs: Number, lastError: null })
  t.ok((healthOf(world).lastDeliveredAtMs ?? 0) <= clock.nowMs())
})

t.test('after five days of nothing but failures a channel is switched off', async (t) => {
  const { world } = await start(t, [{ isDefault: true }])
  for (let day = 0; day < 5; day += 1) {
    await pass(world, 86_400_000, 1_800_000)
    t.equal(world.store.channels.get(orgA, channelA)?.isActive, true)
    await world.tell('incident.opened', { id: incidentNo(100 + day) })
  }
  await pass(world, 7_200_000, 600_000)
  t.match(world.store.channels.get(orgA, channelA), {
    isActive: false,
    disabledReason: 'Every attempt failed for 5 days. The receiver answered 500.',
  })
  t.equal(world.outbox.pending(), 0)
  const states = new Set(world.deliveries().map(({ state }) => state))
  t.same([...states], ['dead'], 'each is visibly given up')
  t.equal(noticesTo(world, 2).length, 1)
})

t.test('however many wait, a failing channel is tried with one message at a time', async (t) => {
  const { world, failing } = await start(t, [])
  for (let number = 1; number <= 30; number += 1) {
    await world.tell('incident.opened', { id: incidentNo(number) })
  }
  await pass(world, 6 * 3_600_000)
  const attempts = world.sent.filter(({ channelId }) => channelId === channelA).length
  t.ok(attempts <= 6 + 6, `${attempts} attempts in six hours`)
  failing.clear()
  await pass(world, 2 * 3_600_000)
  t.equal(world.outbox.pending(), 0)
  const after = world.sent.slice(attempts).map(({ payload }) => payload.type)
  t.same(after, ['incident.opened', 'incident.digest'], 'in order')
})

t.test('a pause outlives a restart', async (t) => {
  const { world } = await start(t, [])
  await pass(world, 20 * 60_000, 5_000)
  t.equal(healthOf(world).failures, 5)
  const before = world.sent.length
  await world.outbox.stop()
  await world.tell('incident.opened', { id: incidentNo(9) })
  world.restart().start()
  await settle()
  t.equal(world.sent.length, before)
  await pass(world, 30 * 60_000)
  await until(() => world.sent.length > before)
})

t.test(
  'a channel that its last recipient left is reported, though no message failed',
  async (t) => {
    const world = startOutboxWorld(t)
    await world.addChannel({ isActive: false, disabledReason: 'Bob ended these letters.' })
    const desert = () =>
      world.store.write((tx) =>
        world.outbox.onDeserted(tx, { orgId: orgA, channelId: channelA }, world.clock.nowMs()),
      )
    await desert()
    t.match(world.letters, [{ type: 'channel.failing' }], 'by letter where no other channel works')
    t.match(healthOf(world), { toldBy: [], lastError: 'Bob ended these letters.' })
  },
)
