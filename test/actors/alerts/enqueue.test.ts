// Who is owed what when an incident changes.
import t from 'tap'
import { channelNo } from '../../support/make-channel.ts'
import { channelA, incidentA } from '../../support/make-incident.ts'
import { incidentNo, startOutboxWorld, until } from '../../support/outbox-world.ts'
import { settle } from '../../support/temp-store.ts'

const resolved = { state: 'resolved', revision: 2, resolvedAtMs: 90_000 } as const
const minuteMs = 60_000

t.test('a monitor without channels of its own alerts the default channels', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  await world.addChannel({ id: channelNo(2), isDefault: false })
  t.same(await world.owe('incident.opened', {}, {}), [channelA])
})

t.test('a monitor with channels alerts those, except deleted ones', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  await world.addChannel({ id: channelNo(2), isDefault: false })
  const named = { notifyChannelIds: [channelNo(2), channelNo(9)] }
  t.same(await world.owe('incident.opened', {}, named), [channelNo(2)])
  const gone = { notifyChannelIds: [channelNo(9)] }
  t.same(
    await world.owe('incident.opened', { id: incidentNo(2) }, gone),
    [channelA],
    'where none of them is left, the default ones are better than silence',
  )
})

t.test('a channel receives only the events it subscribed to, while switched on', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel({ isActive: false })
  await world.addChannel({ id: channelNo(2), events: ['incident.resolved'] })
  await world.addChannel({ id: channelNo(3), events: ['incident.opened'] })
  t.same(await world.owe('incident.opened'), [channelNo(3)])
  t.same(await world.owe('incident.resolved', resolved), [])
  const again = { id: incidentA, revision: 3 }
  t.same(await world.owe('incident.opened', again), [channelNo(3)], 'a reopening is news')
})

t.test('nothing is announced twice, and no end without a beginning', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  t.same(await world.owe('incident.resolved', resolved), [])
  t.same(await world.owe('incident.updated'), [])
  t.same(await world.owe('incident.opened'), [channelA])
  t.same(await world.owe('incident.opened', { revision: 2 }), [])
  t.same(await world.owe('incident.resolved', { ...resolved, revision: 3 }), [channelA])
  t.same(await world.owe('incident.resolved', { ...resolved, revision: 4 }), [])
})

t.test('later news goes to the channels that received the opening', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  await world.addChannel({ id: channelNo(2), isDefault: false })
  await world.owe('incident.opened', {}, { notifyChannelIds: [channelA] })
  const moved = { notifyChannelIds: [channelNo(2)] }
  t.same(await world.owe('incident.resolved', resolved, moved), [channelA])
})

t.test('a channel for outages only receives no slowness, until it gets worse', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel({ minSeverity: 'down' })
  t.same(await world.owe('incident.opened', { severity: 'degraded' }), [])
  t.same(await world.owe('incident.updated', { severity: 'degraded', revision: 2 }), [])
  t.same(await world.owe('incident.updated', { severity: 'down', revision: 3 }), [channelA])
  t.match(world.deliveries(), [{ event: 'incident.opened' }])
  t.same(await world.owe('incident.resolved', { ...resolved, revision: 4 }), [channelA])
})

t.test('an escalation is sent after its delay, if nobody took care of it', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel({ delayMinutes: 10 })
  await world.tell('incident.opened')
  await settle()
  await world.clock.advance(9 * minuteMs)
  await settle()
  t.equal(world.sent.length, 0)
  await world.clock.advance(minuteMs)
  await until(() => world.sent.length === 1)
  await until(() => world.outbox.pending() === 0)
  await world.tell('incident.resolved', resolved)
  await until(() => world.sent.length === 2)
})

t.test('an escalation tells of an outage that began as a slow service as an outage', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel({ delayMinutes: 10 })
  await world.tell('incident.opened', { severity: 'degraded', title: 'Shop is slow' })
  await settle()
  await world.clock.advance(5 * minuteMs)
  const worse = { severity: 'down', title: 'Shop is down', revision: 2 } as const
  await world.tell('incident.updated', worse)
  await settle()
  t.equal(world.sent.length, 0, 'the delay goes on')
  await world.clock.advance(5 * minuteMs)
  await until(() => world.outbox.pending() === 0)
  t.match(
    world.sent.map(({ message: { event, title, tone } }) => [event, title, tone]),
    [['incident.opened', 'Shop is down', 'bad']],
  )
})

t.test('an escalation is not sent once the incident is acknowledged or resolved', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel({ delayMinutes: 10 })
  await world.tell('incident.opened')
  await world.tell('incident.reminder')
  await world.tell('incident.acknowledged', { state: 'acknowledged', revision: 2 })
  await world.tell('incident.opened', { id: incidentNo(2) })
  await world.tell('incident.resolved', { ...resolved, id: incidentNo(2) })
  t.equal(world.outbox.pending(), 0)
  await world.clock.advance(20 * minuteMs)
  await settle()
  t.equal(world.sent.length, 0)
  t.same(await world.tell('incident.resolved', { ...resolved, revision: 3 }), [])
})

t.test('nor when a person writes about it after that', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel({ delayMinutes: 10, minSeverity: 'down' })
  await world.tell('incident.opened')
  await world.tell('incident.acknowledged', { state: 'acknowledged', revision: 2 })
  t.same(await world.tell('incident.updated', { state: 'acknowledged', revision: 3 }), [])
  await world.clock.advance(20 * minuteMs)
  await settle()
  t.same(world.sent, [])
})

t.test('an opening that waits for its delay does not block other incidents', async (t) => {
  const world = startOutboxWorld(t)
  const channel = await world.addChannel({ delayMinutes: 10 })
  await world.tell('incident.opened')
  await world.store.write((tx) => world.store.channels.put(tx, { ...channel, delayMinutes: 0 }))
  await world.tell('incident.opened', { id: incidentNo(2) })
  await until(() => world.sent.length === 1)
  t.equal(world.sent[0]?.payload.data.incident.id, incidentNo(2))
})

t.test('every reminder is a message of its own', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  await world.owe('incident.opened')
  await world.owe('incident.reminder')
  await world.clock.advance(minuteMs)
  await world.owe('incident.reminder')
  const ids = world.deliveries().map(({ webhookId }) => webhookId)
  t.equal(new Set(ids).size, 3)
})

t.test('the payload is frozen when queued and contains no secret of the monitor', async (t) => {
  const world = startOutboxWorld(t)
  await world.addChannel()
  const url = 'https://user:pass@inside.test/health?token=secret#x'
  await world.owe('incident.opened', {}, { url })
  const [row] = world.deliveries()
  const payload = JSON.parse(row?.payloadJson ?? '')
  t.equal(payload.data.monitors[0].url, 'https://inside.test/health')
  t.notMatch(row?.payloadJson, /secret|pass@/)
  t.equal(payload.data.incident.url, 'https://up.test/alerts/x')
})
