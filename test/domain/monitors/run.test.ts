// A run of a job: its times, and what is kept of its output.
import t from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import {
  begunRun,
  cutLog,
  finishedRun,
  isPlain,
  runDurationMs,
  shownRun,
} from '../../../src/domain/monitors/run.ts'

const open = { number: 3, runId: 'x', startedAtMs: 1_000, endsByAtMs: null }

t.test('a run takes as long as its sender says, else from its start to its end', async (t) => {
  t.equal(runDurationMs({}, open, 61_000), 60_000)
  t.equal(runDurationMs({ durationMs: 7 }, open, 61_000), 7)
  t.equal(runDurationMs({}, undefined, 61_000), undefined)
  t.equal(runDurationMs({}, open, 0), 0, 'a clock that was set back makes no negative one')
  t.match(finishedRun(3, { status: 'error', exitCode: 2 }, open, 61_000), {
    status: 'error',
    startedAtMs: 1_000,
    endedAtMs: 61_000,
    durationMs: 60_000,
    exitCode: 2,
    runId: 'x',
  })
  const alone = finishedRun(4, { status: 'ok', durationMs: 1_000 }, undefined, 61_000)
  t.match(alone, { startedAtMs: 60_000, runId: null })
})

t.test('a run whose end can no longer come is lost', async (t) => {
  const begun = begunRun(3, { status: 'start' }, 1_000)
  t.equal(shownRun(begun, [open]).status, 'running')
  t.equal(shownRun(begun, []).status, 'lost')
})

t.test('a sign of life is no run', async (t) => {
  t.ok(isPlain({ status: 'ok', message: 'fine', durationMs: 5 }))
  t.notOk(isPlain({ status: 'error' }))
  t.notOk(isPlain({ status: 'ok', exitCode: 0 }))
  t.notOk(isPlain({ status: 'ok', log: '' }))
})

t.test('of a long log the end is kept, in whole characters', async (t) => {
  t.equal(cutLog(Buffer.from('all of it\n')), 'all of it\n')
  const long = cutLog(Buffer.from(`${'ü'.repeat(20_000)}!`))
  t.match(long, /^\[the first 23617 bytes are not kept\]\nü+!$/)
  t.ok(Buffer.byteLength(long) < limits.runLogBytesMax + 100)
})
