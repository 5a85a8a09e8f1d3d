// Checks by hand: how many, and how long somebody waits for one.
import t from 'tap'
import { Fault } from '../../../src/base/fault.ts'
import type { OrgId } from '../../../src/base/ids.ts'
import { createRunLimits, waitForRun } from '../../../src/services/checks/run-limits.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { monitorNo, orgOne, orgTwo } from '../../support/make-page.ts'

/** How many of a hundred tries are let through. */
function allowed(take: () => void): number {
  let count = 0
  for (let n = 0; n < 100; n++) {
    try {
      take()
      count++
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'rate_limited') throw error
    }
  }
  return count
}

t.test('six a minute for a monitor, thirty for an organization', async (t) => {
  const clock = new FakeClock()
  const { take } = createRunLimits({ clock, isOn: () => true })
  t.equal(
    allowed(() => take(orgOne, monitorNo(1))),
    6,
  )
  t.equal(
    allowed(() => take(orgOne)),
    24,
    'trials count with them',
  )
  t.equal(
    allowed(() => take(orgOne, monitorNo(2))),
    0,
  )
  t.equal(
    allowed(() => take(orgTwo)),
    30,
    'each organization has its own',
  )
  await clock.advance(60_000)
  t.equal(
    allowed(() => take(orgOne, monitorNo(2))),
    6,
    'what was refused did not count',
  )
})

t.test('a refused caller learns when to retry', async (t) => {
  const clock = new FakeClock()
  const { take } = createRunLimits({ clock, isOn: () => true })
  for (let n = 0; n < 6; n++) take(orgOne, monitorNo(1))
  t.throws(() => take(orgOne, monitorNo(1)), {
    code: 'rate_limited',
    headers: [['Retry-After', '10']],
    message: 'At most 6 checks a minute by hand for one monitor; again in 10 s.',
  })
  await clock.advance(10_000)
  take(orgOne, monitorNo(1))
})

t.test('they can be switched off', async (t) => {
  const { take } = createRunLimits({ clock: new FakeClock(), isOn: () => false })
  t.equal(
    allowed(() => take('org' as OrgId, monitorNo(1))),
    100,
  )
})

t.test('nobody waits longer than the timeout and a moment', async (t) => {
  const clock = new FakeClock()
  t.equal(await waitForRun(clock, 5_000, Promise.resolve('seen')), 'seen')
  t.equal(clock.pending, 0)
  const waiting = waitForRun(clock, 5_000, new Promise(() => {}))
  const told = t.rejects(waiting, { code: 'unavailable', headers: [['Retry-After', /\d/]] })
  await clock.advance(6_999)
  t.equal(clock.pending, 1)
  await clock.advance(1)
  await told
  const broken = waitForRun(clock, 5_000, Promise.reject(new Fault('conflict')))
  await t.rejects(broken, { code: 'conflict' })
})
