// What people see between a provider and us: whatever is said in it stays text.
import t from 'tap'
import { toText } from '../../src/pages/html.ts'
import { codePage, notSignedInPage } from '../../src/pages/sign-in-page.ts'

t.test('the page asks for a code and says what was wrong with the last one', async (t) => {
  const action = '/api/v1/auth/oidc/company/callback'
  const first = toText(codePage({ language: 'en', action, trustDays: 0 }))
  t.match(first, `<form method="post" action="${action}">`)
  t.match(first, 'autocomplete="one-time-code"')
  t.notMatch(first, /role="alert"|isRemembered/)
  t.match(
    toText(codePage({ language: 'en', action, trustDays: 30, problem: 'The code is wrong.' })),
    /alert">The code is wrong\./,
  )
})

t.test('the name of a provider is text', async (t) => {
  const page = toText(
    notSignedInPage('en', '<script>alert(1)</script> & Co did not confirm who you are.'),
  )
  t.match(page, '&lt;script&gt;alert(1)&lt;/script&gt; &amp; Co did')
  t.notMatch(page, /<script|<form/)
})
