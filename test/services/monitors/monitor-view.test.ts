// Monitors as they are shown and mended when their sealed parts cannot be opened any more.
import t from 'tap'
import { Fault } from '../../../src/base/fault.ts'
import { emptyRequest } from '../../../src/domain/monitors/monitor-fields.ts'
import { SealBroken } from '../../../src/seal/box.ts'
import { openRequest, targetOf } from '../../../src/services/monitors/monitor-request.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'

const lostKey = 'ffffffff.AAAA'

t.test('a record with a broken seal is shown without its secrets, beside all others', async (t) => {
  const { monitors, alice, done, store } = startMonitorServices(t)
  const fields = { name: 'API', url: 'https://inside.test/', headers: { 'X-A': 's' }, body: 'b' }
  const { monitor } = await done(monitors.create(alice, fields))
  const push = (await done(monitors.create(alice, { name: 'Backup', checkType: 'push' }))).monitor
  const fine = (await done(monitors.create(alice, { ...fields, name: 'Fine' }))).monitor
  await done(
    store.write((tx) => {
      store.monitors.put(tx, { ...monitor, requestBox: lostKey })
      store.monitors.put(tx, { ...push, pushTokenBox: lostKey })
    }),
  )
  const { items } = monitors.list(alice, { limit: 10 })
  t.same(items.map((item) => item.monitor.id).sort(), [monitor.id, push.id, fine.id].sort())
  t.match(monitors.get(alice, monitor.id), { body: null, monitor: { headerNames: ['X-A'] } })
  t.match(monitors.get(alice, push.id), { pushToken: null, pushUrl: null })
  t.match(monitors.get(alice, fine.id), { body: 'b' })
})

t.test('a change that sends the lost headers again repairs the record', async (t) => {
  const { monitors, alice, done, store, box } = startMonitorServices(t)
  const fields = { name: 'API', url: 'https://inside.test/', headers: { 'X-A': 's' } }
  const { monitor } = await done(monitors.create(alice, fields))
  const broken = { ...monitor, requestBox: lostKey }
  await done(store.write((tx) => store.monitors.put(tx, broken)))
  t.throws(() => targetOf(box, broken), SealBroken, 'no check goes out without its headers')
  const change = (patch: object) => done(monitors.change(alice, monitor.id, patch))
  await t.rejects(change({ name: 'New' }), Fault, 'nothing is lost in silence')
  await change({ headers: { 'X-A': 'again' }, body: 'b' })
  const mended = store.monitors.get(alice.orgId, monitor.id)
  const request = { ...emptyRequest, headers: { 'X-A': 'again' }, body: 'b' }
  t.same(mended && openRequest(box, mended), request)
})
