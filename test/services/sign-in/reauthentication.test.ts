// Reauthentication: what proves a person once more, what does not, and what it freshens.
import * as OTPAuth from 'otpauth'
import t from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import { needRecentSignIn } from '../../../src/services/sudo.ts'
import { wrongProofs } from '../../../src/services/throttles.ts'
import { callerOf, goodPassword, openAccess } from '../../support/access.ts'

const wrong = { code: 'invalid_credentials' }
const right = { password: goodPassword }

t.test('the right password refreshes this session, which gets a new value', async (t) => {
  const { reauthentication, people, enrol, signedIn, clock } = openAccess(t)
  const { caller, token } = await enrol('alice')
  const other = await people.signIn(callerOf(), { email: 'alice@example.com', ...right })
  await clock.advance(limits.sudoMs)
  t.doesNotThrow(() => needRecentSignIn(signedIn(token).principal, clock.nowMs()))
  await clock.advance(1)
  const stale = { code: 'reauthentication_required' }
  t.throws(() => needRecentSignIn(signedIn(token).principal, clock.nowMs()), stale)
  const fresh = await reauthentication.confirm(caller, right)
  t.equal(fresh.freshUntilMs, clock.nowMs() + limits.sudoMs)
  t.throws(() => signedIn(token), { code: 'unauthenticated' })
  const now = signedIn(fresh.token)
  t.equal(now.principal.sessionId, caller.principal.sessionId)
  t.doesNotThrow(() => needRecentSignIn(now.principal, clock.nowMs()))
  const elsewhere = signedIn(other.token).principal
  t.throws(() => needRecentSignIn(elsewhere, clock.nowMs()), stale, 'only this one')
})

t.test('a code of the second factor does as well, once', async (t) => {
  const { reauthentication, factors, enrol, signedIn, clock } = openAccess(t)
  const { caller } = await enrol('alice')
  const app = OTPAuth.URI.parse((await factors.enrol(caller)).otpauthUrl) as OTPAuth.TOTP
  const code = () => app.generate({ timestamp: clock.nowMs() })
  await t.rejects(reauthentication.confirm(caller, { totp: code() }), { code: 'conflict' })
  await factors.confirm(caller, code())
  await clock.advance(60_000)
  await t.rejects(reauthentication.confirm(caller, { totp: '000000' }), wrong)
  const { token } = await reauthentication.confirm(caller, { totp: code() })
  await t.rejects(reauthentication.confirm(signedIn(token), { totp: code() }), wrong)
})

t.test('guessing stops after ten a day; correct proofs do not count', async (t) => {
  const { reauthentication, enrol, signedIn, clock } = openAccess(t)
  const { caller } = await enrol('alice')
  let { token } = await reauthentication.confirm(caller, right)
  for (let n = 0; n < 15; n += 1) {
    token = (await reauthentication.confirm(signedIn(token), right)).token
  }
  const guess = () => reauthentication.confirm(signedIn(token), { password: 'a guess of mine' })
  for (let n = 0; n < 10; n += 1) await t.rejects(guess(), wrong)
  await t.rejects(guess(), { code: 'rate_limited', headers: [['Retry-After', /^\d+$/]] })
  await t.rejects(reauthentication.confirm(signedIn(token), right), { code: 'rate_limited' })
  t.ok(signedIn(token), 'and the session goes on')
  await clock.advance(wrongProofs.windowSeconds * 1_000)
  t.ok(await reauthentication.confirm(signedIn(token), right))
})

t.test('twenty guesses at once are no more than ten', async (t) => {
  const { reauthentication, enrol } = openAccess(t)
  const { caller } = await enrol('alice')
  const tried = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => {
      return reauthentication.confirm(caller, { password: `guess number ${n}` })
    }),
  )
  const codes = tried.map((one) => (one.status === 'rejected' ? one.reason.code : 'let in'))
  t.equal(codes.filter((code) => code === 'invalid_credentials').length, 10)
  t.equal(codes.filter((code) => code === 'rate_limited').length, 10)
})

t.test('a person without a password cannot prove one', async (t) => {
  const { reauthentication, enrol, store } = openAccess(t)
  const { caller, user } = await enrol('alice')
  await store.write((tx) => store.users.put(tx, { ...user, passwordHash: null }))
  await t.rejects(reauthentication.confirm(caller, right), wrong)
  await t.rejects(reauthentication.confirm(caller, { password: '' }), wrong)
})
