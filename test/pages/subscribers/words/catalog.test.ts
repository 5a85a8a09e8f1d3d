// The words of letters to subscribers: whole in every language, and none of them English.
import t from 'tap'
import { subscriberWords } from '../../../../src/pages/subscribers/words/catalog.ts'
import type { SubscriberWords } from '../../../../src/pages/subscribers/words/subscriber-words.ts'
import { languages } from '../../../../src/texts/languages.ts'

/** Every phrase with example names, by its path. */
function phrases(words: object, path = ''): Map<string, string> {
  return new Map(
    Object.entries(words).flatMap(([name, word]): [string, string][] => {
      const here = `${path}/${name}`
      if (typeof word === 'string') return [[here, word]]
      if (typeof word === 'function') return [[here, String(word('Acme', 3))]]
      return [...phrases(word, here)]
    }),
  )
}

/** Words that are the same in several languages. */
const shared = new Set(['/status', '/news/updated', '/news/opened'])

t.test(
  'every language has every phrase in words of its own, and names what it is given',
  async (t) => {
    const english = phrases(subscriberWords('en'))
    for (const language of languages) {
      const words: SubscriberWords = subscriberWords(language)
      for (const [path, text] of phrases(words)) {
        t.not(text.trim(), '', `${language} ${path}`)
        if (language === 'en' || shared.has(path)) continue
        t.not(text, english.get(path), `${language} ${path}`)
      }
      t.match(words.andMore('Acme', 3), /Acme[\s\S]*3/)
      for (const phrase of [words.why, words.confirm.subject, words.confirm.about]) {
        t.match(phrase('Acme'), 'Acme')
      }
    }
  },
)
