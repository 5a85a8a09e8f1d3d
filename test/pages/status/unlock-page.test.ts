// The form of a page with a password, in each language.
import t from 'tap'
import { toText } from '../../../src/pages/html.ts'
import { unlockPage } from '../../../src/pages/status/unlock-page.ts'
import { languages } from '../../../src/texts/languages.ts'

t.test(
  'each language asks for the password in its own words, and says when it is wrong',
  async (t) => {
    const titles = new Set<string>()
    for (const language of languages) {
      const form = { language, action: '/status/acme/unlock', to: '', isWrong: false }
      const text = toText(unlockPage(form))
      t.match(text, `<html lang="${language}"`)
      t.match(text, 'action="/status/acme/unlock"')
      t.match(text, 'autocomplete="current-password"')
      t.notMatch(text, 'name="to"')
      titles.add(/<title>([^<]+)/.exec(text)?.[1] ?? '')
      const wrong = toText(unlockPage({ ...form, to: '/history', isWrong: true }))
      t.match(wrong, 'value="/history"')
      t.ok(wrong.length > text.length)
    }
    t.equal(titles.size, languages.length)
  },
)
