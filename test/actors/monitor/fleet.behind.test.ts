// Whether checks run: one that is due and does not end is noticed, and waiting for its time is none.
import t from 'tap'
import { type Seen, startMonitorWorld } from '../../support/monitor-world.ts'

t.test('a check that hangs leaves the fleet behind; one that is not due does not', async (t) => {
  const world = startMonitorWorld(t, { inMemory: true })
  const { clock, fleet } = world
  const monitor = await world.add({ intervalSeconds: 3_600 })
  fleet.start(monitor, 'start', world.monitorState(monitor))
  const fiveMinutesAgo = () => clock.nowMs() - 300_000
  t.notOk(fleet.isBehind(fiveMinutesAgo()))
  await world.run(3_600_000)
  t.equal(world.checksOf(monitor).length > 0, true)
  await world.run(600_000)
  t.notOk(fleet.isBehind(fiveMinutesAgo()), 'the next check is not due')
  world.answer = () => new Promise<Seen>(() => {})
  await world.run(3_600_000)
  await world.run(600_000)
  t.ok(fleet.isBehind(fiveMinutesAgo()), 'the check hangs')
})
