// The response times of the newest hours, beside what the API answers about the same monitor.
import t from 'tap'
import { createHistories } from '../../../src/services/checks/histories.ts'
import { createNewestResponseTimes } from '../../../src/services/checks/newest-response-times.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { failed, good, makeReading } from '../../support/monitor-world.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

t.test('each hour has the median and the 95th percentile of its good checks', async (t) => {
  const world = startMonitorServices(t)
  const { store, clock, commit, done } = world
  const monitor = await world.add({ intervalSeconds: 1_200, failureThreshold: 1 })
  const newest = createNewestResponseTimes(store)
  const read = () => newest(monitor, world.monitorState(monitor), clock.nowMs())
  t.equal(read(), null, 'nothing is known before the first check')
  for (let round = 0; round < 90; round += 1) {
    await clock.advance(20 * minuteMs)
    // Three checks of one hour fail.
    const seen = round >= 60 && round < 66 ? failed : { ...good, durationMs: 100 + round }
    await done(commit.reading(monitor, makeReading(clock.nowMs(), seen)))
    read()
  }
  const times = read()
  t.equal(times?.hours.length, 24)
  const thisHourMs = Math.floor(clock.nowMs() / hourMs) * hourMs
  t.equal(times?.hours.at(-1)?.startMs, thisHourMs)
  const histories = createHistories({ store, clock })
  const fromMs = thisHourMs - 23 * hourMs
  const { buckets } = histories.responseTimes(world.bob, monitor.id, { fromMs, points: 24 })
  const counted = buckets.filter(({ latencies }) => (latencies?.count ?? 0) > 0)
  const known = times?.hours.filter(({ p50Ms }) => p50Ms !== null) ?? []
  t.same(
    known.map(({ startMs }) => startMs),
    counted.map((bucket) => bucket.fromMs),
  )
  t.ok(known.length < 24, 'an hour of failures has no response time')
  for (const [at, { latencies }] of counted.entries()) {
    const { p50Ms = 0, p95Ms = 0 } = known[at] ?? {}
    t.ok(Number(p50Ms) >= Number(latencies?.minMs) && Number(p95Ms) <= Number(latencies?.maxMs))
  }

  await clock.advance(3 * hourMs)
  const later = read()
  t.equal(later?.hours.length, 24)
  t.equal(later?.hours.at(-1)?.p50Ms, null, 'without checks the newest hours are empty')
  await clock.advance(48 * hourMs)
  t.equal(read(), null, 'what is older than a day is not told')
})
