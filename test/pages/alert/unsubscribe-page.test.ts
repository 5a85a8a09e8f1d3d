// The page that ends letters: it names the address and the channel, and has one button.
import t from 'tap'
import { unsubscribedPage, unsubscribePage } from '../../../src/pages/alert/unsubscribe-page.ts'
import { toText } from '../../../src/pages/html.ts'
import { languages } from '../../../src/texts/languages.ts'
import { textsOf } from '../../../src/texts/texts.ts'

const hostile = '"><script>alert(1)</script>'
const letters = { address: 'ann@example.test', channel: hostile, organization: hostile }

t.test('the page names what ends, and has one button, in every language', async (t) => {
  for (const language of languages) {
    const text = toText(unsubscribePage({ language, action: '/unsubscribe/token', letters }))
    t.notMatch(text, /<script/)
    t.match(text, `lang="${language}"`)
    t.match(text, 'ann@example.test')
    t.match(text, 'action="/unsubscribe/token"')
    t.equal(text.split('type="submit"').length, 2)
    t.equal(text.split('&lt;script').length, 3, 'channel and organization are named')
    t.notMatch(toText(unsubscribedPage(language)), /<form/, 'then there is nothing to press')
  }
})

t.test('no language has the words of another', async (t) => {
  const questions = languages.map((language) => textsOf('unsubscribe', language).question)
  t.equal(new Set(questions).size, languages.length)
})
