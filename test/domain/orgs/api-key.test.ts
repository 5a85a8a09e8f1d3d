// The life of an API key: when warnings are due, and that none comes that makes no sense.
import t from 'tap'
import { daysLeft, isEnded, keyDueAtMs, warnedDaysAt } from '../../../src/domain/orgs/api-key.ts'
import type { ApiKey } from '../../../src/domain/people/person.ts'

const dayMs = 86_400_000
const key = (more: Partial<ApiKey>) =>
  ({ expiresAtMs: 100 * dayMs, replacedBy: null, warnedDays: null, ...more }) as ApiKey

t.test('a key has two warnings ahead of it, then nothing', async (t) => {
  t.equal(keyDueAtMs(key({})), 70 * dayMs)
  t.equal(keyDueAtMs(key({ warnedDays: 30 })), 93 * dayMs)
  t.equal(keyDueAtMs(key({ warnedDays: 7 })), null)
  t.equal(keyDueAtMs(key({ expiresAtMs: null })), null)
})

t.test('a replaced key has only its end ahead', async (t) => {
  const replacedBy = 'key_01jd0000000000000000000000' as ApiKey['replacedBy']
  t.equal(keyDueAtMs(key({ replacedBy })), 100 * dayMs)
})

t.test('a warning that was already past at creation is not sent', async (t) => {
  t.equal(warnedDaysAt(100 * dayMs, 0), null)
  t.equal(warnedDaysAt(100 * dayMs, 70 * dayMs), 30)
  t.equal(warnedDaysAt(100 * dayMs, 90 * dayMs), 30)
  t.equal(warnedDaysAt(100 * dayMs, 93 * dayMs), 7)
  t.equal(warnedDaysAt(null, 0), null)
})

t.test('the last day counts as one', async (t) => {
  t.equal(daysLeft(30 * dayMs, 0), 30)
  t.equal(daysLeft(30 * dayMs, 1), 30)
  t.equal(daysLeft(1, 0), 1)
  t.ok(isEnded(key({ expiresAtMs: 5 }), 5))
  t.notOk(isEnded(key({ expiresAtMs: 5 }), 4))
  t.notOk(isEnded(key({ expiresAtMs: null }), Number.MAX_SAFE_INTEGER))
})
