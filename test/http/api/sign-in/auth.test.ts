// Sign-up, sign-in and sign-out over HTTP: the cookie, the answers, and what they must not show.
import t from 'tap'
import { auth } from '../../../../src/http/api/sign-in/auth.ts'
import { goodPassword } from '../../../support/access.ts'
import { serveAccess } from '../../../support/access-api.ts'

const alice = { email: 'alice@example.com', password: goodPassword }
const sessionPattern = /^s1\.[\w-]{43}\.[\w-]{43}$/

t.test('registering answers with the account, the organization and a session', async (t) => {
  const { ask } = await serveAccess(t, auth)
  const body = { ...alice, name: 'Alice', organizationName: 'Rockets' }
  const made = await ask('POST', '/auth/register', { body })
  t.equal(made.status, 200)
  t.match(made.body, {
    success: true,
    message: 'Account created',
    data: {
      user: { id: /^usr_/, email: alice.email, name: 'Alice', isSystemAdmin: false },
      organization: { id: /^org_/, name: 'Rockets', role: 'owner' },
      token: sessionPattern,
    },
  })
  t.equal(made.body.data.user.createdAt, '2026-01-01T00:00:00.000Z')
  t.notMatch(JSON.stringify(made.body), /argon2|passwordHash|AtMs|tokenHash|revision/)
  const seen = await ask('GET', '/auth/session', { cookie: made.body.data.token })
  t.match(seen.body.data, {
    user: { email: alice.email },
    organizations: [{ name: 'Rockets', role: 'owner' }],
    expiresAt: '2026-01-31T00:00:00.000Z',
  })
  t.same(Object.keys(seen.body.data.organizations[0]).sort(), ['id', 'name', 'role', 'timezone'])
})

t.test(
  'the cookie is for this host only, out of reach of scripts, and secure on https',
  async (t) => {
    for (const [baseUrl, secure] of [
      ['http://127.0.0.1:8080', ''],
      ['https://status.example.com', '; Secure'],
    ] as const) {
      const { ask } = await serveAccess(t, auth, { baseUrl })
      const made = await ask('POST', '/auth/register', { body: alice })
      const { token } = made.body.data
      const rest = `Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax${secure}`
      const [session, device] = made.headers.getSetCookie()
      t.equal(session, `auth-token=${token}; ${rest}`)
      const deviceRest = `Path=/api/v1; Max-Age=31536000; HttpOnly; SameSite=Lax${secure}`
      t.match(device, /^known-device=d1\.usr_/)
      t.ok(device?.endsWith(`; ${deviceRest}`))
      t.equal(made.headers.get('cache-control'), 'no-store')
      const again = await ask('POST', '/auth/login', { body: alice })
      t.not(again.body.data.token, token, 'each sign-in has a session of its own')
      t.equal(again.headers.getSetCookie()[0], `auth-token=${again.body.data.token}; ${rest}`)
    }
  },
)

t.test('signing out clears the cookie and ends the session', async (t) => {
  const { ask } = await serveAccess(t, auth)
  const made = await ask('POST', '/auth/register', { body: alice })
  const cookie = made.body.data.token
  const headers = { 'sec-fetch-site': 'same-origin' }
  const left = await ask('POST', '/auth/logout', { body: {}, cookie, headers })
  t.equal(left.status, 200)
  t.match(left.body, { success: true, message: 'Signed out' })
  t.match(left.headers.get('set-cookie'), /^auth-token=; Path=\/; Max-Age=0; HttpOnly/)
  t.equal((await ask('GET', '/auth/session', { cookie })).status, 401)
})

t.test('a wrong password and an unknown address get the same answer', async (t) => {
  const { ask } = await serveAccess(t, auth)
  await ask('POST', '/auth/register', { body: alice })
  const answers = []
  for (const body of [
    { ...alice, password: 'something else' },
    { ...alice, email: 'nobody@example.com' },
  ]) {
    const { status, headers, body: problem } = await ask('POST', '/auth/login', { body })
    const names = [...headers.keys()].filter((name) => name !== 'date').sort()
    answers.push(JSON.stringify([status, names, { ...problem, requestId: '' }]))
  }
  t.match(answers[0], /^\[401,.*"code":"invalid_credentials"/)
  t.equal(answers[0], answers[1])
})

t.test('a wrong registration names its fields and stores nothing', async (t) => {
  const { ask, store } = await serveAccess(t, auth)
  for (const [body, pointer] of [
    [{ ...alice, email: 'no address' }, '/email'],
    [{ ...alice, password: 'short' }, '/password'],
    [{ ...alice, password: 'password1234' }, '/password'],
    [{ ...alice, organizationName: '   ' }, '/organizationName'],
    [{ ...alice, isSystemAdmin: true }, '/isSystemAdmin'],
    [{ email: alice.email }, '/password'],
  ] as const) {
    const answer = await ask('POST', '/auth/register', { body })
    t.equal(answer.status, 422)
    t.match(answer.body, { code: 'validation_failed', errors: [{ pointer }] })
  }
  t.ok(store.users.isEmpty())
})

t.test('without the setup token registration is closed', async (t) => {
  const { ask, setupToken } = await serveAccess(t, auth, { registration: 'first-user' })
  const token = await setupToken.ensure()
  const closed = await ask('POST', '/auth/register', { body: alice })
  t.equal(closed.status, 403)
  t.equal(closed.body.code, 'registration_closed')
  const made = await ask('POST', '/auth/register', { body: { ...alice, setupToken: token } })
  t.equal(made.status, 200)
})

t.test(
  "an invitation is taken at registration, in place of an organization of one's own",
  async (t) => {
    const { ask, enrol, invites } = await serveAccess(t, auth)
    const { scope, organization } = await enrol('boss')
    const { token: inviteToken } = await invites.create(scope, { email: alice.email })
    const body = { ...alice, inviteToken }
    const both = await ask('POST', '/auth/register', { body: { ...body, organizationName: 'Own' } })
    t.match(both, { status: 422, body: { errors: [{ pointer: '/organizationName' }] } })
    const made = await ask('POST', '/auth/register', { body })
    t.match(made, { status: 200, body: { data: { organization: { id: organization.id } } } })
    const again = { ...body, email: 'eve@example.com' }
    t.equal((await ask('POST', '/auth/register', { body: again })).status, 410)
  },
)

t.test('the session needs a session: neither nothing nor an API key', async (t) => {
  const { ask, enrol, keys } = await serveAccess(t, auth)
  const { scope } = await enrol('alice')
  const { key } = await keys.create(scope, { name: 'ci', role: 'admin' })
  t.equal((await ask('GET', '/auth/session')).status, 401)
  t.equal((await ask('GET', '/auth/session', { key })).status, 403)
})
