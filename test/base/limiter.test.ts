// Rate limiting: the whole quota at once, then one at a time, and never more than that.
import fc from 'fast-check'
import t from 'tap'
import { createLimiter, takeOne } from '../../src/base/limiter.ts'
import { runs } from '../support/depth.ts'

const policy = { quota: 10, windowSeconds: 60 }

t.test('a burst of the whole quota passes, the next one waits for its share', async (t) => {
  const limiter = createLimiter(policy, 100)
  const verdicts = Array.from({ length: 11 }, () => limiter.take('a', 1_000_000))
  t.same(
    verdicts.map(({ isAllowed }) => isAllowed),
    [...Array(10).fill(true), false],
  )
  t.same(
    verdicts.map(({ remaining }) => remaining),
    [9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0],
  )
  t.equal(verdicts[10]?.retryMs, 6_000)
  t.equal(limiter.take('a', 1_006_000).isAllowed, true)
  t.equal(limiter.take('a', 1_006_000).isAllowed, false)
})

t.test('keys do not share', async (t) => {
  const limiter = createLimiter({ quota: 1, windowSeconds: 1 }, 100)
  t.ok(limiter.take('a', 0).isAllowed)
  t.ok(limiter.take('b', 0).isAllowed)
  t.notOk(limiter.take('a', 0).isAllowed)
})

t.test('a refusal costs nothing', async (t) => {
  const limiter = createLimiter({ quota: 1, windowSeconds: 1 }, 100)
  limiter.take('a', 0)
  for (let at = 0; at < 1_000; at += 10) limiter.take('a', at)
  t.ok(limiter.take('a', 1_000).isAllowed)
})

t.test('a key that keeps coming is remembered among many strangers', async (t) => {
  const limiter = createLimiter({ quota: 5, windowSeconds: 60 }, 100)
  let allowed = 0
  for (let round = 0; round < 100; round += 1) {
    if (limiter.take('a', 0).isAllowed) allowed += 1
    for (let stranger = 0; stranger < 20; stranger += 1) limiter.take(`${round} ${stranger}`, 0)
  }
  t.equal(allowed, 5)
})

t.test('over any time no more pass than the quota and the recovered share', async (t) => {
  const property = fc.property(
    fc.integer({ min: 1, max: 50 }),
    fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 200 }),
    (quota, gapsMs) => {
      let nowMs = 1_000
      let fullAtMs = 0
      let allowed = 0
      for (const gapMs of gapsMs) {
        nowMs += gapMs
        const verdict = takeOne({ quota, windowSeconds: 10 }, fullAtMs, nowMs)
        fullAtMs = verdict.fullAtMs
        if (verdict.isAllowed) allowed += 1
      }
      return allowed <= quota + ((nowMs - 1_000) * quota) / 10_000 + 0.001
    },
  )
  fc.assert(property, runs())
  t.pass()
})

t.test('a returned unit can be taken again, and never more than there was', async (t) => {
  const limiter = createLimiter({ quota: 2, windowSeconds: 60 }, 10)
  limiter.take('a', 0)
  limiter.take('a', 0)
  t.equal(limiter.take('a', 0).isAllowed, false)
  limiter.giveBack('a', 0)
  t.equal(limiter.take('a', 0).isAllowed, true)
  t.equal(limiter.take('a', 0).isAllowed, false)
  for (let n = 0; n < 5; n += 1) limiter.giveBack('a', 0)
  limiter.giveBack('stranger', 0)
  t.equal(limiter.take('a', 0).remaining, 1)
  t.equal(limiter.take('stranger', 0).remaining, 1)
})

t.test('a restored limiter continues where it was, and forgets full quotas', async (t) => {
  const policy = { quota: 2, windowSeconds: 60 }
  const first = createLimiter(policy, 10)
  first.take('a', 0)
  first.take('a', 0)
  first.take('b', 0)
  t.same(first.unfinished(40_000), [['a', 60_000]])
  const second = createLimiter(policy, 10)
  second.restore(first.unfinished(0))
  t.equal(second.take('a', 0).isAllowed, false)
  t.equal(second.take('b', 0).remaining, 0)
})
