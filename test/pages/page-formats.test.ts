// Times, spans and figures of public pages: right in every language, and never flattering.
import t from 'tap'
import { toText } from '../../src/pages/html.ts'
import { pageFormats } from '../../src/pages/page-formats.ts'
import { languages } from '../../src/texts/languages.ts'

const atMs = Date.parse('2026-03-02T23:05:00Z')
const spaces = /[\u00a0\u202f]/g
const plain = (text: string) => text.replace(spaces, ' ')

t.test('times are in the zone of the page and name it; days stay days of UTC', async (t) => {
  const formats = pageFormats('en', 'Europe/Berlin')
  t.equal(formats.dateTime(atMs), '3 March 2026 at 00:05 CET')
  t.equal(formats.date(atMs), '3 March 2026')
  t.equal(formats.shortDate(atMs), '3 Mar 2026')
  t.equal(formats.time(atMs), '00:05')
  t.equal(formats.shortDateTime(atMs), '3 Mar, 00:05')
  t.equal(formats.utcDay(atMs), '2 Mar')
  t.equal(formats.fullUtcDay(atMs), 'Monday, 2 March 2026')
  t.equal(formats.month('2026-03'), 'March 2026')
  t.equal(pageFormats('en', 'UTC').dateTime(atMs), '2 March 2026 at 23:05 UTC')
  t.equal(
    toText(formats.timeTag(atMs)),
    '<time datetime="2026-03-02T23:05:00.000Z">3 March 2026 at 00:05 CET</time>',
  )
  t.match(pageFormats('de', 'Europe/Berlin').dateTime(atMs), '3. März 2026 um 00:05 MEZ')
  t.match(pageFormats('ja', 'Asia/Tokyo').dateTime(atMs), '2026年3月3日')
})

t.test('a share is cut in every language, so that only no loss at all is everything', async (t) => {
  const { percent } = pageFormats('en', 'UTC')
  for (const [ratio, text] of [
    [1, '100%'],
    [1 - 1 / 7_776_000_000, '99.9999%'],
    [0.999_95, '99.995%'],
    [0.9995, '99.95%'],
    [0.998_76, '99.87%'],
    [0.95, '95.00%'],
    [0, '0%'],
  ] as const) {
    t.equal(percent(ratio), text)
  }
  t.equal(plain(pageFormats('de', 'UTC').percent(0.999_95)), '99,995 %')
  t.equal(pageFormats('tr', 'UTC').percent(0.999_95), '%99,995')
  for (const language of languages) {
    t.match(pageFormats(language, 'UTC').percent(0.999_987_6), /99[.,]998/, language)
  }
})

t.test('an objective stands as it was chosen', async (t) => {
  const chosen = [90, 99.9, 99.95, 99.999]
  t.same(chosen.map(pageFormats('en', 'UTC').goal), ['90%', '99.9%', '99.95%', '99.999%'])
  t.equal(plain(pageFormats('fr', 'UTC').goal(99.9)), '99,9 %')
})

t.test('a span has its two largest units, in their right forms', async (t) => {
  const { span } = pageFormats('en', 'UTC')
  for (const [seconds, text] of [
    [0.2, '1 s'],
    [59.9, '59 s'],
    [61, '1 min'],
    [3_600, '1 h'],
    [8_100, '2 h 15 min'],
    [86_400 * 3 + 3_600 * 4 + 59, '3 d 4 h'],
  ] as const) {
    t.equal(span(seconds * 1_000), text)
  }
  const days = (language: 'pl' | 'ar', count: number) =>
    plain(pageFormats(language, 'UTC').span(count * 86_400_000))
  t.same([days('pl', 1), days('pl', 2), days('pl', 5)], ['1 dzień', '2 dni', '5 dni'])
  t.same([days('ar', 1), days('ar', 2), days('ar', 5)], ['يوم', 'يومان', '5 أيام'])
})

t.test('response times, numbers and lists are written as readers write them', async (t) => {
  const en = pageFormats('en', 'UTC')
  t.same([0.4, 120, 999, 1_240, 12_400].map(en.responseTime), [
    '0 ms',
    '120 ms',
    '999 ms',
    '1.2 s',
    '12 s',
  ])
  t.equal(en.number(12_345), '12,345')
  t.equal(en.list(['Web', 'API', 'Mail']), 'Web, API and Mail')
  t.equal(en.list([]), '')
  const de = pageFormats('de', 'UTC')
  t.equal(de.number(12_345), '12.345')
  t.equal(plain(de.responseTime(1_240)), '1,2 Sek.')
  t.equal(de.list(['Web', 'API']), 'Web und API')
})

t.test('formatters are kept, because making them is slow', async (t) => {
  t.equal(pageFormats('fr', 'UTC'), pageFormats('fr', 'UTC'))
  t.not(pageFormats('fr', 'UTC'), pageFormats('fr', 'Europe/Paris'))
})
