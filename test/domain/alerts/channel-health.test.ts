// Whether a channel works, as its attempts say.
import t from 'tap'
import {
  afresh,
  afterFailedTest,
  afterFailure,
  type ChannelHealth,
  canWork,
  channelState,
  healthReport,
  isFailing,
  isHopelessChannel,
  mayProbe,
  unused,
  withNewConfig,
  working,
} from '../../../src/domain/alerts/channel-health.ts'

const dayMs = 86_400_000
const pending = { state: 'pending', lastError: 'It said 500.', dueAtMs: 0 } as const
const fail = (health: ChannelHealth, nowMs: number) => afterFailure(health, pending, nowMs, 0.5)

function failedTimes(times: number, atMs = 1_000): ChannelHealth {
  let health = unused
  for (let number = 0; number < times; number += 1) health = fail(health, atMs)
  return health
}

t.test('three failures in a row, or one message given up, make a channel failing', async (t) => {
  t.notOk(isFailing(failedTimes(2)))
  t.ok(isFailing(failedTimes(3)))
  t.ok(isFailing(afterFailure(unused, { ...pending, state: 'dead' }, 0, 0.5)))
  t.notOk(isFailing(working(failedTimes(9), 2_000)))
})

t.test('from the fifth on it is tried at the times of a single message', async (t) => {
  let health = unused
  const waits: (number | null)[] = []
  for (let number = 0; number < 8; number += 1) {
    health = fail(health, 0)
    waits.push(health.probeAtMs)
  }
  t.same(waits, [null, null, null, null, 1_800_000, 3_600_000, 3_600_000, 3_600_000])
  const asked = afterFailure(health, { ...pending, dueAtMs: 7_200_000 }, 0, 0.5)
  t.equal(asked.probeAtMs, 7_200_000, 'unless the receiver asks for a longer pause')
  t.match(mayProbe(health), { probeAtMs: null, failures: 8 })
  t.equal(working(health, 5).probeAtMs, null)
})

t.test('only a channel that failed for five days, and often, is beyond hope', async (t) => {
  t.notOk(isHopelessChannel(failedTimes(9), 6 * dayMs))
  t.notOk(isHopelessChannel(failedTimes(10), 4 * dayMs))
  t.ok(isHopelessChannel(failedTimes(10), 1_000 + 5 * dayMs))
  t.notOk(isHopelessChannel(unused, 6 * dayMs))
})

t.test('people see since when it fails, or when it worked again', async (t) => {
  const on = { isActive: true, disabledReason: null }
  const none = { oldestPendingAtMs: null, pending: 0, nextAttemptAtMs: null, missingSettings: [] }
  t.match(healthReport(on, working(unused, 5), none), {
    state: 'ok',
    sinceMs: null,
    consecutiveFailures: 0,
  })
  const bad = failedTimes(4)
  t.match(
    healthReport(on, bad, { ...none, oldestPendingAtMs: 500, pending: 3, nextAttemptAtMs: 900 }),
    {
      state: 'failing',
      sinceMs: 1_000,
      consecutiveFailures: 4,
      lastError: 'It said 500.',
      oldestPendingAtMs: 500,
      pending: 3,
      nextAttemptAtMs: 900,
    },
  )
  const again = working(bad, 9_000)
  t.match(healthReport(on, again, none), { state: 'ok', sinceMs: 9_000, lastDeliveredAtMs: 9_000 })
  const off = { isActive: false, disabledReason: 'The receiver is gone.' }
  t.match(healthReport(off, fail(unused, 7), none), { state: 'disabled', sinceMs: 7 })
  t.match(healthReport({ ...off, disabledReason: null }, unused, none), { state: 'untested' })
})

t.test('a channel works only once something arrived with its present config', async (t) => {
  const on = { isActive: true, disabledReason: null }
  const none = { oldestPendingAtMs: null, pending: 0, nextAttemptAtMs: null, missingSettings: [] }
  t.match(healthReport(on, unused, none), { state: 'untested', sinceMs: null, lastError: null })
  t.match(healthReport(on, fail(unused, 3), none), { state: 'failing', lastError: 'It said 500.' })
  const proven = working(unused, 5)
  t.equal(channelState(on, fail(proven, 6)), 'ok', 'one failure is no state')
  const refused = afterFailedTest(proven, 'It said 404.', 7)
  t.match(healthReport(on, refused, none), {
    state: 'test_failed',
    sinceMs: 7,
    lastError: 'It said 404.',
    consecutiveFailures: 0,
  })
  t.equal(channelState(on, afresh(refused)), 'test_failed', 'switched off and on again')
  t.equal(channelState(on, working(refused, 8)), 'ok')
  t.equal(channelState(on, withNewConfig(refused)), 'untested')
  t.equal(channelState(on, withNewConfig(proven)), 'untested', 'with another destination')
  t.equal(channelState(on, working(withNewConfig(proven), 9)), 'ok')
})

t.test('a channel can work if nothing speaks against it', async (t) => {
  const on = { isActive: true, disabledReason: null }
  const none = { oldestPendingAtMs: null, pending: 0, nextAttemptAtMs: null, missingSettings: [] }
  const noServer = { ...none, missingSettings: ['mail.smtpUrl'] }
  t.ok(canWork(healthReport(on, unused, none)))
  t.notOk(canWork(healthReport(on, unused, noServer)))
  t.notOk(canWork(healthReport(on, afterFailedTest(unused, 'It said 404.', 1), none)))
  t.notOk(canWork(healthReport(on, failedTimes(3), none)))
})
