// The phrases of every language: none is missing or empty.
import t from 'tap'
import { wordsOf } from '../../../src/channels/words/catalog.ts'
import { type Language, languages } from '../../../src/texts/languages.ts'

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

/** Words that a language shares with English. */
const shared: Partial<Readonly<Record<Language, readonly string[]>>> = {
  de: ['labels.monitor', 'labels.registrar'],
  fr: ['labels.cause', 'labels.message'],
  es: ['labels.monitor'],
  it: ['labels.monitor', 'labels.registrar'],
  pt: ['labels.monitor'],
  nl: ['labels.monitor', 'labels.registrar', 'states.open'],
  pl: ['labels.monitor'],
}

t.test('no phrase is left in English by accident', async (t) => {
  const english = new Map(phrases(wordsOf('en')))
  for (const language of languages) {
    if (language === 'en') continue
    const same = phrases(wordsOf(language)).filter(([name, phrase]) => phrase === english.get(name))
    t.same(
      same.map(([name]) => name),
      shared[language] ?? [],
      language,
    )
  }
})

t.test('a name stands in a phrase once, as it is', async (t) => {
  const name = 'Shop $& <b> #1'
  for (const language of languages) {
    const words = wordsOf(language)
    const named = [
      words.isDown(name),
      words.resolved(name),
      words.certificateExpires(name, 7),
      words.domainExpires(name, 1),
      words.budgetAtRisk(name),
      words.budgetExhausted(name),
      words.test(name),
      words.letter.why(name),
    ]
    for (const phrase of named) t.equal(phrase.split(name).length, 2, `${language}: ${phrase}`)
  }
})
