// The phrases of every language: none is missing or empty.
import t from 'tap'
import { wordsOf } from '../../../src/channels/words/catalog.ts'
import { languages } from '../../../src/domain/language.ts'

type Phrase = [name: string, phrase: string]

const countPhrases = ['incidentsOpened', 'incidentsResolved', 'more']

/** Every phrase by its name; those with numbers several times. */
function phrases(words: object, prefix = ''): Phrase[] {
  return Object.entries(words).flatMap(([key, value]): Phrase[] => {
    const name = prefix + key
    if (typeof value === 'string') return [[name, value]]
    if (typeof value !== 'function') return phrases(value, `${name}.`)
    const phrase = value as (...given: (string | number)[]) => string
    return countPhrases.includes(name)
      ? [1, 2, 5, 22].map((count) => [`${name} ${count}`, phrase(count)])
      : [0, 1, 5].map((days) => [`${name} ${days}`, phrase('Shop', days)])
  })
}

t.test('every language has every phrase', async (t) => {
  for (const language of languages) {
    for (const [name, phrase] of phrases(wordsOf(language))) {
      t.ok(phrase.trim().length > 1 || /[^\x20-\x7e]/.test(phrase), `${language} ${name}`)
      t.notMatch(phrase, /undefined|NaN/, `${language} ${name}`)
    }
  }
})
