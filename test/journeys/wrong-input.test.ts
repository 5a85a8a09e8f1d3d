// Wrong input: each mistake has its status, its code and its pointer, and nothing is stored.
import { request } from 'node:http'
import t from 'tap'
import type { AskOptions } from '../support/api-client.ts'
import { mintKey, registerWithKey } from '../support/cast.ts'
import { startDaemon } from '../support/daemon.ts'

const daemon = await startDaemon(t)
const alice = await registerWithKey(daemon)
const charlie = await registerWithKey(daemon, 'charlie')
const other = await mintKey(daemon, alice)
const { org, key } = alice
const good = { name: 'Shop', url: 'http://127.0.0.1:9/' }
const hook = { name: 'Hook', type: 'webhook', config: { url: 'http://127.0.0.1:9/' } }
const foreign = await daemon.need('POST', `${charlie.org}/alert-channels`, {
  key: charlie.key,
  json: hook,
})

/** How many there are of everything that a request could have made. */
async function counts(): Promise<number[]> {
  const kinds = ['monitors', 'alert-channels', 'status-pages', 'api-keys', 'incidents']
  const lists = kinds.map((kind) =>
    daemon.need('GET', `${org}/${kind}?limit=200`, { cookie: alice.cookie }),
  )
  return (await Promise.all(lists)).map((list) => list.length)
}

const typed = { 'content-type': 'application/json' }
const text = (body: string, headers: Record<string, string> = typed): AskOptions => ({
  body,
  headers,
})
const sent = (fields: object): AskOptions => ({ json: { ...good, ...fields } })
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

interface Mistake {
  readonly path?: string
  readonly options: AskOptions
  readonly status: number
  readonly code: string
  readonly pointer?: string
}

const invalid = { status: 422, code: 'validation_failed' }
const malformed = { status: 400, code: 'malformed_json' }
const mistakes: Record<string, Mistake> = {
  'an unknown field': { options: sent({ nmae: 'x' }), ...invalid, pointer: '/nmae' },
  'a field that only the server sets': {
    options: sent({ id: 'mon_1' }),
    ...invalid,
    pointer: '/id',
  },
  'the owner as a field': {
    options: sent({ orgId: charlie.orgId }),
    ...invalid,
    pointer: '/orgId',
  },
  'a wrong type': {
    options: sent({ intervalMinutes: '5' }),
    ...invalid,
    pointer: '/intervalMinutes',
  },
  'a fraction': {
    options: sent({ intervalMinutes: 1.5 }),
    ...invalid,
    pointer: '/intervalMinutes',
  },
  'too small a number': {
    options: sent({ intervalMinutes: 0 }),
    ...invalid,
    pointer: '/intervalMinutes',
  },
  'a word that is none of the list': {
    options: sent({ checkType: 'telepathy' }),
    ...invalid,
    pointer: '/checkType',
  },
  'no name': { options: { json: { url: good.url } }, ...invalid, pointer: '/name' },
  'no URL': { options: { json: { name: 'Shop' } }, ...invalid, pointer: '/url' },
  'a URL that is none': { options: sent({ url: 'not a url' }), ...invalid, pointer: '/url' },
  'a file: URL': { options: sent({ url: 'file:///etc/passwd' }), ...invalid, pointer: '/url' },
  'a URL with a password': {
    options: sent({ url: 'http://me:secret-word@127.0.0.1/' }),
    ...invalid,
    pointer: '/url',
  },
  'the address of cloud metadata': {
    options: sent({ url: 'http://169.254.169.254/latest/meta-data/' }),
    status: 422,
    code: 'target_not_allowed',
    pointer: '/url',
  },
  'the channel of another organization': {
    options: sent({ notifyChannelIds: [foreign.id] }),
    ...invalid,
    pointer: '/notifyChannelIds/0',
  },
  'a channel that never was': {
    options: sent({ notifyChannelIds: ['chn_01jd0000000000000000000000'] }),
    ...invalid,
    pointer: '/notifyChannelIds/0',
  },
  'a header with a line break': {
    options: sent({ headers: { 'X-A': 'a\r\nX-B: b' } }),
    ...invalid,
    pointer: '/headers/X-A',
  },
  'a header that only notifications of ours have': {
    options: sent({ headers: { 'Webhook-Signature': 'v1,x' } }),
    ...invalid,
    pointer: '/headers/Webhook-Signature',
  },
  'a name of two lines': { options: sent({ name: 'a\nb' }), ...invalid, pointer: '/name' },
  'a body of more bytes than letters': {
    options: sent({ method: 'POST', body: '€'.repeat(30_000) }),
    ...invalid,
    pointer: '/body',
  },
  'a path that is no JSONPath': {
    options: sent({ responseAssertionType: 'jsonPath', responseAssertionPath: 'status' }),
    ...invalid,
    pointer: '/responseAssertionPath',
  },
  'HEAD beside a rule about the body': {
    options: sent({ method: 'HEAD', bodyContains: 'ok' }),
    ...invalid,
    pointer: '/method',
  },
  'a regex that explodes': {
    options: sent({ responseAssertionType: 'regex', responseAssertionValue: '(' }),
    ...invalid,
    pointer: '/responseAssertionValue',
  },
  'a megabyte': {
    options: sent({ body: 'x'.repeat(1024 * 1024) }),
    status: 413,
    code: 'body_too_large',
  },
  'broken JSON': { options: text('{"name": "Shop",'), ...malformed },
  'no UTF-8': { options: { body: Buffer.from([0x22, 0xff, 0x22]), headers: typed }, ...malformed },
  'a key twice': {
    options: text('{"name":"a","name":"b","url":"http://127.0.0.1:9/"}'),
    ...malformed,
  },
  __proto__: {
    options: text('{"name":"a","url":"http://127.0.0.1:9/","__proto__":{"isAdmin":true}}'),
    ...malformed,
  },
  'deep nesting': { options: text(`{"name":${nested(40)}}`), ...malformed },
  'nesting without an end': { options: text(nested(30_000)), ...malformed },
  'a list in place of an object': { options: text('[]'), ...invalid, pointer: '' },
  null: { options: text('null'), ...invalid, pointer: '' },
  'no body at all': { options: {}, ...invalid, pointer: '/name' },
  'a form': {
    options: text('name=Shop', { 'content-type': 'application/x-www-form-urlencoded' }),
    status: 415,
    code: 'unsupported_media_type',
  },
  'plain text': {
    options: text(JSON.stringify(good), { 'content-type': 'text/plain' }),
    status: 415,
    code: 'unsupported_media_type',
  },
  'two different keys': {
    options: { json: good, bearer: other },
    status: 400,
    code: 'invalid_parameter',
  },
  'a channel without a URL': {
    path: 'alert-channels',
    options: { json: { ...hook, config: {} } },
    ...invalid,
    pointer: '/config/url',
  },
  'a channel of no kind': {
    path: 'alert-channels',
    options: { json: { ...hook, type: 'carrier-pigeon' } },
    ...invalid,
    pointer: '/type',
  },
  'a page with a monitor that is not public': {
    path: 'status-pages',
    options: { json: { name: 'P', publicMonitorIds: ['mon_01jd0000000000000000000000'] } },
    ...invalid,
    pointer: '/publicMonitorIds/0',
  },
  'a slug with capitals': {
    path: 'status-pages',
    options: { json: { name: 'P', slug: 'My Page' } },
    ...invalid,
    pointer: '/slug',
  },
}

for (const [what, { path = 'monitors', options, status, code, pointer }] of Object.entries(
  mistakes,
)) {
  t.test(`${what} is refused with ${status} ${code}, and nothing is stored`, async (t) => {
    const before = await counts()
    const answer = await daemon.ask('POST', `/api/v1${org}/${path}`, { key, ...options })
    t.match(answer, { status, json: { code, success: false } }, answer.text)
    const { errors = [] } = answer.json
    const pointers = errors.map((error: { pointer: string }) => error.pointer)
    if (pointer === undefined) t.same(pointers, [])
    else t.ok(pointers.includes(pointer), `${pointers} should name ${pointer}`)
    t.same(await counts(), before)
    t.notMatch(answer.text, /secret-word/, 'what was sent is not sent back')
  })
}

t.test('every mistake in a body is reported at once', async (t) => {
  const { json } = await daemon.ask('POST', `/api/v1${org}/monitors`, {
    key,
    json: { url: 5, timeoutMs: -1, isActive: 'yes', colour: 'red' },
  })
  const pointers = json.errors.map((error: { pointer: string }) => error.pointer).toSorted()
  t.same(pointers, ['/colour', '/isActive', '/name', '/timeoutMs', '/url'])
})

t.test('a wrong query, cursor or path differs from a missing object', async (t) => {
  const ask = (path: string) => daemon.ask('GET', `/api/v1${org}${path}`, { key })
  t.match(await ask('/monitors?limit=0'), { status: 400, json: { code: 'invalid_parameter' } })
  t.match(await ask('/monitors?limit=201'), { status: 400 })
  t.match(await ask('/monitors?sort=name'), { status: 400, json: { code: 'invalid_parameter' } })
  t.match(await ask('/monitors?cursor=abc'), { status: 400, json: { code: 'invalid_cursor' } })
  t.match(await ask('/monitors/mon_nonsense'), { status: 404, json: { code: 'not_found' } })
  t.match(await ask('/nonsense'), { status: 404, json: { code: 'not_found' } })
  const put = await daemon.ask('PUT', `/api/v1${org}/monitors`, { key, json: {} })
  t.match(put, { status: 405, json: { code: 'method_not_allowed' } })
  t.match(put.headers.get('allow'), /GET, HEAD/)
})

t.test('a request that another site causes is refused where the cookie carries it', async (t) => {
  const before = await counts()
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }]) {
    const status = await rawPost(`/api/v1${org}/monitors`, {
      ...headers,
      cookie: `auth-token=${alice.cookie}`,
    })
    t.equal(status, 403)
    t.equal(await rawPost(`/api/v1${org}/monitors`, { ...headers, 'x-api-key': key }), 200)
  }
  t.same(await counts(), [(before[0] ?? 0) + 2, ...before.slice(1)])
})

/** The status; fetch would not send these headers. */
function rawPost(path: string, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sending = request(daemon.url + path, {
      method: 'POST',
      headers: { ...headers, ...typed },
    })
    sending.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sending.on('error', reject).end(JSON.stringify(good))
  })
}

t.test('one answer names every problem of a request', async (t) => {
  const pointers = async (path: string, json: unknown, headers: Record<string, string>) => {
    const refused = await daemon.ask('POST', `/api/v1${path}`, { json, headers })
    t.equal(refused.status, 422, path)
    return refused.json.errors.map(({ pointer }: { pointer: string }) => pointer)
  }
  const byKey = { 'x-api-key': key }
  const page = { name: ' ', logoUrl: 'https://a:b@logo.test/', isEnabled: 'yes' }
  const lost = ['mon_01k0000000000000000000000y', 'mon_01k0000000000000000000000z']
  const asked = { ...page, publicMonitorIds: lost }
  t.same(await pointers(`${org}/status-pages`, asked, byKey), [
    ...['/name', '/isEnabled', '/logoUrl', '/publicMonitorIds/0', '/publicMonitorIds/1'],
  ])
  const person = {
    firstName: 5,
    lastName: 'B',
    email: 'b',
    country: 'XX',
    dateOfBirth: '1999-02-30',
  }
  t.same(await pointers('/identity/kyc/verify', person, { 'auth-token': alice.cookie }), [
    ...['/firstName', '/email', '/dateOfBirth', '/country'],
  ])
  const channelId = 'chn_01k0000000000000000000000z'
  const [inside] = lost
  const document = {
    format: 'stillup/1',
    exportedAt: 'yesterday',
    channels: [{ id: channelId, name: 'Hook', type: 'fax', config: {} }, 5],
    monitors: [
      { ...good, id: inside, notifyChannelIds: [channelId] },
      { ...good, timeoutMs: 60_000, intervalSeconds: 10 },
      { ...good, name: 7 },
    ],
    statusPages: [
      { name: 'P', subdomain: 'admin', publicMonitorIds: [inside], logoUrl: 'http://logo.test/' },
      { name: ' ' },
    ],
  }
  t.same(await pointers(`${org}/import`, document, byKey), [
    ...['/exportedAt', '/channels/0/type', '/channels/1', '/monitors/1/timeoutMs'],
    ...['/monitors/2/name', '/statusPages/0/logoUrl'],
    ...['/statusPages/0/publicMonitorIds/0', '/statusPages/0/subdomain', '/statusPages/1/name'],
  ])
  for (const json of [null, [], 'text', { format: 'stillup/1', monitors: { a: 1 } }]) {
    const refused = await daemon.ask('POST', `/api/v1${org}/import`, { json, key })
    t.equal(refused.status, 422, JSON.stringify(json))
  }
})
