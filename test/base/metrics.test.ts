// Metrics as Prometheus reads them.
import t from 'tap'
import { createMetrics } from '../../src/base/metrics.ts'

t.test('counters, gauges and histograms carry our prefix', async (t) => {
  const metrics = createMetrics()
  metrics.counter({ name: 'checks_total', help: 'Checks.', labels: ['kind'] }).inc({ kind: 'tcp' })
  metrics.gauge({ name: 'monitors', help: 'Monitors.' }, (gauge) => gauge.set(7))
  metrics.histogram({ name: 'wait_seconds', help: 'Wait.', buckets: [1, 2] }).observe(1.5)
  const text = await metrics.text()
  t.match(text, 'stillup_checks_total{kind="tcp"} 1')
  t.match(text, 'stillup_monitors 7')
  t.match(text, 'stillup_wait_seconds_bucket{le="2"} 1')
  t.notMatch(text, /process_cpu/)
})

t.test('process metrics are optional, and registries are separate', async (t) => {
  t.match(await createMetrics({ withProcess: true }).text(), /process_cpu_user_seconds_total/)
  t.equal((await createMetrics().text()).trim(), '')
})
