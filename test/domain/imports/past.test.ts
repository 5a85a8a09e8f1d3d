// The past of a monitor in another product, as ours.
import t from 'tap'
import type { ImportId } from '../../../src/base/ids.ts'
import { percentileMs } from '../../../src/domain/checks/latencies.ts'
import { packLatencies, unpackLatencies } from '../../../src/domain/checks/packed-latencies.ts'
import { dayMs } from '../../../src/domain/health/span.ts'
import type { ForeignPeriod } from '../../../src/domain/imports/foreign.ts'
import { pastIncident, pastPeriods } from '../../../src/domain/imports/past.ts'
import { makeMonitor } from '../../support/make-page.ts'

const bounds = { bucketMs: dayMs, sinceMs: 0, untilMs: 10 * dayMs }
const period = (over: Partial<ForeignPeriod> = {}): ForeignPeriod => ({
  startMs: dayMs,
  upMs: dayMs - 60_000,
  downMs: 60_000,
  maintenanceMs: 0,
  checks: 1_440,
  failures: 1,
  latencyMs: { mean: 120, min: 80, max: 900 },
  ...over,
})

t.test('a mean that does not fit to the extremes is stored, and read again', async (t) => {
  const bounds = { bucketMs: 3_600_000, sinceMs: 0, untilMs: 3_600_000 }
  for (const checks of [1, 2, 3, 4, 60]) {
    // Of four, the two others took 4 ms.
    const latencyMs = { mean: 6, min: 5, max: 11 }
    const times = { startMs: 0, upMs: 3_600_000, downMs: 0, maintenanceMs: 0 }
    const [found] = pastPeriods([{ ...times, checks, failures: 0, latencyMs }], bounds)
    const latencies = found?.latencies
    if (!latencies) return t.fail('there are latencies')
    t.same(unpackLatencies(packLatencies(latencies)), latencies, `of ${checks}`)
  }
})

t.test('a day keeps its times, its counts and how long its checks took', async (t) => {
  const [day] = pastPeriods([period()], bounds)
  t.match(day, {
    tally: { startMs: dayMs, upMs: dayMs - 60_000, downMs: 60_000, checks: 1_440, failures: 1 },
    latencies: {
      count: 1_439,
      minMs: 80,
      maxMs: 900,
      sumMs: 120 * 1_439,
      results: { up: 1_439, down: 1 },
    },
  })
  const p50 = day?.latencies ? percentileMs(day.latencies, 0.5) : null
  t.ok(p50 !== null && Math.abs(p50 - 120) < 3, `half of them took ${p50} ms`)
  const sum = day?.latencies?.histogram.reduce((all, [, count]) => all + count, 0)
  t.equal(sum, 1_439)
})

t.test('what does not fit is cut, and what begins within a day is left out', async (t) => {
  const [day] = pastPeriods([period({ upMs: 3 * dayMs, failures: 9_999 })], bounds)
  t.match(day?.tally, { upMs: dayMs - 60_000, failures: 1_440 })
  t.equal(day?.latencies?.count, 0)
  const odd = [
    period({ startMs: dayMs + 1 }),
    period({ startMs: 20 * dayMs }),
    period({ startMs: 9 * dayMs }),
  ]
  t.same(
    pastPeriods([...odd, period(), period()], bounds).map(({ tally }) => tally.startMs / dayMs),
    [1, 9],
    'oldest first, and each once',
  )
  const few = period({ checks: 2, failures: 0, latencyMs: { mean: 10, min: 50, max: 1 } })
  t.match(pastPeriods([few], bounds)[0]?.latencies, { count: 2, minMs: 10, maxMs: 10, sumMs: 20 })
  const none = period({ checks: 0, failures: 0, latencyMs: null })
  t.equal(pastPeriods([none], bounds)[0]?.latencies, null)
})

t.test('an outage is a closed incident, the same whenever it is made', async (t) => {
  const importId = 'imp_01arz3ndektsv4rrffq69g5fav' as ImportId
  const monitor = makeMonitor({ name: 'Site', createdAtMs: 10 * dayMs })
  const outage = { fromMs: 5 * dayMs, toMs: 5 * dayMs + 60_000, text: 'timeout' }
  const incident = pastIncident(monitor, outage, importId)
  t.match(incident, {
    title: 'Site was down',
    cause: 'timeout',
    state: 'resolved',
    startedAtMs: 5 * dayMs,
    resolvedAtMs: 5 * dayMs + 60_000,
    importId,
  })
  t.equal(pastIncident(monitor, outage, importId)?.id, incident?.id)
  t.match(incident?.id, /^inc_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  const going = pastIncident(monitor, { ...outage, toMs: null, text: '' }, importId)
  t.match(going, { resolvedAtMs: 10 * dayMs, cause: 'down' })
  t.equal(pastIncident(monitor, { ...outage, fromMs: 11 * dayMs }, importId), undefined)
  t.equal(pastIncident(monitor, { ...outage, toMs: 0 }, importId), undefined)
  const named = pastIncident(
    monitor,
    { ...outage, title: ' Checkout is slow ', isDegraded: true },
    importId,
  )
  t.match(named, { title: 'Checkout is slow', hasOwnTitle: true, severity: 'degraded' })
})
