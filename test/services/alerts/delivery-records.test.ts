// The record of deliveries: what people see of it, and what sending again does.
import t, { type Test } from 'tap'
import { startOutbox } from '../../../src/actors/alerts/outbox.ts'
import { type DeliveryId, newId } from '../../../src/base/ids.ts'
import { silentLog } from '../../../src/base/log/log.ts'
import type { Channel } from '../../../src/domain/alerts/channel.ts'
import { type Delivery, newDelivery } from '../../../src/domain/alerts/delivery.ts'
import { incidentPayload } from '../../../src/domain/alerts/payload.ts'
import type { Incident } from '../../../src/domain/incidents/incident.ts'
import type { OrgScope } from '../../../src/services/context.ts'
import { callerOf } from '../../support/access.ts'
import { openChannelsService } from '../../support/channels.ts'
import { makeIncident, orgA } from '../../support/make-incident.ts'
import { incidentNo } from '../../support/outbox-world.ts'
import { startReceiver } from '../../support/receiver.ts'
import { settle } from '../../support/temp-store.ts'

const alice: OrgScope = { caller: callerOf(), orgId: orgA, role: 'admin' }
const hook = { name: 'Pager', type: 'webhook', config: { url: 'https://hook.test/in' } }

function start(t: Test) {
  const opened = openChannelsService(t)
  const { store, clock, channels } = opened

  const incident = (number: number, more: Partial<Incident> = {}) =>
    makeIncident({ orgId: orgA, id: incidentNo(number), ...more })

  /** A delivery of the channel, made so many minutes ago. */
  async function put(channel: Channel, about: Incident | null, more: Partial<Delivery> = {}) {
    const nowMs = clock.nowMs()
    const id = more.id ?? newId('delivery', nowMs)
    const { event = 'incident.opened' } = more
    const payload = incidentPayload('incident.opened', about ?? incident(1), [], nowMs, '')
    const owed = newDelivery({
      id,
      orgId: orgA,
      channelId: channel.id,
      incidentId: about?.id ?? null,
      event,
      payloadJson: JSON.stringify(payload),
      sequence: 1,
      nowMs,
    })
    const row = { ...owed, ...more }
    await store.write((tx) => {
      store.deliveries.put(tx, row)
      if (about && !store.incidents.has(orgA, about.id)) store.incidents.put(tx, about)
    })
    return row
  }

  /** What the channel gets once it works. */
  async function sentBy(run: () => Promise<unknown>): Promise<string[]> {
    const sent: string[] = []
    const outbox = startOutbox({
      store,
      clock,
      log: silentLog,
      random: () => 0.5,
      tellOwners() {},
      onAttempt() {},
      onGivenUp() {},
      incidentsUrl: () => 'https://up.test/app/incidents',
      isOff: () => false,
      seal: (text) => text,
      open: (channel) => ({ channel, config: channel.config }),
      sender: async ({ event, incidentId, payloadJson }) => {
        const ids: string[] = JSON.parse(payloadJson).data.incidentIds ?? [incidentId]
        sent.push(`${event} ${ids.map((id) => Number(id.slice(-5))).join(' ')}`)
        return { ok: true, status: 200 }
      },
    })
    t.teardown(() => outbox.stop())
    await run()
    outbox.start()
    await settle()
    return sent
  }
  return { ...opened, channels, incident, put, sentBy }
}

t.test('a channel shows its health, which a failure changes without a new ETag', async (t) => {
  const { channels, store, clock, put, incident } = start(t)
  const channel = await channels.create(alice, hook)
  t.match(channel.health, { state: 'untested', sinceMs: null, pending: 0, oldestPendingAtMs: null })
  await put(channel, incident(1))
  const failing = {
    failures: 4,
    failingSinceMs: 7,
    lastError: 'It said 500.',
    hasDeadLetter: false,
  }
  const health = { ...store.channelHealth.get(orgA, channel.id), ...failing }
  await store.write((tx) => store.channelHealth.put(tx, orgA, channel.id, health))
  const now = channels.get(alice, channel.id)
  t.match(now.health, {
    state: 'failing',
    sinceMs: 7,
    consecutiveFailures: 4,
    pending: 1,
    oldestPendingAtMs: clock.nowMs(),
  })
  t.equal(now.revision, channel.revision)
  t.match(channels.list(alice, { limit: 5 }).items, [{ health: { state: 'failing' } }])
})

t.test('a test that arrives shows that the channel works again', async (t) => {
  const { channels, store } = start(t)
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const channel = await channels.create(alice, { ...hook, config: { url: receiver.url } })
  const failing = {
    ...store.channelHealth.get(orgA, channel.id),
    failures: 5,
    failingSinceMs: 7,
    lastError: 'It said 500.',
    probeAtMs: Number.MAX_SAFE_INTEGER,
  }
  await store.write((tx) => store.channelHealth.put(tx, orgA, channel.id, failing))
  t.match(await channels.test(alice, channel.id), { delivered: true })
  t.match(channels.get(alice, channel.id).health, { state: 'ok', lastError: null })
  t.equal(store.channelHealth.get(orgA, channel.id).probeAtMs, null)
})

t.test(
  'a pause ends when the config is corrected, and all failures when it is on again',
  async (t) => {
    const { channels, store } = start(t)
    const { id } = await channels.create(alice, hook)
    const broken = {
      ...store.channelHealth.get(orgA, id),
      failures: 7,
      probeAtMs: 9e15,
      toldBy: [],
    }
    await store.write((tx) => store.channelHealth.put(tx, orgA, id, broken))
    await channels.change(alice, id, { config: { url: 'https://other.test/' } })
    t.match(store.channelHealth.get(orgA, id), { failures: 7, probeAtMs: null, toldBy: [] })
    await channels.change(alice, id, { isActive: false })
    await channels.change(alice, id, { isActive: true })
    t.match(store.channelHealth.get(orgA, id), { failures: 0, toldBy: [] })
    await channels.remove(alice, id)
    t.equal(store.channelHealth.get(orgA, id).lastDeliveredAtMs, null)
  },
)

t.test('deliveries of all channels are one list, newest first, in pages', async (t) => {
  const { channels, clock, put, incident } = start(t)
  const first = await channels.create(alice, hook)
  const second = await channels.create(alice, hook)
  const ids: DeliveryId[] = []
  for (let number = 1; number <= 6; number += 1) {
    await clock.advance(1_000)
    const state = number % 3 === 0 ? 'dead' : 'delivered'
    const { id } = await put(number % 2 ? first : second, incident(number), { state })
    ids.unshift(id)
  }
  const idsOf = (query: object) =>
    channels.orgDeliveries(alice, { limit: 10, ...query }).items.map(({ id }) => id)
  t.same(idsOf({}), ids)
  t.same(idsOf({ state: 'dead' }), [ids[0], ids[3]])
  t.same(idsOf({ channelId: second.id }), [ids[0], ids[2], ids[4]])
  t.same(idsOf({ incidentId: incidentNo(2) }), [ids[4]])
  const page = channels.orgDeliveries(alice, { limit: 4 })
  t.equal(page.items.length, 4)
  const rest = channels.orgDeliveries(alice, { limit: 4, after: page.nextAfter ?? '' })
  t.same(
    [...page.items, ...rest.items].map(({ id }) => id),
    ids,
  )
  t.equal(rest.nextAfter, undefined)
  t.throws(() => channels.orgDeliveries(alice, { limit: 4, channelId: 'chn_none' }), {
    code: 'not_found',
  })
})

t.test('a pending delivery says what it waits for', async (t) => {
  const { channels, clock, put, incident } = start(t)
  const channel = await channels.create(alice, hook)
  const laterMs = clock.nowMs() + 60_000
  await put(channel, incident(1))
  await put(channel, incident(2), { dueAtMs: laterMs })
  await put(channel, incident(3), { dueAtMs: laterMs, attempts: 1, lastAtMs: 1 })
  await put(channel, incident(4), { state: 'delivered', deliveredAtMs: laterMs })
  t.same(
    new Set(channels.deliveries(alice, channel.id, { limit: 9 }).items.map((row) => row.waitsFor)),
    new Set(['turn', 'delay', 'retry', null]),
  )
})

t.test(
  'a message about a deleted incident is not sent again: its end could not be told',
  async (t) => {
    const { channels, store, put, incident } = start(t)
    const channel = await channels.create(alice, hook)
    const about = incident(1)
    const row = await put(channel, about, { state: 'dead', attempts: 9, lastAtMs: 5 })
    await store.write((tx) => store.incidents.remove(tx, about))
    const deleted = { code: 'conflict', message: /deleted/ }
    await t.rejects(channels.redeliver(alice, channel.id, row.id), deleted)
    const all = await channels.redeliverDead(alice, channel.id)
    t.same(all, { redelivered: 0, hasMore: false })
  },
)

t.test('all that died is sent again at once, in order', async (t) => {
  const { channels, clock, store, put, incident, sentBy } = start(t)
  const channel = await channels.create(alice, hook)
  const sinceMs = clock.nowMs() + 1_000
  for (const number of [1, 2, 3]) {
    await put(channel, incident(number), { state: 'dead', attempts: 9, lastAtMs: 5 })
    await clock.advance(1_000)
  }
  const paused = { ...store.channelHealth.get(orgA, channel.id), failures: 9, probeAtMs: 9e15 }
  await store.write((tx) => store.channelHealth.put(tx, orgA, channel.id, paused))
  const sent = await sentBy(async () => {
    t.same(await channels.redeliverDead(alice, channel.id, sinceMs), {
      redelivered: 2,
      hasMore: false,
    })
  })
  t.same(sent, ['incident.opened 2', 'incident.opened 3'])
  t.same(await channels.redeliverDead(alice, channel.id, 9e15), { redelivered: 0, hasMore: false })
  const [left] = store.deliveries.dead(orgA, channel.id, 0, 9)
  t.equal(left?.incidentId, incidentNo(1), 'what is older stays as it is')
  await channels.change(alice, channel.id, { isActive: false })
  await t.rejects(channels.redeliverDead(alice, channel.id), { code: 'conflict' })
})

t.test('an outage that ended while its opening was dead is told with its end', async (t) => {
  const { channels, store, put, incident, sentBy } = start(t)
  const channel = await channels.create(alice, hook)
  const over = incident(1, { state: 'resolved', revision: 2, resolvedAtMs: 90_000 })
  const still = incident(2)
  await store.write((tx) => {
    for (const one of [over, still]) store.incidents.put(tx, one)
  })
  for (const about of [over, still]) {
    await put(channel, about, { state: 'dead', attempts: 30, lastAtMs: 5 })
  }
  const sent = await sentBy(() => channels.redeliverDead(alice, channel.id))
  t.same(sent.toSorted(), ['incident.opened 2', 'incident.resolved 1'])
  t.match(store.announcements.get(orgA, over.id, channel.id), { delivered: 'resolved' })
  t.match(store.announcements.get(orgA, still.id, channel.id), { delivered: 'open' })
})

t.test('so are the outages of a dead digest', async (t) => {
  const { channels, store, put, incident, sentBy } = start(t)
  const channel = await channels.create(alice, hook)
  const over = incident(1, { state: 'resolved', revision: 2, resolvedAtMs: 90_000 })
  const still = incident(2)
  await store.write((tx) => {
    for (const one of [over, still]) store.incidents.put(tx, one)
  })
  const digestId = newId('delivery', 0)
  for (const about of [over, still]) {
    await put(channel, about, { state: 'delivered', mergedIntoId: digestId })
  }
  const incidentIds = [over.id, still.id]
  const payload = { type: 'incident.digest', timestamp: '2026-01-01T00:00:00Z' }
  const { incident: item } = incidentPayload('incident.opened', still, [], 0, '').data
  const data = { orgId: orgA, event: 'incident.opened', incidents: [item], incidentsTotal: 2 }
  await put(channel, null, {
    id: digestId,
    event: 'incident.digest',
    state: 'dead',
    lastAtMs: 5,
    payloadJson: JSON.stringify({ ...payload, data: { ...data, incidentIds } }),
  })
  const parts = store.deliveries.list(orgA, channel.id, { limit: 9 })
  const part = parts.find(({ mergedIntoId }) => mergedIntoId === digestId)
  await t.rejects(channels.redeliver(alice, channel.id, part?.id ?? ''), {
    code: 'conflict',
    message: `This message is a part of ${digestId}: send that one again.`,
  })
  const sent = await sentBy(() => channels.redeliver(alice, channel.id, digestId))
  t.same(sent, ['incident.digest 1 2', 'incident.resolved 1'])
})
