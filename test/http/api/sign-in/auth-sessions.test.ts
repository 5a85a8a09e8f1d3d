// A person's sessions over HTTP: what is shown, ended and freshened.
import t from 'tap'
import { auth } from '../../../../src/http/api/sign-in/auth.ts'
import { goodPassword } from '../../../support/access.ts'
import { serveAccess } from '../../../support/access-api.ts'

const alice = { email: 'alice@example.com', password: goodPassword }

t.test('the list marks the current session, and shows no values', async (t) => {
  const { ask, enrol, clock } = await serveAccess(t, auth)
  const { token: cookie } = await enrol('alice')
  await clock.advance(1_000)
  const second = await ask('POST', '/auth/login', { body: alice, headers: { 'user-agent': 'fox' } })
  const listed = await ask('GET', '/auth/sessions', { cookie })
  t.equal(listed.status, 200)
  t.match(listed.body.data, [
    { id: /^ses_/, userAgent: 'fox', address: '127.0.0.1', isCurrent: false },
    { id: /^ses_/, isCurrent: true, createdAt: '2026-01-01T00:00:00.000Z' },
  ])
  t.same(Object.keys(listed.body.data[0]).sort(), [
    ...['address', 'createdAt', 'expiresAt', 'id', 'isCurrent', 'lastSeenAt', 'userAgent'],
  ])
  t.notMatch(JSON.stringify(listed.body), /s1\.|tokenHash|former/)
  const { id } = listed.body.data[0]
  const ended = await ask('DELETE', `/auth/sessions/${id}`, { cookie })
  t.match(ended, { status: 200, body: { success: true, message: 'Session ended' } })
  t.equal(ended.headers.getSetCookie().length, 0)
  t.equal((await ask('GET', '/auth/session', { cookie: second.body.data.token })).status, 401)
  t.equal((await ask('DELETE', `/auth/sessions/${id}`, { cookie })).status, 404)
})

t.test('ending the current session clears the cookie', async (t) => {
  const { ask, enrol } = await serveAccess(t, auth)
  const { token: cookie, session } = await enrol('alice')
  const ended = await ask('DELETE', `/auth/sessions/${session.id}`, { cookie })
  t.match(ended.headers.getSetCookie(), [/^auth-token=; Path=\/; Max-Age=0/])
  t.equal((await ask('GET', '/auth/session', { cookie })).status, 401)
})

t.test('a proof is either a password or a code, and refreshes the session', async (t) => {
  const { ask, enrol, clock } = await serveAccess(t, auth)
  const { token: cookie } = await enrol('alice')
  const prove = (body: object, value = cookie) =>
    ask('POST', '/auth/reauthenticate', { body, cookie: value })
  for (const body of [{}, { password: goodPassword, totp: '1' }, { password: 1 }, { pin: '1' }]) {
    t.match(await prove(body), { status: 422, body: { code: 'validation_failed' } })
  }
  t.match(await prove({ password: 'wrong' }), {
    status: 401,
    body: { code: 'invalid_credentials' },
  })
  const fresh = await prove({ password: goodPassword })
  t.match(fresh, { status: 200, body: { message: 'Confirmed', data: { token: /^s1\./ } } })
  const { token, freshUntil } = fresh.body.data
  t.equal(Date.parse(freshUntil), clock.nowMs() + 15 * 60_000)
  t.equal((await prove({ password: goodPassword })).status, 401, 'by the old value')
  t.equal((await prove({ password: goodPassword }, token)).status, 200)
})

t.test('two session cookies are refused, and a planted one is not adopted', async (t) => {
  const { ask, enrol } = await serveAccess(t, auth)
  const { token } = await enrol('alice')
  const two = { cookie: `auth-token=${token}; auth-token=${token}` }
  t.equal((await ask('GET', '/auth/session', { headers: two })).status, 400)
  const planted = `s1.${`${'A'.repeat(43)}.`.repeat(2).slice(0, -1)}`
  const headers = { cookie: `auth-token=${planted}` }
  const signedIn = await ask('POST', '/auth/login', { body: alice, headers })
  t.equal(signedIn.status, 200)
  t.not(signedIn.body.data.token, planted)
  t.equal((await ask('GET', '/auth/session', { cookie: planted })).status, 401)
})
