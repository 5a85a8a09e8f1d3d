// API keys over HTTP: shown once, usable at once, gone at once, and never made by a key.
import t from 'tap'
import { apiKeys } from '../../../../src/http/api/orgs/api-keys.ts'
import { serveAccess } from '../../../support/access-api.ts'

t.test('a key is created, shown once, listed by its prefix and revoked', async (t) => {
  const { ask, enrol, clock } = await serveAccess(t, apiKeys)
  const { token: cookie, organization } = await enrol('alice')
  const path = `/orgs/${organization.id}/api-keys`
  const body = { name: 'ci', role: 'admin', expiresAt: '2026-06-01T12:00:00+02:00' }
  const made = await ask('POST', path, { cookie, body })
  t.equal(made.status, 200)
  const { key, id } = made.body.data
  t.match(made.body.data, {
    key: /^sup_a[0-9A-Za-z]{36}$/,
    name: 'ci',
    role: 'admin',
    expiresAt: '2026-06-01T10:00:00.000Z',
    lastUsedAt: null,
  })
  const listed = await ask('GET', path, { cookie })
  t.match(listed.body.data, [{ id, prefix: key.slice(0, 8) }])
  t.notMatch(JSON.stringify(listed.body), new RegExp(`${key}|Hash|AtMs`))

  t.equal((await ask('GET', path, { key })).status, 403, 'a key does not see keys')
  const revoked = await ask('DELETE', `${path}/${id}`, { cookie })
  t.match(revoked.body, { success: true, message: 'API key revoked' })
  t.equal((await ask('GET', path, { key })).status, 401)
  t.equal((await ask('DELETE', `${path}/${id}`, { cookie })).status, 404)
  await clock.advance(0)
})

t.test('making a key needs a recent sign-in, revoking one does not', async (t) => {
  const { ask, enrol, keys, clock } = await serveAccess(t, apiKeys)
  const { token: cookie, organization, scope } = await enrol('alice')
  const path = `/orgs/${organization.id}/api-keys`
  const { id } = await keys.create(scope, { name: 'old' })
  await clock.advance(16 * 60_000)
  const late = await ask('POST', path, { cookie, body: { name: 'late' } })
  t.equal(late.status, 403)
  t.equal(late.body.code, 'reauthentication_required')
  t.equal((await ask('DELETE', `${path}/${id}`, { cookie })).status, 200)
})

t.test(
  'keys cannot be made with owner rights, in the past, by keys or from elsewhere',
  async (t) => {
    const { ask, enrol, keys, store } = await serveAccess(t, apiKeys)
    const { token: cookie, organization, scope } = await enrol('alice')
    const charlie = await enrol('charlie')
    const path = `/orgs/${organization.id}/api-keys`
    const { key } = await keys.create(scope, { name: 'ci', role: 'admin' })
    const before = store.apiKeys.list(organization.id, 50).length
    for (const [body, pointer] of [
      [{ name: 'x', role: 'owner' }, '/role'],
      [{ name: 'x', expiresAt: '2020-01-01T00:00:00.000Z' }, '/expiresAt'],
      [{ name: 'x', expiresAt: 'tomorrow' }, '/expiresAt'],
      [{ name: '' }, '/name'],
    ] as const) {
      const answer = await ask('POST', path, { cookie, body })
      t.equal(answer.status, 422)
      t.match(answer.body, { errors: [{ pointer }] })
    }
    const body = { name: 'x' }
    t.equal((await ask('POST', path, { key, body })).status, 403)
    t.equal((await ask('POST', path, { cookie: charlie.token, body })).status, 404)
    t.equal((await ask('POST', path, { body })).status, 401)
    const crossSite = { 'sec-fetch-site': 'cross-site' }
    t.equal((await ask('POST', path, { cookie, body, headers: crossSite })).status, 403)
    t.equal(store.apiKeys.list(organization.id, 50).length, before)
  },
)

t.test('a key is renamed with If-Match, but never given another role', async (t) => {
  const { ask, enrol, keys } = await serveAccess(t, apiKeys)
  const { token: cookie, organization, scope } = await enrol('alice')
  const { id, key } = await keys.create(scope, { name: 'ci' })
  const path = `/orgs/${organization.id}/api-keys/${id}`
  const renamed = await ask('PATCH', path, {
    cookie,
    body: { name: 'deploy', expiresAt: null },
    headers: { 'if-match': '"1"' },
  })
  t.match(renamed.body, {
    message: 'API key changed',
    data: { name: 'deploy', expiresAt: null, lastUsedFrom: null, replacedBy: null },
  })
  const late = { cookie, body: { name: 'late' }, headers: { 'if-match': '"1"' } }
  t.equal((await ask('PATCH', path, late)).status, 412)
  for (const field of ['role', 'orgId', 'key', 'createdBy', 'replacedBy']) {
    const answer = await ask('PATCH', path, { cookie, body: { [field]: 'admin' } })
    t.equal(answer.status, 422, field)
    t.match(answer.body, { errors: [{ pointer: `/${field}` }] })
  }
  t.equal((await ask('PATCH', path, { key, body: { name: 'mine' } })).status, 403)
})

t.test('a key is rotated, and a repeated request does not rotate it again', async (t) => {
  const { ask, enrol, keys } = await serveAccess(t, apiKeys)
  const { token: cookie, organization, scope } = await enrol('alice')
  const charlie = await enrol('charlie')
  const { id, key } = await keys.create(scope, { name: 'ci', role: 'admin' })
  const path = `/orgs/${organization.id}/api-keys`
  const rotate = { cookie, body: {}, headers: { 'idempotency-key': '"once"' } }
  const made = await ask('POST', `${path}/${id}/rotate`, rotate)
  t.match(made.body, { message: 'API key rotated', data: { name: 'ci', role: 'admin' } })
  const again = await ask('POST', `${path}/${id}/rotate`, rotate)
  t.same(again.body, made.body)
  t.equal(again.headers.get('idempotency-replayed'), 'true')
  const listed = await ask('GET', path, { cookie })
  t.match(listed.body.data, [{ id: made.body.data.id }, { id, replacedBy: made.body.data.id }])
  const twice = await ask('POST', `${path}/${id}/rotate`, { cookie, body: {} })
  t.equal(twice.status, 409)
  const fresh = `${path}/${made.body.data.id}/rotate`
  t.equal((await ask('POST', fresh, { key, body: {} })).status, 403)
  t.equal((await ask('POST', fresh, { cookie: charlie.token, body: {} })).status, 404)
  t.equal((await ask('POST', fresh, { cookie, body: { role: 'viewer' } })).status, 422)
})

t.test('only an owner who just signed in adopts a key, and only one that is in use', async (t) => {
  const { ask, enrol, enrolIn, keys, members, clock } = await serveAccess(t, apiKeys)
  const { token: cookie, organization, scope, user } = await enrol('alice')
  const ann = await enrolIn(organization.id, 'ann', 'admin')
  const max = await enrolIn(organization.id, 'max', 'admin')
  const charlie = await enrol('charlie')
  const path = `/orgs/${organization.id}/api-keys`
  const { id, key } = await keys.create(ann.scope, { name: 'ci', role: 'admin' })
  const old = await keys.create(ann.scope, { name: 'old' })
  await keys.rotate(max.scope, old.id, {})
  await members.remove(scope, ann.user.id)
  const listed = await ask('GET', path, { cookie })
  const gone = { effectiveRole: null, endedBecause: 'maker_left' }
  const ended = listed.body.data.find((one: { id: string }) => one.id === id)
  t.match(ended, { role: 'admin', ...gone, madeBy: { name: null, email: 'ann@example.com' } })
  const adopt = `${path}/${id}/adopt`
  t.equal((await ask('POST', adopt, { cookie: max.token })).status, 403)
  t.equal((await ask('POST', adopt, { key })).status, 401)
  t.equal((await ask('POST', adopt, { cookie: charlie.token })).status, 404)
  t.match(await ask('POST', `${path}/${old.id}/adopt`, { cookie }), {
    status: 409,
    body: { detail: /replaced/ },
  })
  t.equal((await ask('POST', adopt, { cookie, body: { role: 'admin' } })).status, 422)
  const adopted = await ask('POST', adopt, { cookie })
  t.match(adopted, { status: 200, body: { message: 'API key adopted' } })
  const back = { createdBy: user.id, effectiveRole: 'admin', endedBecause: null, madeBy: {} }
  t.match(adopted.body.data, { ...back, madeBy: { email: 'alice@example.com' } })
  t.notMatch(JSON.stringify(adopted.body), /Hash|AtMs|sinceMs|Noted/i)
  t.equal((await ask('POST', adopt, { key })).status, 403, 'it works, and adopts nothing')
  await clock.advance(16 * 60_000)
  const late = await ask('POST', adopt, { cookie })
  t.match(late, { status: 403, body: { code: 'reauthentication_required' } })
})
