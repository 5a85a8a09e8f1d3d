// Work in a process of its own: whatever a document makes of it, the daemon only hears how it ended.
import t from 'tap'
import { runApart, streamApart } from '../../../src/base/apart/run-apart.ts'
import { startClock } from '../../../src/base/clock.ts'
import { patienceMs } from '../../support/until.ts'

const clock = startClock()
t.teardown(() => clock.stop())

const bounds = { cpuMsMax: patienceMs, msMax: patienceMs, heapMbMax: 48, answerBytesMax: 1_000_000 }
const hostile = (way: string, more: Partial<typeof bounds> = {}, signal?: AbortSignal) =>
  runApart(
    { thread: '../test/support/hostile-thread', input: way },
    { ...bounds, ...more },
    { clock, signal },
  )

t.test('what a thread posts comes back as it is', async (t) => {
  t.same(await hostile('answer'), { kind: 'answered', text: 'done' })
})

t.test('memory that is used up ends that process and no other, whatever fills it', async (t) => {
  for (const way of ['objects', 'array', 'table', 'pieces', 'buffers']) {
    t.same(await hostile(way), { kind: 'outOfMemory' }, way)
  }
})

t.test('a process apart ends at its deadline, also within native code', async (t) => {
  const isLate = await Promise.all(['loop', 'native'].map((way) => hostile(way, { msMax: 600 })))
  t.same(isLate, [{ kind: 'late' }, { kind: 'late' }])
  t.same(
    await hostile('loop', { cpuMsMax: 300 }),
    { kind: 'late' },
    'and at its time of the processor',
  )
})

t.test('an answer beyond its bound is not read', async (t) => {
  t.same(await hostile('output'), { kind: 'tooLarge' })
})

t.test('an error of the thread is told with its words', async (t) => {
  await t.rejects(hostile('recursion'), /hostile-thread ended with \d+: .*call stack/)
})

t.test('a process apart ends with the request that asked for it', async (t) => {
  const controller = new AbortController()
  const running = hostile('loop', {}, controller.signal)
  controller.abort(new Error('the caller left'))
  await t.rejects(running, /the caller left/)
  await t.rejects(hostile('answer', {}, controller.signal), /the caller left/)
})

const parts = (count: number, signal?: AbortSignal) =>
  streamApart(
    { thread: '../test/support/parts-thread', input: count },
    { ...bounds, answerBytesMax: 200_000 },
    { clock, signal },
  )

t.test('parts come one after the other, and none is made before it is wanted', async (t) => {
  const made: unknown[] = []
  for await (const answer of parts(30)) {
    if (answer.kind !== 'answered') return t.fail(answer.kind)
    const { at, madeBefore } = JSON.parse(answer.text)
    made.push(at)
    if (at === 0) await new Promise((resolve) => clock.setTimeout(() => resolve(undefined), 200))
    t.ok(madeBefore <= at, 'its time to be made was after the one before was taken')
  }
  t.same(
    made,
    Array.from({ length: 30 }, (_, at) => at),
  )
})

t.test('the process of parts ends with the loop, and with the caller', async (t) => {
  let pid = 0
  for await (const answer of parts(1_000_000)) {
    if (answer.kind === 'answered') pid = JSON.parse(answer.text).pid
    break
  }
  t.ok(pid > 0)
  t.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  const caller = new AbortController()
  await t.rejects(async () => {
    for await (const _part of parts(1_000_000, caller.signal)) caller.abort(new Error('left'))
  }, /left/)
})
