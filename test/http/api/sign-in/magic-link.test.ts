// Magic links over HTTP: the same 200 for everybody, a page with one button, and JSON or a form.
import * as OTPAuth from 'otpauth'
import t, { type Test } from 'tap'
import { magicLink } from '../../../../src/http/api/sign-in/magic-link.ts'
import type { AccessOptions } from '../../../support/access.ts'
import { serveAccess } from '../../../support/access-api.ts'

const base = '/identity/oauth/login/magic-link'
const redirectUri = '/dashboard?tab=1'

async function serve(t: Test, options: AccessOptions = {}) {
  const api = await serveAccess(t, magicLink, options)
  const { url, ask, letters } = api
  const alice = await api.enrol('alice')

  const request = (email: string, more: object = {}) =>
    ask('POST', `${base}/request`, { body: { email, redirectUri, ...more } })

  async function mailed(more: object = {}): Promise<string> {
    await request('alice@example.com', more)
    return /callback\?token=([\w-]+)/.exec(letters.at(-1)?.text ?? '')?.[1] ?? ''
  }

  const look = (token: string, headers: Record<string, string> = {}) =>
    fetch(`${url}${base}/callback?token=${token}`, { headers })

  const press = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${url}${base}/verify`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new URLSearchParams(fields),
    })

  /** Alice with an app that shows her codes, and the clock past the first one. */
  async function withApp(): Promise<() => string> {
    // Of an account whose address nobody has proven, a letter's reader is asked for no code.
    const proof = api.letters.find(({ to }) => to === alice.user.email)?.text ?? ''
    await api.emails.verify(alice.caller, /verify\?token=([\w-]+)/.exec(proof)?.[1] ?? '')
    const { otpauthUrl } = await api.factors.enrol(alice.caller)
    const app = OTPAuth.URI.parse(otpauthUrl) as OTPAuth.TOTP
    const code = () => app.generate({ timestamp: api.clock.nowMs() })
    await api.factors.confirm(alice.caller, code())
    await api.clock.advance(60_000)
    return code
  }

  return { ...api, alice, request, mailed, look, press, withApp }
}

t.test('requesting a link gets the same response for every address', async (t) => {
  const { request, letters } = await serve(t)
  letters.length = 0
  const answers = []
  for (const email of ['alice@example.com', 'nobody@example.com', 'ALICE@example.com']) {
    const { status, body, headers } = await request(email)
    const names = [...headers.keys()].filter((name) => name !== 'x-request-id').toSorted()
    answers.push({ status, body, names, length: headers.get('content-length') })
  }
  t.match(answers[0], { status: 200, body: { success: true, data: {} } })
  t.same(answers[1], answers[0])
  t.same(answers[2], answers[0])
})

t.test('a wrong field is named, and nothing is mailed', async (t) => {
  const { request, letters } = await serve(t)
  letters.length = 0
  const wrong: readonly (readonly [object, string])[] = [
    [{ redirectUri: 'https://evil.example/' }, '/redirectUri'],
    [{ redirectUri: '/%2fevil.example' }, '/redirectUri'],
    [{ redirectUri: `/${'a'.repeat(2_048)}` }, '/redirectUri'],
    [{ redirectUri: undefined }, '/redirectUri'],
    [{ redirectUri: 7 }, '/redirectUri'],
    [{ email: 'no address' }, '/email'],
    [{ email: undefined }, '/email'],
    [{ redirectUrl: '/' }, '/redirectUrl'],
  ]
  for (const [more, pointer] of wrong) {
    const { status, body } = await request('alice@example.com', more)
    t.equal(status, 422, JSON.stringify(more))
    t.match(body, { code: 'validation_failed', errors: [{ pointer }] })
  }
  t.same(letters, [])
})

t.test('the link leads to a page with one button, and opening it uses nothing up', async (t) => {
  const { mailed, look, press } = await serve(t)
  const token = await mailed()
  for (const headers of [{}, { 'user-agent': 'node' }, { 'user-agent': 'Barracuda Sentinel' }]) {
    t.equal((await look(token, headers)).status, 200)
  }
  const page = await look(token)
  const html = await page.text()
  t.match(page.headers.get('content-type'), 'text/html')
  t.equal(page.headers.get('referrer-policy'), 'strict-origin')
  t.equal(page.headers.get('cache-control'), 'no-store')
  t.equal(page.headers.get('set-cookie'), null)
  const policy = page.headers.get('content-security-policy') ?? ''
  t.match(policy, /^default-src 'none'; style-src 'self'; .*form-action 'self'; base-uri 'none'/)
  t.equal(html.match(/<button/g)?.length, 1)
  t.notMatch(html, /<script|name="totp"/)
  t.match(html, 'alice@example.com')
  t.match(html, /requested on \d+ \w+ \d{4} at \d\d:\d\d UTC from 127\.0\.0\.1/)
  t.match(html, `value="${token}"`)
  t.equal((await press({ token })).status, 303)
})

t.test('the page warns if it is opened in another browser', async (t) => {
  const { mailed, look } = await serve(t)
  const token = await mailed()
  t.notMatch(await (await look(token, { 'user-agent': 'node' })).text(), 'role="alert"')
  const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  t.match(await (await look(token, { 'user-agent': agent })).text(), /another browser/)
})

t.test('the form signs in and continues to the requested target', async (t) => {
  const { mailed, press, signedIn, alice } = await serve(t)
  const done = await press({ token: await mailed() }, { 'sec-fetch-site': 'same-origin' })
  t.equal(done.status, 303)
  t.equal(done.headers.get('location'), 'http://127.0.0.1:8080/dashboard?tab=1')
  t.equal(await done.text(), '')
  const [cookie = '', device] = done.headers.getSetCookie()
  t.match(device, /^known-device=/)
  t.match(cookie, /^auth-token=[^;]+; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/)
  const token = cookie.slice('auth-token='.length, cookie.indexOf(';'))
  t.equal(signedIn(token).principal.userId, alice.user.id)
})

t.test('an allowed origin may be the target, and the page lets the browser go there', async (t) => {
  const origin = 'https://app.example.com'
  const { mailed, look, press } = await serve(t, { redirectOrigins: [origin] })
  const token = await mailed({ redirectUri: `${origin}/in?state=1` })
  const page = await look(token)
  t.match(page.headers.get('content-security-policy'), `form-action 'self' ${origin};`)
  t.match(await page.text(), `continue to ${origin}`)
  t.equal((await press({ token })).headers.get('location'), `${origin}/in?state=1`)
})

t.test('a program uses the link by JSON, once', async (t) => {
  const { mailed, ask, alice, signedIn } = await serve(t)
  const token = await mailed()
  const spend = () => ask('POST', `${base}/verify`, { body: { token } })
  const answers = await Promise.all(Array.from({ length: 8 }, spend))
  const [won, ...more] = answers.filter(({ status }) => status === 200)
  t.same(more, [])
  t.match(won?.body, { success: true, data: { user: { id: alice.user.id }, redirectUri } })
  t.equal(signedIn(won?.body.data.token).principal.userId, alice.user.id)
  t.match(won?.headers.get('set-cookie'), 'auth-token=')
  const lost = answers.filter(({ status }) => status !== 200)
  t.match(lost, Array(7).fill({ status: 410, body: { code: 'link_expired' } }))
})

t.test('an expired link has a page that says so, and so does its form', async (t) => {
  const { mailed, look, press, url } = await serve(t)
  const token = await mailed()
  await press({ token })
  for (const page of [
    await look(token),
    await press({ token }),
    await look('nothing'),
    await fetch(`${url}${base}/callback`),
  ]) {
    t.equal(page.status, 410)
    t.match(page.headers.get('content-type'), 'text/html')
    t.equal(page.headers.get('set-cookie'), null)
    t.match(await page.text(), 'This link no longer works')
  }
})

t.test('with a second factor the page asks for the code, and lets it be tried again', async (t) => {
  const { withApp, mailed, look, press } = await serve(t)
  const code = await withApp()
  const token = await mailed()
  t.match(await (await look(token)).text(), /name="totp" autocomplete="one-time-code"/)
  for (const fields of [{ token }, { token, totp: '' }, { token, totp: '000000' }]) {
    const again = await press(fields)
    t.equal(again.status, 401)
    t.match(again.headers.get('www-authenticate'), 'Session')
    t.equal(again.headers.get('set-cookie'), null)
    const html = await again.text()
    t.match(html, 'role="alert"')
    t.match(html, `value="${token}"`, 'the link still works')
  }
  t.equal((await press({ token, totp: code() })).status, 303)
})

t.test("another site's form signs nobody in", async (t) => {
  const { mailed, press } = await serve(t)
  const token = await mailed()
  const foreign: readonly Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { 'sec-fetch-site': 'cross-site', origin: 'null' },
    // Over plain http, from a page without a referrer.
    { origin: 'null' },
  ]
  for (const headers of foreign) {
    const refused = await press({ token }, headers)
    t.equal(refused.status, 403, JSON.stringify(headers))
    t.equal(refused.headers.get('set-cookie'), null)
  }
  t.equal((await press({ token })).status, 303, 'the link still works')
})

t.test('hostile texts in the page stay texts', async (t) => {
  const { look, request, letters } = await serve(t)
  await request(`"<img src=x onerror=alert(1)>"@example.com`)
  await request('o&lt;k+<b>@example.com')
  await request("o'neil@example.com")
  const token = /token=([\w-]+)/.exec(letters.at(-1)?.text ?? '')?.[1] ?? ''
  const html = await (await look(token, { 'user-agent': '<script>alert(1)</script>' })).text()
  t.match(html, 'o&#39;neil@example.com')
  t.notMatch(html, /<script|<img|onerror/)
})
