// Tasks: each at its time, one run at a time, with its last outcome, also after a restart.
import t, { type Test } from 'tap'
import { startTasks, type Task, taskAfterStartMs } from '../../../src/actors/tasks/tasks.ts'
import { type Logged, recordingLog } from '../../support/http.ts'
import { settled } from '../../support/monitor-world.ts'
import { openTempStore } from '../../support/temp-store.ts'

const hourMs = 3_600_000

function open(t: Test) {
  const { store, clock } = openTempStore(t)
  const logged: Logged[] = []
  const log = recordingLog(logged)
  const start = (...tasks: Task[]) => {
    const started = startTasks({ store, clock, log }, tasks)
    t.teardown(() => started.stop())
    return started
  }
  /** Moves on, hour by hour, and lets what is due come to its end. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= hourMs / 4) {
      await clock.advance(Math.min(left, hourMs / 4))
      await settled(store, store.flush())
    }
  }
  return { store, clock, logged, start, pass }
}

const task = (name: string, run: Task['run'], intervalMs = hourMs): Task => ({
  name,
  intervalMs,
  run,
})

t.test('a task runs once in each interval, and reports its next run', async (t) => {
  const { clock, start, pass } = open(t)
  const runs: number[] = []
  const startMs = clock.nowMs()
  const tasks = start(
    task('tidy', async () => {
      runs.push(clock.nowMs() - startMs)
      return `${runs.length} done`
    }),
  )
  t.match(tasks.list(), [{ name: 'tidy', lastOutcome: null, nextRunAtMs: startMs + hourMs }])
  await pass(3 * hourMs)
  t.same(runs, [hourMs, 2 * hourMs, 3 * hourMs], 'without drift')
  t.match(tasks.list()[0], {
    lastOutcome: 'done',
    lastDetail: '3 done',
    lastStartedAtMs: startMs + 3 * hourMs,
    nextRunAtMs: startMs + 4 * hourMs,
    isRunning: false,
    lastDurationMs: 0,
  })
  await tasks.stop()
  await pass(3 * hourMs)
  t.equal(runs.length, 3, 'none after the stop')
})

t.test('a failure is shown and logged, without secrets, and the next run follows', async (t) => {
  const { start, pass, logged } = open(t)
  let runs = 0
  const tasks = start(
    task('break', async () => {
      runs += 1
      throw new Error('no answer from https://user:hunter22@host/')
    }),
    task('work', async () => undefined),
  )
  await pass(2 * hourMs)
  t.equal(runs, 2)
  const [broken, fine] = tasks.list()
  t.match(broken, { lastOutcome: 'failed', lastDetail: 'no answer from https://[hidden]@host/' })
  t.match(fine, { lastOutcome: 'done', lastDetail: null })
  t.match(
    logged.filter(({ message }) => message === 'a task failed').map(({ fields }) => fields.task),
    ['break', 'break'],
  )
})

t.test('a task that runs says since when, and how far it is', async (t) => {
  const { clock, start } = open(t)
  let end = () => {}
  const progress = { doneBytes: 5, totalBytes: 10 }
  const work = async () => {
    await new Promise<void>((resolve) => {
      end = resolve
    })
    return undefined
  }
  const tasks = start({ ...task('long', work), progress: () => progress })
  t.match(tasks.list(), [{ isRunning: false, runningSinceMs: null, progress: null }])
  const run = tasks.run('long')
  t.match(tasks.list(), [{ isRunning: true, runningSinceMs: clock.nowMs(), progress }])
  end()
  await run
  t.match(tasks.list(), [{ isRunning: false, runningSinceMs: null, progress: null }])
})

t.test('one run at a time: further callers wait for the same run', async (t) => {
  const { start, pass, store, clock } = open(t)
  let runs = 0
  let release = () => {}
  const tasks = start(
    task('long', async () => {
      runs += 1
      await new Promise<void>((resolve) => {
        release = resolve
      })
    }),
  )
  const asked = Promise.all([tasks.run('long'), tasks.run('long')])
  await pass(2 * hourMs)
  t.equal(runs, 1)
  t.match(tasks.list(), [{ isRunning: true }])
  release()
  await settled(store, asked)
  t.match(tasks.list(), [{ isRunning: false, lastOutcome: 'done', lastDurationMs: 2 * hourMs }])
  t.equal(tasks.list()[0]?.nextRunAtMs, clock.nowMs() + taskAfterStartMs, 'after a rest')
  await tasks.run('unknown')
  t.notOk(tasks.has('unknown'))
})

t.test('a restart forgets neither the outcome nor when it was due', async (t) => {
  const { start, pass, clock, store } = open(t)
  let runs = 0
  const daily = task('daily', async () => String(++runs), 24 * hourMs)
  const first = start(daily)
  await pass(20 * hourMs)
  await first.stop()
  await store.flush()
  const second = start(daily)
  await pass(4 * hourMs)
  t.equal(runs, 1, 'due a day after the first start, not after the second')
  await second.stop()
  await pass(30 * hourMs)
  const third = start(daily)
  t.match(third.list()[0], { lastDetail: '1', lastOutcome: 'done' })
  t.equal(third.list()[0]?.nextRunAtMs, clock.nowMs() + taskAfterStartMs)
  await pass(hourMs)
  t.equal(runs, 2, 'what was missed is made up for, once')
})

t.test('a stop aborts a run, waits for it, and it is due again at the next start', async (t) => {
  const { start, store, clock } = open(t)
  const long = task('long', (signal) => {
    return new Promise((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new Error('cut off'))),
    )
  })
  const tasks = start(long)
  const asked = tasks.run('long')
  const startedMs = clock.nowMs()
  await settled(store, tasks.stop())
  await asked
  await store.flush()
  t.match(store.tasks.get('long'), { lastOutcome: 'failed', nextRunAtMs: startedMs })
})
