// Metrics: one registry for the process, in Prometheus' text format, with our own prefix.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

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

    histogram: <Label extends string>(
      spec: MetricSpec<Label> & { readonly buckets: readonly number[] },
    ) => new Histogram<Label>({ ...base(spec), buckets: [...spec.buckets] }),

    contentType: registry.contentType,
    text: (): Promise<string> => registry.metrics(),
  }
}
