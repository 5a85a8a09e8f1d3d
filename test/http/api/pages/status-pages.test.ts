// The status page operations of the API: bodies, envelopes, roles and the subdomain endpoint.
import t, { type Test } from 'tap'
import { statusPages } from '../../../../src/http/api/pages/status-pages.ts'
import { atPrefix } from '../../../../src/http/routing/route.ts'
import { createPageUrls } from '../../../../src/services/pages/page-urls.ts'
import { createPages } from '../../../../src/services/pages/pages.ts'
import { createPublicPages } from '../../../../src/services/pages/public-pages.ts'
import { openAddressChanges } from '../../../support/address-changes.ts'
import { openCore } from '../../../support/core.ts'
import { orgA, orgB, startTestHttp } from '../../../support/http.ts'
import { makeMonitor, monitorNo } from '../../../support/make-page.ts'
import { openPageLocks } from '../../../support/page-locks.ts'
import { pictureSample } from '../../../support/picture-files.ts'

async function open(t: Test) {
  const core = openCore(t)
  const { store, clock, baseUrl } = core
  const statusDomain = 'status.test'
  const urls = createPageUrls({ store, baseUrl, statusDomain })
  const places = { urls, addresses: openAddressChanges(), listsPages: () => true }
  const hooks = { changed: () => {}, mustBeApproved: () => {} }
  const pages = createPages(core, { ...places, ...hooks })
  const publicPages = createPublicPages({ store, clock, urls })
  const server = await startTestHttp({
    routes: atPrefix('/api/v1', statusPages),
    services: {
      pages,
      pageLocks: openPageLocks(clock),
      publicPages,
    },
  })
  t.teardown(() => server.stop())
  await store.write((tx) => store.monitors.put(tx, makeMonitor({ orgId: orgA })))
  const at = (rest = '', org: string = orgA) => `/api/v1/orgs/${org}/status-pages${rest}`
  const send = (
    method: string,
    rest: string,
    json: unknown,
    headers: Record<string, string> = {},
  ) => server.ask(at(rest), { as: 'alice', method, json, headers })
  return { server, store, at, send, publicPages, create: (json: unknown) => send('POST', '', json) }
}

const everyField = {
  name: 'Acme',
  slug: 'acme',
  isEnabled: true,
  isDefault: true,
  title: 'Acme status',
  description: 'All of it',
  logoUrl: 'https://logo.test/a.png',
  showHistory: true,
  showUptime: false,
  showIncidents: true,
  showMonitors: true,
  publicMonitorIds: [monitorNo(1)],
}

t.test('a page is created from exactly the fields of the interface', async (t) => {
  const { create } = await open(t)
  const { status, json, headers } = await create(everyField)
  t.equal(status, 200)
  t.match(json, { success: true, message: 'Status page created', data: everyField })
  t.match(json.data, {
    id: /^pag_/,
    orgId: orgA,
    subdomain: null,
    subdomainUrl: null,
    url: 'https://up.test/status/acme',
    createdAt: /Z$/,
    updatedAt: /Z$/,
  })
  t.ok(headers.get('etag'))
  const bare = (await create({ name: 'Second' })).json.data
  t.match(bare, { slug: 'second', title: 'Second', publicMonitorIds: null, isDefault: false })
  t.equal(bare.showLocations, false, 'names of locations are shown on request')
  const named = await create({ name: 'Third', showLocations: true })
  t.equal(named.json.data.showLocations, true)
  t.match((await create(everyField)).json, { status: 409, code: 'slug_taken' })
})

t.test('sections, theme, language and time zone are kept, merged and cleared', async (t) => {
  const { send, create } = await open(t)
  const own = {
    sections: [{ name: 'Core', monitorIds: [monitorNo(1)] }],
    theme: { accent: '#1F6FEB', mode: 'dark' },
    look: 'slate',
    language: 'ar',
    timezone: 'Asia/Tokyo',
    noindex: true,
    showMonitoredBy: false,
    showResponseTimes: false,
    allowsSubscribers: false,
  }
  const { data } = (await create({ ...everyField, ...own })).json
  t.match(data, { ...own, theme: { accent: '#1f6feb', mode: 'dark' } })
  const merged = await send('PATCH', `/${data.id}`, { theme: { mode: null }, timezone: null })
  t.match(merged.json.data, {
    theme: { accent: '#1f6feb', mode: 'auto' },
    timezone: null,
    language: 'ar',
  })
  const cleared = await send('PATCH', `/${data.id}`, {
    theme: null,
    look: null,
    sections: null,
    language: null,
  })
  t.match(cleared.json.data, {
    theme: { accent: null, mode: 'auto' },
    look: 'plain',
    sections: [],
    language: null,
  })
  t.match((await create({ name: 'Bare' })).json.data, {
    sections: [],
    theme: { accent: null, mode: 'auto' },
    language: null,
    timezone: null,
    noindex: false,
    showMonitoredBy: true,
    showResponseTimes: true,
    allowsSubscribers: true,
  })
})

t.test('an invalid field is named; an unknown one is refused', async (t) => {
  const { create } = await open(t)
  for (const [body, pointer] of [
    [{}, '/name'],
    [{ name: '' }, '/name'],
    [{ name: '   ' }, '/name'],
    [{ name: 'x'.repeat(121) }, '/name'],
    [{ name: 'A', slug: 'Not A Slug' }, '/slug'],
    [{ name: 'A', slug: 'x'.repeat(64) }, '/slug'],
    [{ name: 'A', title: 'x'.repeat(201) }, '/title'],
    [{ name: 'A', isEnabled: 'yes' }, '/isEnabled'],
    [{ name: 'A', look: 'neon' }, '/look'],
    [{ name: 'A', css: 'a { background: url(x) }' }, '/css'],
    [{ name: 'A', css: 'x'.repeat(16 * 1024 + 1) }, '/css'],
    [{ name: 'A', logoUrl: 'javascript:alert(1)' }, '/logoUrl'],
    [{ name: 'A', publicMonitorIds: [monitorNo(7)] }, '/publicMonitorIds/0'],
    [{ name: 'A', publicMonitorIds: ['nonsense'] }, '/publicMonitorIds/0'],
    [{ name: 'A', html: '<b>' }, '/html'],
    [{ name: 'A', timezone: 'Mars/Olympus' }, '/timezone'],
    [{ name: 'A', language: 'tlh' }, '/language'],
    [{ name: 'A', theme: { accent: 'red' } }, '/theme/accent'],
    [{ name: 'A', theme: { mode: 'sepia' } }, '/theme/mode'],
    [{ name: 'A', sections: [{ name: ' ', monitorIds: [] }] }, '/sections/0/name'],
    [
      { name: 'A', sections: [{ name: 'x', monitorIds: [monitorNo(7)] }] },
      '/sections/0/monitorIds/0',
    ],
    [
      { name: 'A', sections: [{ name: 'x', monitorIds: [monitorNo(1), monitorNo(1)] }] },
      '/sections/0/monitorIds/1',
    ],
    [
      { name: 'A', publicMonitorIds: [], sections: [{ name: 'x', monitorIds: [monitorNo(1)] }] },
      '/sections/0/monitorIds/0',
    ],
  ] as const) {
    const { status, json } = await create(body)
    t.equal(status, 422, JSON.stringify(body))
    t.ok(
      json.errors.some((error: { pointer: string }) => error.pointer === pointer),
      `${pointer} in ${JSON.stringify(json.errors)}`,
    )
  }
})

t.test('reading, changing and deleting one, with If-Match honoured', async (t) => {
  const { server, at, send, create } = await open(t)
  const { data } = (await create(everyField)).json
  const read = await server.ask(at(`/${data.id}`), { as: 'bob' })
  t.same(read.json.data, data)
  const etag = read.headers.get('etag') ?? ''
  const patched = await send(
    'PATCH',
    `/${data.id}`,
    { title: null, slug: 'new' },
    { 'if-match': etag },
  )
  t.match(patched.json.data, { title: 'Acme', slug: 'new', description: 'All of it' })
  const late = await send('PATCH', `/${data.id}`, { title: 'x' }, { 'if-match': etag })
  t.match(late.json, { status: 412, code: 'precondition_failed' })
  await create({ name: 'Newer' })
  const listed = await server.ask(at('?limit=1'), { as: 'bob' })
  t.match(listed.json, { data: [{ name: 'Newer' }], meta: { limit: 1, nextCursor: /./ } })
  const removed = await server.ask(at(`/${data.id}`), { as: 'alice', method: 'DELETE' })
  t.match(removed.json, { success: true, message: 'Status page deleted' })
  t.equal((await server.ask(at(`/${data.id}`), { as: 'alice' })).status, 404)
})

t.test('the subdomain endpoint sets and removes, in the envelope of the interface', async (t) => {
  const { send, create } = await open(t)
  const { id } = (await create({ name: 'Acme' })).json.data
  const set = (subdomain: unknown) => send('PATCH', `/${id}/subdomain`, { subdomain })
  const done = await set('acme')
  t.equal(done.status, 200)
  t.same(Object.keys(done.json).sort(), ['data', 'message', 'success'])
  t.match(done.json, { success: true, message: 'Subdomain set', data: { subdomain: 'acme' } })
  t.equal(done.json.data.subdomainUrl, 'https://acme.status.test/')
  for (const nothing of [null, '']) {
    await set('acme')
    t.match((await set(nothing)).json, { message: 'Subdomain removed', data: { subdomain: null } })
  }
  for (const bad of ['www', 'a.b', 'A', '-a', 'x'.repeat(64), 7]) {
    const { status, json } = await set(bad)
    t.equal(status, 422, String(bad))
    t.match(json.errors, [{ pointer: '/subdomain' }])
  }
  t.equal((await send('PATCH', `/${id}/subdomain`, {})).status, 422)
})

t.test('viewers read, admins write, strangers find nothing', async (t) => {
  const { server, at, create } = await open(t)
  const { id } = (await create({ name: 'Acme' })).json.data
  const writes = [
    ['POST', '', { name: 'B' }],
    ['PATCH', `/${id}`, { name: 'B' }],
    ['PATCH', `/${id}/subdomain`, { subdomain: 'b' }],
    ['DELETE', `/${id}`, undefined],
  ] as const
  for (const [method, rest, json] of writes) {
    const ask = (who: object, org?: string) => server.ask(at(rest, org), { ...who, method, json })
    t.equal((await ask({ as: 'bob' })).status, 403)
    t.equal((await ask({ key: 'key-member' })).status, 403)
    t.equal((await ask({ as: 'charlie' })).status, 404)
    t.equal((await ask({})).status, 401)
    if (rest !== '')
      t.equal((await ask({ as: 'charlie' }, orgB)).status, 404, 'in one’s own as well')
  }
  t.equal((await server.ask(at(), { key: 'key-viewer' })).status, 200)
  const json = { name: 'By key' }
  t.equal((await server.ask(at(), { key: 'key-admin', method: 'POST', json })).status, 200)
})

t.test('a password can be set, changed and removed, and is never shown', async (t) => {
  const { create, send, server, at, store } = await open(t)
  const made = await create({ ...everyField, password: 'correct horse' })
  t.match(made.json.data, { hasPassword: true })
  const { id } = made.json.data
  const list = await server.ask(at(), { as: 'alice' })
  for (const text of [made.text, list.text])
    t.notMatch(text, /horse|argon2|passwordHash|"password"/)
  const hashOf = () => store.pages.get(orgA, id)?.passwordHash
  const first = hashOf()
  t.match(first, /^\$argon2id\$/)
  const renamed = await send('PATCH', `/${id}`, { title: 'New' })
  t.match(renamed.json.data, { hasPassword: true })
  t.equal(hashOf(), first, 'what is not named stays')
  t.match((await send('PATCH', `/${id}`, { password: 'another horse' })).status, 200)
  t.not(hashOf(), first)
  for (const none of [null, '']) {
    await send('PATCH', `/${id}`, { password: 'another horse' })
    t.match((await send('PATCH', `/${id}`, { password: none })).json.data, { hasPassword: false })
    t.equal(hashOf(), null)
  }
  for (const password of ['1234567', 'x'.repeat(129), 8, ['correct horse']]) {
    const refused = await send('PATCH', `/${id}`, { password })
    t.equal(refused.status, 422)
    t.match(refused.json.errors, [{ pointer: '/password' }])
  }
  t.equal(hashOf(), null)
})

t.test('a preview is the document of fields that are not stored', async (t) => {
  const { send, server, at } = await open(t)
  const sections = [{ name: 'Shop <1>', monitorIds: [monitorNo(1)] }]
  const { status, json } = await send('POST', '/preview', {
    ...everyField,
    isEnabled: false,
    sections,
    language: 'de',
  })
  t.equal(status, 200)
  t.match(json.data.html, /^<!doctype html>/)
  t.match(json.data.html, '<html lang="de"')
  t.match(json.data.html, 'Acme status')
  t.match(json.data.html, 'Shop &lt;1&gt;')
  const { json: list } = await server.ask(at(), { as: 'alice' })
  t.same(list.data, [], 'nothing is stored')
  const refused = await send('POST', '/preview', { name: 'Acme', publicMonitorIds: [monitorNo(9)] })
  t.equal(refused.status, 422)
  t.match(refused.json, { errors: [{ pointer: '/publicMonitorIds/0' }] })
})

t.test(
  'a picture is set, read and removed; the page says what it is, and gets a new revision',
  async (t) => {
    const { server, at, send, create, store } = await open(t)
    const { id } = (await create({ name: 'Acme' })).json.data
    const path = `/${id}/pictures/logo`
    const data = pictureSample('jpeg').toString('base64')
    const { json } = await send('PUT', path, { data })
    t.match(json, { message: 'Picture set', data: { id, revision: 2 } })
    t.match(json.data.pictures, {
      logo: {
        format: 'jpeg',
        widthPx: 24,
        heightPx: 16,
        url: /acme\/pictures\/logo\.\w{16}\.jpeg$/,
      },
      cover: null,
      favicon: null,
    })
    const read = await server.ask(at(path), { as: 'alice' })
    t.match(read.json.data, { format: 'jpeg', widthPx: 24, heightPx: 16 })
    const bytes = Buffer.from(read.json.data.data, 'base64')
    t.notOk(bytes.includes('SECRET'), 'what the camera noted is not kept')
    t.match((await send('PUT', path, { data }, { 'if-match': '"1"' })).json, { status: 412 })
    const drawn = await send('POST', '/preview', { name: 'Acme', statusPageId: id })
    t.match(drawn.json.data.html, `src="data:image/jpeg;base64,${bytes.toString('base64')}"`)
    t.match(
      (
        await send('POST', '/preview', {
          name: 'A',
          statusPageId: 'pag_01k0000000000000000000000z',
        })
      ).json,
      {
        status: 404,
      },
    )
    const removed = await send('DELETE', path, undefined)
    t.match(removed.json, { message: 'Picture removed', data: { pictures: { logo: null } } })
    t.equal((await server.ask(at(path), { as: 'alice' })).json.status, 404)
    await send('PUT', path, { data })
    await send('DELETE', `/${id}`, undefined)
    const page = { orgId: orgA, id }
    t.equal(store.pages.picture(page, 'logo'), undefined, 'it is deleted with its page')
  },
)

t.test('what is no picture is refused with the field and the rule', async (t) => {
  const { send, create } = await open(t)
  const { id } = (await create({ name: 'Acme' })).json.data
  const refusal = async (json: unknown, kind = 'logo') =>
    (await send('PUT', `/${id}/pictures/${kind}`, json)).json
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64')
  t.match(await refusal({ data: svg }), {
    status: 422,
    errors: [{ pointer: '/data', message: 'must be a PNG, JPEG or WebP picture' }],
  })
  t.match(await refusal({ data: 'no base64!' }), {
    status: 422,
    errors: [{ pointer: '/data', message: 'must be base64' }],
  })
  t.match(await refusal({ data: 'A'.repeat(700_000) }), { status: 422 })
  t.match(await refusal({ data: 'A'.repeat(800_000) }), { status: 413 })
  t.match(await refusal({}), { status: 422, errors: [{ pointer: '/data' }] })
  t.match(await refusal({ data: svg }, 'banner'), { status: 404 })
})

t.test(
  'a preview has its style sheet at an address of its own, and nothing is stored',
  async (t) => {
    const { send, publicPages } = await open(t)
    const css = 'h1 { color: #123456 }'
    const { html } = (await send('POST', '/preview', { name: 'Acme', css })).json.data
    const [, file = ''] = /href="\/assets\/draft\/([\w-]{22}\.css)"/.exec(html) ?? []
    t.equal(publicPages.draftStyle(file), css)
    t.equal(publicPages.draftStyle('other.css'), undefined)
  },
)
