// What a push sender says, and what its silence means.
import t from 'tap'
import { judge } from '../../../src/domain/checks/verdict.ts'
import { foldVerdict } from '../../../src/domain/health/fold-verdict.ts'
import { initialHealth } from '../../../src/domain/health/health.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import {
  changedDeadlineAtMs,
  deadlineAtMs,
  missedReading,
  movedDeadline,
  pushPolicy,
  reportedReading,
} from '../../../src/domain/schedule/push-deadline.ts'
import { makePolicy } from '../../support/life.ts'

const minuteMs = 60_000
const missed = { deadlineAtMs: 360_000, intervalMs: 5 * minuteMs, graceMs: minuteMs }

t.test('a report is missing once the period and the grace have passed', async (t) => {
  t.equal(deadlineAtMs(1_000, 5 * minuteMs, minuteMs), 361_000)
})

t.test('an ok report is a good reading with the sender’s own words and time', async (t) => {
  const report = { status: 'ok', message: '12 files', durationMs: 90_000 } as const
  const reading = reportedReading(report, 5)
  t.same(reading, { atMs: 5, durationMs: 90_000, message: '12 files', result: 'good' })
  t.same(reportedReading({ status: 'ok' }, 5), { atMs: 5, durationMs: 0, result: 'good' })
})

t.test('an error report is a failure that says so', async (t) => {
  const reading = reportedReading({ status: 'error', message: 'disk full' }, 5)
  t.equal(judge(reading, null), 'down')
  t.same(reading.error, { kind: 'reported', message: 'the sender reported an error: disk full' })
  const silent = reportedReading({ status: 'error', message: '' }, 5)
  t.equal(silent.error?.message, 'the sender reported an error')
  const long = reportedReading({ status: 'error', message: 'x'.repeat(1_024) }, 5)
  t.equal(long.error?.message.length, limits.errorMessageCharsMax)
})

t.test('a missing report is a failure at its deadline that names the expected time', async (t) => {
  const reading = missedReading({ ...missed, lastReportAtMs: 0 })
  t.match(reading, { atMs: 360_000, result: 'failed', durationMs: 0 })
  t.same(reading.error, {
    kind: 'missed',
    message:
      'no report within 5 min and 1 min of grace; the last one came at 1 January 1970, 00:00:00 UTC',
  })
  const never = missedReading({
    ...missed,
    intervalMs: 90_000_000,
    graceMs: 0,
    lastReportAtMs: null,
  })
  t.equal(never.error?.message, 'no report within 1 d 1 h; no report has ever come')
})

t.test('one missing report is an outage, and one good report ends it', async (t) => {
  const policy = pushPolicy(makePolicy({ failureThreshold: 5, recoveryThreshold: 5 }))
  const down = foldVerdict(initialHealth(0), 'down', policy, 1_000)
  t.equal(down.change?.kind, 'opened')
  t.equal(foldVerdict(down.health, 'up', policy, 2_000).health.state, 'up')
})

t.test('another period counts from the last report, or from now if it is over', async (t) => {
  const daily = { intervalSeconds: 86_400, graceSeconds: 60 }
  const often = { intervalSeconds: 300, graceSeconds: 60 }
  const nowMs = 3_600_000
  const expected = { lastReportAtMs: 0, deadlineAtMs: 360_000 }
  t.equal(changedDeadlineAtMs(often, daily, expected, nowMs), 86_460_000)
  t.equal(changedDeadlineAtMs(daily, often, expected, nowMs), nowMs + 360_000)
  t.equal(changedDeadlineAtMs(daily, daily, expected, nowMs), 360_000, 'nothing has changed')
  const nothing = { ...expected, deadlineAtMs: null }
  t.equal(changedDeadlineAtMs(often, daily, nothing, nowMs), null, 'none was expected')
})

t.test('an unreachable time moves the deadline and forgives a lost report', async (t) => {
  const pace = { intervalSeconds: 300, graceSeconds: 60 }
  const from = (excuses = 0) => ({ deadlineAtMs: 360_000, excuses })
  const moved = (byMs: number, nowMs: number, excuses = 0) =>
    movedDeadline(pace, from(excuses), byMs, nowMs)
  t.same(moved(7_000, 100_000), { deadlineAtMs: 367_000, excuses: 0 }, 'none was due yet')
  t.same(moved(7_000, 301_000), { deadlineAtMs: 661_000, excuses: 1 }, 'one was due')
  t.same(moved(3_600_000, 3_700_000), { deadlineAtMs: 4_060_000, excuses: 1 })
  t.same(moved(2_000, 301_000), { deadlineAtMs: 362_000, excuses: 0 }, 'it only waited')
  const most = limits.reportExcusesMax
  t.same(moved(7_000, 301_000, most), { deadlineAtMs: 367_000, excuses: most }, 'not for ever')
})
