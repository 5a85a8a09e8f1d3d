// The watch over flapping monitors: a timer each, moved by every turn, gone with the flapping.
import t from 'tap'
import { watchFlapping } from '../../../src/actors/tasks/flapping.ts'
import { type Health, initialHealth } from '../../../src/domain/health/health.ts'
import { initialMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { type Logged, recordingLog } from '../../support/http.ts'
import { makeMonitor } from '../../support/make-page.ts'

const quietMs = 30 * 60_000
const calm = initialHealth(0)
const turnedAt = (atMs: number): Health => ({ ...calm, flapping: true, turnsAtMs: [atMs] })

function start() {
  const clock = new FakeClock(0)
  const logged: Logged[] = []
  const settledAtMs: number[] = []
  const now = { health: calm, isBroken: false }
  const watch = watchFlapping({
    clock,
    log: recordingLog(logged),
    async settle() {
      if (now.isBroken) throw new Error('no disk')
      settledAtMs.push(clock.nowMs())
      const monitorState = { ...initialMonitorState(0), health: now.health }
      return {
        monitorState,
        verdict: 'up',
        isNews: false,
        hasTurned: false,
        channelIds: [],
        incidents: [],
      }
    },
  })
  return { clock, logged, settledAtMs, now, watch }
}

t.test('flapping is settled after the quiet half hour, and a change postpones that', async (t) => {
  const { clock, watch, settledAtMs } = start()
  watch.note(makeMonitor(), calm)
  t.equal(clock.pending, 0, 'a calm monitor costs nothing')
  watch.note(makeMonitor(), turnedAt(0))
  await clock.advance(quietMs - 1)
  watch.note(makeMonitor(), turnedAt(clock.nowMs()))
  await clock.advance(quietMs - 1)
  t.same(settledAtMs, [])
  await clock.advance(1)
  t.same(settledAtMs, [2 * quietMs - 1])
  t.equal(clock.pending, 0)
})

t.test('a monitor that changed unseen is examined again later', async (t) => {
  const world = start()
  world.watch.note(makeMonitor(), turnedAt(0))
  world.now.health = turnedAt(1_000)
  await world.clock.advance(quietMs)
  world.now.health = calm
  await world.clock.advance(1_000)
  t.same(world.settledAtMs, [quietMs, quietMs + 1_000])
})

t.test('flapping that is over or stopped is not examined', async (t) => {
  const { clock, watch, settledAtMs } = start()
  watch.note(makeMonitor(), turnedAt(0))
  watch.note(makeMonitor(), calm)
  t.equal(clock.pending, 0)
  watch.note(makeMonitor(), turnedAt(0))
  watch.stop()
  await clock.advance(2 * quietMs)
  t.same(settledAtMs, [])
})

t.test('a failing disk is logged', async (t) => {
  const world = start()
  world.now.isBroken = true
  world.watch.note(makeMonitor(), turnedAt(-quietMs))
  await world.clock.advance(0)
  t.match(world.logged, [{ message: 'flapping not settled' }])
})
