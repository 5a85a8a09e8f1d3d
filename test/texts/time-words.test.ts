// Amounts of time are written as readers of each language write them, in as little room as that takes.
import t from 'tap'
import { languages, localeTag } from '../../src/texts/languages.ts'
import { timeWords, unitOf } from '../../src/texts/time-words.ts'

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ')

t.test('a span has the two largest units of its language', async (t) => {
  const seconds = 3 * 3_600 + 12 * 60 + 5
  for (const [tag, text] of [
    ['en-GB', '3 h 12 min'],
    ['en-US', '3 h 12 min'],
    ['de', '3 Std. 12 Min.'],
    ['fr', '3 h 12 min'],
    ['nl', '3 uur 12 min'],
    ['tr', '3 sa. 12 dk.'],
    ['ja', '3時間12分'],
    ['zh', '3小时12分钟'],
    ['ar', '3 س 12 د'],
  ] as const) {
    t.equal(plain(timeWords(tag).span(seconds)), text)
  }
  const { span } = timeWords('en-GB')
  t.same([0, 0.4, 59.6, 86_400, 86_460].map(span), ['0 s', '0 s', '1 min', '1 d', '1 d'])
})

t.test('an amount has so many digits, and a unit alone its short word', async (t) => {
  t.equal(plain(timeWords('de').amount(1.236, 'second', 2)), '1,24 Sek.')
  t.equal(timeWords('zh').amount(85, 'millisecond'), '85毫秒')
  t.equal(timeWords('en-GB').amount(1_500, 'millisecond'), '1,500 ms')
  t.equal(timeWords('fr').symbol('day'), 'j')
  t.equal(timeWords('en-GB').symbol('hour'), 'h')
  t.same(['min', 'ms', '%'].map(unitOf), ['minute', 'millisecond', undefined])
})

t.test('a span fits a narrow column in every language', async (t) => {
  for (const language of languages) {
    const widest = timeWords(localeTag(language)).span(23 * 3_600 + 59 * 60)
    t.ok(widest.length <= 16, `${language}: ${widest}`)
  }
})
