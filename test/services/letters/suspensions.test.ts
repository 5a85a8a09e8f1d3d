// A monitor whose checks crash: its organization sees it, the operator is told, others go on.
import t from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import { createSuspensions } from '../../../src/services/letters/suspensions.ts'
import { createSystemNotices } from '../../../src/services/letters/system-notices.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { good } from '../../support/monitor-world.ts'

const minuteMs = 60_000
const simple = { url: 'https://inside.test/health', intervalSeconds: 60 }

t.test('a monitor whose checks crash is unknown, says why, and runs again on demand', async (t) => {
  const { world, monitors, alice, done, store, clock, log, commit } = startMonitorServices(t)
  const desk = await world.addChannel()
  const channels = [{ orgId: desk.orgId, channelId: desk.id }]
  await store.write((tx) => {
    store.meta.putNotices(tx, { ...store.meta.notices(), channels })
  })
  const systemNotices = createSystemNotices({ store, clock, wake: () => {} })
  const baseUrl = 'https://up.test'
  const suspensions = createSuspensions({ store, clock, log, commit, systemNotices, baseUrl })
  world.onSuspended = suspensions.note
  const { monitor: sick } = await done(monitors.create(alice, { ...simple, name: 'Sick' }))
  const { monitor: well } = await done(monitors.create(alice, { ...simple, name: 'Well' }))
  await world.run(3 * minuteMs)
  let isBroken = true
  world.answer = ({ id }) => {
    if (id === sick.id && isBroken) throw new TypeError('a bug of ours')
    return good
  }
  await world.run(10 * minuteMs)
  const seen = monitors.get(alice, sick.id)
  t.match(seen, { state: 'unknown', monitorState: { lastError: { message: /suspended/ } } })
  t.equal(monitors.get(alice, well.id).state, 'up')
  t.same(world.incidents(), [])
  const told = store.deliveries.list(desk.orgId, desk.id, { limit: 10 })
  t.equal(told.length, 1, 'once')
  t.match(told[0]?.payloadJson, new RegExp(`${sick.id}.*crashed ${limits.actorCrashesMax} times`))
  await t.rejects(done(monitors.run(alice, sick.id)), { message: /resume or change it/ })

  const { checks } = world
  const before = checks.length
  isBroken = false
  await done(monitors.resume(alice, sick.id))
  await world.run(2 * minuteMs)
  t.equal(monitors.get(alice, sick.id).state, 'up')
  t.ok(checks.length > before)

  isBroken = true
  await world.run(10 * minuteMs)
  t.equal(monitors.get(alice, sick.id).state, 'unknown')
  isBroken = false
  await done(monitors.change(alice, sick.id, { name: 'Healed' }))
  await world.run(2 * minuteMs)
  t.equal(monitors.get(alice, sick.id).state, 'up', 'any change starts it again')
})
