// A channel that leaves takes its id out of the monitors that name it.
import t, { type Test } from 'tap'
import type { OrgScope } from '../../../src/services/context.ts'
import { callerOf } from '../../support/access.ts'
import { openChannelsService } from '../../support/channels.ts'
import { damageRecords } from '../../support/damaged-records.ts'
import { channelNo } from '../../support/make-channel.ts'
import { makeDelivery, orgA } from '../../support/make-incident.ts'
import { makeMonitor, monitorNo } from '../../support/make-page.ts'

const scope: OrgScope = { caller: callerOf(), orgId: orgA, role: 'admin' }

async function start(t: Test, monitors: number) {
  const { channels, store } = openChannelsService(t)
  const config = { url: 'https://hook.test/in' }
  const { id: channelId } = await channels.create(scope, { name: 'Pager', type: 'webhook', config })
  const other = channelNo(9)
  const made = Array.from({ length: monitors }, (_, at) =>
    makeMonitor({ id: monitorNo(at + 1), notifyChannelIds: [other, channelId] }),
  )
  await store.write((tx) => store.monitors.putNew(tx, orgA, made))
  const namesOf = (number: number) => store.monitors.get(orgA, monitorNo(number))?.notifyChannelIds
  return { channels, store, channelId, other, namesOf }
}

t.test('the answer says how many monitors used it, and none does any more', async (t) => {
  const { channels, store, channelId, other, namesOf } = await start(t, 3)
  const unrelated = makeMonitor({ id: monitorNo(4), notifyChannelIds: [other] })
  await store.write((tx) => store.monitors.put(tx, unrelated))
  t.match(await channels.remove(scope, channelId), { id: channelId, usedByMonitors: 3 })
  for (const number of [1, 2, 3]) t.same(namesOf(number), [other])
  t.equal(store.monitors.get(orgA, monitorNo(1))?.revision, 2, 'they changed')
  t.equal(store.monitors.get(orgA, monitorNo(4))?.revision, unrelated.revision)
  t.match(store.audit.list(orgA, 1), [
    { action: 'channel.deleted', objectId: channelId, detail: 'used by 3 monitors' },
  ])
})

t.test('a damaged channel leaves as well, with its deliveries', async (t) => {
  const { channels, store, channelId, other, namesOf } = await start(t, 1)
  const delivery = makeDelivery({ channelId })
  await store.write((tx) => store.deliveries.put(tx, delivery))
  await damageRecords(store, 'channels', channelId)
  await damageRecords(store, 'deliveries', delivery.id)
  t.throws(() => channels.get(scope, channelId), { code: 'damaged_record' })
  const removed = await channels.remove(scope, channelId, 7)
  t.same(removed, { id: channelId, orgId: orgA, revision: 0, usedByMonitors: 1 })
  t.same(namesOf(1), [other])
  t.equal(store.deliveries.countPending(), 0)
  t.same(store.deliveries.owedChannels(), [])
  await t.rejects(channels.remove(scope, channelId), { code: 'not_found' })
})

t.test(
  'a channel of very many monitors leaves at once, and its id in short transactions',
  async (t) => {
    const { channels, store, channelId, other, namesOf } = await start(t, 1_200)
    const sizes: number[] = []
    const { replace } = store.monitors
    let inOne = 0
    const { write } = store
    Object.assign(store.monitors, {
      replace: (...[tx, before, after]: Parameters<typeof replace>) => {
        inOne += 1
        replace(tx, before, after)
      },
    })
    Object.assign(store, {
      write: (body: Parameters<typeof write>[0]) =>
        write((tx) => {
          inOne = 0
          const result = body(tx)
          if (inOne > 0) {
            sizes.push(inOne)
            t.notOk(store.channels.get(orgA, channelId), 'it left with the first of them')
          }
          return result
        }),
    })
    t.equal((await channels.remove(scope, channelId)).usedByMonitors, 1_200)
    t.same(sizes, [500, 500, 200])
    for (const number of [1, 600, 1_200]) t.same(namesOf(number), [other])
  },
)

t.test('no monitor can be given a channel that is leaving', async (t) => {
  const { channels, channelId } = await start(t, 2)
  const leaving = channels.remove(scope, channelId)
  t.equal(channels.channelIdsProblem(orgA, [channelId]), 0)
  await leaving
})

t.test('a deletion that is refused changes nothing', async (t) => {
  const { channels, channelId, namesOf, other } = await start(t, 1)
  await t.rejects(channels.remove(scope, channelId, 7), { code: 'precondition_failed' })
  t.same(namesOf(1), [other, channelId])
  t.equal(channels.channelIdsProblem(orgA, [channelId]), null, 'it can be named again')
})

t.test('a long record of deliveries leaves in short transactions', async (t) => {
  const { channels, store, channelId } = await start(t, 1)
  const rows = Array.from({ length: 2_100 }, (_, at) =>
    makeDelivery(
      { id: `dlv_01k${String(at).padStart(23, '0')}` as never, channelId },
      { state: at < 2_050 ? 'delivered' : 'pending' },
    ),
  )
  await store.write((tx) => {
    for (const row of rows) store.deliveries.put(tx, row)
  })
  await channels.remove(scope, channelId)
  t.same(store.deliveries.list(orgA, channelId, { limit: 10 }), [])
  t.equal(store.deliveries.countPending(), 0)
})
