// Requests take only so much of a turn of the event loop; what comes later waits, in order.
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import {
  createTurns,
  turnRequestsMsMax,
  turnRequestsUntimed,
} from '../../../src/http/edge/turns.ts'

const turnMs = turnRequestsMsMax

function start() {
  const time = { nowMs: 1_000 }
  const turns = createTurns({ monoMs: () => time.nowMs })
  /** The requests that are too few to be timed. */
  function useUntimed(): void {
    for (let count = 0; count < turnRequestsUntimed; count += 1) turns.hasTime(time.nowMs)
  }
  useUntimed()
  return { time, turns, useUntimed }
}

t.test('requests run at once until the turn is used up, and again in the next one', async (t) => {
  const { time, turns } = start()
  t.ok(turns.hasTime(time.nowMs))
  time.nowMs += turnMs - 1
  t.ok(turns.hasTime(time.nowMs))
  time.nowMs += 1
  t.notOk(turns.hasTime(time.nowMs))
  await nextTurn()
  t.ok(turns.hasTime(time.nowMs))
})

t.test('a turn begins with its first request, however long nothing happened', async (t) => {
  const { time, turns, useUntimed } = start()
  t.ok(turns.hasTime(time.nowMs))
  await nextTurn()
  time.nowMs += 60_000
  useUntimed()
  t.ok(turns.hasTime(time.nowMs))
})

t.test('a few requests run at once, and wait no longer once they take long', async (t) => {
  const { time, turns } = start()
  turns.hasTime(time.nowMs)
  await nextTurn()
  for (let count = 0; count < turnRequestsUntimed; count += 1) {
    t.ok(turns.hasTime(time.nowMs))
  }
  await nextTurn()
  time.nowMs += turnMs
  const answers: boolean[] = []
  for (let count = 0; count < 5; count += 1) {
    answers.push(turns.hasTime(time.nowMs))
    time.nowMs += turnMs
  }
  t.same(answers, [true, false, false, false, false], 'each of them takes a whole turn')
})

t.test('requests far apart run at once, however many', async (t) => {
  const { time, turns } = start()
  for (let count = 0; count < 100; count += 1) {
    await nextTurn()
    time.nowMs += 60_000
    t.ok(turns.hasTime(time.nowMs))
  }
})

t.test('what waits runs in order, as much per turn as there is time', async (t) => {
  const { time, turns } = start()
  const ran: number[] = []
  for (let count = 0; count < 5; count += 1) {
    turns.later(() => {
      ran.push(count)
      time.nowMs += turnMs / 2
    })
  }
  t.same(ran, [], 'not in this turn')
  await nextTurn()
  t.same(ran, [0, 1])
  await nextTurn()
  t.same(ran, [0, 1, 2, 3])
  await nextTurn()
  t.same(ran, [0, 1, 2, 3, 4])
})

t.test('what waits may add more, which runs in the next turn', async (t) => {
  const { turns } = start()
  let isRun = false
  turns.later(() =>
    turns.later(() => {
      isRun = true
    }),
  )
  await nextTurn()
  t.notOk(isRun)
  await nextTurn()
  t.ok(isRun)
})

t.test('nobody overtakes those who had to wait', async (t) => {
  const { time, turns } = start()
  turns.hasTime(time.nowMs)
  time.nowMs += turnMs
  t.notOk(turns.hasTime(time.nowMs))
  for (let count = 0; count < 2; count += 1) {
    turns.later(() => {
      time.nowMs += turnMs
    })
  }
  await nextTurn()
  t.notOk(turns.hasTime(time.nowMs), 'one still waits')
  await nextTurn()
  t.ok(turns.hasTime(time.nowMs))
})
