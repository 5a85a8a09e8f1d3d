// Other sites in the browser of somebody who is signed in: whatever they send, nothing happens.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext } from 'playwright-core'
import t, { type Test } from 'tap'
import { launchBrowser, skipWithoutBrowser } from '../support/browser.ts'
import { register } from '../support/cast.ts'
import { type Daemon, startDaemon } from '../support/daemon.ts'
import { amount } from '../support/depth.ts'
import { until } from '../support/until.ts'

const skip = skipWithoutBrowser

/** A site of somebody else's: an empty page, and redirects that keep the method. */
async function startEvilSite(t: Test): Promise<number> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://evil.test')
    const to = searchParams.get('to')
    if (to === null) response.setHeader('Content-Type', 'text/html').end('<!doctype html>')
    else response.writeHead(307, { Location: to }).end()
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

type Target = readonly [url: string, body: object]

/** What a page can try, as a script for the browser: `url` and `body` are there. */
const tricks: Readonly<Record<string, string>> = {
  'a form': 'submit(url)',
  'a form as plain text': "submit(url, 'text/plain')",
  'a form with files': "submit(url, 'multipart/form-data')",
  'a form through a redirect that keeps the method': "submit('/?to=' + encodeURIComponent(url))",
  'a fetch that reads nothing': "send({ mode: 'no-cors' })",
  'a fetch of plain text': "send({ headers: { 'content-type': 'text/plain' } })",
  'a fetch of JSON': "send({ headers: { 'content-type': 'application/json' } })",
  'a fetch with another method': "send({ method: 'PATCH' })",
  'a deletion': "send({ method: 'DELETE', body: undefined })",
  'a fetch through a redirect': "send({ mode: 'no-cors' }, '/?to=' + encodeURIComponent(url))",
  'a beacon': 'navigator.sendBeacon(url, body)',
  'a beacon that says JSON': `navigator.sendBeacon(url,
    new Blob([body], { type: 'application/json' }))`,
}

const preflighted = 4

const toolkit = `
  const send = (options, to = url) =>
    fetch(to, { method: 'POST', body, credentials: 'include', ...options }).catch(() => {})
  const submit = (action, enctype) => {
    const frame = document.body.appendChild(document.createElement('iframe'))
    frame.name = 'sink-' + document.forms.length
    const form = document.body.appendChild(document.createElement('form'))
    Object.assign(form, { action, method: 'post', target: frame.name })
    if (enctype) form.enctype = enctype
    const field = form.appendChild(document.createElement('input'))
    Object.assign(field, { name: body.slice(0, -1) + ',"x":"', value: '"}' })
    form.submit()
  }
`

/** Each trick on so many of the targets, others for each trick. */
const targetsOfEach = amount(3, 9)

/** The tricks on the targets, all at once. */
async function attack(context: BrowserContext, site: string, targets: readonly Target[]) {
  const page = await context.newPage()
  await page.goto(site)
  const scripts = targets.map(([url, json], place) => {
    const body = JSON.stringify(json)
    const values = `const url = ${JSON.stringify(url)}, body = ${JSON.stringify(body)}`
    const own = Object.values(tricks).filter(
      (_, at) => (at + place) % targets.length < targetsOfEach,
    )
    return `{ ${values}; ${toolkit}; ${own.join('; ')} }`
  })
  await page.evaluate(`${scripts.join('\n')}; undefined`)
  await page.waitForLoadState('networkidle')
  return page
}

/** How many requests of other sites were turned away so far. */
async function turnedAway(daemon: Daemon): Promise<number> {
  const { text } = await daemon.ask('GET', '/metrics')
  const counts = text.matchAll(/^\w*http_requests_total\{.*status="40\d"\} (\d+)$/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

t.test('no other origin can act for a signed-in person', { skip }, async (t) => {
  const daemon = await startDaemon(t)
  const { cookie, org } = await register(daemon, 'alice')
  const monitor = await daemon.need('POST', `${org}/monitors`, {
    cookie,
    json: { name: 'Job', checkType: 'push' },
  })
  const evilPort = await startEvilSite(t)
  const browser = await launchBrowser()
  t.teardown(() => browser.close())
  const context = await browser.newContext()
  const { hostname } = new URL(daemon.url)
  await context.addCookies([
    { name: 'auth-token', value: cookie, domain: hostname, path: '/', sameSite: 'Lax' },
  ])
  const own = await context.newPage()
  const answer = await own.goto(`${daemon.url}/api/v1/auth/session`)
  t.equal(answer?.status(), 200, 'the browser is signed in')

  const paths: Target[] = [
    ['/auth/logout', {}],
    ['/orgs', { name: 'Made elsewhere' }],
    [`${org}`, { name: 'Renamed elsewhere' }],
    [`${org}/monitors`, { name: 'm', url: 'http://127.0.0.1:9/' }],
    [`${org}/monitors/${monitor.id}`, { name: 'Renamed elsewhere' }],
    [`${org}/monitors/${monitor.id}/pause`, {}],
    [`${org}/api-keys`, { name: 'k', role: 'admin' }],
    ['/auth/password/change', { currentPassword: 'x', newPassword: 'y' }],
    ['/user', { name: 'Renamed elsewhere' }],
  ]
  const targets = paths.map(([path, body]): Target => [`${daemon.url}/api/v1${path}`, body])
  const state = async () => ({
    session: (await daemon.need('GET', '/auth/session', { cookie })).user,
    orgs: await daemon.need('GET', '/orgs', { cookie }),
    monitors: await daemon.need('GET', `${org}/monitors`, { cookie }),
    keys: await daemon.need('GET', `${org}/api-keys`, { cookie }),
  })
  const before = await state()
  // Another port is another origin on the same site, to which the cookie is sent; another name is
  // another site, to which it is not.
  for (const site of [`http://${hostname}:${evilPort}/`, `http://localhost:${evilPort}/`]) {
    const known = await turnedAway(daemon)
    const page = await attack(context, site, targets)
    // All but those that the browser itself does not send without asking first.
    const expected = targetsOfEach * (Object.keys(tricks).length - preflighted)
    await until(async () => (await turnedAway(daemon)) - known >= expected)
    await page.close()
    t.same(await state(), before, site)
  }

  // The same from a page of our own: it is the origin that decides, not the way of asking.
  await own.goto(`${daemon.url}/docs`)
  const status = await own.evaluate(`fetch('/api/v1${org}/monitors/${monitor.id}/pause',
    { method: 'POST' }).then(({ status }) => status)`)
  t.equal(status, 200)
  t.notSame(await state(), before)
})
