// A deleted monitor's history goes whole, however much there is, and its neighbour's stays.
import t from 'tap'
import { limits } from '../../src/domain/limits.ts'
import { hourMs, tallyOf } from '../../src/domain/span.ts'
import { forgetMonitor } from '../../src/store/forget.ts'
import { orgA } from '../support/make-incident.ts'
import { monitorNo } from '../support/make-page.ts'
import { settled, startMonitorWorld } from '../support/monitor-world.ts'

t.test('all of one monitor goes, and nothing of another', async (t) => {
  const { store } = startMonitorWorld(t, { inMemory: true })
  const [gone, stays] = [monitorNo(1), monitorNo(2)]
  const hours = limits.deleteSliceRecords + 10
  await store.write((tx) => {
    for (let hour = 0; hour < hours; hour++) {
      store.hours.put(tx, orgA, gone, tallyOf(hour * hourMs, hourMs))
    }
    store.hours.put(tx, orgA, stays, tallyOf(0, hourMs))
    store.garbage.add(tx, { orgId: orgA, monitorId: gone })
  })
  t.equal(await settled(store, forgetMonitor(store, { orgId: orgA, monitorId: gone })), hours)
  t.same(store.hours.since(orgA, gone, 0, 10), [])
  t.equal(store.hours.since(orgA, stays, 0, 10).length, 1)
  t.same(store.garbage.list(10), [])
})
