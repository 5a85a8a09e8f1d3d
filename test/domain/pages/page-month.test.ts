// The months of a history: on the clocks of the page, without a gap and without an overlap.
import t from 'tap'
import { isMonth, monthBounds, monthLater, monthOf } from '../../../src/domain/pages/page-month.ts'
import { wallMs } from '../../../src/domain/wall-clock.ts'

t.test('a month is a year and one of twelve numbers', async (t) => {
  for (const text of ['2026-01', '2026-12', '1999-10']) t.ok(isMonth(text), text)
  for (const text of ['', '2026', '2026-00', '2026-13', '2026-1', '2026-01-01', ' 2026-01']) {
    t.notOk(isMonth(text), text)
  }
})

t.test('months follow each other over the end of a year', async (t) => {
  t.equal(monthLater('2026-12', 1), '2027-01')
  t.equal(monthLater('2026-01', -1), '2025-12')
  t.equal(monthLater('2026-03', 0), '2026-03')
})

t.test('a month begins at midnight on the clocks of the page', async (t) => {
  const berlin = monthBounds('2026-03', 'Europe/Berlin')
  t.equal(new Date(berlin.fromMs).toISOString(), '2026-02-28T23:00:00.000Z')
  t.equal(new Date(berlin.toMs).toISOString(), '2026-03-31T22:00:00.000Z')
  t.equal(monthOf(berlin.fromMs, 'Europe/Berlin'), '2026-03')
  t.equal(monthOf(berlin.fromMs - 1, 'Europe/Berlin'), '2026-02')
  t.equal(monthOf(berlin.fromMs, 'UTC'), '2026-02')
})

t.test('every moment is in exactly one month, in every time zone', async (t) => {
  for (const zone of ['UTC', 'Asia/Kathmandu', 'America/Asuncion', 'Pacific/Apia', 'Asia/Beirut']) {
    for (let month = '2023-01'; month < '2027-01'; month = monthLater(month, 1)) {
      const { fromMs, toMs } = monthBounds(month, zone)
      t.equal(toMs, monthBounds(monthLater(month, 1), zone).fromMs, `${zone} ${month}`)
      t.same([monthOf(fromMs, zone), monthOf(toMs - 1, zone)], [month, month], `${zone} ${month}`)
      t.equal(wallMs(fromMs, zone) % 1_000, 0)
    }
  }
})
