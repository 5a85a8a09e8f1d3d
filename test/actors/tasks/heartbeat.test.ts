// The heartbeat: how long the daemon did not run, as the next start learns it.
import t from 'tap'
import { startHeartbeat } from '../../../src/actors/tasks/heartbeat.ts'
import type { Jump } from '../../../src/base/clock.ts'
import { createNewestDays } from '../../../src/services/checks/tally-memory.ts'
import { leftOutOf } from '../../../src/store/left-out.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { failed, good, settled } from '../../support/monitor-world.ts'
import { openTempStore } from '../../support/temp-store.ts'

t.test('the first start knows no gap, the next one the time since the stop', async (t) => {
  const { store, clock } = openTempStore(t)
  const first = startHeartbeat({ store, clock })
  t.equal(first.gapMs, 0)
  await settled(store, first.stop())
  clock.jump(7_200_000)
  const { gapMs, gap } = startHeartbeat({ store, clock })
  t.equal(gapMs, 7_200_000)
  t.same(gap, { fromMs: clock.nowMs() - 7_200_000, toMs: clock.nowMs() })
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

t.test('time without the daemon counts in no uptime, to the second', async (t) => {
  for (const seen of [good, failed]) {
    const world = startMonitorServices(t)
    const { store, clock } = world
    const monitor = await world.add({ failureThreshold: 1, intervalSeconds: 60 })
    await world.see(monitor, [seen, seen])
    const counted = () => {
      const state = world.monitorState(monitor)
      const now = createNewestDays(store.days, leftOutOf(store))(monitor, state, clock.nowMs())
      const { upMs = 0, downMs = 0, excludedMs = 0 } = now.at(-1) ?? {}
      return { countedMs: upMs + downMs, excludedMs }
    }
    const before = counted()
    await clock.advance(10_000)
    await settled(store, startHeartbeat({ store, clock }).stop())
    clock.jump(45_000)
    await settled(store, startHeartbeat({ store, clock }).stop())
    clock.jump(7_000)
    startHeartbeat({ store, clock })
    await clock.advance(5_000)
    clock.stall(3_000)
    const after = counted()
    t.equal(after.countedMs - before.countedMs, 15_000, 'up to this moment')
    t.equal(after.excludedMs - before.excludedMs, 55_000)
    await world.see(monitor, [seen], 5_000)
    const final = counted()
    t.equal(final.countedMs - before.countedMs, 20_000, 'and once it is accounted for')
    t.equal(final.excludedMs - before.excludedMs, 55_000)
  }
})

t.test('a process that stood still while its clock was set has one gap of both', async (t) => {
  const { store, clock } = openTempStore(t)
  const listeners: ((jump: Jump) => void)[] = []
  startHeartbeat({
    store,
    clock: { ...clock, onJump: (listener) => void listeners.push(listener) },
  })
  const nowMs = clock.nowMs()
  for (const listener of listeners) listener({ kind: 'stall', deltaMs: 60_000 })
  for (const listener of listeners) listener({ kind: 'step', deltaMs: 7_000 })
  t.same(store.meta.gaps(), [{ fromMs: nowMs - 67_000, toMs: nowMs }])
})

t.test('a clock that was set back makes no negative gap', async (t) => {
  const { store, clock } = openTempStore(t)
  await settled(store, startHeartbeat({ store, clock }).stop())
  clock.jump(-3_600_000)
  t.equal(startHeartbeat({ store, clock }).gapMs, 0)
})
