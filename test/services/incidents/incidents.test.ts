// Incidents in people's hands: acknowledged, told about, resolved, and who hears of it.
import t from 'tap'
import type { IncidentId } from '../../../src/base/ids.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import { monitorNo } from '../../support/make-page.ts'
import { addPush } from '../../support/make-push.ts'
import { type MonitorServices, startMonitorServices } from '../../support/monitor-services.ts'
import { failed, good, type Seen } from '../../support/monitor-world.ts'

const minuteMs = 60_000
const hasty = { failureThreshold: 1, recoveryThreshold: 1 }

/** A monitor that is down, and its incident. */
async function startOutage(world: MonitorServices, fields: Partial<Monitor> = {}) {
  const monitor = await world.add({ ...hasty, ...fields })
  await world.see(monitor, [good, ...new Array<Seen>(monitor.failureThreshold).fill(failed)])
  const { openIncidentId } = world.monitorState(monitor).health
  if (openIncidentId === null) throw new Error('an incident was expected')
  return { monitor, id: openIncidentId }
}

t.test('an acknowledgement is announced once, and names its author', async (t) => {
  const world = startMonitorServices(t)
  const { incidents, alice, done, woken, clock } = world
  const channel = await world.addChannel()
  const { id } = await startOutage(world)
  woken.length = 0
  const seen = await done(incidents.acknowledge(alice, id, 'I am on it'))
  t.match(seen, {
    state: 'acknowledged',
    acknowledgedBy: 'key_alice',
    acknowledgedAtMs: clock.nowMs(),
  })
  t.match(seen.timeline.at(-1), { kind: 'acknowledged', message: 'I am on it', isPublic: false })
  t.same(woken, [channel.id])
  t.same(world.events(), ['incident.opened', 'incident.acknowledged'])
  const audited = () => world.store.audit.list(alice.orgId, 100).length
  const before = { published: world.published.length, audited: audited() }
  woken.length = 0
  const again = await done(incidents.acknowledge(alice, id, 'me, too'))
  t.same(again, seen, 'twice changes nothing')
  t.equal(world.events().length, 2)
  t.same(woken, [], 'nobody is told')
  t.same({ published: world.published.length, audited: audited() }, before)
})

t.test('an incident closed by hand reopens if its monitor goes on failing', async (t) => {
  const world = startMonitorServices(t)
  const { incidents, alice, done, clock } = world
  await world.addChannel()
  const { monitor, id } = await startOutage(world, { failureThreshold: 3 })
  const closed = await done(incidents.resolve(alice, id, { message: 'Known, ignore' }))
  t.match(closed, { state: 'resolved', resolution: 'manual', resolvedAtMs: clock.nowMs() })
  t.match(closed.timeline.slice(1), [
    { kind: 'closed', message: 'Known, ignore', by: 'key_alice', isPublic: false },
  ])
  t.same(world.events(), ['incident.opened', 'incident.resolved'])
  t.match(world.monitorState(monitor).health, { state: 'down', openIncidentId: null })
  await world.see(monitor, [failed, failed])
  t.equal(incidents.get(alice, id).state, 'resolved')
  await world.see(monitor, [failed])
  t.match(world.allIncidents(), [{ id, state: 'open', resolvedAtMs: null }])
  t.same(world.events().at(-1), 'incident.opened')
  await world.see(monitor, [good, good, good])
  t.match(incidents.get(alice, id), { state: 'resolved', resolution: 'recovered' })
  await t.rejects(done(incidents.resolve(alice, id)), { code: 'conflict' })
  await t.rejects(done(incidents.acknowledge(alice, id)), { code: 'conflict' })
})

t.test(
  'a monitor is checked soon after its incident is closed, and the answer says when it reopens',
  async (t) => {
    const world = startMonitorServices(t)
    const { incidents, alice, done, clock, fleet } = world
    const { monitor, id } = await startOutage(world, {
      intervalSeconds: 3_600,
      retryIntervalSeconds: 30,
      failureThreshold: 3,
    })
    fleet.start(monitor, 'start', world.monitorState(monitor))
    const closed = await done(incidents.resolve(alice, id))
    t.equal(fleet.nextAtMs(monitor.id), clock.nowMs() + 30_000)
    t.equal(incidents.reopensAtMs(closed), clock.nowMs() + 90_000)
    await world.see(monitor, [failed], 1)
    t.equal(incidents.reopensAtMs(closed), clock.nowMs() - 1 + 60_000, 'one failure less')
    await world.see(monitor, [good, good], 1)
    t.equal(incidents.reopensAtMs(incidents.get(alice, id)), null)
  },
)

t.test(
  'the incident of a push monitor that a person closed reopens by the next period',
  async (t) => {
    const world = startMonitorServices(t)
    const { incidents, alice, done, clock, push } = world
    const { monitor, token } = await addPush(world.world, { intervalSeconds: 60, graceSeconds: 10 })
    await done(push.report(token, { status: 'ok' }))
    await done(clock.advance(70_000))
    const { openIncidentId: id } = world.monitorState(monitor).health
    if (id === null) throw new Error('an incident was expected')
    const closed = await done(incidents.resolve(alice, id))
    t.equal(incidents.reopensAtMs(closed), clock.nowMs() + 70_000)
    await done(clock.advance(69_999))
    t.equal(incidents.get(alice, id).state, 'resolved')
    await done(clock.advance(1))
    t.match(incidents.get(alice, id), { state: 'open' })
    await done(incidents.resolve(alice, id))
    await done(push.report(token, { status: 'error' }))
    t.match(incidents.get(alice, id), { state: 'open' }, 'a reported error needs no confirmation')
  },
)

t.test('a person’s update is added; as resolved it ends the incident', async (t) => {
  const world = startMonitorServices(t)
  const { incidents, alice, done } = world
  await world.addChannel()
  const { monitor, id } = await startOutage(world)
  const say = (message: string, status?: 'identified' | 'resolved') =>
    done(incidents.update(alice, id, { message, isPublic: true, ...(status ? { status } : {}) }))
  await say('We look into it')
  const told = await say('A disk is full', 'identified')
  t.match(told.timeline.at(-1), {
    id: /^upd_/,
    kind: 'update',
    message: 'A disk is full',
    status: 'identified',
    by: 'key_alice',
    isPublic: true,
  })
  const ended = await say('Replaced', 'resolved')
  t.match(ended, { state: 'resolved', resolution: 'manual' })
  t.match(ended.timeline.slice(told.timeline.length), [
    { kind: 'closed', message: 'Replaced', status: 'resolved', isPublic: true, by: 'key_alice' },
  ])
  t.equal(world.monitorState(monitor).health.openIncidentId, null)
  t.match(world.events().at(-1), 'incident.resolved')
  await t.rejects(say('One more thing'), { code: 'conflict' })
})

t.test('a recovery after a manual end is noted, and announced to nobody', async (t) => {
  const world = startMonitorServices(t)
  const { incidents, alice, done } = world
  await world.addChannel()
  const { monitor, id } = await startOutage(world)
  const ended = await done(incidents.resolve(alice, id))
  await world.see(monitor, [good])
  t.equal(world.monitorState(monitor).health.state, 'up')
  const after = incidents.get(alice, id)
  t.match(after, {
    state: 'resolved',
    resolution: 'manual',
    title: ended.title.replace('is', 'was'),
  })
  t.match(after.timeline.at(-1), { kind: 'recovered' })
  t.equal(after.resolvedAtMs, world.monitorState(monitor).health.recoveredAtMs)
  t.same(world.events(), ['incident.opened', 'incident.resolved'])
})

t.test('incidents of others can neither be seen nor touched', async (t) => {
  const world = startMonitorServices(t)
  const { incidents, charlie, done } = world
  const { id } = await startOutage(world)
  const said = { message: 'x', isPublic: true }
  const calls = [
    async () => incidents.get(charlie, id),
    () => incidents.acknowledge(charlie, id),
    () => incidents.resolve(charlie, id),
    () => incidents.edit(charlie, id, { title: 'x' }),
    () => incidents.update(charlie, id, said),
    () => incidents.update(charlie, id, { ...said, status: 'resolved' as const }),
  ]
  for (const call of calls) await t.rejects(done(call()), { code: 'not_found' })
  t.same(incidents.list(charlie, { limit: 5 }), { items: [] })
})

t.test('the list is newest first, in pages, by state, severity and monitor', async (t) => {
  const world = startMonitorServices(t)
  const { incidents, alice, done } = world
  const ids: IncidentId[] = []
  for (let number = 1; number <= 6; number++) {
    ids.unshift((await startOutage(world, { id: monitorNo(number) })).id)
  }
  const [newest, second] = ids
  if (!newest || !second) return
  await done(incidents.resolve(alice, newest))
  await done(incidents.acknowledge(alice, second))
  const pages = (filter: object, limit = 4) => {
    const pages: IncidentId[][] = []
    let after: IncidentId | undefined
    do {
      const page = incidents.list(alice, { ...filter, limit, after })
      pages.push(page.items.map(({ id }) => id))
      after = page.nextAfter as IncidentId | undefined
    } while (after && pages.length < 10)
    return pages
  }
  t.same(pages({}), [ids.slice(0, 4), ids.slice(4)])
  t.same(pages({}, 6), [ids])
  t.same(pages({ state: 'open' }), [ids.slice(2)])
  t.same(pages({ state: 'acknowledged' }), [[second]])
  t.same(pages({ state: 'resolved' }), [[newest]])
  t.same(pages({ monitorId: monitorNo(3) }), [[ids[3]]])
  t.same(pages({ monitorId: monitorNo(6), state: 'open' }), [[]])
  t.same(pages({ severity: 'degraded' }), [[]])
  t.same(pages({ severity: 'down' }, 3).flat(), ids)
  t.same(
    world.store.incidents.listOpen(alice.orgId, 10).map(({ id }) => id),
    ids.slice(1),
  )
})

t.test('the list is narrowed by time, words and the tags of monitors', async (t) => {
  const world = startMonitorServices(t)
  const { incidents, alice, done, clock } = world
  const shop = await startOutage(world, { id: monitorNo(1), name: 'Shop', tags: ['shop'] })
  const betweenMs = clock.nowMs() + 1_000
  const mail = await startOutage(world, { id: monitorNo(2), name: 'Mail', tags: ['mail'] })
  const found = (filter: object) =>
    incidents.list(alice, { limit: 9, ...filter }).items.map(({ id }) => id)
  t.same(found({ fromMs: betweenMs }), [mail.id])
  t.same(found({ toMs: betweenMs }), [shop.id])
  t.same(found({ fromMs: betweenMs, toMs: betweenMs }), [])
  t.same(found({ tag: 'shop' }), [shop.id])
  t.same(found({ tag: 'other' }), [])
  t.same(found({ q: 'MAIL is' }), [mail.id])
  t.same(found({ q: 'status is 500' }), [mail.id, shop.id], 'the cause, too')
  const long = { monitorIds: [shop.monitor.id], startedAtMs: betweenMs - 86_400_000 }
  const request = {
    title: 'Slow for a day',
    severity: 'degraded',
    isPublic: false,
    ...long,
  } as const
  const past = await done(incidents.declare(alice, request))
  t.same(found({ toMs: betweenMs - 3_600_000 }), [past.id], 'it was opened later than it began')
  t.same(found({ tag: 'shop' }), [past.id, shop.id])
})

t.test('an incident is resolved while its monitor confirms another failure', async (t) => {
  const world = startMonitorServices(t)
  const { incidents, alice, done } = world
  const { monitor, id } = await startOutage(world, { recoveryThreshold: 3 })
  await world.see(monitor, [good])
  await done(incidents.resolve(alice, id))
  await world.see(monitor, [good, good], minuteMs)
  t.match(world.monitorState(monitor).health, { state: 'up', openIncidentId: null })
  t.equal(world.allIncidents().length, 1)
})

t.test('its title and visibility can be changed, also after its end', async (t) => {
  const world = startMonitorServices(t)
  const { incidents, alice, done, changedOrgs, published } = world
  await world.addChannel()
  const { monitor, id } = await startOutage(world)
  const named = await done(incidents.edit(alice, id, { title: 'Checkout is down' }, 1))
  t.match(named, { title: 'Checkout is down', revision: 2, timeline: { length: 1 } })
  t.equal(published.at(-1)?.event.type, 'incident.updated')
  await t.rejects(done(incidents.edit(alice, id, { isPublic: true }, 1)), {
    code: 'precondition_failed',
  })
  await world.see(monitor, [good])
  changedOrgs.length = 0
  const isPublic = !named.isPublic
  t.match(await done(incidents.edit(alice, id, { isPublic })), { isPublic, state: 'resolved' })
  t.same(changedOrgs, [alice.orgId], 'pages drop what they show')
  t.equal(published.at(-1)?.event.type, 'incident.updated')
  t.same(world.events(), ['incident.opened', 'incident.resolved'], 'channels hear nothing of it')
})
