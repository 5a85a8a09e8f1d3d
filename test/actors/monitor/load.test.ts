// The start of the daemon: every active monitor runs again, and one bad record stops no other.
import t from 'tap'
import { fleetLoadSlice, loadFleet } from '../../../src/actors/monitor/load.ts'
import { makeMonitor, monitorNo, orgTwo } from '../../support/make-page.ts'
import { type MonitorWorld, settled, startMonitorWorld } from '../../support/monitor-world.ts'

const load = (world: MonitorWorld, isStopping = () => false) => {
  const { store, clock, log, fleet } = world
  const loaded: string[] = []
  const loading = loadFleet({
    store,
    clock,
    log,
    fleet,
    gapMs: 0,
    isStopping,
    onLoaded: (monitor) => loaded.push(monitor.id),
  })
  return settled(store, loading).then(() => loaded)
}

t.test('all active monitors of all organizations run, and paused ones do not', async (t) => {
  const world = startMonitorWorld(t, { inMemory: true })
  const count = fleetLoadSlice + 30
  const { store } = world
  await world.add({ id: monitorNo(count + 1), orgId: orgTwo })
  const paused = await world.add({ id: monitorNo(count + 2), isActive: false })
  const monitorState = world.monitorState(paused)
  await store.write((tx) => {
    for (let number = 1; number <= count; number++) {
      const monitor = makeMonitor({ id: monitorNo(number) })
      store.monitors.put(tx, monitor)
      store.monitorStates.put(tx, monitor.orgId, monitor.id, { ...monitorState, isPaused: false })
    }
  })
  const loaded = await load(world)
  t.equal(loaded.length, count + 1)
  t.equal(world.fleet.size(), count + 1)
  t.equal(world.fleet.monitor(paused.id), undefined)
  t.match(world.logged.at(-1), { message: 'monitors started', fields: { monitors: count + 1 } })
  await world.run(5 * 60_000)
  t.equal(new Set(world.checks.map(({ monitorId }) => monitorId)).size, count + 1)
})

t.test('a monitor that a request has started meanwhile is left as it is', async (t) => {
  const world = startMonitorWorld(t)
  const monitor = await world.add()
  world.fleet.start({ ...monitor, name: 'Fresh' }, 'created', world.monitorState(monitor))
  t.same(await load(world), [])
  t.equal(world.fleet.monitor(monitor.id)?.name, 'Fresh')
})

t.test('a monitor without a state is skipped, and a stop ends the loading', async (t) => {
  const world = startMonitorWorld(t, { inMemory: true })
  const { store } = world
  const bare = makeMonitor({ id: monitorNo(1) })
  await store.write((tx) => store.monitors.put(tx, bare))
  await world.add({ id: monitorNo(2) })
  t.same(await load(world), [monitorNo(2)])
  await store.write((tx) => {
    for (let number = 3; number < 2 * fleetLoadSlice; number++) {
      store.monitors.put(tx, makeMonitor({ id: monitorNo(number) }))
    }
  })
  let looks = 0
  await load(world, () => ++looks > 0)
  t.equal(looks, 1, 'after the slice at hand')
})
