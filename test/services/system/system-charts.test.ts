// The times that the charts of the service can show.
import t from 'tap'
import type { SystemPoint } from '../../../src/domain/system/system-history.ts'
import {
  createSystemCharts,
  systemPointsMax,
  systemRanges,
} from '../../../src/services/system/system-charts.ts'
import { FakeClock } from '../../support/fake-clock.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

t.test('every range has so few points that they can be drawn, and none before it', async (t) => {
  const clock = new FakeClock()
  const nowMs = clock.nowMs()
  const point = (fromMs: number): SystemPoint => ({
    fromMs,
    checksPerSecond: 1,
    latenessP50Ms: 1,
    latenessP99Ms: 1,
    waiting: 0,
    memoryBytes: 1,
    dataBytes: 1,
    diskFreeBytes: 1,
    loopDelayP99Ms: 1,
    errors: 1,
  })
  const points = (count: number, lengthMs: number) =>
    Array.from({ length: count }, (_, at) =>
      point(Math.floor(nowMs / lengthMs) * lengthMs - (count - at) * lengthMs),
    )
  const charts = createSystemCharts({
    clock,
    history: { minutes: () => points(1_500, minuteMs), hours: () => points(2_300, hourMs) },
  })
  const expected = { hour: 60, day: 288, week: 168, quarter: 360 }
  for (const range of systemRanges) {
    const { fromMs, toMs, pointMs, points } = charts.of(range)
    t.equal(toMs, nowMs)
    t.ok(points.length <= systemPointsMax)
    t.ok(Math.abs(points.length - expected[range]) <= 1, `${range}: ${points.length}`)
    t.ok(points.every((one) => one.fromMs >= fromMs && one.fromMs % pointMs === 0))
  }
})
