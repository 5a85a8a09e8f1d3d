// What a monitor may depend on, and what becomes of that when monitors are deleted.
import t from 'tap'
import { Fault } from '../../../src/base/fault.ts'
import type { MonitorId } from '../../../src/base/ids.ts'
import { dependentsTogether } from '../../../src/services/monitors/monitor-changes.ts'
import { forgetOrg } from '../../../src/store/forget.ts'
import { makeMonitor, monitorNo, orgTwo } from '../../support/make-page.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'

const simple = { name: 'API', url: 'https://inside.test/health' }

async function refusal(call: () => unknown): Promise<[pointer: string, message: string][]> {
  try {
    await call()
  } catch (error) {
    if (error instanceof Fault) {
      return error.errors.map(({ pointer, message }) => [pointer, message])
    }
    throw error
  }
  return []
}

t.test('a monitor depends on monitors of its organization only, and on no circle', async (t) => {
  const { monitors, monitorBulk, trials, alice, done, store } = startMonitorServices(t)
  const make = async (name: string, dependsOn: readonly MonitorId[] = []) =>
    (await done(monitors.create(alice, { ...simple, name, dependsOn }))).monitor
  const router = await make('Router')
  const server = await make('Switch', [router.id, router.id])
  t.same(server.dependsOn, [router.id], 'naming it twice is naming it')
  const shop = await make('Shop', [server.id])
  const foreign = makeMonitor({ id: monitorNo(99), orgId: orgTwo })
  await store.write((tx) => store.monitors.put(tx, foreign))

  const unknown = `is ${foreign.id}, which is not a monitor of this organization`
  const wrong = { ...simple, dependsOn: [router.id, foreign.id] }
  t.same(await refusal(() => monitors.create(alice, wrong)), [['/dependsOn/1', unknown]])
  t.same(await refusal(() => done(monitors.change(alice, shop.id, wrong))), [
    ['/dependsOn/1', unknown],
  ])
  t.same(await refusal(() => done(monitorBulk.create(alice, [simple, wrong]))), [
    ['/monitors/1/dependsOn/1', unknown],
  ])
  const { signal } = new AbortController()
  t.same(await refusal(() => trials.run(alice, { fields: wrong }, signal)), [
    ['/dependsOn/1', unknown],
  ])

  const closing = { dependsOn: [shop.id] }
  t.same(await refusal(() => done(monitors.change(alice, router.id, closing))), [
    [
      '/dependsOn/0',
      'makes a circle: "Router" depends on "Shop", which depends on "Switch", which depends on "Router"',
    ],
  ])
  const itself = { dependsOn: [shop.id, router.id] }
  t.same(await refusal(() => done(monitors.change(alice, router.id, itself))), [
    ['/dependsOn/1', 'is the monitor itself'],
  ])

  const [made] = await done(monitorBulk.create(alice, [{ ...simple, dependsOn: [router.id] }]))
  t.same(store.monitors.dependents(alice.orgId, router.id, 10), [server.id, made])
  await done(monitors.change(alice, server.id, { dependsOn: null }))
  t.same(store.monitors.dependents(alice.orgId, router.id, 10), [made])
  t.same(monitors.get(alice, server.id).monitor.dependsOn, [])
})

t.test('a deleted monitor leaves the lists of those that depended on it', async (t) => {
  const { monitors, monitorBulk, alice, done, store } = startMonitorServices(t, {
    quotas: { monitors: 2_000 },
  })
  const { monitor: router } = await done(monitors.create(alice, simple))
  const { monitor: other } = await done(monitors.create(alice, simple))
  const count = dependentsTogether + 3
  const many = Array.from({ length: count }, () => ({
    ...simple,
    isActive: false,
    dependsOn: [router.id, other.id],
  }))
  const ids = await done(monitorBulk.create(alice, many))
  const revision = store.monitors.get(alice.orgId, ids[0] ?? router.id)?.revision ?? 0

  await done(monitors.remove(alice, router.id))
  t.match(store.monitors.get(alice.orgId, ids[0] ?? router.id), { revision: revision + 1 })
  for (const id of ids) {
    t.strictSame(monitors.get(alice, id).monitor.dependsOn, [other.id])
  }
  t.same(store.monitors.dependents(alice.orgId, router.id, 10), [])
  t.equal(store.monitors.dependents(alice.orgId, other.id, 9_999).length, count)

  await done(monitorBulk.remove(alice, { ids: ids.slice(0, 2) }))
  t.equal(store.monitors.dependents(alice.orgId, other.id, 9_999).length, count - 2)
  await done(forgetOrg(store, alice.orgId))
  t.same(store.monitors.dependents(alice.orgId, other.id, 10), [])
})

t.test('a change of another field does not mind what was deleted meanwhile', async (t) => {
  const { monitors, alice, done, store } = startMonitorServices(t)
  const { monitor } = await done(monitors.create(alice, simple))
  // As between a deletion and the last of very many lists.
  const stale = { ...monitor, dependsOn: [monitorNo(7)] }
  await store.write((tx) => store.monitors.put(tx, stale))
  const view = await done(monitors.change(alice, monitor.id, { name: 'New name' }))
  t.match(view.monitor, { name: 'New name', dependsOn: [] })
})
