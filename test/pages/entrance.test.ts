// The pages at the entrance: each way in that is set up is there.
import t from 'tap'
import { registerPage, signInWaysPage } from '../../src/pages/entrance.ts'
import { toText } from '../../src/pages/html.ts'

const language = 'en' as const
const ways = { language, next: '/', providers: [], hasMailServer: true, registerPath: null }

t.test('every way to sign in has its form or its link', async (t) => {
  const providers = [{ label: 'Company account', startPath: '/api/v1/auth/oidc/co/start' }]
  const page = toText(signInWaysPage({ ...ways, next: '/status/acme', providers }))
  t.match(page, 'action="/api/v1/auth/login"')
  t.match(page, 'action="/api/v1/identity/oauth/login/magic-link/request"')
  t.match(page, 'action="/api/v1/auth/password/forgot"')
  t.match(page, '<a href="/api/v1/auth/oidc/co/start">Continue with Company account</a>')
  t.equal(page.split('name="redirectUri" value="/status/acme"').length, 3)
  t.notMatch(page, /mail\.smtpUrl|auth\.oidc|<script|\son\w+=/)
})

t.test(
  'a way that is not set up is not offered, and no setting is named to visitors',
  async (t) => {
    const page = toText(signInWaysPage({ ...ways, hasMailServer: false }))
    t.notMatch(page, /magic-link|password\/forgot|OpenID|mail\.smtpUrl|auth\.oidc/)
    t.match(page, 'This service sends no e-mail. Its operator can give you a new password.')
    t.match(page, 'New accounts need an invitation.')
    const open = toText(signInWaysPage({ ...ways, registerPath: '/register' }))
    t.match(open, 'href="/register"')
  },
)

t.test(
  'after a failure the form says why and keeps the address, and asks for no code',
  async (t) => {
    const about = { problem: 'That was wrong.', email: 'ada@example.com' }
    const page = toText(signInWaysPage({ ...ways, ...about }))
    t.match(page, '<p class="note is-degraded" role="alert">That was wrong.</p>')
    t.match(page, 'value="ada@example.com"')
    t.notMatch(page, 'name="totp"', 'the code has a page of its own, after the password')
    t.match(toText(signInWaysPage({ ...ways, isLetterAsked: true })), 'a link is on its way')
  },
)

t.test('registration asks for the token where it counts, or says who invites', async (t) => {
  const setup = toText(registerPage({ language, who: 'setup', takesSetupToken: true }))
  t.match(setup, /name="setupToken"[^>]* required>/)
  t.match(setup, /name="password"[^>]* minlength="12"/)
  const open = toText(
    registerPage({ language, who: 'anyone', takesSetupToken: true, referralCode: 'r1' }),
  )
  t.match(open, /name="setupToken"/)
  t.notMatch(open, /name="setupToken"[^>]* required>/)
  t.match(open, '<input type="hidden" name="referralCode" value="r1">')
  t.notMatch(
    toText(registerPage({ language, who: 'anyone', takesSetupToken: false })),
    'setupToken',
  )
  const closed = toText(registerPage({ language, who: 'invited', takesSetupToken: false }))
  t.match(closed, 'need an invitation')
  t.notMatch(closed, '<form')
})
