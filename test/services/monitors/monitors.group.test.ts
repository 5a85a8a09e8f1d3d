// A group: its state follows from those of its members, at once, and everything else as for other monitors.
import t, { type Test } from 'tap'
import type { MonitorId } from '../../../src/base/ids.ts'
import { type CountedMember, groupReading } from '../../../src/domain/monitors/group.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import { makeWindow } from '../../support/make-window.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { failed, good, slow } from '../../support/monitor-world.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Believed at once, checked each minute. */
const hasty = {
  failureThreshold: 1,
  recoveryThreshold: 1,
  degradedThreshold: 1,
  intervalSeconds: 60,
}

/** Some web pages, and what each of them answers. */
async function open(t: Test, names: readonly string[]) {
  const services = startMonitorServices(t)
  const { monitors, alice, done, world } = services
  const broken = new Set<string>()
  const lame = new Set<string>()
  world.answer = ({ name }) => (broken.has(name) ? failed : lame.has(name) ? slow : good)
  const ids: MonitorId[] = []
  for (const name of names) {
    const url = `https://${name.toLowerCase()}.test/`
    const made = await done(monitors.create(alice, { name, url, ...hasty }))
    ids.push(made.monitor.id)
  }
  await world.run(1)
  async function group(fields: object) {
    const json = { name: 'Shop', checkType: 'group', memberIds: ids, ...fields }
    const { monitor } = await done(monitors.create(alice, json))
    await world.run(1)
    return monitor
  }
  return {
    ...services,
    ids,
    broken,
    lame,
    group,
    stateOf: ({ id }: Pick<Monitor, 'id'>) => monitors.get(alice, id).state,
    /** Every member is checked twice: a slow one is confirmed. */
    pass: () => world.run(2 * minuteMs),
  }
}

t.test('the worst, the best, or so many members decide', (t) => {
  const members = (states: string): CountedMember[] =>
    [...states].map((state, at) => ({
      name: `M${at}`,
      state: state === 'd' ? 'down' : state === 's' ? 'degraded' : 'up',
    }))
  const said = (rule: 'worst' | 'best' | '2', states: string) => {
    const { result, isDegraded, error, message } = groupReading(rule, members(states), 0)
    return [isDegraded ? 'degraded' : result, error?.message ?? message]
  }
  t.same(said('worst', 'uuu'), ['good', undefined])
  t.same(said('worst', 'uus'), ['degraded', 'not up: M2 (1 of 3 members)'])
  t.same(said('worst', 'udsd'), ['failed', 'down: M1, M3 (2 of 4 members)'])
  t.same(said('best', 'ddu')[0], 'good')
  t.same(said('best', 'dds')[0], 'degraded')
  t.same(said('best', 'ddd'), ['failed', 'down: M0, M1, M2 (3 of 3 members)'])
  t.same(said('2', 'uuu')[0], 'good')
  t.same(said('2', 'udu'), ['degraded', 'not up: M1 (1 of 3 members)'])
  t.same(said('2', 'udd')[0], 'failed')
  t.same(said('2', 'd')[0], 'failed', 'more than there are means all of them')
  t.same(said('worst', ''), ['unknown', 'no member has a state that counts'])
  t.end()
})

t.test('a group goes down with its members, and up with them, at once', async (t) => {
  const { group, broken, pass, stateOf, allIncidents, monitors, alice, world } = await open(t, [
    'Web',
    'Api',
  ])
  const shop = await group({})
  t.match(monitors.get(alice, shop.id), { state: 'up', nextAtMs: null })
  broken.add('Api')
  await pass()
  t.equal(stateOf(shop), 'down')
  const ofShop = () => allIncidents().filter(({ monitorIds }) => monitorIds.includes(shop.id))
  const [outage] = ofShop()
  t.match(outage, {
    state: 'open',
    severity: 'down',
    cause: 'down: Api (1 of 2 members)',
    basis: [{ rule: 'members' }],
  })
  const ofApi = allIncidents().find(({ monitorIds }) => !monitorIds.includes(shop.id))
  t.equal(outage?.startedAtMs, ofApi?.confirmedAtMs ?? ofApi?.startedAtMs, 'in the same moment')
  broken.clear()
  await pass()
  t.equal(stateOf(shop), 'up')
  t.match(ofShop(), [{ state: 'resolved' }])
  const rows = monitors.get(alice, shop.id).monitorState.recentRowCount
  await world.run(hourMs)
  t.equal(monitors.get(alice, shop.id).monitorState.recentRowCount, rows, 'nothing is polled')
})

t.test('who is paused, under maintenance, pending or deleted does not count', async (t) => {
  const world = await open(t, ['Web', 'Api'])
  const { group, broken, pass, stateOf, monitors, alice, done, ids, store, clock } = world
  const [web = '' as MonitorId, api = '' as MonitorId] = ids
  const late = await done(monitors.create(alice, { name: 'Late', checkType: 'push' }))
  const shop = await group({ memberIds: [...ids, late.monitor.id] })
  broken.add('Api')
  await pass()
  t.equal(stateOf(shop), 'down')
  await done(monitors.pause(alice, api))
  await world.world.run(1)
  t.equal(stateOf(shop), 'up', 'a paused member')
  await done(monitors.resume(alice, api))
  await pass()
  t.equal(stateOf(shop), 'down')
  const startsAtMs = clock.nowMs()
  const times = { kind: 'once', startsAtMs, endsAtMs: startsAtMs + hourMs } as const
  const window = makeWindow({ monitorIds: [api], times, coversFromMs: startsAtMs })
  await store.write((tx) => store.windows.put(tx, window))
  world.fleet.regroup([shop.id])
  await world.world.run(1)
  t.equal(stateOf(shop), 'up', 'one under maintenance')
  await done(monitors.remove(alice, api))
  await world.world.run(1)
  t.equal(stateOf(shop), 'up')
  t.same(monitors.get(alice, shop.id).monitor.memberIds, [web, late.monitor.id])
  await done(monitors.pause(alice, web))
  await world.world.run(1)
  t.equal(stateOf(shop), 'unknown', 'nobody counts any more')
  await done(monitors.resume(alice, web))
  await pass()
  t.equal(stateOf(shop), 'up')
})

t.test('time counts by the state of the group, to the millisecond', async (t) => {
  const { group, broken, world, monitors, alice } = await open(t, ['Web'])
  const shop = await group({})
  await world.run(18 * hourMs)
  broken.add('Web')
  await world.run(6 * hourMs)
  const { uptime } = monitors.get(alice, shop.id)
  t.ok(Math.abs((uptime['24h'] ?? 0) - 0.75) < 0.001, String(uptime['24h']))
})

t.test('degraded members make it degraded, also right after an outage', async (t) => {
  const { group, broken, lame, pass, stateOf } = await open(t, ['Web', 'Api'])
  const shop = await group({ groupState: '2' })
  broken.add('Web').add('Api')
  await pass()
  t.equal(stateOf(shop), 'down')
  broken.delete('Api')
  await pass()
  t.equal(stateOf(shop), 'degraded')
  broken.clear()
  lame.add('Web')
  await pass()
  t.equal(stateOf(shop), 'degraded')
  lame.clear()
  await pass()
  t.equal(stateOf(shop), 'up')
})

t.test('groups may be in groups, but not in a circle, and not in themselves', async (t) => {
  const { group, broken, pass, stateOf, monitors, alice, done, ids } = await open(t, ['Web'])
  const inner = await group({ name: 'Inner' })
  const outer = await group({ name: 'Outer', memberIds: [inner.id] })
  broken.add('Web')
  await pass()
  t.same([stateOf(inner), stateOf(outer)], ['down', 'down'])
  t.match(monitors.get(alice, outer.id).monitorState.lastError, {
    message: 'down: Inner (1 of 1 members)',
  })
  await t.rejects(monitors.change(alice, inner.id, { memberIds: [...ids, outer.id] }), {
    code: 'validation_failed',
    errors: [{ pointer: '/memberIds/1', message: /makes a circle: "Inner" depends on "Outer"/ }],
  })
  await t.rejects(monitors.change(alice, inner.id, { memberIds: [inner.id] }), {
    errors: [{ pointer: '/memberIds/0', message: 'is the monitor itself' }],
  })
  await t.rejects(monitors.create(alice, { name: 'Web', url: 'https://a.test/', memberIds: ids }), {
    errors: [{ pointer: '/memberIds' }],
  })
  await done(monitors.change(alice, outer.id, { memberIds: [], groupState: 'best' }))
  await pass()
  t.equal(stateOf(outer), 'unknown')
})

t.test('it alerts only the channels that it names: the others hear of its members', async (t) => {
  const { group, broken, pass, world, store } = await open(t, ['Web'])
  await world.addChannel()
  const own = await world.addChannel({ id: `chn_${'7'.repeat(26)}` as never, isDefault: false })
  await group({})
  await group({ name: 'Loud', notifyChannelIds: [own.id] })
  broken.add('Web')
  await pass()
  t.same(world.events(), ['incident.opened'], 'of the member alone')
  const told = store.deliveries.list(own.orgId, own.id, { limit: 10 })
  t.match(told, [{ payloadJson: /Loud/ }])
})

t.test('a restart finds what turned meanwhile, and tells it once', async (t) => {
  const { group, broken, world, stateOf, allIncidents } = await open(t, ['Web'])
  const shop = await group({})
  world.fleet.stop(shop.id)
  broken.add('Web')
  await world.run(2 * minuteMs)
  t.equal(stateOf(shop), 'up', 'nobody asks')
  for (let at = 0; at < 2; at++) {
    world.fleet.start(shop, 'start', world.monitorState(shop))
    await world.run(1)
    t.equal(stateOf(shop), 'down')
  }
  const ofShop = allIncidents().filter(({ monitorIds }) => monitorIds.includes(shop.id))
  t.equal(ofShop.length, 1)
})
