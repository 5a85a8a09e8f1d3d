// Public pages as a visitor's browser meets them: addresses, hosts, headers and caching.
import { request } from 'node:http'
import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { startClock } from '../../../../src/base/clock.ts'
import type { RateSettings } from '../../../../src/http/pipeline/rate.ts'
import { formBytesMax } from '../../../../src/http/pipeline/raw-endpoint.ts'
import { formReply, leadTo, type PageForm } from '../../../../src/http/public/pages/page-form.ts'
import { pageResources } from '../../../../src/http/public/pages/page-resources.ts'
import { pageForms, statusPages } from '../../../../src/http/public/pages/status-pages.ts'
import { get, resource } from '../../../../src/http/routing/route.ts'
import { html } from '../../../../src/pages/html.ts'
import { styleSheet } from '../../../../src/pages/style-sheet.ts'
import type { OrgScope } from '../../../../src/services/context.ts'
import { createPageStreams } from '../../../../src/services/pages/page-streams.ts'
import { createPageUrls } from '../../../../src/services/pages/page-urls.ts'
import { createPages } from '../../../../src/services/pages/pages.ts'
import { createPublicPages } from '../../../../src/services/pages/public-pages.ts'
import { callerOf } from '../../../support/access.ts'
import { openAddressChanges } from '../../../support/address-changes.ts'
import { openCore } from '../../../support/core.ts'
import { startTestHttp } from '../../../support/http.ts'
import { incidentB } from '../../../support/make-incident.ts'
import { makeMonitor, makePublicIncident, orgOne } from '../../../support/make-page.ts'
import { openPageLocks } from '../../../support/page-locks.ts'
import { pictureSample } from '../../../support/picture-files.ts'
import { until } from '../../../support/until.ts'

const alice = { caller: callerOf(), orgId: orgOne, role: 'admin' } as OrgScope
const statusDomain = 'status.test'

/** Pages of the service itself. */
const paperPage = { plain: true, status: 200, contentType: 'text/html', body: 'our own' } as const
const spec = {
  who: { visitor: true },
  plain: { status: 200, contentType: 'text/html' },
} as const
const paperSite = resource('', {
  front: get('/', spec).handledBy(() => paperPage),
  signIn: get('/sign-in', spec).handledBy(() => paperPage),
})

/** A form that names who answers, and leads back. */
const paperForms: readonly PageForm[] = [
  {
    name: 'pages.paper',
    path: '/paper',
    ask: ({ page, root, language }) => formReply(200, html`${page.name} ${root} ${language}`),
    submit: ({ root, fields }) =>
      fields.color === undefined
        ? formReply(422, html`color is missing`)
        : leadTo(`${root}/paper?color=${fields.color}`),
  },
  {
    name: 'pages.mailed',
    path: '/mailed/:token',
    from: 'anywhere',
    submit: ({ params, fields }) => formReply(200, html`${params.token} ${Object.keys(fields)}`),
  },
]

async function open(
  t: Test,
  baseUrl: string | null = 'https://up.test',
  settings: { readonly rates?: RateSettings } = {},
) {
  const isBaseGuessed = baseUrl === null
  const core = openCore(t)
  const { store, clock } = core
  const urls = createPageUrls({
    store,
    baseUrl: baseUrl ?? 'http://127.0.0.1:8080',
    statusDomain,
  })
  const publicPages = createPublicPages({ store, clock, urls })
  // The server's clock runs.
  const running = startClock()
  t.teardown(() => running.stop())
  const pageStreams = createPageStreams({ clock: running, publicPages, streamsMax: 10 })
  const pageLocks = openPageLocks(running)
  const pages = createPages(core, {
    urls,
    addresses: openAddressChanges(),
    listsPages: () => true,
    mustBeApproved() {},
  })
  const hosts = statusPages(
    {
      baseUrl: baseUrl ?? 'http://127.0.0.1:8080',
      isBaseGuessed,
      isPageHost: urls.isPageHost,
    },
    [...paperForms, ...pageForms],
  )
  const site = { ...hosts, routes: paperSite }
  const server = await startTestHttp({
    rawRoutes: hosts.routes,
    site,
    settings,
    services: { pages, publicPages, pageStreams, pageLocks },
  })
  t.teardown(() => server.stop())
  await store.write((tx) => store.monitors.put(tx, makeMonitor()))
  const page = await pages.create(alice, { name: 'Acme' })
  await pages.setSubdomain(alice, page.id, 'live')

  /** fetch would not let the Host be chosen. */
  function visit(
    path: string,
    headers: Record<string, string> = {},
    method = 'GET',
    body: string | undefined = undefined,
  ) {
    return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
      (resolve, reject) => {
        const options = { method, agent: false, headers: { host: 'up.test', ...headers } }
        const asked = request(server.url(path), options, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('end', () => {
            const { statusCode = 0, headers: got } = response
            resolve({ status: statusCode, headers: got, body: Buffer.concat(chunks) })
          })
        })
        asked.on('error', reject).end(body)
      },
    )
  }
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    visit(path, { 'content-type': 'application/x-www-form-urlencoded', ...headers }, 'POST', body)
  return { store, visit, post, pages, page, pageLocks, port: server.port }
}

t.test('a page needs no credential and sets no cookie; nothing in it can run', async (t) => {
  const { visit } = await open(t)
  const { status, headers, body } = await visit('/status/acme')
  t.equal(status, 200)
  t.match(headers, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'public, max-age=10',
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy':
      "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; " +
      "img-src 'self' https: data:; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  })
  t.equal(headers['set-cookie'], undefined)
  t.match(body.toString(), /^<!doctype html>[\s\S]*Website[\s\S]*<\/html>\n$/)
  t.equal((await visit('/status/acme', {}, 'HEAD')).status, 200)
})

t.test('gzip where it is taken, and 304 where nothing changed', async (t) => {
  const { visit, pages, page } = await open(t)
  const plain = await visit('/status/acme')
  const packed = await visit('/status/acme', { 'accept-encoding': 'br, gzip;q=0.8' })
  t.equal(packed.headers['content-encoding'], 'gzip')
  t.same(gunzipSync(packed.body), plain.body)
  for (const encoding of ['gzip;q=0', 'gzip; Q=0.00, br;q=0', 'xgzip', '']) {
    const answer = await visit('/status/acme', { 'accept-encoding': encoding })
    t.equal(answer.headers['content-encoding'], undefined, encoding)
  }
  const etag = String(plain.headers.etag)
  for (const known of [etag, `"other", ${etag}`, etag.slice(2), '*']) {
    const answer = await visit('/status/acme', { 'if-none-match': known })
    t.match(answer, { status: 304, headers: { etag } }, known)
    t.equal(answer.body.length, 0)
    t.equal(answer.headers['content-type'], undefined, 'it has no content')
  }
  await pages.change(alice, page.id, { title: 'New' })
  t.equal((await visit('/status/acme', { 'if-none-match': etag })).status, 200)
})

t.test('a slash after the address leads to the page', async (t) => {
  const { visit } = await open(t)
  const answer = await visit('/status/acme/')
  t.match(answer, { status: 308, headers: { location: '/status/acme' } })
  const coded = await visit('/status/a%2Fb%0Ac/')
  t.match(coded, { status: 308, headers: { location: '/status/a%2Fb%0Ac' } })
  t.equal((await visit('/status/acme/', { host: 'elsewhere.test' })).status, 404)
  t.equal((await visit('/status/acme/more')).status, 404)
})

t.test(
  'incidents and months have pages of their own, and what is not public has none',
  async (t) => {
    const { visit, store } = await open(t)
    const incident = makePublicIncident({ timeline: [], title: 'Mail is late', hasOwnTitle: true })
    const hidden = { ...incident, id: incidentB, isPublic: false }
    await store.write((tx) => {
      for (const one of [incident, hidden]) store.incidents.put(tx, one)
    })
    const live = { host: 'live.status.test' }
    const shown = await visit(`/status/acme/incidents/${incident.id}`)
    t.match(shown, { status: 200, headers: { 'cache-control': 'public, max-age=10' } })
    t.match(shown.body.toString(), '<a href="/status/acme">')
    const atHost = await visit(`/incidents/${incident.id}`, live)
    t.match(atHost.body.toString(), 'Mail is late')
    t.match(atHost.body.toString(), '<a href="/">')
    t.match(await visit('/status/acme/history'), { status: 200 })
    t.match(await visit('/history', live), { status: 200 })
    const arabic = await visit('/history', { ...live, 'accept-language': 'ar' })
    t.match(arabic.body.toString(), '<html lang="ar" dir="rtl">')
    for (const path of [
      `/status/acme/incidents/${hidden.id}`,
      '/status/acme/incidents/inc_01k0000000000000000000000z',
      '/status/acme/incidents/x',
      `/incidents/${incident.id}`,
      '/status/acme/history?month=2026-13',
      '/status/acme/history?month=1969-12',
      '/status/acme/history?month=2999-01',
      '/status/acme/history?month=',
      '/history',
    ]) {
      const reply = await visit(path)
      t.match(reply, { status: 404, headers: { 'cache-control': 'no-store' } }, path)
    }
  },
)

t.test('what is not there is told in the language of the reader', async (t) => {
  const { visit } = await open(t)
  const lost = await visit('/status/lost', { 'accept-language': 'de' })
  t.match(lost, { status: 404, headers: { 'cache-control': 'no-store' } })
  t.match(lost.body.toString(), /<html lang="de">[\s\S]*Hier ist keine Statusseite/)
  const other = await visit('/status/lost', { 'accept-language': 'xx' })
  t.match(other.body.toString(), 'There is no status page here')
  const form = await visit('/status/lost/paper', { 'accept-language': 'de' })
  t.match(form.body.toString(), 'Hier ist keine Statusseite')
  const host = 'live.status.test'
  const service = await visit('/sign-in', { host, 'accept-language': 'de' })
  t.match(service, { status: 404 })
  t.match(service.body.toString(), 'Hier ist keine Statusseite')
})

t.test('a disabled page answers exactly like one that never was', async (t) => {
  const { visit, pages, page } = await open(t)
  await pages.change(alice, page.id, { isEnabled: false })
  const disabled = await visit('/status/acme')
  const unknown = await visit('/status/nothing-here')
  const strip = ({ 'x-request-id': _id, date: _date, ...rest }: Record<string, unknown>) => rest
  t.equal(disabled.status, 404)
  t.same(disabled.body, unknown.body)
  t.same(strip(disabled.headers), strip(unknown.headers))
  t.match(disabled.headers, { 'content-type': 'text/html; charset=utf-8' })
})

t.test('a page has its own host, and unknown hosts have no page', async (t) => {
  const { visit } = await open(t)
  const at = async (host: string, path: string) => (await visit(path, { host })).status
  t.equal(await at('live.status.test', '/'), 200)
  t.equal(await at('LIVE.status.test:8443', '/'), 200)
  t.equal(await at('up.test:8443', '/status/acme'), 200)
  for (const host of ['evil.test', 'a.live.status.test', 'status.test', 'acme.status.test', '']) {
    t.equal(await at(host, '/'), 404, host)
    t.equal(await at(host, '/status/acme'), 404, host)
  }
  t.equal(await at('live.status.test', '/status/acme'), 404)
  const { body } = await visit('/status/acme', { 'x-forwarded-host': 'evil.test' })
  t.notMatch(body.toString(), 'evil')
})

t.test('a service on loopback answers under each of its names', async (t) => {
  const { visit } = await open(t, 'http://127.0.0.1:8080')
  for (const host of ['localhost:9', '127.0.0.1', '[::1]:80']) {
    t.equal((await visit('/status/acme', { host })).status, 200, host)
  }
  t.equal((await visit('/status/acme', { host: 'rebound.evil.test' })).status, 404)
})

t.test('the service is at its own host, and a status page at the host of the page', async (t) => {
  const { visit } = await open(t)
  const own = await visit('/')
  t.match(own, { status: 200, body: Buffer.from('our own') })
  t.match((await visit('/', { host: 'live.status.test' })).body.toString(), 'Website')
  t.equal((await visit('/sign-in')).status, 200)
  for (const host of ['live.status.test', 'evil.test']) {
    t.equal((await visit('/sign-in', { host })).status, 404, host)
  }
})

t.test('without http.baseUrl every host is the service, except those of pages', async (t) => {
  const { visit } = await open(t, null)
  for (const host of ['192.168.1.5:8080', 'up.example', 'localhost', '']) {
    t.equal((await visit('/status/acme', { host })).status, 200, host)
    t.match((await visit('/', { host })).body, Buffer.from('our own'), host)
  }
  t.match((await visit('/', { host: 'live.status.test' })).body.toString(), 'Website')
  t.equal((await visit('/', { host: 'nobody.status.test' })).status, 404)
  t.equal((await visit('/status/acme', { host: 'live.status.test' })).status, 404)
})

t.test('every style sheet and script that a page names is served', async (t) => {
  const { visit } = await open(t)
  const page = (await visit('/status/acme')).body.toString()
  const named = [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, path]) => `${path}`)
  t.ok(named.length >= 2)
  for (const path of named) {
    const plain = await visit(path)
    t.equal(plain.status, 200, path)
    if (path.endsWith('.woff2')) continue
    const packed = await visit(path, { 'accept-encoding': 'gzip' })
    t.same(gunzipSync(packed.body), plain.body)
  }
})

t.test(
  'a reader over the limit sees a styled page, and what pages are made of is bounded',
  async (t) => {
    const rates = { api: null, auth: null, push: null, page: { quota: 2, windowSeconds: 3_600 } }
    const { visit, pages, page } = await open(t, 'https://up.test', { rates })
    const logo = pictureSample('png')
    await pages.setPicture(alice, page.id, 'logo', logo)
    const assetsOf = (shown: { readonly body: Buffer }) =>
      [...shown.body.toString().matchAll(/(?:href|src)="([^"]*\.(?:css|js|woff2|png))"/g)].map(
        ([, path]) => `${path}`,
      )
    const own = assetsOf(await visit('/status/acme'))
    t.ok(own.some((path) => path.includes('/pictures/logo.')))
    await visit('/status/acme')
    const refused = await visit('/status/acme')
    t.equal(refused.status, 429)
    t.match(refused.body.toString(), /<h1>Too many requests<\/h1>/)
    const assets = [...assetsOf(refused), ...own]
    t.ok(assets.includes(styleSheet.path))
    for (const path of assets) t.equal((await visit(path)).status, 200, path)
    const statuses: number[] = []
    for (let asked = assets.length; asked < 21; asked += 1) {
      statuses.push((await visit(styleSheet.path)).status)
    }
    t.same(statuses, [...statuses.slice(1).map(() => 200), 429], 'ten for each page')
  },
)

t.test('the style sheet may be cached forever, at any host', async (t) => {
  const { visit } = await open(t)
  const { status, headers, body } = await visit(styleSheet.path, { host: 'live.status.test' })
  t.equal(status, 200)
  t.equal(headers['content-type'], 'text/css; charset=utf-8')
  t.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
  t.same(body, styleSheet.bytes)
  for (const path of ['/assets/', '/assets/../main.ts', '/assets/%2e%2e/main.ts']) {
    t.equal((await visit(path)).status, 404, path)
  }
})

t.test('forms below a page are at its address and at its host, and nowhere else', async (t) => {
  const { visit, post, pages, page } = await open(t)
  const own = await visit('/status/acme/paper', { 'accept-language': 'de' })
  t.match(own, { status: 200, headers: { 'cache-control': 'no-store', 'x-robots-tag': 'noindex' } })
  t.equal(own.body.toString(), 'Acme /status/acme de')
  const host = { host: 'live.status.test' }
  t.equal((await visit('/paper', host)).body.toString(), 'Acme  en')
  const sent = await post('/status/acme/paper', 'color=blue&empty=')
  t.match(sent, { status: 303, headers: { location: '/status/acme/paper?color=blue' } })
  t.match(await post('/paper', 'color=red', host), {
    status: 303,
    headers: { location: '/paper?color=red' },
  })
  t.equal((await post('/status/acme/paper', 'empty=')).status, 422)
  for (const [path, headers] of [
    ['/paper', {}],
    ['/paper', { host: 'evil.test' }],
    ['/status/acme/paper', { host: 'evil.test' }],
    ['/status/acme/paper', host],
    ['/status/nothing-here/paper', {}],
  ] as const) {
    t.equal((await visit(path, headers)).status, 404, path)
    t.equal((await post(path, 'color=red', headers)).status, 404, path)
  }
  await pages.change(alice, page.id, { isEnabled: false })
  t.equal((await post('/status/acme/paper', 'color=blue')).status, 404)
})

t.test('a form is refused if another site sends it, or if it is no form', async (t) => {
  const { visit, post } = await open(t)
  const send = async (headers: Record<string, string>) =>
    (await post('/paper', 'color=red', { host: 'live.status.test', ...headers })).status
  t.equal(await send({ 'sec-fetch-site': 'same-origin' }), 303)
  t.equal(await send({ 'sec-fetch-site': 'none' }), 303)
  t.equal(await send({ origin: 'https://live.status.test' }), 303)
  for (const site of ['cross-site', 'same-site']) {
    t.equal(await send({ 'sec-fetch-site': site, origin: 'https://live.status.test' }), 403, site)
  }
  for (const origin of ['https://evil.test', 'null', 'https://other.status.test']) {
    t.equal(await send({ origin }), 403, origin)
  }
  t.equal(await send({ 'content-type': 'application/json' }), 415)
  t.equal(await send({ 'content-type': 'text/plain' }), 415)
  const twice = await post('/paper', 'color=red&color=blue', { host: 'live.status.test' })
  t.equal(twice.status, 400)
  const large = await post('/paper', `color=${'x'.repeat(formBytesMax)}`)
  t.equal(large.status, 413)
  t.equal((await visit('/status/acme', {}, 'POST')).status, 405)
  t.equal((await visit('/status/acme/paper', {}, 'DELETE')).status, 405)
  t.equal((await visit('/status/acme/mailed/x')).status, 405, 'it has nothing to show')
})

t.test('what mail programs post is taken from anywhere, and not read', async (t) => {
  const { post } = await open(t)
  const answer = await post('/status/acme/mailed/abc', 'List-Unsubscribe=One-Click', {
    'content-type': 'multipart/form-data; boundary=x',
    'sec-fetch-site': 'cross-site',
  })
  t.equal(answer.status, 200)
  t.equal(answer.body.toString(), 'abc ')
})

t.test('a stream tells of changes, and ends with the page', async (t) => {
  const { port, pages, page, visit } = await open(t)
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  t.teardown(() => socket.destroy())
  let received = ''
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString()
  })
  socket.write('GET /events HTTP/1.1\r\nHost: live.status.test\r\n\r\n')
  const shown = await visit('/', { host: 'live.status.test' })
  await until(() => received.includes(`event: change\ndata: ${shown.headers.etag}\n\n`))
  const named = ` data-etag='${shown.headers.etag}'`
  t.match(shown.body.toString(), named, 'the page knows that it shows this')
  t.match(received, /^HTTP\/1\.1 200 OK\r\n[\s\S]*Content-Type: text\/event-stream; charset=utf-8/)
  t.match(received, 'Cache-Control: no-store')
  t.notMatch(received, /set-cookie/i)
  await pages.change(alice, page.id, { title: 'New' })
  const { headers } = await visit('/', { host: 'live.status.test' })
  await until(() => received.includes(`event: change\ndata: ${headers.etag}\n\n`))
  await pages.change(alice, page.id, { isEnabled: false })
  await until(() => received.endsWith('0\r\n\r\n'))
  t.equal((await visit('/events', { host: 'live.status.test' })).status, 404)
  t.equal((await visit('/status/acme/events', { host: 'evil.test' })).status, 404)
})

t.test('a page with a password shows nothing to those who do not know it', async (t) => {
  const { visit, post, pages, page, pageLocks } = await open(t)
  const open1 = await visit('/status/acme', { 'accept-encoding': 'gzip' })
  t.equal(open1.status, 200)
  const setPassword = async (password: string | null) =>
    pages.change(alice, page.id, { passwordHash: (await pageLocks.hashOf(password)) ?? null })
  await setPassword('correct horse')
  const host = { host: 'live.status.test' }
  for (const [root, headers] of [
    ['/status/acme', {}],
    ['', host],
  ] as const) {
    const home = root === '' ? '/' : root
    const shut = await visit(home, { ...headers, 'if-none-match': String(open1.headers.etag) })
    t.match(shut, { status: 303, headers: { location: `${root}/unlock` } })
    t.equal(shut.headers['cache-control'], 'no-store')
    t.equal(shut.body.length, 0)
    for (const { path, isLocal } of pageResources) {
      const below = path.replace(/:\w+/g, 'x')
      const { status, body } = await visit(`${root}${below}` || '/', headers)
      t.equal(status, isLocal ? 303 : 404, `${root}${below}`)
      t.notMatch(body.toString(), /Acme|Website/)
    }
    t.equal((await visit(`${root}/events`, headers)).status, 404)
    t.match(await post(`${root}/paper`, 'color=red', headers), {
      status: 303,
      headers: { location: `${root}/unlock` },
    })
    t.equal((await post(`${root}/mailed/x`, 'a=b', headers)).status, 200, 'the mail is proof')
    const form = await visit(`${root}/unlock`, { ...headers, 'accept-language': 'de' })
    t.match(form, { status: 200, headers: { 'x-robots-tag': 'noindex' } })
    t.match(form.body.toString(), 'Statusseite ist geschützt')
    t.notMatch(form.body.toString(), /Acme|Website/)

    const wrong = await post(`${root}/unlock`, 'password=wrong+horse', headers)
    t.equal(wrong.status, 403)
    t.equal(wrong.headers['set-cookie'], undefined)
    const sent = await post(`${root}/unlock`, 'password=correct+horse', headers)
    t.match(sent, { status: 303, headers: { location: home } })
    const [set = ''] = sent.headers['set-cookie'] as string[]
    t.match(
      set,
      /^page-key=p1\.[\w.-]+; Path=[^;]+; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
    )
    t.match(set, `; Path=${home};`)
    const cookie = set.split(';')[0] ?? ''
    for (const cookies of [cookie, `page-key=p1.0.x; a=b; ${cookie}`]) {
      const shown = await visit(home, { ...headers, cookie: cookies, 'accept-encoding': 'gzip' })
      t.match(shown, { status: 200, headers: { 'cache-control': 'private, no-store' } })
      t.match(shown.headers.vary, /Cookie/)
    }
    t.equal((await visit(home, headers)).status, 303, 'it was kept for nobody else')
    t.equal((await visit(home, { ...headers, cookie: `${cookie}x` })).status, 303)
    t.equal((await visit(home, { ...headers, cookie }, 'HEAD')).status, 200)
  }
  const plain = await post('/unlock', 'password=correct+horse', {
    ...host,
    origin: 'http://live.status.test',
  })
  t.notMatch(plain.headers['set-cookie'], /Secure/, 'a reader by plain http keeps it too')
  const [own = ''] = plain.headers['set-cookie'] as string[]
  const cookie = own.split(';')[0] ?? ''
  t.equal((await visit('/', { ...host, cookie })).status, 200)
  await setPassword('another horse')
  t.equal((await visit('/', { ...host, cookie })).status, 303, 'a new password ends all keys')
  await setPassword(null)
  t.equal((await visit('/', host)).status, 200)
  t.match(await visit('/unlock', host), { status: 303, headers: { location: '/' } })
})

t.test('after the password a reader is where the link led, and nowhere else', async (t) => {
  const { visit, post, pages, page, pageLocks } = await open(t)
  const passwordHash = (await pageLocks.hashOf('correct horse')) ?? null
  await pages.change(alice, page.id, { passwordHash })
  const to = async (text: string) => {
    const sent = await post(
      '/status/acme/unlock',
      `password=correct+horse&to=${encodeURIComponent(text)}`,
    )
    return sent.headers.location
  }
  t.equal(await to('/history'), '/status/acme/history')
  for (const text of [
    '//evil.test',
    'https://evil.test',
    '/a\r\nX: y',
    '/\\evil.test',
    '/a?b=c',
    '/',
  ]) {
    t.equal(await to(text), '/status/acme', JSON.stringify(text))
  }
  const form = await visit('/status/acme/unlock?to=%2Fhistory%22%3E%3Cscript%3E')
  t.notMatch(form.body.toString(), /<script>|name="to"/)
  t.equal((await post('/status/acme/unlock', '')).status, 403)
  t.equal((await post('/status/acme/unlock', `password=${'x'.repeat(5_000)}`)).status, 403)
  t.notOk(
    pages.listed().some(({ id }) => id === page.id),
    'the front page does not name it',
  )
})

t.test(
  'a picture is below its page, for ever under one address, and nothing but a picture',
  async (t) => {
    const { visit, pages, page } = await open(t)
    const sent = pictureSample('jpeg')
    const { pictures } = await pages.setPicture(alice, page.id, 'logo', sent)
    const path = `/pictures/logo.${pictures.logo?.hash}.jpeg`
    const host = { host: 'live.status.test' }
    const home = String((await visit('/', host)).body)
    t.match(home, `<img class="logo" src="${path}" alt="" width="24" height="16">`)
    for (const [root, headers] of [
      ['/status/acme', {}],
      ['', host],
    ] as const) {
      const answer = await visit(root + path, headers)
      t.match(answer, {
        status: 200,
        headers: {
          'content-type': 'image/jpeg',
          'cache-control': 'public, max-age=31536000, immutable',
          'content-security-policy': "default-src 'none'; sandbox",
          'x-content-type-options': 'nosniff',
          'access-control-allow-origin': undefined,
        },
      })
      t.notOk(answer.body.includes('SECRET'), 'a photo does not say where it was taken')
    }
    for (const other of [
      'logo.0000000000000000.jpeg',
      path.slice(10).replace('logo', 'cover'),
      'x',
    ]) {
      t.equal((await visit(`/pictures/${other}`, host)).status, 404, other)
    }
    await pages.setPicture(alice, page.id, 'favicon', pictureSample('png'))
    t.match(
      String((await visit('/', host)).body),
      /<link rel="icon" href="\/pictures\/favicon\.\w+\.png">/,
    )
    await pages.setPicture(alice, page.id, 'logo', null)
    t.equal((await visit(path, host)).status, 404, 'a picture that was removed is gone')
    t.notMatch(String((await visit('/', host)).body), 'class="logo"')
  },
)

t.test('a page with a password hides its pictures as it hides itself', async (t) => {
  const { visit, post, pages, page, pageLocks } = await open(t)
  const { pictures } = await pages.setPicture(alice, page.id, 'cover', pictureSample('webp'))
  const path = `/status/acme/pictures/cover.${pictures.cover?.hash}.webp`
  t.equal((await visit(path)).status, 200)
  const passwordHash = (await pageLocks.hashOf('correct horse')) ?? null
  await pages.change(alice, page.id, { passwordHash })
  t.equal((await visit(path)).status, 404)
  const sent = await post('/status/acme/unlock', 'password=correct+horse')
  const [set = ''] = sent.headers['set-cookie'] as string[]
  const shown = await visit(path, { cookie: set.split(';')[0] ?? '' })
  t.match(shown, { status: 200, headers: { 'cache-control': 'private, no-store' } })
})

t.test(
  'the own style sheet of a page is a file below it, under a name that changes with it',
  async (t) => {
    const { visit, post, pages, page, pageLocks } = await open(t)
    const css = 'h1 { color: #123456 }'
    await pages.change(alice, page.id, { css })
    const home = String((await visit('/status/acme')).body)
    const [, path = ''] =
      /<link rel="stylesheet" href="(\/status\/acme\/styles\/[^"]+)">/.exec(home) ?? []
    t.ok(home.indexOf(path) > home.indexOf('/assets/page.'), 'it is the last one')
    const sheet = await visit(path)
    t.match(sheet, {
      status: 200,
      headers: {
        'content-type': 'text/css; charset=utf-8',
        'cache-control': 'public, max-age=31536000, immutable',
      },
    })
    t.equal(String(sheet.body), css)
    t.equal((await visit(`${path.slice(0, -5)}x.css`)).status, 404)
    const passwordHash = (await pageLocks.hashOf('correct horse')) ?? null
    await pages.change(alice, page.id, { passwordHash })
    t.equal((await visit(path)).status, 404, 'it is hidden with its page')
    t.equal((await post('/status/acme/unlock', 'password=correct+horse')).status, 303)
    await pages.change(alice, page.id, { css: '', passwordHash: null })
    t.equal((await visit(path)).status, 404)
    t.notMatch(String((await visit('/status/acme')).body), '/styles/')
  },
)
