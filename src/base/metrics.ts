// Metrics: one registry for the process, in Prometheus' text format, with our own prefix.
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client'

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

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics(options: { readonly withProcess?: boolean } = {}) {
  const registry = new Registry()
  if (options.withProcess) {
    collectDefaultMetrics({ register: registry })
    for (const name of misnamed) registry.removeSingleMetric(name)
  }

  function base<Label extends string>({ name, help, labels = [] }: MetricSpec<Label>) {
    return { name: prefix + name, help, labelNames: [...labels], registers: [registry] }
  }

  return {
    /** `addRest` is called when the metrics are collected, to add what was counted elsewhere. */
    counter<Label extends string>(spec: MetricSpec<Label>, addRest?: () => void) {
      return new Counter<Label>({ ...base(spec), ...(addRest ? { collect: addRest } : {}) })
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

    /** Our own, because the library's takes as long as a tenth of a small request. */
    histogram({ buckets, ...spec }: MetricSpec & { readonly buckets: readonly number[] }) {
      const { name, help, labelNames } = base(spec)
      const series: Series[] = []
      const get = async () => {
        const values = series.flatMap((one) => linesOf(name, buckets, one))
        return { name, help, type: 'histogram', aggregator: 'sum', values }
      }
      registry.registerMetric(asMetric({ name, get }))
      return {
        /** What counts a value under these labels; to be made once for each set of them. */
        of(...labels: readonly string[]): (value: number) => void {
          const counts = new Array<number>(buckets.length + 1).fill(0)
          const named = Object.fromEntries(labelNames.map((label, at) => [label, labels[at]]))
          const one: Series = { labels: named, counts, sum: 0 }
          series.push(one)
          return (value) => {
            let at = 0
            for (const bucket of buckets) {
              if (value <= bucket) break
              at += 1
            }
            counts[at] = (counts[at] ?? 0) + 1
            one.sum += value
          }
        },
      }
    },

    contentType: registry.contentType,
    text: (): Promise<string> => registry.metrics(),
  }
}

/** What was counted under one set of labels. */
interface Series {
  readonly labels: Readonly<Record<string, string | undefined>>
  /** How many values were above the bucket before and at most this one; the last has no bound. */
  readonly counts: readonly number[]
  sum: number
}

/** The lines are in the order of the library. */
function linesOf(name: string, buckets: readonly number[], { labels, counts, sum }: Series) {
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
