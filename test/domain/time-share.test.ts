// A share of the time, with some in hand.
import t from 'tap'
import { hasTimeLeft, paidAfter } from '../../src/domain/time-share.ts'

const policy = { share: 0.1, burstMs: 1_000 }

/** Works whenever it may, for `costMs` each time. */
function workedMs(fromMs: number, untilMs: number, costMs: number): number {
  let paidAtMs = 0
  let sum = 0
  for (let nowMs = fromMs; nowMs < untilMs; nowMs += 1) {
    if (!hasTimeLeft(policy, paidAtMs, nowMs)) continue
    paidAtMs = paidAfter(policy, paidAtMs, costMs, nowMs)
    sum += costMs
  }
  return sum
}

t.test('in the long run it takes its share, however much one piece of work takes', async (t) => {
  for (const costMs of [1, 7, 40]) {
    const ms = workedMs(5, 100_005, costMs)
    t.ok(ms >= 9_900 && ms <= 10_250, `${ms} ms by pieces of ${costMs}`)
  }
})

t.test('after a quiet time several pieces of work follow each other at once', async (t) => {
  t.equal(workedMs(50_000, 50_010, 10), 100)
  t.equal(workedMs(50_000, 50_001, 400), 400, 'one that is large is not refused')
})
