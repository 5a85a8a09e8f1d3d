// Texts that are put together have the punctuation of their language between them.
import t from 'tap'
import { marksOf } from '../../src/texts/marks.ts'

const joined = (language: string) => {
  const { gap, stop, colon, comma } = marksOf(language)
  return `A${colon}B${comma}C${stop}${gap}D`
}

t.test('each language has its own', async (t) => {
  t.equal(joined('en'), 'A: B, C. D')
  t.equal(joined('de'), 'A: B, C. D')
  t.equal(joined('fr'), 'A\u00a0: B, C. D')
  t.equal(joined('ar'), 'A: B، C. D')
  t.equal(joined('ja'), 'A: B、C。D')
  t.equal(joined('zh'), 'A：B、C。D')
})
