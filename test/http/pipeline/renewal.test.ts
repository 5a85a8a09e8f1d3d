// Renewal over HTTP: a session's value is replaced once a day, and nobody notices.
import t from 'tap'
import { auth } from '../../../src/http/api/sign-in/auth.ts'
import { createRenewal, deviceOf } from '../../../src/http/pipeline/session-cookie.ts'
import { goodPassword } from '../../support/access.ts'
import { type Answer, serveAccess } from '../../support/access-api.ts'
import { settle } from '../../support/temp-store.ts'

const dayMs = 86_400_000

/** The session's value that an answer sets; undefined where it sets none. */
function setValue({ headers }: Answer): string | undefined {
  const set = headers.getSetCookie().filter((cookie) => cookie.startsWith('auth-token='))
  return set.at(-1)?.slice('auth-token='.length).split(';')[0]
}

t.test('after a day the next response renews the value; the old one has a grace', async (t) => {
  const { ask, enrol, clock } = await serveAccess(t, auth)
  const { token: cookie } = await enrol('alice')
  const look = (value: string) => ask('GET', '/auth/session', { cookie: value })
  await clock.advance(dayMs - 1)
  t.equal(setValue(await look(cookie)), undefined)
  await clock.advance(1)
  const renewing = await Promise.all([look(cookie), look(cookie), look(cookie)])
  t.same(
    renewing.map(({ status }) => status),
    [200, 200, 200],
  )
  const fresh = renewing.flatMap((answer) => setValue(answer) ?? [])
  t.equal(fresh.length, 1)
  t.match(await look(fresh[0] ?? ''), { status: 200 })
  t.equal(setValue(await look(fresh[0] ?? '')), undefined)
  t.match(await look(cookie), { status: 200 })
  await settle()
  await clock.advance(30_000)
  t.equal((await look(cookie)).status, 401)
  t.equal((await look(fresh[0] ?? '')).status, 200)
})

t.test('a program that never takes the cookie stays signed in', async (t) => {
  const { ask, enrol, clock } = await serveAccess(t, auth)
  const { token: cookie } = await enrol('alice')
  for (let day = 0; day < 3; day += 1) {
    await clock.advance(dayMs)
    const renewing = await ask('GET', '/auth/session', { cookie })
    t.match(setValue(renewing), /^s1\./)
    await clock.advance(60_000)
    t.equal((await ask('GET', '/auth/session', { cookie })).status, 200)
  }
})

t.test('a refusal carries the new value as well', async (t) => {
  const { ask, enrol, clock } = await serveAccess(t, auth)
  const { token: cookie } = await enrol('alice')
  await clock.advance(dayMs)
  const refused = await ask('POST', '/auth/reauthenticate', { cookie, body: {} })
  t.equal(refused.status, 422)
  t.match(setValue(refused), /^s1\./)
})

t.test('a route that sets the cookie itself has precedence', async (t) => {
  const { ask, enrol, clock } = await serveAccess(t, auth)
  const { token: cookie } = await enrol('alice')
  await clock.advance(dayMs)
  const body = { password: goodPassword }
  const confirmed = await ask('POST', '/auth/reauthenticate', { cookie, body })
  t.equal(setValue(confirmed), confirmed.body.data.token)
  t.equal((await ask('GET', '/auth/session', { cookie: setValue(confirmed) ?? '' })).status, 200)
  t.equal((await ask('GET', '/auth/session', { cookie })).status, 401, 'dead at once')
  await clock.advance(dayMs)
  const left = await ask('POST', '/auth/logout', { cookie: setValue(confirmed) ?? '' })
  t.equal(setValue(left), '')
})

t.test('callers without a session, or with one in a header, are left alone', async (t) => {
  const deps = { services: {} as never, baseUrl: 'http://127.0.0.1' }
  const route = (who: object) => ({ spec: { who } }) as never
  t.equal(createRenewal(route({ public: true }), deps), undefined)
  t.equal(createRenewal(route({ pathToken: 'spp' }), deps), undefined)
  t.equal(createRenewal(route({ user: true, tokenHeader: true }), deps), undefined)
})

t.test('the device mark is read from its own cookie, and not if it came twice', async (t) => {
  const from = (cookies: string) => ({ header: () => cookies })
  t.equal(deviceOf(from('auth-token=a; known-device=d1.x')), 'd1.x')
  t.equal(deviceOf(from('auth-token=a')), undefined)
  t.throws(() => deviceOf(from('known-device=a; known-device=b')), { code: 'invalid_parameter' })
})
