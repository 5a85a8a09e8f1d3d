// The outgoing heartbeat: sent while everything works, never twice at once, and silent otherwise.
import t, { type Test } from 'tap'
import {
  countHeartbeats,
  startOutgoingHeartbeat,
} from '../../../src/actors/tasks/outgoing-heartbeat.ts'
import { createLog } from '../../../src/base/log/log.ts'
import { createMetrics } from '../../../src/base/metrics.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { settle } from '../../support/temp-store.ts'

function open(t: Test) {
  const clock = new FakeClock()
  const lines: string[] = []
  const metrics = createMetrics()
  const world = {
    calls: 0,
    answer: async (): Promise<string | null> => null,
    isWell: async (): Promise<boolean> => true,
  }
  const heartbeat = startOutgoingHeartbeat({
    clock,
    log: createLog({ level: 'info', format: 'json', write: (line) => lines.push(line) }),
    beats: countHeartbeats(metrics),
    everyMs: 60_000,
    vitals: [{ name: 'checks do not run', isWell: () => world.isWell() }],
    call() {
      world.calls += 1
      return world.answer()
    },
  })
  t.teardown(heartbeat.stop)
  const pass = async (ms: number) => {
    await settle()
    await clock.advance(ms)
    await settle()
  }
  return { clock, lines, metrics, world, heartbeat, pass }
}

t.test('it beats while all is well, and tells a failure once', async (t) => {
  const { world, heartbeat, pass, lines, clock } = open(t)
  await pass(0)
  t.equal(world.calls, 1)
  await pass(60_000)
  t.equal(world.calls, 2)
  t.same(heartbeat.state(), { lastSuccessAtMs: clock.nowMs(), lastError: null })
  world.answer = async () => 'It said 500.'
  await pass(60_000)
  await pass(60_000)
  t.equal(heartbeat.state().lastError, 'It said 500.')
  t.equal(lines.length, 1, 'one line for the whole time')
  world.answer = async () => null
  await pass(60_000)
  t.equal(heartbeat.state().lastError, null)
  t.match(lines[1], 'works again')
})

t.test('it is not sent while something does not work, or gives no answer', async (t) => {
  const { world, heartbeat, pass, metrics } = open(t)
  await pass(0)
  world.isWell = async () => false
  await pass(60_000)
  t.equal(world.calls, 1)
  t.match(heartbeat.state().lastError, 'checks do not run')
  world.isWell = () => new Promise(() => {})
  await pass(60_000)
  await pass(10_000)
  t.equal(world.calls, 1)
  world.isWell = async () => true
  await pass(60_000)
  t.equal(world.calls, 2)
  t.match(await metrics.text(), /heartbeats_sent_total\{outcome="skipped"\} 2/)
})

t.test('a slow answer delays the next beat, and a stop ends it', async (t) => {
  const { world, heartbeat, pass, clock } = open(t)
  let finish: (answer: null) => void = () => {}
  world.answer = () =>
    new Promise((resolve) => {
      finish = resolve
    })
  await pass(0)
  await pass(600_000)
  t.equal(world.calls, 1)
  finish(null)
  await pass(60_000)
  t.equal(world.calls, 2)
  heartbeat.stop()
  finish(null)
  await pass(600_000)
  t.equal(world.calls, 2)
  t.equal(clock.pending, 0)
})
