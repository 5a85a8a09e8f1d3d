// Charts of response times: never more points than asked for, and none of them half a bucket.
import fc from 'fast-check'
import t from 'tap'
import { latencyBuckets } from '../../../src/domain/health/latency-buckets.ts'
import { dayMs, hourMs } from '../../../src/domain/health/span.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { runs } from '../../support/depth.ts'

const nowMs = Date.UTC(2026, 5, 15, 13, 37, 11, 123)

t.test('a window is covered by at most so many whole buckets', async (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3_000 * dayMs }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 2, max: limits.chartPointsMax }),
      fc.integer({ min: 10, max: 86_400 }),
      (agoMs, share, pointsMax, intervalSeconds) => {
        const fromMs = nowMs - agoMs
        const toMs = fromMs + Math.max(1, Math.floor(share ** 4 * agoMs))
        const asked = { fromMs, toMs, pointsMax, intervalMs: intervalSeconds * 1_000, nowMs }
        const { bucketMs, source, ...window } = latencyBuckets(asked)
        const isKept = {
          results: agoMs <= limits.checksKeptDays * dayMs && bucketMs < hourMs,
          hours: agoMs <= limits.hoursKept * hourMs && bucketMs % hourMs === 0,
          days: bucketMs % dayMs === 0,
        }
        return (
          window.fromMs <= fromMs &&
          window.toMs >= toMs &&
          window.fromMs % bucketMs === 0 &&
          window.toMs % bucketMs === 0 &&
          (window.toMs - window.fromMs) / bucketMs <= pointsMax &&
          isKept[source]
        )
      },
    ),
    runs(1_000),
  )
  t.pass()
})

t.test('buckets are as short as the points allow', async (t) => {
  const make = (hours: number, pointsMax: number, intervalMs = 60_000) =>
    latencyBuckets({ fromMs: nowMs - hours * hourMs, toMs: nowMs, pointsMax, intervalMs, nowMs })
  t.match(make(1, 100), { bucketMs: 60_000, source: 'results' })
  t.match(make(24, 100), { bucketMs: 15 * 60_000, source: 'results' })
  t.match(make(24 * 30, 100), { bucketMs: 12 * hourMs, source: 'hours' })
  t.match(make(24 * 90, 100), { bucketMs: dayMs, source: 'days' })
  t.match(make(24 * 9, 500, 10_000), { bucketMs: hourMs }, 'too many results to read them all')
})
