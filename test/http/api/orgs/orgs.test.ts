// Organizations over HTTP: founding, listing with each credential, renaming with If-Match.
import t from 'tap'
import { newId } from '../../../../src/base/ids.ts'
import { orgs } from '../../../../src/http/api/orgs/orgs.ts'
import { serveAccess } from '../../../support/access-api.ts'

t.test('an organization is created, listed, read and renamed', async (t) => {
  const { ask, enrol } = await serveAccess(t, orgs)
  const { token: cookie } = await enrol('alice')
  const made = await ask('POST', '/orgs', { cookie, body: { name: 'Rockets' } })
  t.equal(made.status, 200)
  t.match(made.body, { message: 'Organization created', data: { name: 'Rockets', role: 'owner' } })
  t.same(Object.keys(made.body.data).sort(), [
    'createdAt',
    'id',
    'isDisabled',
    'language',
    'name',
    'role',
    'timezone',
    'updatedAt',
  ])
  const path = `/orgs/${made.body.data.id}`
  const seen = await ask('GET', path, { cookie })
  const etag = seen.headers.get('etag') ?? ''
  const renamed = await ask('PATCH', path, {
    cookie,
    body: { name: 'Ships' },
    headers: { 'if-match': etag },
  })
  t.match(renamed.body, { success: true, data: { name: 'Ships' } })
  const late = await ask('PATCH', path, {
    cookie,
    body: { name: 'Late' },
    headers: { 'if-match': etag },
  })
  t.equal(late.status, 412)
  const listed = await ask('GET', '/orgs?limit=1', { cookie })
  t.match(listed.body, { data: [{ name: 'Ships' }], meta: { limit: 1, nextCursor: String } })
  const found = await ask('GET', `/orgs?holds=${newId('monitor', 0)}`, { cookie })
  t.same(found.body.data, [])
  t.equal((await ask('GET', '/orgs?holds=usr_1', { cookie })).status, 400)
})

t.test('tags have colours, as the organization chooses', async (t) => {
  const { ask, enrol } = await serveAccess(t, orgs)
  const { token: cookie, organization } = await enrol('alice')
  const path = `/orgs/${organization.id}`
  const change = (tagColors: unknown) => ask('PATCH', path, { cookie, body: { tagColors } })
  t.same((await ask('GET', path, { cookie })).body.data.tagColors, [])
  const tagColors = [{ tag: 'prod', color: '#dc2626' }]
  t.same((await change(tagColors)).body.data.tagColors, tagColors)
  t.same((await ask('GET', path, { cookie })).body.data.tagColors, tagColors)
  const wrong = await change([{ tag: 'prod', color: 'red' }])
  t.match(wrong.body.errors, [{ pointer: '/tagColors/0/color', message: /#dc2626/ }])
  const twice = await change([...tagColors, ...tagColors])
  t.match(twice.body.errors, [{ pointer: '/tagColors/1/tag' }])
  t.same((await change(null)).body.data.tagColors, [])
})

t.test('an API key finds the organization it belongs to', async (t) => {
  const { ask, enrol, keys } = await serveAccess(t, orgs)
  const { scope, organization } = await enrol('alice')
  const { key } = await keys.create(scope, { name: 'ci' })
  const listed = await ask('GET', '/orgs', { key })
  t.match(listed.body.data, [{ id: organization.id, role: 'viewer' }])
  t.equal((await ask('GET', `/orgs/${organization.id}`, { key })).status, 200)
  const rename = { key, body: { name: 'Mine' } }
  t.equal((await ask('PATCH', `/orgs/${organization.id}`, rename)).status, 403)
  t.equal((await ask('POST', '/orgs', { key, body: { name: 'Mine' } })).status, 403)
})

t.test('a foreign organization does not exist, and cannot be listed', async (t) => {
  const { ask, enrol } = await serveAccess(t, orgs)
  const alice = await enrol('alice')
  const charlie = await enrol('charlie')
  const path = `/orgs/${alice.organization.id}`
  t.equal((await ask('GET', path, { cookie: charlie.token })).status, 404)
  const rename = { cookie: charlie.token, body: { name: 'Mine' } }
  t.equal((await ask('PATCH', path, rename)).status, 404)
  t.equal((await ask('GET', '/orgs')).status, 401)
})

t.test('what is wrong with a language and a time zone is said at once', async (t) => {
  const { ask, enrol } = await serveAccess(t, orgs)
  const { token: cookie, organization } = await enrol('alice')
  const path = `/orgs/${organization.id}`
  t.match((await ask('GET', path, { cookie })).body.data, { language: 'en', timezone: 'UTC' })
  const body = { language: 'ja', timezone: 'Asia/Tokyo' }
  t.match((await ask('PATCH', path, { cookie, body })).body.data, body)
  const wrong = await ask('PATCH', path, {
    cookie,
    body: { language: 'tlh', timezone: 'Mars/Olympus' },
  })
  t.equal(wrong.status, 422)
  t.match(wrong.body.errors, [
    { pointer: '/language' },
    { pointer: '/timezone', message: 'must be an IANA time zone such as Europe/Berlin' },
  ])
  const cleared = await ask('PATCH', path, { cookie, body: { language: null, timezone: null } })
  t.match(cleared.body.data, { language: 'en', timezone: 'UTC' })
})
