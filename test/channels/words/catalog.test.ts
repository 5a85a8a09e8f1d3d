// The phrases of every language: none is missing or empty.
import t from 'tap'
import { wordsOf } from '../../../src/channels/words/catalog.ts'
import type { Words } from '../../../src/channels/words/words.ts'
import { languages } from '../../../src/domain/language.ts'

function phrases(words: Words): [name: string, phrase: string][] {
  const samples = { count: [1, 5], name: ['Shop'] }
  return Object.entries(words).flatMap(([name, value]): [string, string][] => {
    if (typeof value === 'string') return [[name, value]]
    if (typeof value === 'function') {
      const takesCount = ['incidentsOpened', 'incidentsResolved', 'more'].includes(name)
      const phrase = value as (...given: (string | number)[]) => string
      return takesCount
        ? samples.count.map((count) => [`${name} ${count}`, phrase(count)])
        : [0, 1, 5].map((days) => [`${name} ${days}`, phrase('Shop', days)])
    }
    return Object.entries(value as Record<string, string>).map(([part, text]) => [
      `${name}.${part}`,
      text,
    ])
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
