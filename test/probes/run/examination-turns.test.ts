// Whose answers are examined next, and how much of the loop's time that may take.
import t from 'tap'
import type { Clock } from '../../../src/base/clock.ts'
import type { Steps } from '../../../src/base/waiting/steps.ts'
import {
  createExaminationTurns,
  examinationSliceMs,
  examinations,
} from '../../../src/probes/run/examination-turns.ts'
import { ProbeRecorder } from '../../../src/probes/run/probe-recorder.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { makeTarget } from '../../support/make-target.ts'

const stepMs = 5

/** A machine on which only examinations take time. */
function makeWorld() {
  const fake = new FakeClock()
  let workedMs = 0
  const clock: Clock = {
    nowMs: () => fake.nowMs() + workedMs,
    wallMs: () => fake.wallMs() + workedMs,
    monoMs: () => fake.monoMs() + workedMs,
    cpuMs: () => workedMs,
    stalledMs: () => 0,
    setTimeout: fake.setTimeout,
    clearTimeout: fake.clearTimeout,
  }
  const worked = new Map<string, number>()
  function* steps(name: string, count: number): Steps<string> {
    for (let left = count; left > 0; left -= 1) {
      workedMs += stepMs
      worked.set(name, (worked.get(name) ?? 0) + stepMs)
      if (left > 1) yield
    }
    return name
  }
  return {
    fake,
    clock,
    steps,
    turns: createExaminationTurns(clock),
    workedBy: worked,
    workedMs: () => workedMs,
  }
}

const burstMs = examinations.burstMs * examinations.share
const oneTurnMs = examinationSliceMs + stepMs

t.test('a little is examined at once, and its result needs no promise', async (t) => {
  const { turns, steps } = makeWorld()
  t.equal(turns.run('org', steps('small', 1)), 'small')
})

t.test('answers that come together do not hold up the loop, however many they are', async (t) => {
  const { fake, turns, steps, workedMs } = makeWorld()
  for (let n = 0; n < 45; n += 1) void turns.run('heavy', steps('heavy', 100))
  t.ok(workedMs() <= burstMs + oneTurnMs, `${workedMs()} ms at once`)
  for (let turn = 0; turn < 20; turn += 1) {
    const before = workedMs()
    await fake.advance(fake.nextInMs ?? 0)
    t.ok(workedMs() - before <= oneTurnMs, `${workedMs() - before} ms in one turn`)
  }
})

t.test('an organization whose answers take long waits, and no other does', async (t) => {
  const { fake, turns, steps, workedBy, workedMs } = makeWorld()
  for (let n = 0; n < 45; n += 1) void turns.run('heavy', steps('heavy', 100))
  let waited = 0
  for (let second = 0; second < 10; second += 1) {
    await fake.advance(1_000)
    for (let n = 0; n < 3; n += 1) {
      if (turns.run('light', steps('light', 2)) instanceof Promise) waited += 1
    }
  }
  t.equal(waited, 0)
  const heavyMs = workedBy.get('heavy') ?? 0
  const mostMs = (10_000 + workedMs()) * examinations.share + burstMs + oneTurnMs
  t.ok(heavyMs <= mostMs, `${heavyMs} of ${mostMs} ms`)
  t.ok(heavyMs > mostMs / 2, 'what it may take, it gets')
})

t.test('many organizations together leave half of the time to other work', async (t) => {
  const { fake, turns, steps, workedMs } = makeWorld()
  for (let n = 0; n < 10; n += 1) void turns.run(`org${n}`, steps('heavy', 10_000))
  await fake.advance(5_000)
  const fromMs = workedMs()
  await fake.advance(10_000)
  const share = (workedMs() - fromMs) / (10_000 + workedMs() - fromMs)
  t.ok(share <= 0.55, `${share} of the time`)
})

t.test('the organization that used least time comes first', async (t) => {
  const { fake, turns, steps } = makeWorld()
  const ended: (string | undefined)[] = []
  const note = (name: string) => ended.push(name)
  void Promise.resolve(turns.run('heavy', steps('heavy', 1_000))).then(note)
  void Promise.resolve(turns.run('middle', steps('middle', 100))).then(note)
  void Promise.resolve(turns.run('light', steps('light', 10))).then(note)
  await fake.advance(60_000)
  t.same(ended, ['light', 'middle', 'heavy'])
})

t.test(
  'an answer that waits too long for its examination says nothing about its target',
  async (t) => {
    const { fake, turns, steps } = makeWorld()
    void turns.run('heavy', steps('heavy', 20_000))
    const late = turns.run('heavy', steps('late', 1))
    const told = Promise.resolve(late).then(
      () => 'examined',
      (error: { failure: unknown }) => error.failure,
    )
    await fake.advance(1_000)
    t.ok(late instanceof Promise)
    // The first one goes on: it has begun.
    for (let minute = 0; minute < 10; minute += 1) await fake.advance(60_000)
    t.match(await told, { result: 'unknown', message: /more time than it may/ })
  },
)

t.test('a monitor that is changed meanwhile waits no longer, and holds up nobody', async (t) => {
  const { fake, turns, steps } = makeWorld()
  const leaving = new AbortController()
  const gone = turns.run('heavy', steps('gone', 1_000), { signal: leaving.signal })
  const next = turns.run('heavy', steps('next', 1))
  leaving.abort()
  await t.rejects(Promise.resolve(gone), { message: /stopped/ })
  await t.rejects(
    Promise.resolve(turns.run('heavy', steps('x', 1_000), { signal: leaving.signal })),
  )
  await fake.advance(10_000)
  t.equal(await next, 'next')
})

t.test('a failure of an examination is that of its check alone', async (t) => {
  const { fake, turns, steps } = makeWorld()
  function* broken(): Steps<string> {
    yield* steps('broken', 100)
    throw new Error('ours')
  }
  const first = Promise.resolve(turns.run('org', broken()))
  const second = turns.run('org', steps('second', 100))
  const failed = t.rejects(first, { message: 'ours' })
  await fake.advance(60_000)
  await failed
  t.equal(await second, 'second')
})

t.test('the wait for an examination is neither response time nor timeout', async (t) => {
  const { fake, clock, turns, steps } = makeWorld()
  const target = makeTarget({ timeoutMs: 500, expect: { bodyContains: 'ready' } })
  const record = new ProbeRecorder(target, clock, { turns })
  void turns.run('', steps('other', 1_000))
  await fake.advance(0)
  const beganMs = clock.monoMs()
  const reading = record.judged({ text: 'ready' })
  await fake.advance(40_000)
  t.match(await reading, { result: 'good' })
  t.ok((await reading).durationMs < 500 + beganMs)
})

t.test('what is examined while a check runs is charged as well', async (t) => {
  const { turns, steps, workedMs } = makeWorld()
  turns.runNow('org', () => [...steps('now', 200)])
  t.equal(workedMs(), 200 * stepMs)
  t.ok(turns.run('org', steps('next', 1)) instanceof Promise)
})

t.test('the answers of an organization that wait take a bounded memory', async (t) => {
  const { fake, turns, steps } = makeWorld()
  const bytes = 1_024 * 1_024
  const ended = { examined: 0, refused: 0 }
  void turns.run('heavy', steps('heavy', 100))
  const all = Array.from({ length: 100 }, () =>
    Promise.resolve(turns.run('heavy', steps('large', 1), { bytes })).then(
      () => (ended.examined += 1),
      (error: { failure: { result: string } }) => {
        t.equal(error.failure.result, 'unknown')
        ended.refused += 1
      },
    ),
  )
  await fake.advance(20_000)
  await Promise.all(all)
  t.same(ended, { examined: 64, refused: 36 })
  t.equal(await turns.run('heavy', steps('next', 1), { bytes }), 'next')
})
