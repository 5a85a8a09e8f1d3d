// Signing in through an OpenID provider, as a browser sees it: cookies, redirects and pages.
import * as OTPAuth from 'otpauth'
import t, { type Test } from 'tap'
import { startDaemon } from '../../../support/daemon.ts'
import { serviceUrl, startIssuer } from '../../../support/oidc-issuer.ts'

const path = '/api/v1/auth/oidc/company'

async function open(t: Test, env: Record<string, string> = {}) {
  const issuer = await startIssuer(t)
  const daemon = await startDaemon(t, {
    env: { AUTH_OIDC: JSON.stringify([issuer.client]), HTTP_BASE_URL: serviceUrl, ...env },
  })
  daemon.secrets.add(issuer.client.clientSecret)

  /** A browser at the service; it keeps the cookies that it may send. */
  function browser() {
    const cookies = new Map<string, string>()
    async function go(to: string, form?: Record<string, string>) {
      const answer = await daemon.ask(form ? 'POST' : 'GET', to, {
        headers: {
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        },
        ...(form ? { body: `${new URLSearchParams(form)}` } : {}),
      })
      for (const line of answer.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (value === '') cookies.delete(name)
        else cookies.set(name, value)
      }
      return answer
    }
    async function comeBack(login = 'alice', start = `${path}/start`) {
      const left = await go(start)
      const { pathname, search } = await issuer.signIn(left.headers.get('location') ?? '', login)
      return pathname + search
    }
    return { cookies, go, comeBack }
  }
  return { daemon, issuer, browser }
}

t.test('a person leaves for the provider, comes back, and is signed in', async (t) => {
  const { daemon, browser, issuer } = await open(t)
  t.match((await daemon.ask('GET', '/api/v1/auth/oidc')).json, {
    data: [{ name: 'company', label: 'Company', startUrl: `${serviceUrl}${path}/start` }],
    meta: { nextCursor: null },
  })
  t.notMatch((await daemon.ask('GET', '/api/v1/auth/oidc')).text, /secret|clientId/)
  const { go, comeBack, cookies } = browser()
  const left = await go(`${path}/start?redirectUri=%2Fdocs`)
  t.equal(left.status, 303)
  t.ok(left.headers.get('location')?.startsWith(`${issuer.url}/auth?`))
  t.match(left.headers.getSetCookie(), [
    new RegExp(`^oidc-flow=[^;]+; Path=${path}/callback; Max-Age=600; HttpOnly; SameSite=Lax$`),
  ])
  t.equal(left.headers.get('cache-control'), 'no-store')
  t.notMatch(JSON.stringify([...left.headers]), issuer.client.clientSecret)

  const { pathname, search } = await issuer.signIn(left.headers.get('location') ?? '')
  const back = pathname + search
  // What providers send beside the standard's parameters does no harm.
  const entered = await go(`${back}&session_state=x&authuser=0`)
  t.equal(entered.status, 303, entered.text)
  t.equal(entered.headers.get('location'), `${serviceUrl}/docs`)
  t.ok(cookies.has('auth-token'))
  t.notOk(cookies.has('oidc-flow'), 'it is cleared')
  const session = await daemon.ask('GET', '/api/v1/auth/session', {
    cookie: cookies.get('auth-token') ?? '',
  })
  t.match(session.json.data, {
    user: { email: 'alice@example.com', emailVerifiedAt: /Z$/ },
    hasTotp: false,
  })
  const again = await go(back)
  t.equal(again.status, 410)
  t.match(again.headers.get('content-type'), /^text\/html/)
  t.match(again.text, 'Start again.')
  const stranger = browser()
  t.equal((await stranger.go(await comeBack())).status, 410, 'not in this browser')
  const twice = await go(`${await comeBack()}&state=other`)
  t.equal(twice.status, 400)
})

t.test('a person with a second factor must enter it, and may mistype', async (t) => {
  const { daemon, browser } = await open(t, { AUTH_REDIRECT_ORIGINS: 'https://app.example.com' })
  const { go, comeBack, cookies } = browser()
  await go(await comeBack())
  const cookie = cookies.get('auth-token') ?? ''
  const { otpauthUrl } = await daemon.need('POST', '/auth/totp', { cookie })
  const app = OTPAuth.URI.parse(otpauthUrl) as OTPAuth.TOTP
  const code = app.generate({ timestamp: Date.now() })
  const { recoveryCodes } = await daemon.need('POST', '/auth/totp/confirm', {
    cookie,
    json: { code },
  })
  cookies.clear()
  const to = encodeURIComponent('https://app.example.com/in?x=1')
  const asked = await go(await comeBack('alice', `${path}/start?redirectUri=${to}`))
  t.equal(asked.status, 401)
  t.match(asked.headers.get('content-type'), /^text\/html/)
  t.match(asked.text, `<form method="post" action="${path}/callback">`)
  t.match(asked.text, 'name="totp"')
  const policy = asked.headers.get('content-security-policy') ?? ''
  t.match(policy, "form-action 'self' https://app.example.com;")
  t.match(policy, "default-src 'none'")
  t.notOk(cookies.has('auth-token'))
  const wrong = await go(`${path}/callback`, { totp: '000000' })
  t.equal(wrong.status, 401)
  t.match(wrong.text, /role="alert">The code is wrong/)
  t.match(wrong.text, 'name="totp"')
  const entered = await go(`${path}/callback`, { totp: recoveryCodes[0] })
  t.equal(entered.status, 303, entered.text)
  t.equal(entered.headers.get('location'), 'https://app.example.com/in?x=1')
  t.ok(cookies.has('auth-token'))
  t.equal((await go(`${path}/callback`, { totp: recoveryCodes[1] })).status, 410)
})

t.test('a person who may not sign in reads why', async (t) => {
  const { browser, issuer } = await open(t)
  const { go, comeBack } = browser()
  t.equal((await go('/api/v1/auth/oidc/nobody/start')).status, 404)
  const astray = await go(`${path}/start?redirectUri=https%3A%2F%2Fevil.example%2F%3Cb%3E`)
  t.equal(astray.status, 400)
  t.match(astray.text, 'redirectUri must lead to this service or to an allowed origin')
  issuer.people.set('eve', { email: 'eve@example.com' })
  const refused = await go(await comeBack('eve'))
  t.equal(refused.status, 403)
  t.match(refused.text, 'Company did not confirm your e-mail address.')
  const left = await go(`${path}/start`)
  const back = await issuer.giveUp(left.headers.get('location') ?? '')
  const gaveUp = await go(back.pathname + back.search)
  t.equal(gaveUp.status, 401)
  t.match(gaveUp.text, 'Company did not confirm who you are.')
})

t.test('a provider that is down is reported as such, with when to retry', async (t) => {
  const { browser, issuer } = await open(t)
  await issuer.stop()
  const { status, text, headers } = await browser().go(`${path}/start`)
  t.equal(status, 503)
  t.match(text, 'Company cannot be reached at the moment. Try again later.')
  t.match(headers.get('retry-after'), /^\d+$/)
})
