// Metrics as Prometheus reads them.
import { Counter, Histogram, Registry } from 'prom-client'
import t from 'tap'
import { createMetrics } from '../../src/base/metrics.ts'

t.test('counters, gauges and histograms carry our prefix', async (t) => {
  const metrics = createMetrics()
  metrics
    .counter({ name: 'checks_total', help: 'Checks.', labels: ['kind'] })
    .of('tcp')
    .inc()
  metrics.gauge({ name: 'monitors', help: 'Monitors.' }, (gauge) => gauge.set(7))
  metrics
    .histogram({ name: 'wait_seconds', help: 'Wait.', buckets: [1, 2] })
    .of()
    .observe(1.5)
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
    for (const value of [0, 0.1, 0.11, 1, 2, 2.5, 3, 1e9]) {
      ours.of(...labels).observe(value)
      theirs.labels(...labels).observe(value)
    }
  }
  t.equal(await metrics.text(), await library.metrics())
})

t.test('a counter is written as the library writes one', async (t) => {
  const [library, metrics] = [new Registry(), createMetrics()]
  const labels = ['kind', 'verdict']
  const spec = { name: 'stillup_checks_total', help: 'Checks.', labelNames: labels }
  const theirs = new Counter({ ...spec, registers: [library] })
  const ours = metrics.counter({ name: 'checks_total', help: 'Checks.', labels })
  ours.of('dns', 'up')
  for (const [kind, verdict, by] of [
    ['tcp', 'up', 1],
    ['http "quoted"', 'down', 2.5],
    ['tcp', 'up', 3],
  ] as const) {
    theirs.labels(kind, verdict).inc(by)
    ours.of(kind, verdict).inc(by)
  }
  new Counter({ name: 'stillup_dead_total', help: 'Dead.', registers: [library] })
  metrics.counter({ name: 'dead_total', help: 'Dead.' })
  t.equal(await metrics.text(), await library.metrics())
})
