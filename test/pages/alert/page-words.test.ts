// The words of the page of an alert: whole in every language.
import t from 'tap'
import { alertPageWords } from '../../../src/pages/alert/page-words.ts'
import { languages } from '../../../src/texts/languages.ts'

t.test('every language says everything, each in its own words', async (t) => {
  const english = alertPageWords('en')
  for (const language of languages) {
    const words = alertPageWords(language)
    t.same(Object.keys(words), Object.keys(english), language)
    const { tellings, failures, ...others } = words
    t.same(Object.keys(tellings), Object.keys(english.tellings), language)
    t.same(Object.keys(failures), Object.keys(english.failures), language)
    t.match(failures.answered(500), '500', language)
    const { timeout, connection } = failures
    for (const [name, phrase] of Object.entries({ ...others, ...tellings, timeout, connection })) {
      const text = typeof phrase === 'string' ? phrase : phrase('On call')
      t.ok(text.trim().length > 0, `${language}: ${name}`)
      if (typeof phrase !== 'string') t.match(text, 'On call', `${language}: ${name}`)
    }
    if (language !== 'en') t.not(words.acknowledging, english.acknowledging, language)
  }
})
