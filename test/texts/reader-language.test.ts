// The language that a reader's browser asks for, among those that pages are written in.
import t from 'tap'
import { readerLanguage } from '../../src/texts/reader-language.ts'

t.test('the heaviest language that we have is taken, and null without one', async (t) => {
  for (const [header, language] of [
    ['', null],
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de'],
    ['sv, fr;q=0.4, it;q=0.7', 'it'],
    ['en;q=0.5, pl', 'pl'],
    ['EN-gb', 'en'],
    ['*', null],
    ['de;q=0', null],
    ['de;q=nonsense, tr;q=0.1', 'tr'],
    ['xx;;;,,=', null],
    ['zh-Hans-CN', 'zh'],
  ] as const) {
    t.equal(readerLanguage(header), language, header)
  }
})
