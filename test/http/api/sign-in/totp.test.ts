// The second factor over HTTP: from the picture to a sign-in that needs it, and off again.
import * as OTPAuth from 'otpauth'
import t from 'tap'
import { auth } from '../../../../src/http/api/sign-in/auth.ts'
import { totp } from '../../../../src/http/api/sign-in/totp.ts'
import { goodPassword } from '../../../support/access.ts'
import { serveAccess } from '../../../support/access-api.ts'

const alice = { email: 'alice@example.com', password: goodPassword }

t.test('turned on, required, turned off', async (t) => {
  const { ask, enrol, clock } = await serveAccess(t, [...auth, ...totp])
  const { token: cookie } = await enrol('alice')
  const hasTotp = async () =>
    (await ask('GET', '/auth/session', { cookie })).body.data.hasTotp as boolean

  const begun = await ask('POST', '/auth/totp', { cookie })
  t.equal(begun.status, 200)
  t.same(Object.keys(begun.body.data).sort(), ['otpauthUrl', 'qrSvg', 'secret'])
  t.equal(await hasTotp(), false)
  const app = OTPAuth.URI.parse(begun.body.data.otpauthUrl) as OTPAuth.TOTP
  const code = () => app.generate({ timestamp: clock.nowMs() })
  const confirmed = await ask('POST', '/auth/totp/confirm', { cookie, body: { code: code() } })
  t.equal(confirmed.status, 200)
  const { recoveryCodes } = confirmed.body.data
  t.equal(recoveryCodes.length, 10)
  t.equal(await hasTotp(), true)
  t.equal((await ask('POST', '/auth/totp', { cookie })).body.code, 'conflict')

  await clock.advance(60_000)
  const login = (more: object) => ask('POST', '/auth/login', { body: { ...alice, ...more } })
  t.match(await login({}), { status: 401, body: { code: 'totp_required' } })
  t.match(await login({ password: 'another one' }), { body: { code: 'invalid_credentials' } })
  t.match(await login({ totp: '000000' }), { status: 401, body: { code: 'invalid_credentials' } })
  t.match(await login({ totp: 'x'.repeat(65) }), { status: 422 })
  t.equal((await login({ totp: code() })).status, 200)
  t.equal((await login({ totp: recoveryCodes[3] })).status, 200)

  await clock.advance(60_000)
  const off = (body: object) => ask('DELETE', '/auth/totp', { cookie, body })
  t.match(await off({}), { status: 422, body: { errors: [{ pointer: '/code' }] } })
  t.match(await off({ code: code(), force: true }), { status: 422 })
  t.match(await off({ code: '000000' }), { status: 401 })
  t.match(await off({ code: code() }), { status: 200, body: { success: true } })
  t.equal(await hasTotp(), false)
  t.equal((await login({})).status, 200)
})

t.test('a session that is left open can neither turn it on nor off', async (t) => {
  const { ask, enrol, clock } = await serveAccess(t, totp)
  const { token: cookie } = await enrol('alice')
  await clock.advance(15 * 60_000 + 1)
  const old = { status: 403, body: { code: 'reauthentication_required' } }
  t.match(await ask('POST', '/auth/totp', { cookie }), old)
  t.match(await ask('DELETE', '/auth/totp', { cookie, body: { code: '000000' } }), old)
})
