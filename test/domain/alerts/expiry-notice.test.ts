// When people are told that a certificate or a domain expires, and when they were told already.
import t from 'tap'
import {
  type AnnouncedExpiry,
  dueDomainNotice,
  dueNotice,
  expiriesToldMax,
  withNotice,
} from '../../../src/domain/alerts/expiry-notice.ts'
import type { Reading } from '../../../src/domain/checks/reading.ts'
import { dayMs, wholeDays } from '../../../src/domain/health/span.ts'

const thresholds = [30, 14, 7, 3, 1]

function readingWith(daysLeft: number, reading: Partial<Reading> = {}): Reading {
  const certificate = { expiresAtMs: daysLeft * dayMs, issuer: 'Test CA' }
  return { atMs: 0, durationMs: 1, result: 'good', certificate, ...reading }
}

/** The threshold that a first look at a certificate with so many days leads to. */
const first = (daysLeft: number, among = thresholds) =>
  dueNotice(among, [], readingWith(daysLeft))?.thresholdDays ?? null

t.test('days are whole, as assertions count them', async (t) => {
  t.equal(wholeDays(2 * dayMs), 2)
  t.equal(wholeDays(2 * dayMs - 1), 1)
  t.equal(wholeDays(-1), -1)
})

t.test('the first check announces only the most urgent threshold', async (t) => {
  const rows = new Map<number, number | null>([
    [31, null],
    [30.9, 30],
    [15, 30],
    [14, 14],
    [5, 7],
    [3, 3],
    [2, 3],
    [1.5, 1],
    [0, 1],
    [-0.1, null],
  ])
  for (const [daysLeft, thresholdDays] of rows)
    t.equal(first(daysLeft), thresholdDays, `${daysLeft}`)
  t.equal(first(5, [1, 7, 3, 14]), 7, 'in whatever order they are')
  t.equal(first(5, []), null)
})

t.test('only a smaller threshold, or another certificate, is news', async (t) => {
  const told: AnnouncedExpiry[] = [{ expiresAtMs: 5 * dayMs, thresholdDays: 7 }]
  const at = (atMs: number) => dueNotice(thresholds, told, readingWith(5, { atMs }))
  t.equal(at(0), null)
  t.equal(at(dayMs), null)
  t.match(at(2 * dayMs), { daysLeft: 3, thresholdDays: 3 })
  t.match(dueNotice(thresholds, told, readingWith(6)), { thresholdDays: 7 })
  t.equal(dueNotice([30], told, readingWith(5)), null, 'it was said more urgently')
  t.match(dueNotice([5, 30], told, readingWith(5)), { thresholdDays: 5 }, 'one that was added')
})

t.test('a check that failed, or saw no certificate, announces nothing', async (t) => {
  t.equal(dueNotice(thresholds, [], readingWith(5, { result: 'failed' })), null)
  t.equal(dueNotice(thresholds, [], readingWith(5, { result: 'unknown' })), null)
  const { certificate, ...plain } = readingWith(5)
  t.equal(dueNotice(thresholds, [], plain), null)
})

t.test('several certificates are remembered, until they have expired', async (t) => {
  const noticeOf = (daysLeft: number, thresholdDays: number) => ({
    expiresAtMs: daysLeft * dayMs,
    thresholdDays,
  })
  const one = withNotice([], noticeOf(5, 7), 0)
  const two = withNotice(one, noticeOf(6, 7), 0)
  t.equal(two.length, 2)
  t.same(withNotice(two, noticeOf(5, 3), 0), [
    { expiresAtMs: 6 * dayMs, thresholdDays: 7 },
    { expiresAtMs: 5 * dayMs, thresholdDays: 3 },
  ])
  t.same(withNotice(two, noticeOf(9, 14), 6 * dayMs), [
    { expiresAtMs: 9 * dayMs, thresholdDays: 14 },
  ])
  let many: readonly AnnouncedExpiry[] = []
  for (let days = 1; days <= 50; days += 1) many = withNotice(many, noticeOf(days, 30), 0)
  t.equal(many.length, expiriesToldMax)
  t.match(many.at(-1), { expiresAtMs: 50 * dayMs })
})

t.test(
  'a domain is announced like a certificate, unless its registry reports no end',
  async (t) => {
    const registered = (daysLeft: number | null, reading: Partial<Reading> = {}): Reading => {
      const expiresAtMs = daysLeft === null ? null : daysLeft * dayMs
      const registration = { name: 'shop.test', expiresAtMs, registrar: null }
      return { atMs: 0, durationMs: 1, result: 'good', registration, ...reading }
    }
    const due = (reading: Reading, told: readonly AnnouncedExpiry[] = []) =>
      dueDomainNotice(thresholds, told, reading)
    t.match(due(registered(20)), {
      daysLeft: 20,
      thresholdDays: 30,
      registration: { name: 'shop.test', expiresAtMs: 20 * dayMs },
    })
    t.equal(due(registered(20), [{ expiresAtMs: 20 * dayMs, thresholdDays: 30 }]), null)
    t.ok(due(registered(20), [{ expiresAtMs: dayMs, thresholdDays: 1 }]), 'it was renewed since')
    t.equal(due(registered(null)), null)
    t.equal(due(registered(40)), null)
    t.equal(due(registered(-1)), null)
    t.equal(due(registered(5, { result: 'failed' })), null)
  },
)
