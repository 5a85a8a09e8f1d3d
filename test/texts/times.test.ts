// Times in letters: as people write them in their language, to the minute, in UTC.
import t from 'tap'
import { utcTimeText } from '../../src/texts/times.ts'

t.test('a time is written as the language does, with plain digits', async (t) => {
  const atMs = Date.UTC(2026, 0, 2, 15, 4, 5)
  t.equal(utcTimeText(atMs, 'en'), '2 January 2026, 15:04 UTC')
  t.equal(utcTimeText(atMs, 'de'), '2. Januar 2026 um 15:04 UTC')
  t.equal(utcTimeText(atMs, 'pt'), '2 de janeiro de 2026 às 15:04 UTC')
  t.equal(utcTimeText(atMs, 'ja'), '2026年1月2日 15:04 UTC')
  t.match(utcTimeText(atMs, 'ar'), /^2 يناير 2026 في 15:04 UTC$/)
})
