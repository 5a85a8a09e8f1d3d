// Whether messages are stuck: one that was never tried although its channel works.
import t from 'tap'
import { orgA } from '../../support/make-incident.ts'
import { incidentNo, startOutboxWorld } from '../../support/outbox-world.ts'

t.test('a message that nobody tried is stuck, unless its channel holds it back', async (t) => {
  const world = startOutboxWorld(t)
  const { store, clock, outbox } = world
  const channel = await world.addChannel({ isDefault: true })
  t.notOk(outbox.isStuck(clock.nowMs()))
  await outbox.stop()
  await world.owe('incident.opened', { id: incidentNo(1) })
  t.notOk(outbox.isStuck(clock.nowMs() - 1), 'it has just become due')
  t.ok(outbox.isStuck(clock.nowMs() + 60_000))
  const quietHours = { timezone: 'UTC', from: '22:00', to: '07:00' }
  await store.write((tx) => store.channels.put(tx, { ...channel, quietHours }))
  t.notOk(outbox.isStuck(clock.nowMs() + 60_000))
  await store.write((tx) => store.channels.put(tx, { ...channel, isActive: false }))
  t.notOk(outbox.isStuck(clock.nowMs() + 60_000))
  t.equal(store.deliveries.pending(orgA, channel.id, 9).length, 1)
})
