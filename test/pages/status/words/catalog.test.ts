// The words of public pages: whole in every language, with the right forms for numbers.
import t from 'tap'
import { pageWords } from '../../../../src/pages/status/words/catalog.ts'
import type { PageWords } from '../../../../src/pages/status/words/page-words.ts'
import { type Language, languages } from '../../../../src/texts/languages.ts'

/** Every phrase by its path; functions are called with markers, or with numbers. */
function phrasesOf(words: PageWords): Map<string, string> {
  const phrases = new Map<string, string>()
  const visit = (path: string, node: unknown) => {
    if (typeof node === 'string') phrases.set(path, node)
    else if (typeof node === 'function') phrases.set(path, String(node(7, 8, 9)))
    else {
      for (const [key, below] of Object.entries(Object(node))) visit(`${path}.${key}`, below)
    }
  }
  visit('', words)
  return phrases
}

t.test('every language says everything, with the same values in it', async (t) => {
  const english = phrasesOf(pageWords('en'))
  t.ok(english.size > 120)
  for (const language of languages) {
    const phrases = phrasesOf(pageWords(language))
    t.same([...phrases.keys()], [...english.keys()], language)
    for (const [path, phrase] of phrases) {
      t.ok(phrase.trim() === phrase && phrase.length > 0, `${language}: ${path}`)
      const values = (text = '') => [...text.matchAll(/[789]/g)].map(([value]) => value).toSorted()
      t.same(values(phrase), values(english.get(path)), `${language}: ${path}: ${phrase}`)
    }
  }
})

t.test('numbers have their right forms', async (t) => {
  const counts = [0, 1, 2, 5, 11, 21]
  const forms = (language: Language) => counts.map(pageWords(language).history.incidents)
  t.same(forms('en'), [
    '0 incidents',
    '1 incident',
    '2 incidents',
    '5 incidents',
    '11 incidents',
    '21 incidents',
  ])
  t.same(forms('de'), [
    '0 Vorfälle',
    '1 Vorfall',
    '2 Vorfälle',
    '5 Vorfälle',
    '11 Vorfälle',
    '21 Vorfälle',
  ])
  t.same(forms('fr').slice(0, 3), ['0 incident', '1 incident', '2 incidents'])
  t.same(forms('pt').slice(0, 3), ['0 incidentes', '1 incidente', '2 incidentes'])
  t.same(forms('pl'), [
    '0 incydentów',
    '1 incydent',
    '2 incydenty',
    '5 incydentów',
    '11 incydentów',
    '21 incydentów',
  ])
  t.equal(pageWords('pl').history.incidents(22), '22 incydenty')
  t.same(forms('ar'), ['0 حادث', 'حادث واحد', 'حادثان', '5 حوادث', '11 حادثًا', '21 حادثًا'])
  t.equal(pageWords('ar').days.daysAgo(90), 'قبل 90 يومًا')
  t.same(forms('ja')[5], 'インシデント 21 件')
})

t.test('each language is written in its own words', async (t) => {
  const english = phrasesOf(pageWords('en'))
  for (const language of languages.filter((one) => one !== 'en')) {
    const phrases = phrasesOf(pageWords(language))
    const same = [...phrases].filter(([path, phrase]) => phrase === english.get(path))
    // Names such as Webhook, and words that two languages share.
    t.ok(same.length < 14, `${language}: ${same.map(([path]) => path)}`)
  }
})
