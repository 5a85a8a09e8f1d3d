// What a push sender says, and what its silence means.
import t from 'tap'
import { judge } from '../../../src/domain/checks/verdict.ts'
import { foldVerdict } from '../../../src/domain/health/fold-verdict.ts'
import { initialHealth } from '../../../src/domain/health/health.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import {
  changedExpectation,
  deadlineAtMs,
  expectationAfter,
  missedReading,
  movedExpectation,
  type Pace,
  pushPolicy,
  reportExcusesMax,
  reportedReading,
} from '../../../src/domain/schedule/push-deadline.ts'
import { makePolicy } from '../../support/life.ts'

const pace: Pace = { intervalSeconds: 300, graceSeconds: 60, schedule: null, timezone: 'UTC' }
const fields = { ...pace, maxRunSeconds: 0, autoRecoveryMinutes: 0 }
const nothing = { openRuns: [], recoversAtMs: null, excuses: 0 }

t.test('a report is missing once the period and the grace have passed', async (t) => {
  t.equal(deadlineAtMs(pace, 1_000), 361_000)
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
  const reading = missedReading(pace, { deadlineAtMs: 360_000, lastReportAtMs: 0 })
  t.match(reading, { atMs: 360_000, result: 'failed', durationMs: 0 })
  t.same(reading.error, {
    kind: 'missed',
    message:
      'no report within 5 min and 1 min of grace; the last one came at 1 January 1970, 00:00:00 UTC',
  })
  const long = { ...pace, intervalSeconds: 90_000, graceSeconds: 0 }
  const never = missedReading(long, { deadlineAtMs: 360_000, lastReportAtMs: null })
  t.equal(never.error?.message, 'no report within 1 d 1 h; no report has ever come')
})

t.test('one missing report is an outage, and one good report ends it', async (t) => {
  const policy = pushPolicy(makePolicy({ failureThreshold: 5, recoveryThreshold: 5 }))
  const down = foldVerdict(initialHealth(0), 'down', policy, 1_000)
  t.equal(down.change?.kind, 'opened')
  t.equal(foldVerdict(down.health, 'up', policy, 2_000).health.state, 'up')
})

t.test('another period counts from the last report, or from now if it is over', async (t) => {
  const often = fields
  const daily = { ...fields, intervalSeconds: 86_400 }
  const nightly = { ...fields, schedule: '0 2 * * *' }
  const nowMs = 3_600_000
  const standing = { ...nothing, lastAtMs: 0, lastError: null }
  const expected = { ...standing, lastReportAtMs: 0, deadlineAtMs: 360_000 }
  const changed = (before: typeof fields, after: object, from: object = expected) =>
    changedExpectation(before, { ...before, ...after }, { ...expected, ...from }, nowMs)
  const dueMs = (...given: Parameters<typeof changed>) => changed(...given).deadlineAtMs
  t.equal(dueMs(often, daily), 86_460_000)
  t.equal(dueMs(daily, often), nowMs + 360_000)
  t.equal(dueMs(daily, daily), 360_000, 'nothing has changed')
  t.equal(dueMs(often, daily, { deadlineAtMs: null }), null, 'none was expected')
  t.equal(dueMs(often, nightly), 2 * 3_600_000 + 60_000)
  t.equal(dueMs(nightly, { timezone: 'Asia/Tokyo' }), 17 * 3_600_000 + 60_000)
  t.equal(dueMs(nightly, { graceSeconds: 0 }), 2 * 3_600_000)
})

t.test('a changed limit counts from the start of a run, or from now if it is over', async (t) => {
  const nowMs = 3_600_000
  const run = { number: 1, runId: null, startedAtMs: nowMs - 60_000, endsByAtMs: null }
  const expected = { ...nothing, openRuns: [run], lastReportAtMs: null, deadlineAtMs: null }
  const standing = { ...expected, lastAtMs: null, lastError: null }
  const limit = (from: number, to: number, openRuns = [run]) =>
    changedExpectation(
      { ...fields, maxRunSeconds: from },
      { ...fields, maxRunSeconds: to },
      { ...standing, openRuns },
      nowMs,
    ).openRuns[0]?.endsByAtMs
  t.equal(limit(0, 600), nowMs + 540_000)
  t.equal(limit(0, 30), nowMs + 30_000)
  t.equal(limit(600, 0, [{ ...run, endsByAtMs: nowMs }] as never), null)
  t.equal(limit(600, 900), null, 'one that was passed stays so')
})

t.test('a changed recovery counts from the error that was reported', async (t) => {
  const error = { ...nothing, lastReportAtMs: 0, deadlineAtMs: 360_000, lastAtMs: 1_000 }
  const recovers = (minutes: number, kind: 'reported' | 'missed') =>
    changedExpectation(
      fields,
      { ...fields, autoRecoveryMinutes: minutes },
      { ...error, lastError: { kind } },
      2_000,
    ).recoversAtMs
  t.equal(recovers(5, 'reported'), 301_000)
  t.equal(recovers(5, 'missed'), null, 'a silent sender does not recover')
  t.equal(recovers(0, 'reported'), null)
})

t.test('after an event no report is expected, whatever was before', async (t) => {
  const before = { ...nothing, lastReportAtMs: 0, deadlineAtMs: 360_000, lastError: null }
  const after = (status: 'ok' | 'error') =>
    expectationAfter(
      { ...fields, autoRecoveryMinutes: 1 },
      before,
      { status, isEvent: true },
      1_000,
    )
  t.match(after('ok'), { deadlineAtMs: null, recoversAtMs: null, lastReportAtMs: 1_000 })
  t.match(after('error'), { deadlineAtMs: null, recoversAtMs: 61_000 })
})

t.test('an unreachable time moves the deadline and forgives a lost report', async (t) => {
  const from = (excuses = 0) => ({ ...nothing, deadlineAtMs: 360_000, excuses })
  const moved = (byMs: number, nowMs: number, excuses = 0) => {
    const { deadlineAtMs, excuses: granted } = movedExpectation(pace, from(excuses), byMs, nowMs)
    return { deadlineAtMs, excuses: granted }
  }
  t.same(moved(7_000, 100_000), { deadlineAtMs: 367_000, excuses: 0 }, 'none was due yet')
  t.same(moved(7_000, 301_000), { deadlineAtMs: 661_000, excuses: 1 }, 'one was due')
  t.same(moved(3_600_000, 3_700_000), { deadlineAtMs: 4_060_000, excuses: 1 })
  t.same(moved(2_000, 301_000), { deadlineAtMs: 362_000, excuses: 0 }, 'it only waited')
  const most = reportExcusesMax
  t.same(moved(7_000, 301_000, most), { deadlineAtMs: 367_000, excuses: most }, 'not for ever')
})
