// Incidents that people declare: who hears of them, what they leave alone, and their deletion.
import t, { type Test } from 'tap'
import { createEnqueue } from '../../../src/actors/alerts/enqueue.ts'
import { watchReminders } from '../../../src/actors/alerts/reminders.ts'
import { createReconciler } from '../../../src/actors/tasks/reconciler.ts'
import type { IncidentId, KeyId } from '../../../src/base/ids.ts'
import { silentLog } from '../../../src/base/log/log.ts'
import type { Role } from '../../../src/domain/access.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import type { OrgScope } from '../../../src/services/context.ts'
import type { DeclarationRequest } from '../../../src/services/incidents/declarations.ts'
import { createIncidents } from '../../../src/services/incidents/incidents.ts'
import { callerOf } from '../../support/access.ts'
import { openCore } from '../../support/core.ts'
import { channelNo } from '../../support/make-channel.ts'
import { orgA } from '../../support/make-incident.ts'
import { makeOrg } from '../../support/make-org.ts'
import { makeMonitor, monitorNo } from '../../support/make-page.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { failed, good } from '../../support/monitor-world.ts'
import { startOutboxWorld, unavailable, until } from '../../support/outbox-world.ts'

const minuteMs = 60_000
const checkout: DeclarationRequest = {
  title: 'Checkout is unavailable',
  severity: 'declared',
  monitorIds: [],
  isPublic: false,
}

/** An organization with a working outbox, and people who declare. */
async function begin(t: Test) {
  const world = startOutboxWorld(t)
  const { store, outbox } = world
  await store.write((tx) => store.orgs.put(tx, makeOrg({ id: orgA })))
  const enqueue = createEnqueue({
    store,
    incidentUrl: () => 'https://up.test/alerts/x',
    wake: (orgId, channelId) => world.outbox.wake(orgId, channelId),
  })
  const fleet = { hasten() {}, nextAtMs: () => null, reported() {} }
  const core = openCore(t, { over: world })
  const incidents = createIncidents(core, { enqueue, fleet })
  const caller = callerOf({ kind: 'key', keyId: 'key_alice' as KeyId, orgId: orgA, role: 'admin' })
  const alice: OrgScope = { orgId: orgA, role: 'admin' as Role, caller }
  const told = (number = 1) =>
    world.sent
      .filter(({ channelId }) => channelId === channelNo(number))
      .map(({ message }) => message.event)
  /** What is stored of the incident besides its audit entries. */
  const traces = (id: IncidentId) => [
    ...(store.incidents.has(orgA, id) ? ['incident'] : []),
    ...store.incidents.openIds(orgA, 100),
    ...store.announcements.channelIds(orgA, id),
  ]
  return { ...world, world, outbox, enqueue, incidents, alice, told, traces }
}

t.test('it alerts the channels of its monitors; without monitors, the default ones', async (t) => {
  const { store, incidents, alice, addChannel, told, sent } = await begin(t)
  await addChannel()
  await addChannel({ id: channelNo(2), isDefault: false })
  await addChannel({ id: channelNo(3), tags: ['shop'] })
  const shop = makeMonitor({ id: monitorNo(1), orgId: orgA, notifyChannelIds: [channelNo(2)] })
  await store.write((tx) => store.monitors.put(tx, shop))
  const message = 'No payments since 09:00.'
  const incident = await incidents.declare(alice, { ...checkout, message })
  await until(() => sent.length === 1)
  t.same([told(1), told(2), told(3)], [['incident.opened'], [], []], 'tags are of monitors')
  t.match(sent[0]?.payload.data, {
    incident: { severity: 'declared', isDeclared: true, cause: '' },
    update: { kind: 'opened', message },
  })
  t.match(sent[0]?.message, {
    title: checkout.title,
    facts: [{ label: 'Message', value: message }],
  })
  t.notOk(
    sent[0]?.message.facts.some(({ value }) => value === ''),
    'no cause was measured',
  )
  await incidents.declare(alice, { ...checkout, monitorIds: [shop.id] })
  await until(() => sent.length === 2)
  t.same(told(2), ['incident.opened'])
  await incidents.acknowledge(alice, incident.id)
  const update = { message: 'The database is full.', status: 'identified', isPublic: true } as const
  await incidents.update(alice, incident.id, update)
  const over = await incidents.resolve(alice, incident.id)
  await until(() => sent.length === 5)
  t.same(told(1).slice(1), ['incident.acknowledged', 'incident.updated', 'incident.resolved'])
  t.match(over, { title: checkout.title, state: 'resolved', resolution: 'manual' })
  t.match(over.timeline.at(-1), { kind: 'resolved', by: 'key_alice' })
  t.equal(incidents.reopensAtMs(over), null)
})

t.test('channels for outages hear of it once its severity is that of one', async (t) => {
  const { incidents, alice, addChannel, told, sent } = await begin(t)
  await addChannel()
  await addChannel({ id: channelNo(2), minSeverity: 'down' })
  const { id } = await incidents.declare(alice, { ...checkout, severity: 'degraded' })
  await until(() => sent.length === 1)
  await incidents.edit(alice, id, { severity: 'down' })
  await until(() => sent.length === 3)
  t.same([told(1), told(2)], [['incident.opened', 'incident.updated'], ['incident.opened']])
  const update = sent.find(({ message }) => message.event === 'incident.updated')
  t.match(update?.message.facts[0], { label: 'Update', value: 'Became an outage.' })
  await incidents.edit(alice, id, { severity: 'degraded', postmortem: '# Why' })
  await incidents.resolve(alice, id)
  await until(() => sent.length === 5)
  t.same(told(2), ['incident.opened', 'incident.resolved'], 'a lower one is no news')
})

t.test('what cannot be so is refused, and names the field', async (t) => {
  const { incidents, alice, clock, addChannel } = await begin(t)
  await addChannel()
  const nowMs = clock.nowMs()
  const wrong = { monitorIds: [monitorNo(9)], startedAtMs: nowMs + 1 }
  await t.rejects(incidents.declare(alice, { ...checkout, ...wrong }), {
    code: 'validation_failed',
    errors: [{ pointer: '/monitorIds/0' }, { pointer: '/startedAt', keyword: 'maximum' }],
  })
  const startedAtMs = nowMs - limits.declaredAgoMsMax
  await t.rejects(incidents.declare(alice, { ...checkout, startedAtMs: startedAtMs - 1 }), {
    errors: [{ pointer: '/startedAt', keyword: 'minimum' }],
  })
  t.match(await incidents.declare(alice, { ...checkout, startedAtMs }), { startedAtMs })
  const rest = Array.from({ length: limits.declaredOpenMax - 1 }, () =>
    incidents.declare(alice, { ...checkout, severity: 'degraded' }),
  )
  const [one] = await Promise.all(rest)
  await t.rejects(incidents.declare(alice, checkout), { code: 'conflict' })
  if (one) await incidents.resolve(alice, one.id)
  t.match(await incidents.declare(alice, checkout), { state: 'open' })
})

t.test('the health of its monitors neither opens, changes nor ends it', async (t) => {
  const world = startMonitorServices(t)
  const { incidents, alice, done, store, clock, enqueue } = world
  await world.addChannel()
  const monitor = await world.add({ failureThreshold: 1, recoveryThreshold: 1 })
  const declared = await done(
    incidents.declare(alice, { ...checkout, severity: 'down', monitorIds: [monitor.id] }),
  )
  await world.see(monitor, [good, failed])
  const { openIncidentId } = world.monitorState(monitor).health
  t.not(openIncidentId, declared.id)
  t.match(incidents.listOf(alice, monitor.id, { limit: 5 }).items, { length: 2 })
  t.throws(() => incidents.listOf(alice, monitorNo(99), { limit: 5 }), { code: 'not_found' })
  await world.see(monitor, [good])
  t.match(incidents.get(alice, openIncidentId ?? declared.id), { state: 'resolved' })
  await world.see(monitor, [failed])
  const { holds } = world
  const reconciler = createReconciler({ store, clock, log: silentLog, enqueue, holds, wake() {} })
  t.equal(await done(reconciler.round()), 0, 'it is in order that none of its monitors is in it')
  await done(world.monitors.remove(alice, monitor.id))
  t.same(incidents.get(alice, declared.id), declared)
  const own = { ...checkout, severity: 'down', monitorIds: [] } as const
  t.match(await done(incidents.declare(alice, own)), { state: 'open' })
  const states = incidents.list(alice, { limit: 9, state: 'open' }).items
  t.same(
    states.map(({ isDeclared }) => isDeclared),
    [true, true],
  )
})

t.test('it is announced again as its monitors want, also after a restart', async (t) => {
  const { store, clock, enqueue, incidents, alice, addChannel, told, sent } = await begin(t)
  const start = () => watchReminders({ store, clock, log: silentLog, enqueue, isOff: () => false })
  const first = start()
  await addChannel()
  const shop = makeMonitor({ id: monitorNo(1), orgId: orgA, reminderMinutes: 30 })
  await store.write((tx) => store.monitors.put(tx, shop))
  const { id } = await incidents.declare(alice, { ...checkout, monitorIds: [shop.id] })
  await until(() => sent.length === 1)
  await clock.advance(30 * minuteMs)
  await until(() => sent.length === 2)
  t.same(told(), ['incident.opened', 'incident.reminder'])
  first.stop()
  const second = start()
  await second.noteOrgs(() => false)
  await clock.advance(60 * minuteMs)
  await until(() => sent.length === 3)
  await incidents.acknowledge(alice, id)
  await until(() => sent.length === 4)
  await clock.advance(600 * minuteMs)
  t.same(told().slice(2), ['incident.reminder', 'incident.acknowledged'])
  t.same(told().length, 4)
  const more = { ...shop, reminderMinutes: 10, revision: 2 }
  const later = await incidents.declare(alice, { ...checkout, monitorIds: [shop.id] })
  await until(() => sent.length === 5)
  await store.write((tx) => store.monitors.replace(tx, shop, more))
  await clock.advance(10 * minuteMs)
  await until(() => sent.length === 6)
  t.match(sent.at(-1), { message: { event: 'incident.reminder', incidentId: later.id } })
  second.stop()
})

t.test(
  'a deleted one leaves nothing, and who has heard of it learns that it is over',
  async (t) => {
    const { incidents, alice, addChannel, told, sent, traces, store, deliveries } = await begin(t)
    await addChannel({ type: 'pagerduty' })
    await addChannel({ id: channelNo(2), delayMinutes: 10 })
    const { id } = await incidents.declare(alice, checkout)
    await until(() => sent.length === 1)
    await incidents.acknowledge(alice, id)
    await until(() => sent.length === 2)
    await incidents.remove(alice, id)
    await until(() => sent.length === 3)
    t.same(told(1), ['incident.opened', 'incident.acknowledged', 'incident.resolved'])
    t.same(told(2), [], 'what it never heard of was taken back')
    await until(() => deliveries().every(({ state }) => state === 'delivered'))
    t.same(traces(id), [])
    t.same(deliveries(channelNo(2)), [])
    t.throws(() => incidents.get(alice, id), { code: 'not_found' })
    t.match(store.audit.list(orgA, 1), [{ action: 'incident.deleted', objectId: id }])
  },
)

t.test('one that is deleted at once is heard of from both ends, or not at all', async (t) => {
  const { incidents, alice, addChannel, told, sent, traces, deliveries, clock, world } =
    await begin(t)
  await addChannel()
  world.answer = () => unavailable
  const { id } = await incidents.declare(alice, checkout)
  await until(() => sent.length === 1)
  await until(() => deliveries().some(({ attempts }) => attempts === 1))
  await incidents.remove(alice, id)
  world.answer = () => ({ ok: true, status: 200 })
  await clock.advance(minuteMs)
  await until(() => sent.length >= 2)
  await until(() => deliveries().every(({ state }) => state === 'delivered'))
  t.same(told(), ['incident.opened', 'incident.resolved'], 'the attempt may have arrived')
  t.same(traces(id), [])
  for (let round = 0; round < 5; round++) {
    sent.length = 0
    const next = await incidents.declare(alice, checkout)
    for (let turn = 0; turn < round; turn++) await new Promise((go) => setImmediate(go))
    await incidents.remove(alice, next.id)
    await until(() => deliveries().every(({ state }) => state === 'delivered'))
    const heard = told().filter((event) => event !== 'incident.resolved')
    t.ok(heard.length === 0 || told().at(-1) === 'incident.resolved', told().join())
    t.same(traces(next.id), [])
  }
})

t.test('one that follows a monitor, or was changed meanwhile, is not deleted', async (t) => {
  const world = startMonitorServices(t)
  const { incidents, alice, charlie, done } = world
  const monitor = await world.add({ failureThreshold: 1 })
  await world.see(monitor, [good, failed])
  const { openIncidentId: id } = world.monitorState(monitor).health
  if (id === null) throw new Error('an incident was expected')
  await t.rejects(done(incidents.remove(alice, id)), { code: 'conflict', message: /by hand/ })
  const declared = await done(incidents.declare(alice, checkout))
  const stale = declared.revision + 1
  await t.rejects(done(incidents.remove(alice, declared.id, stale)), {
    code: 'precondition_failed',
  })
  await t.rejects(done(incidents.remove(charlie, declared.id)), { code: 'not_found' })
  t.equal(world.allIncidents().length, 2)
  world.published.length = 0
  await done(incidents.remove(alice, declared.id, declared.revision))
  t.match(world.published, [
    { event: { type: 'incident.resolved', incident: { id: declared.id } } },
  ])
})
