// The pages of the service in a person's hands: a browser without JavaScript, and forms.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as OTPAuth from 'otpauth'
import t, { type Test } from 'tap'
import { password, register } from '../../support/cast.ts'
import { type Daemon, type DaemonOptions, startDaemon } from '../../support/daemon.ts'
import { linkIn, readMail } from '../../support/read-mail.ts'
import { until } from '../../support/until.ts'

/** A browser of one person: it keeps cookies, sends forms and follows redirects when told to. */
function browse({ url }: Daemon, site = url) {
  const jar = new Map<string, string>()
  async function open(path: string, form?: Record<string, string>, extra = {}) {
    const response = await fetch(`${url}${path}`, {
      redirect: 'manual',
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded', origin: site } : {}),
        ...extra,
      },
      ...(form ? { method: 'POST', body: new URLSearchParams(form).toString() } : {}),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') jar.delete(name)
      else jar.set(name, value)
    }
    const { status, headers } = response
    return { status, headers, text: await response.text(), to: headers.get('location') }
  }
  return { open, jar }
}

const closed: DaemonOptions = { env: { AUTH_REGISTRATION: 'first-user' } }
const email = 'ada@example.com'

/** A daemon with its first account, made in a browser. */
async function withAda(t: Test, options = closed) {
  const daemon = await startDaemon(t, options)
  const ada = browse(daemon)
  const form = { email, password, organizationName: 'Acme', setupToken: daemon.setupToken }
  const made = await ada.open('/api/v1/auth/register', form)
  t.match(made, { status: 303, to: '/app' })
  return { daemon, ada, cookie: ada.jar.get('auth-token') ?? '' }
}

/** The link in the letter to somebody whose text matches. */
function linkOf(daemon: Daemon, to: string, text: RegExp): Promise<URL> {
  const dir = join(daemon.dir, 'outbox')
  return until(() => {
    const names = existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith('.eml')) : []
    const letters = names.map((name) => readMail(readFileSync(join(dir, name), 'utf8')))
    const letter = letters.find((one) => one.to === to && text.test(one.text))
    return letter && new URL(linkIn(letter))
  })
}

t.test('the first person sets the service up with a browser alone', async (t) => {
  const daemon = await startDaemon(t, closed)
  const { open } = browse(daemon)
  const front = await open('/')
  t.equal(front.status, 200)
  t.match(front.text, 'No account exists yet')
  t.match((await open('/register')).text, 'action="/api/v1/auth/register"')
  const form = { email, password, organizationName: '', setupToken: 'not-the-token' }
  const refused = await open('/api/v1/auth/register', form)
  t.equal(refused.status, 403)
  t.match(refused.text, /role="alert">The setup token is wrong/)
  t.match(refused.text, 'value="ada@example.com"')
  const made = await open('/api/v1/auth/register', { ...form, setupToken: daemon.setupToken })
  t.match(made, { status: 303, to: '/app' })
  const own = await open('/')
  t.match(own.text, /Your organizations.*My organization.*your role: owner/s)
  t.match(own.text, '<a class="onward" href="/app">Open the console</a>')
  t.match(own.text, /ada@example\.com is not confirmed yet/)
  t.match(await open('/sign-in?redirectUri=%2Fdocs'), { status: 303, to: '/docs' })
  const stranger = browse(daemon)
  t.match((await stranger.open('/')).text, 'href="/sign-in"')
  t.match((await stranger.open('/register')).text, 'New accounts need an invitation')
})

t.test('no page of the service has a script, and no cache keeps one', async (t) => {
  const { daemon, ada } = await withAda(t)
  for (const { open } of [ada, browse(daemon)]) {
    for (const path of ['/', '/sign-in', '/register']) {
      const { headers, text, status } = await open(path)
      if (status === 303) continue
      t.match(headers.get('content-security-policy'), /^default-src 'none'; style-src 'self';/)
      t.equal(headers.get('cache-control'), 'no-store')
      t.notMatch(text, /<script|<style|\son\w+=/)
    }
  }
})

t.test('a password signs in, with a code where there is a second factor; then out', async (t) => {
  const { daemon, cookie } = await withAda(t)
  const { open, jar } = browse(daemon)
  const wrong = await open('/api/v1/auth/login', { email, password: 'not the password' })
  t.equal(wrong.status, 401)
  t.match(wrong.text, /role="alert">The e-mail address or the password is wrong/)
  t.equal(jar.size, 0)
  const { otpauthUrl } = await daemon.need('POST', '/auth/totp', { cookie })
  const app = OTPAuth.URI.parse(otpauthUrl) as OTPAuth.TOTP
  // A code is good once, and in the half minute after its own: this one, and below the next.
  const nowMs = Date.now()
  const code = app.generate({ timestamp: nowMs })
  await daemon.need('POST', '/auth/totp/confirm', { cookie, json: { code } })
  const asked = await open('/api/v1/auth/login', { email, password, totp: '' })
  t.equal(asked.status, 401)
  t.match(asked.text, 'Enter the code that your authenticator app shows')
  t.match(asked.text, /name="totp"[^>]* required>/)
  t.notMatch(asked.text, 'name="password"')
  const redirectUri = '/docs'
  await open('/api/v1/auth/login', { email, password, redirectUri })
  const totp = app.generate({ timestamp: nowMs + 30_000 })
  t.match(await open('/api/v1/auth/login/code', { totp: '000000' }), {
    status: 401,
    text: /role="alert">The code is wrong/,
  })
  t.match(await open('/api/v1/auth/login/code', { totp }), { status: 303, to: '/docs' })
  t.notOk(jar.has('sign-in-code') || jar.has('trusted-device'))
  t.ok(jar.has('auth-token') && jar.has('known-device'))
  t.match((await open('/')).text, 'Acme')
  t.match(await open('/api/v1/auth/logout', {}), { status: 303, to: '/' })
  t.notOk(jar.has('auth-token'))
  t.match((await open('/')).text, 'href="/sign-in"')
  const audit = '/system/audit-log?action=session.refused'
  const failed = await until(async () => {
    const entries = await daemon.need('GET', audit, { cookie })
    return entries.length > 1 && entries
  })
  const details = failed.map(({ detail }: { detail: string }) => detail)
  t.same(
    details,
    ['auth.confirmLogin: invalid_credentials', 'auth.login: invalid_credentials'],
    'asking for the code is no failure',
  )
  t.match(failed[1].objectId, /^usr_/)
})

t.test('a form leads to a path of this service and nowhere else', async (t) => {
  const { daemon } = await withAda(t)
  const { open } = browse(daemon)
  for (const redirectUri of ['https://evil.test/', '//evil.test', '/\\evil.test', 'javascript:1']) {
    const signedIn = await open('/api/v1/auth/login', { email, password, redirectUri })
    t.match(signedIn, { status: 303, to: '/app' }, redirectUri)
    const query = new URLSearchParams({ redirectUri })
    t.match(await open(`/sign-in?${query}`), { status: 303, to: '/app' }, redirectUri)
  }
})

t.test('a session that has ended leads to the way in, not to an error', async (t) => {
  const { daemon, ada, cookie } = await withAda(t)
  await daemon.need('POST', '/auth/logout', { cookie })
  t.match(await ada.open('/'), { status: 200, text: /href="\/sign-in"/ })
  t.match(await ada.open('/api/v1/auth/logout', {}), { status: 401, text: /href="\/sign-in"/ })
})

t.test('a link by mail and a new password both end signed in or at the sign-in', async (t) => {
  const { daemon } = await withAda(t)
  const { open } = browse(daemon)
  const asked = await open('/api/v1/identity/oauth/login/magic-link/request', {
    email,
    redirectUri: '/',
  })
  t.match(asked, { status: 303, to: '/sign-in?isLetterAsked=true' })
  t.match(
    (await open(asked.to ?? '')).text,
    /there is a letter with a link now\. No mail server is set up/,
  )
  const link = await linkOf(daemon, email, /sign in to/)
  const token = link.searchParams.get('token') ?? ''
  t.match((await open(link.pathname + link.search)).text, 'You sign in as ada@example.com')
  const entered = await open('/api/v1/identity/oauth/login/magic-link/verify', { token })
  t.equal(new URL(entered.to ?? '').pathname, '/')
  t.match((await open('/')).text, 'Your organizations')
  t.match(await open('/api/v1/auth/password/forgot', { email }), { status: 303 })
  const reset = await linkOf(daemon, email, /new password/i)
  const done = await open('/api/v1/auth/password/reset', {
    token: reset.searchParams.get('token') ?? '',
    password: 'four winds over nine hills',
  })
  const { pathname, search } = new URL(done.to ?? '')
  t.match((await open(pathname + search)).text, /Your password is set.*href="\/sign-in"/s)
})

t.test('somebody who has an account accepts an invitation with a browser alone', async (t) => {
  const { daemon, cookie } = await withAda(t)
  const { organizations } = await daemon.need('GET', '/auth/session', { cookie })
  const org = `/orgs/${organizations[0].id}`
  const invite = (to: string) =>
    daemon.need('POST', `${org}/invites`, { cookie, json: { email: to, role: 'member' } })
  const ben = browse(daemon)
  const first = await invite('ben@example.com')
  t.match((await ben.open(`/api/v1/invites/${first.token}/page`)).text, 'Join Acme')
  const joined = await ben.open(`/api/v1/invites/${first.token}/join`, { password })
  t.match(joined, { status: 303, to: '/app' })
  t.match((await ben.open('/')).text, /Acme.*your role: member/s)

  // Ben's address counts once the letter was opened, which is possible without JavaScript too.
  const link = await linkOf(daemon, 'ben@example.com', /email\/verify/)
  await ben.open('/api/v1/auth/email/verify', { token: link.searchParams.get('token') ?? '' })
  const other = await daemon.need('POST', '/orgs', { cookie, json: { name: 'Rockets' } })
  const second = await daemon.need('POST', `/orgs/${other.id}/invites`, {
    cookie,
    json: { email: 'ben@example.com', role: 'viewer' },
  })
  const page = `/api/v1/invites/${second.token}/page`
  const elsewhere = browse(daemon)
  const shown = await elsewhere.open(page)
  const [, signIn = ''] = /href="(\/sign-in[^"]*)"/.exec(shown.text) ?? []
  const form = await elsewhere.open(signIn.replaceAll('&amp;', '&'))
  const [, redirectUri = ''] = /name="redirectUri" value="([^"]*)"/.exec(form.text) ?? []
  const back = await elsewhere.open('/api/v1/auth/login', {
    email: 'ben@example.com',
    password,
    redirectUri,
  })
  t.match(back, { status: 303, to: page })
  t.match((await elsewhere.open(page)).text, 'Accept with the account of this browser')
  const accepted = await elsewhere.open(`/api/v1/invites/${second.token}/accept`, {})
  t.match(accepted, { status: 303, to: '/app' })
  t.match((await elsewhere.open('/')).text, /Rockets.*Acme/s)
})

t.test('another site can neither sign anybody in nor out', async (t) => {
  const { daemon, ada } = await withAda(t)
  const foreign = browse(daemon, 'https://evil.test')
  const tries = [
    ['/api/v1/auth/login', { email, password }],
    ['/api/v1/auth/register', { email: 'eve@example.com', password }],
    ['/api/v1/auth/password/forgot', { email }],
  ] as const
  for (const [path, form] of tries) {
    t.equal((await foreign.open(path, form)).status, 403, path)
    const hidden = { 'sec-fetch-site': 'cross-site', origin: 'null' }
    t.equal((await foreign.open(path, form, hidden)).status, 403, path)
    t.equal((await foreign.open(path, form, { origin: 'null' })).status, 403, 'plain http')
    const headers = { 'sec-fetch-site': 'cross-site' }
    const byScript = await daemon.ask('POST', path, { json: form, headers })
    t.match(byScript.json, { code: 'csrf_rejected' }, path)
    t.equal(byScript.headers.get('set-cookie'), null, path)
  }
  t.equal((await ada.open('/api/v1/auth/logout', {}, { origin: 'https://evil.test' })).status, 403)
  t.match((await ada.open('/')).text, 'Your organizations')
})

t.test('without http.baseUrl the name that a browser uses is right', async (t) => {
  const { daemon } = await withAda(t)
  const { port } = new URL(daemon.url)
  const { open } = browse(
    { ...daemon, url: `http://localhost:${port}` },
    `http://localhost:${port}`,
  )
  t.match(await open('/api/v1/auth/login', { email, password }), { status: 303, to: '/app' })
  t.match(await open('/api/v1/auth/logout', {}), { status: 303, to: '/' })
})

t.test('the front page names the pages that are listed, and no other', async (t) => {
  const { daemon, cookie } = await withAda(t)
  const { organizations } = await daemon.need('GET', '/auth/session', { cookie })
  const pages = `/orgs/${organizations[0].id}/status-pages`
  const make = (json: object) => daemon.need('POST', pages, { cookie, json })
  const { open } = browse(daemon)
  const quiet = await make({ name: 'Quiet' })
  t.equal(quiet.isListed, false, 'a page is not listed unless its owner says so')
  const loud = await make({ name: 'Loud', isListed: true })
  const front = async () => (await open('/')).text
  t.match(await front(), `href="/status/${loud.slug}"`)
  t.notMatch(await front(), 'Quiet')
  const set = (id: string, json: object) => daemon.need('PATCH', `${pages}/${id}`, { cookie, json })
  await set(loud.id, { isEnabled: false })
  t.notMatch(await front(), 'Loud')
  await set(loud.id, { isEnabled: true, title: 'Very loud' })
  t.match(await front(), 'Very loud')
  await set(loud.id, { isListed: null })
  t.notMatch(await front(), 'Very loud')
  await set(quiet.id, { isListed: true })
  await daemon.need('DELETE', `${pages}/${quiet.id}`, { cookie })
  t.notMatch(await front(), 'Quiet')
})

t.test('where anyone may register, nobody puts a page on the front page', async (t) => {
  const daemon = await startDaemon(t)
  const { cookie, org } = await register(daemon, 'mallory')
  await daemon.need('POST', `${org}/status-pages`, {
    cookie,
    json: { name: 'Cheap pills', isListed: true },
  })
  const { open } = browse(daemon)
  t.notMatch((await open('/')).text, 'Cheap pills')
  t.match((await open('/?ref=abc&utm_source=letter')).text, 'href="/register?ref=abc"')
  t.match((await open('/register?ref=abc')).text, 'name="referralCode" value="abc"')
})

t.test('the worst monitors come first', async (t) => {
  const { daemon, ada, cookie } = await withAda(t)
  const { organizations } = await daemon.need('GET', '/auth/session', { cookie })
  const monitors = `/orgs/${organizations[0].id}/monitors`
  const job = { checkType: 'push', failureThreshold: 1 }
  const down = await daemon.need('POST', monitors, { cookie, json: { name: 'Backup', ...job } })
  await daemon.need('POST', monitors, { cookie, json: { name: 'Newer', ...job } })
  await fetch(`${down.pushUrl}/error`)
  const { text } = await ada.open('/')
  t.match(text, /1 down and 1 without a result yet/)
  t.match(text, /Backup.*Down.*Newer/s)
})

t.test('a person reads the entrance in the language of the browser', async (t) => {
  const { daemon } = await withAda(t)
  const { open } = browse(daemon)
  const german = { 'accept-language': 'de-AT,en;q=0.5' }
  const arabic = { 'accept-language': 'ar' }
  t.match((await open('/sign-in', undefined, german)).text, /<html lang="de">.*<h1>Anmelden<\/h1>/s)
  t.match((await open('/', undefined, arabic)).text, '<html lang="ar" dir="rtl">')
  t.match((await open('/register', undefined, german)).text, '<html lang="de">')
  const wrong = await open('/api/v1/auth/login', { email, password: 'not this one' }, german)
  t.match(wrong, { status: 401, text: /role="alert">Die E-Mail-Adresse oder das Passwort/ })
  const dead = await open('/api/v1/auth/password/reset?token=old', undefined, german)
  t.match(dead, { status: 410, text: /<html lang="de">/ })
  t.notMatch(dead.text, 'This link')
  t.match(await open('/nothing', undefined, german), {
    status: 404,
    text: 'Diese Adresse gibt es nicht.',
  })
  const failed = await open('/api/v1/auth/oidc/none/start', undefined, german)
  t.match(failed.text, '<html lang="de">')
})
