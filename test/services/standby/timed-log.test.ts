// How long transactions wait for the log of a cluster is counted, once it has them.
import t from 'tap'
import { createMetrics } from '../../../src/base/metrics.ts'
import { timedLog } from '../../../src/services/standby/timed-log.ts'

t.test('an append that is refused is not counted', async (t) => {
  const metrics = createMetrics()
  let nowMs = 0
  const inner = {
    sequenceAfter: (after: number) => after + 2,
    async append({ sequence }: { readonly sequence: number }) {
      nowMs += 30
      if (sequence > 2) throw new Error('refused')
    },
  }
  const log = timedLog(inner, { monoMs: () => nowMs }, metrics)
  const entry = { after: 0, sequence: 2, hash: '', bytes: Buffer.alloc(0) }
  t.equal(log.sequenceAfter(1, 10), 3)
  await log.append(entry)
  await t.rejects(log.append({ ...entry, sequence: 4 }))
  const text = await metrics.text()
  t.match(text, /stillup_cluster_records_total 1\n/)
  t.match(text, /stillup_cluster_append_seconds_bucket\{le="0.05"\} 1\n/)
  t.match(text, /stillup_cluster_append_seconds_sum 0\.03/)
})
