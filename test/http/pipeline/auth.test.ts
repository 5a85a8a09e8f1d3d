// Credentials as they arrive: which one counts, which contradict, what another site may cause.
import t from 'tap'
import type { SessionId, UserId } from '../../../src/base/ids.ts'
import type { Principal } from '../../../src/domain/access.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { challengeOf } from '../../../src/http/output/problems.ts'
import { authorize } from '../../../src/http/pipeline/auth.ts'
import type { Identity } from '../../../src/services/identity.ts'
import { callerOf } from '../../support/access.ts'
import { orgA, startTestHttp } from '../../support/http.ts'
import { noteId, notesApi } from '../../support/http-routes.ts'

const world = { made: 0, aborted: 0, release: () => {} }
const http = await startTestHttp({ routes: notesApi(world) })
t.teardown(() => http.stop())
const notes = `/api/v1/orgs/${orgA}/notes`
const note = { title: 'x' }
// Nothing below asks for an organization.
const identity = {} as Identity

t.test('an API key makes the cookie be ignored', async (t) => {
  const weak = await http.ask(notes, { as: 'alice', key: 'key-viewer', json: note })
  t.equal(weak.json.code, 'forbidden')
  const foreignCookie = await http.ask(notes, { as: 'garbage', key: 'key-member', json: note })
  t.equal(foreignCookie.status, 200)
  t.equal((await http.ask(notes, { as: 'alice', key: 'wrong' })).status, 401)
})

t.test('a bearer token is an API key; another scheme is ignored', async (t) => {
  const bearer = (value: string) => ({ headers: { authorization: value } })
  t.equal((await http.ask(notes, bearer('Bearer key-viewer'))).status, 200)
  t.equal((await http.ask(notes, bearer('bearer key-viewer'))).status, 200)
  t.equal((await http.ask(notes, bearer('Bearer wrong'))).status, 401)
  t.equal((await http.ask(notes, bearer('Basic eDp5'))).status, 401)
  t.equal((await http.ask(notes, { as: 'bob', ...bearer('Basic eDp5') })).status, 200)
})

t.test('a 401 names the schemes that the route takes, and no other', async (t) => {
  const named = async (path: string, init: object = {}) => {
    const { status, headers } = await http.ask(path, init)
    t.equal(status, 401, path)
    return headers.get('www-authenticate')
  }
  const session = 'Session realm="stillup", cookie="auth-token"'
  const either = `Bearer realm="stillup", ${session}`
  t.equal(await named(notes), either)
  t.equal(await named('/api/v1/misc/system'), either)
  t.equal(await named('/api/v1/misc/me'), session)
  t.equal(
    await named(`${notes}/${noteId}`, { method: 'DELETE' }),
    session,
    'keys are refused there',
  )
  const byHeader = 'Session realm="stillup", header="auth-token"'
  t.equal(await named('/api/v1/misc/kyc', { method: 'POST' }), byHeader)
  t.equal(challengeOf({ public: true }), 'Session realm="stillup"', 'a password was wrong')
})

t.test('two different keys are refused, the same one twice is not', async (t) => {
  const both = (key: string, bearer: string) =>
    http.ask(notes, { key, headers: { authorization: `Bearer ${bearer}` } })
  const two = await both('key-viewer', 'key-admin')
  t.equal(two.status, 400)
  t.equal(two.json.code, 'invalid_parameter')
  t.equal((await both('key-viewer', 'key-viewer')).status, 200)
})

t.test('two session cookies are refused, other cookies are ignored', async (t) => {
  const cookies = (cookie: string) => http.ask(notes, { headers: { cookie } })
  t.equal((await cookies('auth-token=bob; auth-token=alice')).status, 400)
  t.equal((await cookies('a=b; auth-token=bob; x-auth-token=alice')).status, 200)
  t.equal((await cookies('auth-tokens=bob')).status, 401)
})

t.test('another site cannot act with the cookie', async (t) => {
  const send = (headers: Record<string, string>) =>
    http.ask(notes, { as: 'alice', json: note, headers })
  t.equal((await send({ 'sec-fetch-site': 'cross-site' })).json.code, 'csrf_rejected')
  t.equal((await send({ 'sec-fetch-site': 'same-site' })).status, 403)
  t.equal((await send({ origin: 'https://evil.example' })).status, 403)
  t.equal((await send({ origin: 'null' })).status, 403)
  t.equal(
    (await send({ 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' })).status,
    200,
  )
  t.equal((await send({ 'sec-fetch-site': 'none' })).status, 200)
  t.equal((await send({ origin: 'https://up.example' })).status, 200)
  t.equal((await send({})).status, 200, 'a script with a cookie sends neither')
})

t.test('another site may link to routes that only read, and keys are no cookies', async (t) => {
  const site = { 'sec-fetch-site': 'cross-site' }
  t.equal((await http.ask(notes, { as: 'alice', headers: site })).status, 200)
  t.equal((await http.ask(notes, { key: 'key-member', json: note, headers: site })).status, 200)
  const kyc = { method: 'POST', headers: { ...site, 'auth-token': 'bob' } }
  t.equal((await http.ask('/api/v1/misc/kyc', kyc)).status, 200)
})

t.test('where the session comes in a header the cookie is ignored, and vice versa', async (t) => {
  const ask = (path: string, headers: Record<string, string>) =>
    http.ask(`/api/v1/misc/${path}`, { method: path === 'kyc' ? 'POST' : 'GET', headers })
  const [cookie, header] = [{ cookie: 'auth-token=bob' }, { 'auth-token': 'bob' }]
  t.equal((await ask('kyc', header)).status, 200)
  t.equal((await ask('kyc', cookie)).json.code, 'unauthenticated')
  t.equal((await ask('kyc', { ...header, cookie: 'auth-token=garbage' })).status, 200)
  t.equal((await ask('kyc', { ...cookie, 'auth-token': 'garbage' })).status, 401)
  t.equal((await ask('kyc', { ...cookie, 'auth-token': '' })).status, 401)
  t.equal((await ask('me', cookie)).status, 200)
  t.equal((await ask('me', header)).json.code, 'unauthenticated')
  t.equal((await ask('me', { ...cookie, 'auth-token': 'garbage' })).status, 200)
})

t.test('power over the system requires a recent sign-in, or the system token', async (t) => {
  const who = { system: true, sudo: true } as const
  const ask = (principal: Principal) => () =>
    authorize(who, callerOf(principal), undefined, identity, limits.sudoMs + 1)
  const session: Extract<Principal, { kind: 'session' }> = {
    kind: 'session',
    userId: 'usr_a' as UserId,
    sessionId: 'ses_a' as SessionId,
    authenticatedAtMs: 1,
    isSystemAdmin: true,
  }
  t.doesNotThrow(ask(session))
  t.doesNotThrow(ask({ kind: 'system' }))
  t.throws(ask({ ...session, authenticatedAtMs: 0 }), { code: 'reauthentication_required' })
  t.throws(ask({ ...session, isSystemAdmin: false }), { code: 'forbidden' })
})
