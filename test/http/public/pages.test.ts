// Public pages as a visitor's browser meets them: addresses, hosts, headers and caching.
import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { statusPages } from '../../../src/http/public/pages.ts'
import { get, resource } from '../../../src/http/routing/route.ts'
import { styleSheet } from '../../../src/pages/style-sheet.ts'
import { createAudit } from '../../../src/services/audit/audit.ts'
import type { OrgScope } from '../../../src/services/context.ts'
import { createPages } from '../../../src/services/pages/pages.ts'
import { createPublicPages } from '../../../src/services/pages/public-pages.ts'
import { callerOf } from '../../support/access.ts'
import { startTestHttp } from '../../support/http.ts'
import { makeMonitor, orgOne } from '../../support/make-page.ts'
import { openQuotas } from '../../support/quotas.ts'
import { openTempStore } from '../../support/temp-store.ts'

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

async function open(t: Test, baseUrl: string | null = 'https://up.test') {
  const isBaseGuessed = baseUrl === null
  const { store, clock } = openTempStore(t)
  const publicPages = createPublicPages({ store })
  const audit = createAudit({ store, clock })
  const quotas = openQuotas(store)
  const pages = createPages({
    store,
    clock,
    audit,
    quotas,
    baseUrl: baseUrl ?? 'http://127.0.0.1:8080',
    statusDomain,
    listsPages: true,
    mustBeApproved() {},
  })
  const hosts = statusPages({
    baseUrl: baseUrl ?? 'http://127.0.0.1:8080',
    isBaseGuessed,
    statusDomain,
  })
  const site = { ...hosts, routes: paperSite }
  const server = await startTestHttp({
    rawRoutes: hosts.routes,
    site,
    services: { pages, publicPages },
  })
  t.teardown(() => server.stop())
  await store.write((tx) => store.monitors.put(tx, makeMonitor()))
  const page = await pages.create(alice, { name: 'Acme' })
  await pages.setSubdomain(alice, page.id, 'live')

  /** fetch would not let the Host be chosen. */
  function visit(path: string, headers: Record<string, string> = {}, method = 'GET') {
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
        asked.on('error', reject).end()
      },
    )
  }
  return { visit, pages, page }
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
      "default-src 'none'; style-src 'self'; img-src 'self' https: data:; " +
      "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
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
  for (const encoding of ['gzip;q=0', 'br', 'xgzip', '']) {
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
