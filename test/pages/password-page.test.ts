// The pages of a password link: one form, everything a text, nothing that says more than it must.
import t from 'tap'
import { toText } from '../../src/pages/html.ts'
import {
  deadPasswordLinkPage,
  newPasswordPage,
  passwordSetPage,
} from '../../src/pages/password-page.ts'

const language = 'en' as const
const hostile = '"><script>alert(1)</script>'

t.test('the form names the account, carries the token, and shows the problem', async (t) => {
  const about = { language, email: hostile, action: '/reset', token: hostile, problem: hostile }
  const text = toText(newPasswordPage(about))
  t.notMatch(text, /<script/)
  t.match(text, /<form method="post" action="\/reset">/)
  t.match(text, /type="password" name="password" autocomplete="new-password"/)
  t.match(text, /role="alert"/)
  t.notMatch(toText(newPasswordPage({ ...about, problem: undefined })), /role="alert"/)
})

t.test('the other pages have nothing to fill in', async (t) => {
  for (const page of [passwordSetPage(language), deadPasswordLinkPage(language)]) {
    t.notMatch(toText(page), /<form/)
  }
})
