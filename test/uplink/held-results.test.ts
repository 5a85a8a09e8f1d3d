// Results that wait for the daemon: what is kept, what is dropped first, and how old they are.
import t from 'tap'
import { newId } from '../../src/base/ids.ts'
import { createHeldResults } from '../../src/uplink/held-results.ts'
import { FakeClock } from '../support/fake-clock.ts'

const monitorId = newId('monitor', 1_760_000_000_000)

interface SentResult {
  readonly dueAtMs: number
  readonly ageMs: number
}

function makeWorld() {
  const clock = new FakeClock()
  const held = createHeldResults(clock)
  let next = 0
  return {
    clock,
    held,
    hold(isAlike = true, message = '') {
      next += 1
      const result = {
        ...{ monitorId, revision: 1, dueAtMs: next, try: 0, durationMs: 1, message },
        result: 'good' as const,
      }
      held.hold({ result, startedMonoMs: clock.monoMs(), isAlike, isUrgent: false })
      return next
    },
    sent: (): SentResult[] => JSON.parse(held.takeBatch()?.list ?? '[]'),
  }
}

t.test('results go oldest first, with their age at the time of sending', async (t) => {
  const { clock, held, hold, sent } = makeWorld()
  hold()
  await clock.advance(1_500)
  hold()
  t.match(sent(), [
    { dueAtMs: 1, ageMs: 1_500 },
    { dueAtMs: 2, ageMs: 0 },
  ])
  await clock.advance(500)
  t.match(sent(), [{ ageMs: 2_000 }, { ageMs: 500 }], 'once more, if the daemon did not answer')
  hold()
  held.settle(true)
  t.match(sent(), [{ dueAtMs: 3 }], 'what came meanwhile is still to be sent')
})

t.test('a batch has at most 500 results and a mebibyte', async (t) => {
  const { held, hold, sent } = makeWorld()
  for (let count = 0; count < 501; count += 1) hold()
  t.equal(sent().length, 500)
  held.settle(true)
  t.equal(sent().length, 1)
  held.settle(true)
  for (let count = 0; count < 100; count += 1) hold(false, 'x'.repeat(20_000))
  const { list = '', size } = held.takeBatch() ?? {}
  t.ok(list.length <= 1024 * 1024 && list.length > 900_000, `${size} results in ${list.length}`)
})

t.test('with 10,000 held, results that tell nothing new go first, and are counted', async (t) => {
  const { held, hold, sent } = makeWorld()
  for (let count = 0; count < 10_000; count += 1) hold(count % 2 === 1)
  for (let count = 0; count < 4_999; count += 1) hold(false)
  t.equal(held.size(), 10_000)
  t.equal(held.dropped(), 4_999)
  t.match(
    sent()
      .map(({ dueAtMs }) => dueAtMs)
      .slice(0, 3),
    [1, 3, 5],
    'news is kept',
  )
})

t.test('what is on its way is not dropped meanwhile', async (t) => {
  const { held, hold, sent } = makeWorld()
  for (let count = 0; count < 10_000; count += 1) hold()
  t.equal(sent()[0]?.dueAtMs, 1)
  hold()
  held.settle(true)
  t.equal(sent()[0]?.dueAtMs, 502, '501 was dropped, as it was not among the 500')
  t.equal(held.dropped(), 1)
})

t.test('evidence of many failures does not fill the memory', async (t) => {
  const { held, hold } = makeWorld()
  for (let count = 0; count < 4_000; count += 1) hold(false, 'x'.repeat(16_384))
  t.ok(held.size() < 2_100, `${held.size()} results`)
  t.equal(held.size() + held.dropped(), 4_000)
})

t.test('a result that is older than an hour is not sent', async (t) => {
  const { clock, held, hold, sent } = makeWorld()
  hold()
  await clock.advance(3_600_001)
  hold()
  t.match(sent(), [{ dueAtMs: 2 }])
  t.equal(held.dropped(), 1)
})

t.test('after the machine slept, nothing that began before is sent', async (t) => {
  const { clock, held, hold, sent } = makeWorld()
  hold()
  const startedMonoMs = clock.monoMs()
  await clock.advance(100)
  held.forget()
  const result = { monitorId, revision: 1, dueAtMs: 7, try: 0, durationMs: 1 }
  const made = { result: { ...result, result: 'good' as const }, startedMonoMs }
  held.hold({ ...made, isAlike: false, isUrgent: false })
  hold()
  t.match(sent(), [{ dueAtMs: 2 }])
  t.equal(held.dropped(), 2)
})
