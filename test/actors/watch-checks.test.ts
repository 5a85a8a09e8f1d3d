// What the engine counts, as a scraper reads it.
import t from 'tap'
import { watchChecks } from '../../src/actors/watch-checks.ts'
import { createMetrics } from '../../src/base/metrics.ts'
import { makeMonitor } from '../support/make-page.ts'
import { startMonitorWorld } from '../support/monitor-world.ts'

t.test('checks by verdict, their delay, and how many are running', async (t) => {
  const world = startMonitorWorld(t)
  const metrics = createMetrics()
  const watch = watchChecks(metrics)
  const monitor = await world.add()
  world.fleet.start(monitor, 'start', world.monitorState(monitor))
  watch.observe({ fleet: world.fleet, gate: world.gate, pending: () => 7 })
  watch.onStart(monitor, 20)
  watch.onStart(monitor, -1)
  for (const verdict of ['up', 'up', 'down'] as const) watch.onVerdict(monitor, verdict)
  watch.onVerdict(makeMonitor({ checkType: 'push' }), 'up')
  watch.onJump({ kind: 'stall', deltaMs: 1_600 })
  watch.onJump({ kind: 'stall', deltaMs: 600 })
  watch.onJump({ kind: 'step', deltaMs: 3_600_000 })
  const text = await metrics.text()
  const expected = [
    /checks_total\{kind="endpoint",verdict="up"\} 2/,
    /checks_total\{kind="endpoint",verdict="down"\} 1/,
    /checks_total\{kind="push",verdict="up"\} 1/,
    /check_lateness_seconds_count 2/,
    /check_lateness_seconds_bucket\{le="0.001"\} 1/,
    /check_lateness_seconds_bucket\{le="0.025"\} 2/,
    /\bstillup_monitors 1|\bmonitors 1/,
    /checks_inside 0/,
    /checks_waiting 0/,
    /deliveries_pending 7/,
    /stalled_seconds_total 2\.2/,
  ]
  for (const line of expected) t.match(text, line)
})
