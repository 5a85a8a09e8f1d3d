// Uptime is time, not a count of checks.
import fc from 'fast-check'
import t from 'tap'
import {
  accrue,
  certainSpans,
  type SpanState,
  tallyOf,
  uptimeRatio,
  withCheck,
  workedRatio,
  workedTime,
} from '../../../src/domain/health/span.ts'
import { runs } from '../../support/depth.ts'
import { makePolicy, startLife, verdictsOf } from '../../support/life.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

t.test('time is added to the state it was spent in', async (t) => {
  let [tally = tallyOf(0)] = accrue(tallyOf(0), 'up', 0, 1_000)
  for (const [index, state] of (['degraded', 'down', 'unknown', 'paused'] as const).entries()) {
    tally = accrue(tally, state, (index + 1) * 1_000, (index + 2) * 1_000).at(-1) ?? tally
  }
  t.match(tally, { upMs: 1_000, degradedMs: 1_000, downMs: 1_000, excludedMs: 2_000 })
})

t.test('a span over midnight UTC belongs to both days', async (t) => {
  const tallies = accrue(tallyOf(0), 'down', 23 * hourMs, 50 * hourMs)
  t.same(
    tallies.map((tally) => [tally.startMs, tally.downMs]),
    [
      [0, hourMs],
      [dayMs, dayMs],
      [2 * dayMs, 2 * hourMs],
    ],
  )
  const [day, next] = accrue(tallyOf(0), 'up', 0, dayMs)
  t.equal(day?.upMs, dayMs)
  t.equal(next, undefined, 'a span that ends at midnight begins no new day')
})

t.test('no time passes twice or backwards', async (t) => {
  const tally = tallyOf(dayMs)
  t.same(accrue(tally, 'up', dayMs + 5, dayMs + 5), [tally])
  t.same(accrue(tally, 'up', dayMs + 5, dayMs), [tally])
  t.match(accrue(tally, 'up', 0, dayMs + 5), [{ upMs: 5 }], 'the day before is closed')
})

t.test('a clock that steps by decades does not make thousands of days', async (t) => {
  t.equal(accrue(tallyOf(0), 'up', 0, 20_000 * dayMs).length, 401)
})

t.test('every millisecond is counted exactly once', async () => {
  const states: SpanState[] = ['up', 'degraded', 'down', 'pending', 'unknown', 'maintenance']
  const spans = fc.array(fc.tuple(fc.constantFrom(...states), fc.nat(3 * dayMs)))
  const property = fc.property(fc.nat(dayMs), spans, (startMs, spans) => {
    let tallies = [tallyOf(startMs)]
    let atMs = startMs
    for (const [state, lengthMs] of spans) {
      const current = tallies.at(-1) ?? tallyOf(startMs)
      tallies = [...tallies.slice(0, -1), ...accrue(current, state, atMs, atMs + lengthMs)]
      atMs += lengthMs
    }
    const sums = tallies.map((day) => day.upMs + day.degradedMs + day.downMs + day.excludedMs)
    return sums.reduce((sum, dayMs) => sum + dayMs, 0) === atMs - startMs
  })
  fc.assert(property, runs())
})

t.test('uptime is the share of the checked time in which it worked', async (t) => {
  const day = { ...tallyOf(0), upMs: 80, degradedMs: 10, downMs: 10, excludedMs: 900 }
  t.equal(workedRatio(workedTime([day])), 0.9)
  t.equal(workedRatio(workedTime([day, { ...day, downMs: 110 }])), 0.6)
  t.equal(workedRatio(workedTime([])), null)
  t.equal(workedRatio(workedTime([{ ...tallyOf(0), excludedMs: 5 }])), null, 'nobody looked')
})

t.test('a share of less than an hour is no uptime', async (t) => {
  t.equal(uptimeRatio({ workedMs: hourMs / 2, downMs: hourMs / 2 - 1 }), null)
  t.equal(uptimeRatio({ workedMs: hourMs / 2, downMs: hourMs / 2 }), 0.5)
})

t.test('checks and failures are counted; one that could not be made is neither', async (t) => {
  let tally = tallyOf(0)
  for (const verdict of verdictsOf('us?dd')) tally = withCheck(tally, verdict)
  t.match(tally, { checks: 4, failures: 2 })
})

/** One result a second from second 1; returns the spans as "state from-to" in seconds. */
function accountOf(text: string, policy = makePolicy()): string[] {
  const life = startLife(policy)
  const spans: string[] = []
  let accountedMs = 0
  for (const [index, verdict] of verdictsOf(text).entries()) {
    const before = life.health
    const atMs = (index + 1) * 1_000
    life.see(verdict, atMs)
    for (const span of certainSpans(before, life.health, accountedMs, atMs)) {
      spans.push(`${span.state} ${span.fromMs / 1_000}-${span.toMs / 1_000}`)
      accountedMs = span.toMs
    }
  }
  return spans
}

t.test('an outage counts from its first failure, a recovery from its first success', async (t) => {
  t.same(accountOf('uuddddu'), [
    'pending 0-1',
    'up 1-2',
    'up 2-3',
    'down 3-5',
    'down 5-6',
    'down 6-7',
  ])
  t.same(accountOf('udddud').slice(2), ['down 2-4', 'down 4-5', 'down 5-6'])
  t.same(accountOf('udddddduu').slice(-2), ['down 7-8', 'up 8-9'])
})

t.test('a blip costs nothing', async (t) => {
  t.same(accountOf('uduu'), ['pending 0-1', 'up 1-2', 'up 2-3', 'up 3-4'])
})

t.test('slow time counts from the first slow result of the row', async (t) => {
  t.same(accountOf('usssuu').slice(1), ['up 1-2', 'degraded 2-4', 'degraded 4-5'])
  t.same(accountOf('ussu').slice(1), ['up 1-2', 'up 2-4'])
})

t.test('a clock that was set back accounts for nothing twice', async (t) => {
  const { health } = startLife(makePolicy())
  t.same(certainSpans(health, health, 5_000, 1_000), [])
})

t.test('in any sequence, the account has no gap and no overlap', async () => {
  const texts = fc.array(fc.constantFrom('u', 's', 'd', '?'), { maxLength: 60 })
  const property = fc.property(texts, fc.integer({ min: 1, max: 5 }), (letters, threshold) => {
    const thresholds = { failureThreshold: threshold, degradedThreshold: threshold }
    let endedAt = '0'
    for (const span of accountOf(letters.join(''), makePolicy(thresholds))) {
      const [, from, to] = /^\w+ (.+)-(.+)$/.exec(span) ?? []
      if (from !== endedAt || Number(to) <= Number(from)) return false
      endedAt = to ?? ''
    }
    return true
  })
  fc.assert(property, runs(300))
})
