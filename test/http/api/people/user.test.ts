// The signed-in person over HTTP: account, organizations, referrals.
import t from 'tap'
import { user } from '../../../../src/http/api/people/user.ts'
import { serveAccess } from '../../../support/access-api.ts'

t.test('people see and change their own account, with If-Match as everywhere', async (t) => {
  const { ask, enrol } = await serveAccess(t, user)
  const { token: cookie, user: alice } = await enrol('alice', { name: 'Alice' })
  const seen = await ask('GET', '/user', { cookie })
  t.match(seen.body.data, { id: alice.id, name: 'Alice', emailVerifiedAt: null, wantedEmail: null })
  t.notMatch(JSON.stringify(seen.body), /passwordHash|argon2|revision/)
  const etag = seen.headers.get('etag') ?? ''
  const rename = (name: unknown, headers = {}) =>
    ask('PATCH', '/user', { cookie, body: { name }, headers })
  t.match(await rename('Al', { 'if-match': etag }), { status: 200, body: { data: { name: 'Al' } } })
  t.match(await rename('B', { 'if-match': etag }), { status: 412 })
  t.match(await rename(null), { status: 200, body: { data: { name: null } } })
  t.equal((await ask('GET', '/user')).status, 401)
})

t.test('fields that people may not change are refused by name', async (t) => {
  const { ask, enrol } = await serveAccess(t, user)
  const { token: cookie } = await enrol('alice')
  const wrong: readonly (readonly [object, string])[] = [
    [{ isSystemAdmin: true }, '/isSystemAdmin'],
    [{ emailVerifiedAt: '2026-01-01T00:00:00.000Z' }, '/emailVerifiedAt'],
    [{ passwordHash: 'x' }, '/passwordHash'],
    [{ id: 'usr_x' }, '/id'],
    [{ email: null }, '/email'],
    [{ email: 'nothing' }, '/email'],
    [{ email: 'ALICE@example.com' }, '/email'],
    [{ name: 'x'.repeat(121) }, '/name'],
    [{ name: 7 }, '/name'],
  ]
  for (const [body, pointer] of wrong) {
    const answer = await ask('PATCH', '/user', { cookie, body })
    t.match(answer, { status: 422, body: { errors: [{ pointer }] } }, JSON.stringify(body))
  }
})

t.test('an address change is requested, and shown as wanted until it is confirmed', async (t) => {
  const { ask, enrol, clock } = await serveAccess(t, user)
  const { token: cookie } = await enrol('alice')
  const move = (email: string) => ask('PATCH', '/user', { cookie, body: { email } })
  const data = { email: 'alice@example.com', wantedEmail: 'new@example.com' }
  t.match(await move('new@example.com'), { status: 200, body: { data } })
  t.match((await ask('GET', '/user', { cookie })).body, { data })
  await clock.advance(16 * 60_000)
  t.match(await move('b@example.com'), {
    status: 403,
    body: { code: 'reauthentication_required' },
  })
})

t.test("one's organizations are listed", async (t) => {
  const { ask, enrol, orgs } = await serveAccess(t, user)
  const { token: cookie, caller, organization } = await enrol('alice')
  await enrol('bob')
  const second = await orgs.create(caller, { name: 'Second' })
  const { body } = await ask('GET', '/user/organizations?limit=1', { cookie })
  t.match(body.data, [{ id: second.id, name: 'Second', role: 'owner' }])
  const more = await ask('GET', `/user/organizations?cursor=${body.meta.nextCursor}`, { cookie })
  t.match(more.body, { data: [{ id: organization.id }], meta: { nextCursor: null } })
})

t.test('a referral code is shown, shared and replaced, and nobody else can take it', async (t) => {
  const { ask, enrol } = await serveAccess(t, user)
  const [alice, bob] = [await enrol('alice'), await enrol('bob')]
  const book = async () => (await ask('GET', '/user/referrals', { cookie: alice.token })).body.data
  const first = await book()
  t.match(first, { code: /^[a-z0-9]{26}$/, counts: { registered: 0, active: 0 }, referrals: [] })
  t.equal(first.url, `http://127.0.0.1:8080/?ref=${first.code}`)
  t.same(await book(), first, 'looking changes nothing')
  const choose = (cookie: string, body: object) =>
    ask('POST', '/user/referrals/code', { cookie, body })
  t.match(await choose(alice.token, { code: 'alice-2026' }), {
    status: 200,
    body: { data: { code: 'alice-2026' } },
  })
  await enrol('carol', { referralCode: 'alice-2026' })
  const after = await book()
  t.match(after, { counts: { registered: 1, active: 0 }, referrals: [{ status: 'registered' }] })
  t.same(Object.keys(after.referrals[0]), ['joinedAt', 'status'])
  t.match(await choose(bob.token, { code: 'alice-2026' }), { status: 409 })
  t.match(await choose(bob.token, {}), { status: 200, body: { data: { code: /^[a-z0-9]{10}$/ } } })
  for (const code of ['', 'abc', 'Not ok', 'admin', 7, null]) {
    t.match(await choose(bob.token, { code }), {
      status: 422,
      body: { errors: [{ pointer: '/code' }] },
    })
  }
  t.match(await choose(bob.token, { user: alice.user.id }), { status: 422 })
})
