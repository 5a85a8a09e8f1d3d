// Signing in by a letter: from the request over the mailbox and a real browser to where it leads.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { launchBrowser, skipWithoutBrowser } from '../support/browser.ts'
import { register } from '../support/cast.ts'
import { type Daemon, startDaemon } from '../support/daemon.ts'
import { linkIn, readMail } from '../support/read-mail.ts'
import { fairMs } from '../support/starvation.ts'
import { until } from '../support/until.ts'

const skip = skipWithoutBrowser
const base = '/identity/oauth/login/magic-link'

/** The link in the newest letter that signs in; its token must show up nowhere else. */
async function mailedLink(daemon: Daemon): Promise<string> {
  const dir = join(daemon.dir, 'outbox')
  const link = await until(() => {
    const names = existsSync(dir) ? readdirSync(dir).filter((name) => name.endsWith('.eml')) : []
    const mails = names.sort().map((name) => readMail(readFileSync(join(dir, name), 'utf8')))
    const newest = mails.findLast(({ subject }) => /link to sign in/.test(subject))
    return newest && linkIn(newest)
  })
  daemon.secrets.add(new URL(link).searchParams.get('token') ?? '')
  return link
}

/** Another site that the operator may allow: it keeps what it is asked. */
async function startSite(t: Test, body = 'welcome back') {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    if (request.url !== '/favicon.ico') requests.push(request)
    response.setHeader('content-type', 'text/html')
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => server.close())
  return { port: (server.address() as AddressInfo).port, requests }
}

async function openBrowser(t: Test): Promise<Browser> {
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  return browser
}

/** What the browser complains about: errors and violations of the policy. */
function complaintsOf(page: Page): string[] {
  const said: string[] = []
  page.on('console', (message) => said.push(message.text()))
  return said
}

t.test('a letter leads through one button to the requesting site', { skip }, async (t) => {
  const site = await startSite(t)
  const origin = `http://localhost:${site.port}`
  const daemon = await startDaemon(t, { env: { AUTH_REDIRECT_ORIGINS: origin } })
  const alice = await register(daemon, 'alice')
  const json = { email: alice.email, redirectUri: `${origin}/in?state=1` }
  await daemon.need('POST', `${base}/request`, { json })
  const link = await mailedLink(daemon)
  const page = await (await openBrowser(t)).newPage()
  const complaints = complaintsOf(page)
  const opened = await page.goto(link)
  t.equal(opened?.status(), 200)
  t.match(await page.textContent('main'), /sign in as alice@example\.com/)
  t.match(await page.textContent('[role=alert]'), /another browser/)
  t.same(await page.context().cookies(), [], 'nobody is signed in by looking')
  await page.click('button')
  await page.waitForURL(`${origin}/in?state=1`)
  t.equal(await page.textContent('body'), 'welcome back')
  t.equal(site.requests.length, 1)
  t.equal(site.requests[0]?.headers.referer, undefined, 'the token is not passed on')
  t.same(complaints, [])
  const cookies = await page.context().cookies(daemon.url)
  const session = cookies.find(({ name }) => name === 'auth-token')?.value ?? ''
  t.match(await daemon.need('GET', '/auth/session', { cookie: session }), {
    user: { id: alice.userId },
  })
  daemon.secrets.add(session)
  t.equal((await page.goto(link))?.status(), 410)
  t.match(await page.textContent('main'), /no longer works/)
})

t.test("another site's form cannot sign a browser in", { skip }, async (t) => {
  const daemon = await startDaemon(t)
  const mallory = await register(daemon, 'mallory')
  const json = { email: mallory.email, redirectUri: '/' }
  await daemon.need('POST', `${base}/request`, { json })
  const token = new URL(await mailedLink(daemon)).searchParams.get('token')
  const action = `${daemon.url}/api/v1${base}/verify`
  const form = `<form method="post" action="${action}"><input name="token" value="${token}">`
  const evil = await startSite(t, `${form}<button>free money</button></form>`)
  const page = await (await openBrowser(t)).newPage()
  await page.goto(`http://localhost:${evil.port}/`)
  const answered = page.waitForResponse((response) => response.url() === action)
  await page.click('button')
  t.equal((await answered).status(), 403)
  t.same(await page.context().cookies(daemon.url), [])
})

t.test('a request with a false Host gets links to the true one', async (t) => {
  const daemon = await startDaemon(t, { env: { HTTP_BASE_URL: 'https://up.example' } })
  const { email } = await register(daemon, 'alice')
  const headers = { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'http' }
  const json = { email, redirectUri: '/home' }
  const asked = await daemon.ask('POST', `/api/v1${base}/request`, { json, headers })
  t.equal(asked.status, 200)
  const link = new URL(await mailedLink(daemon))
  t.equal(link.origin, 'https://up.example')
  const done = await daemon.ask('POST', `/api/v1${base}/verify`, {
    body: `token=${link.searchParams.get('token')}`,
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
  })
  t.equal(done.status, 303)
  t.equal(done.headers.get('location'), 'https://up.example/home')
  t.match(done.headers.getSetCookie()[0], /; Secure$/)
})

t.test('a page tells a person what went wrong, even before their form was read', async (t) => {
  const daemon = await startDaemon(t, { env: { HTTP_RATE_AUTH_PER_MINUTE: '1' } })
  const form = 'application/x-www-form-urlencoded'
  const press = (body: string) =>
    daemon.ask('POST', `/api/v1${base}/verify`, { body, headers: { 'content-type': form } })
  t.match(await press('tokem=x'), { status: 422, text: /<h1>Validation failed<\/h1>/ })
  t.match(await press('token=x'), { status: 429, text: /<h1>Too many requests<\/h1>/ })
  const json = { token: 'x' }
  const asJson = await daemon.ask('POST', `/api/v1${base}/verify`, { json })
  t.match(asJson, { status: 429, json: { code: 'rate_limited' } })
})

t.test('the response takes the same time with and without an account', async (t) => {
  const env = { AUTH_REGISTRATION: 'first-user', AUTH_SETUP_TOKEN: 'the-setup-token' }
  const daemon = await startDaemon(t, { env })
  const { email } = await register(daemon, 'alice', 'the-setup-token')
  const ask = async (who: string) => {
    const startedMs = fairMs()
    const json = { email: who, redirectUri: '/' }
    const { status } = await daemon.ask('POST', `/api/v1${base}/request`, { json })
    t.equal(status, 200)
    return fairMs() - startedMs
  }
  const known: number[] = []
  const unknown: number[] = []
  for (let n = 0; n < 60; n += 1) {
    known.push(await ask(email))
    unknown.push(await ask(`nobody-${n}@example.com`))
  }
  // What others do on the machine makes a request slower, and none faster: the quick ones tell.
  const quick = (times: number[]) => times.toSorted((a, b) => a - b)[6] ?? 0
  const difference = Math.abs(quick(known) - quick(unknown))
  t.ok(difference < 5, `${quick(known)} ms and ${quick(unknown)} ms`)
})
