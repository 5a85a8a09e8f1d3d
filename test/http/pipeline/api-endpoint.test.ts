// The conventions that every operation of the API shares.
import { once } from 'node:events'
import { connect } from 'node:net'
import t from 'tap'
import { orgA, orgB, startTestHttp, systemToken } from '../../support/http.ts'
import { noteId, notesApi } from '../../support/http-routes.ts'

const world = { made: 0, aborted: 0, release: () => {} }
const disk = { hasRoom: true }
const http = await startTestHttp({
  routes: notesApi(world),
  hasRoom: () => disk.hasRoom,
})
t.teardown(() => http.stop())
const notes = `/api/v1/orgs/${orgA}/notes`

t.test(
  'a success has the envelope, the picked fields and the headers of every answer',
  async (t) => {
    const { status, json, headers } = await http.ask(`${notes}/${noteId}`, { as: 'bob' })
    t.equal(status, 200)
    t.same(json, { success: true, data: { id: noteId, title: 'A note', level: 3 } })
    t.equal(headers.get('content-type'), 'application/json')
    t.equal(headers.get('cache-control'), 'no-store')
    t.equal(headers.get('x-content-type-options'), 'nosniff')
    t.match(headers.get('x-request-id'), /^req_[0-9a-z]{26}$/)
    t.match(headers.get('etag'), /^"4-[\w-]{16}"$/)
    t.equal(headers.get('access-control-allow-origin'), null)
  },
)

t.test('a valid request id is adopted, another is replaced', async (t) => {
  const sane = await http.ask(notes, { as: 'bob', headers: { 'x-request-id': 'proxy-12345' } })
  t.equal(sane.headers.get('x-request-id'), 'proxy-12345')
  const odd = await http.ask(notes, { as: 'bob', headers: { 'x-request-id': 'a b"c' } })
  t.match(odd.headers.get('x-request-id'), /^req_/)
})

t.test('a creation answers 200 with its message and fills in what was left out', async (t) => {
  const { status, json } = await http.ask(notes, { key: 'key-member', json: { title: 'New' } })
  t.equal(status, 200)
  t.same(json.data, { id: noteId, title: 'New', level: 3 })
  t.equal(json.message, 'Note created')
})

t.test('when the disk is full nothing new is created, and everything else continues', async (t) => {
  disk.hasRoom = false
  const made = world.made
  const refused = await http.ask(notes, { key: 'key-member', json: { title: 'New' } })
  t.match([refused.status, refused.json.code], [503, 'storage_full'])
  t.ok(refused.headers.get('retry-after'))
  t.equal(world.made, made)
  t.equal((await http.ask(`${notes}/${noteId}`, { as: 'bob' })).status, 200)
  disk.hasRoom = true
})

t.test('an invalid body gets every problem at once', async (t) => {
  const body = { level: 0, kind: 'odd', tags: ['ok', 'far too long'], zip: 1 }
  const { status, json, headers } = await http.ask(notes, { key: 'key-member', json: body })
  t.equal(status, 422)
  t.equal(headers.get('content-type'), 'application/problem+json')
  t.equal(json.success, false)
  t.equal(json.code, 'validation_failed')
  t.equal(json.type, '/problems/validation_failed')
  t.equal(json.instance, notes)
  t.equal(json.requestId, headers.get('x-request-id'))
  t.equal(json.message, json.detail)
  t.same(json.errors, [
    { pointer: '/title', keyword: 'required', message: 'is required' },
    { pointer: '/level', keyword: 'minimum', message: 'must be at least 1' },
    { pointer: '/kind', keyword: 'enum', message: 'must be one of plain, loud' },
    { pointer: '/tags/1', keyword: 'maxLength', message: 'must have at most 5 characters' },
    { pointer: '/zip', keyword: 'additionalProperties', message: 'is not a known field' },
  ])
})

t.test('one wrong field is named in the sentence', async (t) => {
  const low = await http.ask(notes, { key: 'key-member', json: { title: 'x', level: 0 } })
  t.equal(low.json.message, 'level must be at least 1')
  const unknown = await http.ask(notes, { key: 'key-member', json: { title: 'x', orgId: 'y' } })
  t.equal(unknown.json.message, 'orgId is not a known field')
})

t.test('an unknown parameter is called a parameter', async (t) => {
  const { status, json } = await http.ask(`${notes}?zip=1`, { key: 'key-member' })
  t.equal(status, 400)
  t.equal(json.message, 'zip is not a parameter of this operation')
})

t.test('bodies that are not JSON are refused before they are read as such', async (t) => {
  const send = (type: string, body: string, method = 'POST') =>
    http.ask(method === 'POST' ? notes : `${notes}/${noteId}`, {
      method,
      body,
      key: 'key-member',
      headers: { 'content-type': type },
    })
  t.equal((await send('text/plain', '{}')).json.code, 'unsupported_media_type')
  t.equal((await send('application/x-www-form-urlencoded', 'a=b')).status, 415)
  t.equal((await send('application/merge-patch+json', '{}')).status, 415)
  t.equal((await send('application/merge-patch+json', '{}', 'PATCH')).status, 200)
  t.equal((await send('application/json; charset=utf-8', '{"title":"x"}')).status, 200)
  for (const broken of [
    '{',
    '{"title":"a","title":"b"}',
    '{"__proto__":{}}',
    '{"title":"\\ud800"}',
  ]) {
    const { status, json } = await send('application/json', broken)
    t.equal(status, 400, broken)
    t.equal(json.code, 'malformed_json', broken)
  }
  t.equal((await send('application/json', `${'['.repeat(50)}${']'.repeat(50)}`)).status, 400)
})

t.test('ids of another organization, unknown ones and malformed ones all answer 404', async (t) => {
  for (const path of [`/api/v1/orgs/${orgB}/notes`, '/api/v1/orgs/org_x/notes', `${notes}/mon_x`]) {
    const { status, json } = await http.ask(path, { as: 'alice' })
    t.equal(status, 404, path)
    t.equal(json.code, 'not_found')
  }
})

t.test(
  'a role that is too low is refused, and without any credential everything is 401',
  async (t) => {
    t.equal(
      (await http.ask(notes, { key: 'key-viewer', json: { title: 'x' } })).json.code,
      'forbidden',
    )
    const nobody = await http.ask(notes)
    t.equal(nobody.status, 401)
    t.equal(nobody.json.code, 'unauthenticated')
    t.match(nobody.headers.get('www-authenticate'), /^Bearer/)
    t.equal((await http.ask(`${notes}/rubbish`)).status, 401)
  },
)

t.test('operations that grant power require a recent session and no API key', async (t) => {
  const path = `${notes}/${noteId}`
  const remove = (init: object) => http.ask(path, { method: 'DELETE', ...init })
  t.equal((await remove({ key: 'key-admin' })).json.code, 'forbidden')
  t.equal((await remove({ as: 'stale' })).json.code, 'reauthentication_required')
  const done = await remove({ as: 'alice' })
  t.same(done.json, { success: true, data: {}, message: 'Note deleted' })
})

t.test('personal routes require a session, from the header where they say so', async (t) => {
  t.equal((await http.ask('/api/v1/misc/me', { as: 'bob' })).json.data.id, 'usr_bob')
  t.equal((await http.ask('/api/v1/misc/me', { key: 'key-admin' })).status, 403)
  const byHeader = await http.ask('/api/v1/misc/kyc', {
    method: 'POST',
    headers: { 'auth-token': 'bob' },
  })
  t.equal(byHeader.status, 200)
})

t.test('system routes take the system token or the administrator', async (t) => {
  const ask = (init: object) => http.ask('/api/v1/misc/system', init)
  t.equal((await ask({ headers: { authorization: `Bearer ${systemToken}` } })).status, 200)
  t.equal((await ask({ as: 'alice' })).status, 200)
  t.equal((await ask({ as: 'bob' })).status, 403)
  t.equal((await ask({ headers: { authorization: 'Bearer wrong' } })).status, 401)
  t.equal((await ask({})).status, 401)
})

t.test('an optional credential must be valid if present', async (t) => {
  const ask = (init: object) => http.ask('/api/v1/misc/optional', init)
  t.equal((await ask({})).json.data.kind, 'anonymous')
  t.equal((await ask({ as: 'bob' })).json.data.kind, 'session')
  t.equal((await ask({ as: 'nobody' })).status, 401)
})

t.test('an answer may bring its own message and cookies', async (t) => {
  const { json, headers } = await http.ask('/api/v1/misc/open', { method: 'POST' })
  t.same(json, { success: true, data: {}, message: 'Hm' })
  t.equal(headers.get('set-cookie'), 'a=b')
})

t.test('another site signs nobody in: it may have the answer, but no cookie is set', async (t) => {
  const ask = (site: string) =>
    http.ask('/api/v1/misc/open', { method: 'POST', headers: { 'sec-fetch-site': site } })
  for (const site of ['cross-site', 'same-site']) {
    const { json, headers } = await ask(site)
    t.same([json.message, headers.get('set-cookie')], ['Hm', null], site)
  }
  for (const site of ['same-origin', 'none']) {
    t.equal((await ask(site)).headers.get('set-cookie'), 'a=b', site)
  }
})

t.test('lists are walked by signed cursors', async (t) => {
  const seen: string[] = []
  let path = `${notes}?limit=2&tag=%26`
  for (let pages = 0; pages < 3; pages += 1) {
    const { json, headers } = await http.ask(path, { as: 'bob' })
    seen.push(...json.data.map((note: { title: string }) => note.title))
    t.equal(json.meta.limit, 2)
    const link = headers.get('link')
    if (json.meta.nextCursor === null) t.equal(link, null)
    else {
      const [, url = ''] = /^<https:\/\/up\.example([^>]+)>; rel="next"$/.exec(link ?? '') ?? []
      t.match(url, encodeURIComponent(json.meta.nextCursor))
      path = url
    }
  }
  t.same(seen, ['one&', 'two&', 'three&', 'four&', 'five&'])
})

t.test('cursors of another list, changed ones and invented ones are refused', async (t) => {
  const { json } = await http.ask(`${notes}?limit=2`, { as: 'bob' })
  const cursor: string = json.meta.nextCursor
  t.equal((await http.ask(`${notes}?cursor=${cursor}`, { as: 'bob' })).status, 200)
  const first = cursor.startsWith('A') ? 'B' : 'A'
  for (const wrong of [`tag=x&cursor=${cursor}`, `cursor=${first}${cursor.slice(1)}`, 'cursor=2']) {
    const { status, json } = await http.ask(`${notes}?${wrong}`, { as: 'bob' })
    t.equal(status, 400, wrong)
    t.equal(json.code, 'invalid_cursor')
  }
})

t.test('query parameters are checked like fields', async (t) => {
  for (const query of [
    'limit=0',
    'limit=201',
    'limit=x',
    'zip=1',
    'limit=1&limit=2',
    'loud=maybe',
    'tag=%zz',
  ]) {
    const { status, json } = await http.ask(`${notes}?${query}`, { as: 'bob' })
    t.equal(status, 400, query)
    t.equal(json.code, 'invalid_parameter', query)
  }
  t.equal(
    (await http.ask(`${notes}?limit=200&loud=true&tag=a+b`, { as: 'bob' })).json.data[0].title,
    'onea b',
  )
})

t.test('a reader of the current version gets 304, a change of an old one gets 412', async (t) => {
  const path = `${notes}/${noteId}`
  const etag = (await http.ask(path, { as: 'alice' })).headers.get('etag') ?? ''
  const again = await http.ask(path, {
    as: 'alice',
    headers: { 'if-none-match': `"x", W/${etag}` },
  })
  t.equal(again.status, 304)
  t.equal(again.text, '')
  t.equal(again.headers.get('etag'), etag)
  const change = (ifMatch: string) =>
    http.ask(path, {
      method: 'PATCH',
      key: 'key-member',
      json: { title: 'b' },
      headers: { 'if-match': ifMatch },
    })
  t.equal((await change(etag)).status, 200)
  t.equal((await change('*')).status, 200)
  t.equal((await change('"3-abc"')).json.code, 'precondition_failed')
  t.equal((await change('W/"4"')).status, 412)
})

t.test('a repeated creation with the same key is done once', async (t) => {
  const send = (key: string, json: object, who = 'key-member') =>
    http.ask(notes, { key: who, json, headers: { 'idempotency-key': key } })
  const before = world.made
  const [first, twin] = await Promise.all([
    send('"k1"', { title: 'a' }),
    send('"k1"', { title: 'a' }),
  ])
  const statuses = [first.status, twin.status].sort()
  t.ok(statuses[0] === 200 && (statuses[1] === 409 || statuses[1] === 200))
  const again = await send('k1', { title: 'a' })
  t.equal(again.status, 200)
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  t.same(again.json.data, { id: noteId, title: 'a', level: 3 })
  t.match(again.headers.get('etag'), /^"4-/)
  t.equal(world.made, before + 1)
  t.equal((await send('k1', { title: 'b' })).json.code, 'idempotency_key_reused')
  t.equal((await send('k1', { title: 'a' }, 'key-admin')).headers.get('idempotency-replayed'), null)
  t.equal((await send('x'.repeat(300), { title: 'a' })).status, 400)
})

t.test('a key with bytes above 127 is refused, but for those that the parser drops', async (t) => {
  // Not with fetch, which refuses such headers itself.
  const create = async (idempotencyKey: string) => {
    const body = '{"title":"New"}'
    const headers = [
      'Host: up.example',
      'X-Api-Key: key-member',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      `Idempotency-Key: ${idempotencyKey}`,
    ].join('\r\n')
    const socket = connect(http.port, '127.0.0.1')
    socket.end(Buffer.from(`POST ${notes} HTTP/1.1\r\n${headers}\r\n\r\n${body}`, 'latin1'))
    const [answer] = (await once(socket, 'data')) as [Buffer]
    socket.destroy()
    return /^HTTP\/1.1 (\d+)/.exec(String(answer))?.[1]
  }
  const made = world.made
  t.equal(await create('7\xe97'), '400')
  t.equal(world.made, made)
  // As docs/limits.md and the description of the parameter say.
  t.same([await create('dropped'), await create('\xe9dropped\xfc')], ['200', '200'])
  t.equal(world.made, made + 1, 'the second is the first, repeated')
})

t.test('a failed creation leaves its key free', async (t) => {
  const send = () =>
    http.ask(notes, {
      key: 'key-member',
      json: { title: 'a', kind: 'loud' },
      headers: { 'idempotency-key': 'k2' },
    })
  const before = world.made
  t.equal((await send()).status, 409)
  t.equal((await send()).json.detail, 'Too loud')
  t.equal(world.made, before + 2)
})

t.test('an unparsed route gets the query, body and named headers as sent', async (t) => {
  const { json } = await http.ask('/api/v1/echo/a%20b?q=%C3%A9&q', {
    method: 'POST',
    body: 'hello',
    headers: { 'x-note': 'n' },
  })
  t.same(json.data, { token: 'a b', note: 'n', query: 'q=%C3%A9&q', bytes: 5 })
  t.equal((await http.ask('/api/v1/echo/a%zz', { method: 'POST' })).status, 400)
  const body = 'x'.repeat(1001)
  t.equal((await http.ask('/api/v1/echo/x', { method: 'POST', body })).status, 413)
})
