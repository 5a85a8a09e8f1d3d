// How long transactions wait for their log.
import type { Metrics } from '../../base/metrics.ts'
import type { RedoLog } from '../../store/engine/redo.ts'

const appendBuckets = [0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function timedLog(
  log: RedoLog,
  { monoMs }: { readonly monoMs: () => number },
  metrics: Metrics,
): RedoLog {
  const took = metrics.histogram({
    name: 'cluster_append_seconds',
    help: 'How long transactions waited until the log of the cluster had them.',
    buckets: appendBuckets,
  })
  const records = metrics.counter({
    name: 'cluster_records_total',
    help: 'Records that this machine appended to the log of the cluster.',
  })
  return {
    ...log,
    async append(entry) {
      const sinceMs = monoMs()
      await log.append(entry)
      took.of().observe((monoMs() - sinceMs) / 1_000)
      records.of().inc()
    },
  }
}
