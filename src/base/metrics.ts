// Metrics: one registry for the process, in Prometheus' text format, with our own prefix.
import { collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client'
import { once } from './per-object.ts'

const prefix = 'stillup_'

/**
 * Gauges of the library that are named like counters. Each is the sum of the gauge without `_total`,
 * which stays.
 */
const misnamed = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`)

export interface MetricSpec<Label extends string = string> {
  /** The name without the prefix; it ends in the unit: `checks_total`, `check_duration_seconds`. */
  readonly name: string
  readonly help: string
  readonly labels?: readonly Label[]
}

/** What the library measures of the process, from when it is first asked for until the process ends. */
const processRegistry = once(() => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  return registry
})

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics(options: { readonly withProcess?: boolean } = {}) {
  const registry = new Registry()
  const registries = options.withProcess ? [processRegistry(), registry] : [registry]

  function base<Label extends string>({ name, help, labels = [] }: MetricSpec<Label>) {
    return { name: prefix + name, help, labelNames: [...labels], registers: [registry] }
  }

  return {
    /**
     * Counts up, under each set of labels. Our own, as the histogram is: the library takes as long as a
     * tenth of a small request. `read` is called when the metrics are collected, for what is counted
     * elsewhere, without labels.
     */
    counter(spec: MetricSpec, read?: () => number) {
      const { name, help, labelNames } = base(spec)
      const series = createSeries(labelNames, newCount)
      // Without labels it is there from the beginning, with them once it was counted.
      if (labelNames.length === 0) series.of()
      const get = async () => {
        if (read) series.of().value = read()
        const values = series.all().filter(({ value }) => value > 0 || labelNames.length === 0)
        return { name, help, type: 'counter', aggregator: 'sum', values }
      }
      registry.registerMetric(asMetric({ name, get }))
      return { of: series.of }
    },

    /** A value that goes up and down; `read` is called when the metrics are collected. */
    gauge<Label extends string>(
      spec: MetricSpec<Label>,
      read?: (gauge: Gauge<Label>) => void | Promise<void>,
    ) {
      return new Gauge<Label>({
        ...base(spec),
        ...(read
          ? {
              collect(this: Gauge<Label>) {
                return read(this)
              },
            }
          : {}),
      })
    },

    /** Counts values, under each set of labels, by the first bucket that has room for them. */
    histogram({ buckets, ...spec }: MetricSpec & { readonly buckets: readonly number[] }) {
      const { name, help, labelNames } = base(spec)
      const series = createSeries(labelNames, (labels) => newDistribution(labels, buckets))
      const get = async () => {
        const values = series.all().flatMap((one) => linesOf(name, buckets, one))
        return { name, help, type: 'histogram', aggregator: 'sum', values }
      }
      registry.registerMetric(asMetric({ name, get }))
      return { of: series.of }
    },

    contentType: registry.contentType,
    text: async (): Promise<string> =>
      (await Promise.all(registries.map((one) => one.metrics()))).join('\n'),
  }
}

type MetricLabels = Readonly<Record<string, string | undefined>>

/** What is counted under each set of labels, made when it is first asked for. */
function createSeries<One>(labelNames: readonly string[], make: (labels: MetricLabels) => One) {
  const known = new Map<string, One>()
  return {
    /** The labels are in the order of their declaration. */
    of(...labels: readonly string[]): One {
      const key = labels.join('\n')
      const before = known.get(key)
      if (before) return before
      const one = make(Object.fromEntries(labelNames.map((label, at) => [label, labels[at]])))
      known.set(key, one)
      return one
    },
    all: () => [...known.values()],
  }
}

function newCount(labels: MetricLabels) {
  const count = {
    labels,
    value: 0,
    inc(by = 1): void {
      count.value += by
    },
  }
  return count
}

function newDistribution(labels: MetricLabels, buckets: readonly number[]) {
  const distribution = {
    labels,
    /** How many values were above the bucket before and at most this one; the last has no bound. */
    counts: new Array<number>(buckets.length + 1).fill(0),
    sum: 0,
    observe(value: number): void {
      let at = 0
      for (const bucket of buckets) {
        if (value <= bucket) break
        at += 1
      }
      distribution.counts[at] = (distribution.counts[at] ?? 0) + 1
      distribution.sum += value
    },
  }
  return distribution
}

/** The lines are in the order of the library. */
function linesOf(
  name: string,
  buckets: readonly number[],
  { labels, counts, sum }: ReturnType<typeof newDistribution>,
) {
  let count = 0
  const below = [...buckets, '+Inf'].map((le, at) => {
    count += counts[at] ?? 0
    return { metricName: `${name}_bucket`, labels: { le, ...labels }, value: count }
  })
  return [
    ...below,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ]
}

/** The registry asks a metric only for its name and for what `get` returns. */
function asMetric(metric: { readonly name: string; readonly get: () => Promise<object> }): Metric {
  return metric as unknown as Metric
}
