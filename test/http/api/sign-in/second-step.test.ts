// The second step of a sign-in by the form, and devices that need none: what must not work, too.
import * as OTPAuth from 'otpauth'
import t, { type Test } from 'tap'
import { auth } from '../../../../src/http/api/sign-in/auth.ts'
import { authPassword } from '../../../../src/http/api/sign-in/auth-password.ts'
import { totp } from '../../../../src/http/api/sign-in/totp.ts'
import { goodPassword } from '../../../support/access.ts'
import { serveAccess } from '../../../support/access-api.ts'

const alice = { email: 'alice@example.com', password: goodPassword }
const minuteMs = 60_000

type World = Awaited<ReturnType<typeof withFactor>>

/** Alice with a second factor, and the forms of a browser without scripts. */
async function withFactor(t: Test, options: { readonly trustedDeviceDays?: number } = {}) {
  const served = await serveAccess(t, [...auth, ...authPassword, ...totp], options)
  const { ask, clock } = served
  const { token: session } = await served.enrol('alice')
  const begun = await ask('POST', '/auth/totp', { cookie: session })
  const app = OTPAuth.URI.parse(begun.body.data.otpauthUrl) as OTPAuth.TOTP
  /** A code that was not used before. */
  const code = async () => {
    await clock.advance(minuteMs)
    return app.generate({ timestamp: clock.nowMs() })
  }
  await ask('POST', '/auth/totp/confirm', { cookie: session, body: { code: await code() } })
  const headersOf = (cookie: string) => ({
    'content-type': 'application/x-www-form-urlencoded',
    'sec-fetch-site': 'same-origin',
    cookie,
  })
  const post = (path: string, form: Record<string, string>, cookie = '') =>
    ask('POST', path, { form, headers: headersOf(cookie) })
  return { ...served, session, code, post }
}

/** `name=value` of a cookie that an answer set; undefined if it did not. */
function cookieOf({ headers }: { readonly headers: Headers }, name: string): string | undefined {
  const line = headers.getSetCookie().find((one) => one.startsWith(`${name}=`))
  return line?.split(';')[0]
}

async function begin({ post }: World, cookie = '') {
  const answer = await post('/auth/login', { ...alice, redirectUri: '/docs' }, cookie)
  return { answer, flow: cookieOf(answer, 'sign-in-code') ?? '' }
}

const codePath = '/auth/login/code'

t.test('after the password the code alone is asked for, on a page of its own', async (t) => {
  const world = await withFactor(t)
  const { answer, flow } = await begin(world)
  t.equal(answer.status, 401)
  t.match(answer.text, 'name="totp"')
  t.notMatch(answer.text, 'name="password"')
  const [line = ''] = answer.headers.getSetCookie()
  t.match(line, /; Path=\/api\/v1\/auth\/login\/code; Max-Age=300; HttpOnly; SameSite=Lax/)
  t.notMatch(flow, /alice|usr_/, 'the cookie tells nothing')
  const done = await world.post(codePath, { totp: await world.code() }, flow)
  t.equal(done.status, 303)
  t.equal(done.headers.get('location'), '/docs')
  t.ok(cookieOf(done, 'auth-token'))
  t.equal(cookieOf(done, 'sign-in-code'), 'sign-in-code=', 'and it is gone')
  const json = await begin(world)
  const body = { totp: await world.code() }
  const headers = { cookie: json.flow }
  t.match(await world.ask('POST', codePath, { body, headers }), {
    status: 200,
    body: { data: { user: { email: alice.email } } },
  })
})

t.test(
  'a right password does not help where the step is replayed, forged, late or foreign',
  async (t) => {
    const world = await withFactor(t)
    const { flow } = await begin(world)
    t.equal((await world.post(codePath, { totp: await world.code() }, flow)).status, 303)
    const refused = async (cookie: string) => {
      const answer = await world.post(codePath, { totp: await world.code() }, cookie)
      t.equal(answer.status, 410)
      t.notOk(cookieOf(answer, 'auth-token'))
    }
    await refused(flow)
    await refused('')
    await refused('sign-in-code=abc')
    await refused(`sign-in-code=${world.box.seal('{"kind":"oidc-flow","stage":"waiting"}')}`)
    const late = await begin(world)
    await world.clock.advance(5 * minuteMs)
    await refused(late.flow)
    const changed = await begin(world)
    const body = { currentPassword: alice.password, newPassword: 'a horse of another colour' }
    t.equal(
      (await world.ask('POST', '/auth/password/change', { cookie: world.session, body })).status,
      200,
    )
    await refused(changed.flow)
  },
)

t.test('a step takes a few codes; then the sign-in begins anew', async (t) => {
  const world = await withFactor(t)
  const { flow } = await begin(world)
  for (let tried = 0; tried < 5; tried += 1) {
    t.equal((await world.post(codePath, { totp: '000000' }, flow)).status, 401)
  }
  t.equal((await world.post(codePath, { totp: await world.code() }, flow)).status, 410)
  const again = await begin(world)
  t.equal((await world.post(codePath, { totp: await world.code() }, again.flow)).status, 303)
})

/** Signs in with a code, and has the device remembered. */
async function remembered(world: World): Promise<string> {
  const { flow } = await begin(world)
  const form = { totp: await world.code(), isRemembered: 'true' }
  return cookieOf(await world.post(codePath, form, flow), 'trusted-device') ?? ''
}

t.test('a remembered device needs no code for 30 days, and others do', async (t) => {
  const world = await withFactor(t)
  const trusted = await remembered(world)
  t.match(trusted, /^trusted-device=[\w-]{43}$/)
  t.notMatch(
    JSON.stringify(
      world.store.trustedDevices.listOfUser(world.signedIn(world.session).principal.userId, 9),
    ),
    trusted.slice(15),
  )
  t.equal((await begin(world, trusted)).answer.status, 303)
  t.equal((await begin(world, 'trusted-device=abc')).answer.status, 401)
  t.equal((await begin(world)).answer.status, 401)
  const wrong = await world.post('/auth/login', { ...alice, password: 'not it at all' }, trusted)
  t.match(wrong.text, 'password is wrong', 'it is no password')
  const bob = await world.enrol('bob')
  t.equal(world.trustedDevices.isTrusted(bob.user.id, trusted.slice(15)), false)
  const asked = await world.ask('POST', '/auth/login', {
    body: alice,
    headers: { cookie: trusted },
  })
  t.equal(asked.status, 200, 'for programs, too')
  await world.clock.advance(30 * 86_400_000)
  t.equal((await begin(world, trusted)).answer.status, 401)
})

t.test('devices are listed and forgotten, by their owner alone', async (t) => {
  const world = await withFactor(t)
  const trusted = await remembered(world)
  const mine = await world.ask('GET', '/auth/devices', { cookie: world.session })
  t.match(mine.body.data, [{ id: /^dev_/, userAgent: /./, expiresAt: /^2026-01-31/ }])
  t.notMatch(JSON.stringify(mine.body), 'tokenHash')
  const [{ id }] = mine.body.data
  const { token: bob } = await world.enrol('bob')
  t.same((await world.ask('GET', '/auth/devices', { cookie: bob })).body.data, [])
  t.equal((await world.ask('DELETE', `/auth/devices/${id}`, { cookie: bob })).status, 404)
  t.equal((await begin(world, trusted)).answer.status, 303)
  t.equal((await world.ask('DELETE', `/auth/devices/${id}`, { cookie: world.session })).status, 200)
  t.equal((await begin(world, trusted)).answer.status, 401)
})

t.test('another password or another second factor forgets all devices', async (t) => {
  const world = await withFactor(t)
  const { session: cookie } = world
  const { userId } = world.signedIn(cookie).principal
  const isTrusted = (one: string) => world.trustedDevices.isTrusted(userId, one.slice(15))
  const first = await remembered(world)
  t.ok(isTrusted(first))
  const body = { currentPassword: alice.password, newPassword: 'a horse of another colour' }
  const changed = await world.ask('POST', '/auth/password/change', { cookie, body })
  t.notOk(isTrusted(first))
  const restored = await world.ask('POST', '/auth/password/change', {
    cookie: changed.body.data.token,
    body: { currentPassword: body.newPassword, newPassword: alice.password },
  })
  const second = await remembered(world)
  t.ok(isTrusted(second))
  const caller = world.signedIn(restored.body.data.token)
  await world.factors.turnOff(caller, await world.code())
  t.notOk(isTrusted(second))
})

t.test('where the operator forbids it, no device is remembered', async (t) => {
  const world = await withFactor(t, { trustedDeviceDays: 0 })
  const { answer } = await begin(world)
  t.notMatch(answer.text, 'isRemembered')
  t.equal(await remembered(world), '')
})
