// Times as people read them.
import t from 'tap'
import { secondText, timeText } from '../../src/base/time-text.ts'

t.test('a time is a day, a month by name, a year, and a minute in UTC', async (t) => {
  t.equal(timeText(Date.parse('2026-11-29T11:36:59.999Z')), '29 November 2026, 11:36 UTC')
  t.equal(timeText(Date.parse('2027-01-01T00:00:00Z')), '1 January 2027, 00:00 UTC')
  t.equal(secondText(Date.parse('2026-11-29T11:36:05.999Z')), '29 November 2026, 11:36:05 UTC')
})
