// What the daemon says in English, in the languages of readers.
import t from 'tap'
import { languages } from '../../src/texts/languages.ts'
import { saidIn } from '../../src/texts/texts.ts'

t.test(
  'a sentence is said in another language, its values as they are, also within another one',
  async (t) => {
    t.equal(saidIn('de', 'there is no such name as a.test'), 'den Namen a.test gibt es nicht')
    t.equal(saidIn('de', 'There is no such name as a.test.'), 'Den Namen a.test gibt es nicht.')
    t.equal(
      saidIn('de', 'Shop is down: there is no such name as a.test'),
      'Shop ist ausgefallen: den Namen a.test gibt es nicht',
    )
  },
)

t.test('a text that a stranger made of parts of sentences stays as it is, at once', async (t) => {
  for (const part of [' is on (', ' in e, and f must stay free: ', ' to be at most ', ' at x']) {
    const name = part.repeat(Math.ceil(30_000 / part.length))
    for (const language of languages) {
      const text = `${name} came twice`
      t.equal(saidIn(language, text), text, `${language}: ${part}`)
    }
  }
})
