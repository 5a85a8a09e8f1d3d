// The heartbeat: how long the daemon did not run, as the next start learns it.
import t from 'tap'
import { startHeartbeat } from '../../../src/actors/tasks/heartbeat.ts'
import { settled } from '../../support/monitor-world.ts'
import { openTempStore } from '../../support/temp-store.ts'

t.test('the first start knows no gap, the next one the time since the stop', async (t) => {
  const { store, clock } = openTempStore(t)
  const first = startHeartbeat({ store, clock })
  t.equal(first.gapMs, 0)
  await settled(store, first.stop())
  clock.jump(7_200_000)
  t.equal(startHeartbeat({ store, clock }).gapMs, 7_200_000)
})

t.test('after a kill the gap is known to ten seconds, and never too short', async (t) => {
  const { store, clock } = openTempStore(t)
  startHeartbeat({ store, clock })
  for (let second = 0; second < 65; second++) {
    await clock.advance(1_000)
    await store.flush()
  }
  clock.jump(60_000)
  const { gapMs } = startHeartbeat({ store, clock })
  t.ok(gapMs >= 60_000 && gapMs <= 70_000, `${gapMs} ms`)
})

t.test('a start that dies before anything was loaded leaves the gap to the next', async (t) => {
  const { store, clock } = openTempStore(t)
  await settled(store, startHeartbeat({ store, clock }).stop())
  clock.jump(3_600_000)
  startHeartbeat({ store, clock })
  await clock.advance(5_000)
  await store.flush()
  t.equal(startHeartbeat({ store, clock }).gapMs, 3_605_000)
})

t.test('a clock that was set back makes no negative gap', async (t) => {
  const { store, clock } = openTempStore(t)
  await settled(store, startHeartbeat({ store, clock }).stop())
  clock.jump(-3_600_000)
  t.equal(startHeartbeat({ store, clock }).gapMs, 0)
})
