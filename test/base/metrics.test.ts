// Metrics as Prometheus reads them.
import { Histogram, Registry } from 'prom-client'
import t from 'tap'
import { createMetrics } from '../../src/base/metrics.ts'

t.test('counters, gauges and histograms carry our prefix', async (t) => {
  const metrics = createMetrics()
  metrics.counter({ name: 'checks_total', help: 'Checks.', labels: ['kind'] }).inc({ kind: 'tcp' })
  metrics.gauge({ name: 'monitors', help: 'Monitors.' }, (gauge) => gauge.set(7))
  metrics.histogram({ name: 'wait_seconds', help: 'Wait.', buckets: [1, 2] }).of()(1.5)
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

t.test('a histogram is written as the library writes one', async (t) => {
  const buckets = [0.1, 1, 2.5]
  const [library, metrics] = [new Registry(), createMetrics()]
  const help = 'How long it took.'
  const theirs = new Histogram({
    ...{ name: 'stillup_took_seconds', help, buckets, labelNames: ['route', 'way'] },
    registers: [library],
  })
  const ours = metrics.histogram({ name: 'took_seconds', help, buckets, labels: ['route', 'way'] })
  const empty = { name: 'stillup_idle_seconds', help, buckets, registers: [library] }
  new Histogram(empty)
  metrics.histogram({ name: 'idle_seconds', help, buckets }).of()
  for (const labels of [
    ['a "quoted"', 'in'],
    ['b', 'out'],
  ]) {
    const observe = ours.of(...labels)
    for (const value of [0, 0.1, 0.11, 1, 2, 2.5, 3, 1e9]) {
      observe(value)
      theirs.labels(...labels).observe(value)
    }
  }
  t.equal(await metrics.text(), await library.metrics())
})
