// What receivers hear of outages whose alerts waited when the backup was taken.
import t from 'tap'
import { newId } from '../../../src/base/ids.ts'
import { restoredQuietMs, settleRestored } from '../../../src/services/backups/settle-restored.ts'
import { makeIncident, orgA } from '../../support/make-incident.ts'
import {
  delivered,
  incidentNo,
  startOutboxWorld,
  unavailable,
  until,
} from '../../support/outbox-world.ts'
import { settle } from '../../support/temp-store.ts'

const tried = incidentNo(1)
const untried = incidentNo(2)
const lasting = incidentNo(3)
const later = incidentNo(4)

t.test(
  'a restored opening holds nothing up, and is not sent once the outage is over',
  async (t) => {
    const world = startOutboxWorld(t)
    const { store, clock, sent } = world
    await world.addChannel()
    world.answer = () => unavailable
    for (const id of [tried, untried, lasting]) {
      await store.write((tx) => store.incidents.put(tx, makeIncident({ orgId: orgA, id })))
      await world.tell('incident.opened', { id })
    }
    await until(() => world.deliveries()[0]?.attempts === 1)
    await world.outbox.stop()
    sent.length = 0

    await settleRestored(store, clock.nowMs())
    world.answer = () => delivered
    const outbox = world.restart()
    const told = () => sent.map(({ payload }) => [payload.type, payload.data.incident.id])

    const tell = async (...news: Parameters<typeof world.owe>) => {
      for (const channelId of await world.owe(...news)) outbox.wake(orgA, channelId)
    }
    await tell('incident.opened', { id: later })
    await until(() => sent.length === 1)
    t.same(told(), [['incident.opened', later]], 'an outage that began since is told at once')
    for (const id of [tried, untried]) {
      await tell('incident.resolved', { id, state: 'resolved', revision: 2 } as never)
    }
    await settle()
    await clock.advance(restoredQuietMs)
    await until(() => sent.length === 2)
    await settle()
    t.same(told().slice(1), [['incident.opened', lasting]], 'only what lasts is told')
    t.equal(outbox.pending(), 0)
  },
)

t.test('a device that was forgotten since the backup needs a code again', async (t) => {
  const { store, clock } = startOutboxWorld(t)
  const nowMs = clock.nowMs()
  const userId = newId('user', nowMs)
  const seen = {
    address: '192.0.2.1',
    userAgent: 'Firefox',
    createdAtMs: nowMs,
    lastUsedAtMs: nowMs,
  }
  const device = { id: newId('device', nowMs), userId, tokenHash: 'hash', ...seen }
  await store.write((tx) =>
    store.trustedDevices.put(tx, { ...device, expiresAtMs: nowMs + 86_400_000 }),
  )
  await settleRestored(store, nowMs)
  t.same(store.trustedDevices.listOfUser(userId, 10), [])
})
