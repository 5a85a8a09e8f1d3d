// Runs of a job: which start an end belongs to, and how long a run may take.
import t from 'tap'
import {
  endedRun,
  firstLimitAtMs,
  type OpenRun,
  openRunsMax,
  repeatedStart,
  runOpenMsMax,
  runStartRepeatedMs,
  runsAfterGap,
  runsPastLimit,
  withStarted,
} from '../../../src/domain/schedule/push-runs.ts'

const run = (number: number, runId: string | null, endsByAtMs: number | null = null): OpenRun => ({
  number,
  runId,
  startedAtMs: number * 1_000,
  endsByAtMs,
})

t.test('an end belongs to the start with its name', async (t) => {
  const open = [run(1, 'a'), run(2, null), run(3, null), run(4, 'b')]
  t.equal(endedRun(open, 'a')?.number, 1)
  t.equal(endedRun(open, null)?.number, 3, 'without a name: the newest without one')
  t.equal(endedRun([run(1, 'a'), run(4, 'b')], null)?.number, 4, 'or the newest')
  t.equal(endedRun(open, 'other'), undefined)
  t.equal(endedRun([], null), undefined)
})

t.test('a start that its sender repeats opens no second run', async (t) => {
  const open = [run(1, 'a'), run(2, null)]
  t.equal(repeatedStart(open, 'a', 86_400_000)?.number, 1)
  t.equal(repeatedStart(open, null, 2_000 + runStartRepeatedMs - 1)?.number, 2)
  t.equal(repeatedStart(open, null, 2_000 + runStartRepeatedMs), undefined)
  t.equal(repeatedStart(open, 'b', 3_000), undefined)
})

t.test('a run has the limit of its monitor; too many and too old ones are given up', async (t) => {
  const first = withStarted([], { maxRunSeconds: 60 }, run(1, null))
  t.match(first, { openRuns: [{ endsByAtMs: 61_000 }], givenUp: [] })
  const many = Array.from({ length: openRunsMax }, (_, at) => run(at + 1, `${at}`))
  const full = withStarted(many, { maxRunSeconds: 0 }, run(20, 'new'))
  t.equal(full.openRuns.length, openRunsMax)
  t.match(full.givenUp, [{ number: 1 }])
  const later = { number: 21, runId: null, startedAtMs: runOpenMsMax + 5_000 }
  t.equal(withStarted(many, { maxRunSeconds: 0 }, later).openRuns.length, 6)
})

t.test('runs that have taken too long are found once, and stay open', async (t) => {
  const open = [run(1, 'a', 9_000), run(2, 'b', 8_000), run(3, 'c', 20_000), run(4, 'd')]
  t.equal(firstLimitAtMs(open), 8_000)
  const { late, after } = runsPastLimit(open, 9_000)
  t.match(late, [
    { run: { number: 2 }, limitAtMs: 8_000 },
    { run: { number: 1 }, limitAtMs: 9_000 },
  ])
  t.equal(after.length, 4)
  t.same(runsPastLimit(after, 9_000).late, [])
  t.equal(firstLimitAtMs(after), 20_000)
})

t.test('a limit moves by a short gap, and is lifted by one that may hide the end', async (t) => {
  const open = [run(1, null, 9_000)]
  t.equal(firstLimitAtMs(runsAfterGap(open, 500, 5_000)), 9_500)
  t.equal(firstLimitAtMs(runsAfterGap(open, null, 5_000)), null)
  t.equal(firstLimitAtMs(runsAfterGap(open, null, 1_000)), 9_000, 'it began after the gap')
})
