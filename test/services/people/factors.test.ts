// The second factor: on from the first code, asked for after the password, and each code once.
import * as OTPAuth from 'otpauth'
import t, { type Test } from 'tap'
import { callerOf, goodPassword, openAccess } from '../../support/access.ts'

type Access = ReturnType<typeof openAccess>

const wrong = { code: 'invalid_credentials' }

/** Alice with an app that shows her codes. */
async function openWithApp(t: Test) {
  const access = openAccess(t)
  const alice = await access.enrol('alice')
  const { otpauthUrl } = await access.factors.enrol(alice.caller)
  const app = OTPAuth.URI.parse(otpauthUrl) as OTPAuth.TOTP
  const code = (aheadMs = 0) => app.generate({ timestamp: access.clock.nowMs() + aheadMs })
  return { ...access, alice, code }
}

/** The same, with the second factor turned on and the clock past that code. */
async function openWithFactor(t: Test) {
  const access = await openWithApp(t)
  const { recoveryCodes } = await access.factors.confirm(access.alice.caller, access.code())
  await access.clock.advance(60_000)
  return { ...access, recoveryCodes }
}

const signIn = ({ people }: Pick<Access, 'people'>, totp?: string, password = goodPassword) =>
  people.signIn(callerOf(), { email: 'alice@example.com', password, totp })

const actions = ({ store }: Pick<Access, 'store'>) =>
  store.audit.list('system', 50).map(({ action }) => action)

t.test('the secret comes with a QR code of dark squares on light only', async (t) => {
  const { factors, enrol } = openAccess(t)
  const { caller } = await enrol('alice')
  const { secret, otpauthUrl, qrSvg } = await factors.enrol(caller)
  t.match(secret, /^[A-Z2-7]{32}$/)
  t.ok(otpauthUrl.startsWith('otpauth://totp/stillup%20127.0.0.1:alice%40example.com?secret='))
  t.match(
    qrSvg,
    /^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 \d+ \d+"><rect fill="#ffffff"/,
  )
  t.match(qrSvg, /<path fill="#000000" d="[Mhvz\d,-]+"\/><\/svg>$/)
  const rest = qrSvg.replace(/<\/?(svg|rect|path)\b[^<>]*>/g, '')
  t.equal(rest, '', 'no text, script or other element')
})

t.test('no code is required before one confirmed the app', async (t) => {
  const access = await openWithApp(t)
  const { factors, alice, code, clock } = access
  t.equal(factors.isEnrolled(alice.user.id), false)
  t.ok(await signIn(access))
  t.ok(await signIn(access, 'whatever'), 'a code that is not needed does no harm')
  await t.rejects(factors.turnOff(alice.caller, code()), { code: 'conflict' })
  await t.rejects(factors.confirm(alice.caller, '000000'), wrong)
  const old = code()
  const again = await factors.enrol(alice.caller)
  await t.rejects(factors.confirm(alice.caller, old), wrong, 'the secret before is replaced')
  const app = OTPAuth.URI.parse(again.otpauthUrl) as OTPAuth.TOTP
  const { recoveryCodes } = await factors.confirm(
    alice.caller,
    app.generate({ timestamp: clock.nowMs() }),
  )
  t.equal(new Set(recoveryCodes).size, 10)
  for (const one of recoveryCodes) t.match(one, /^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
  t.equal(factors.isEnrolled(alice.user.id), true)
  await t.rejects(factors.enrol(alice.caller), { code: 'conflict' })
  await t.rejects(factors.confirm(alice.caller, old), { code: 'conflict' })
  const bob = await access.enrol('bob')
  await t.rejects(factors.confirm(bob.caller, '000000'), { code: 'conflict' })
})

t.test('a sign-in needs the password first, then the code', async (t) => {
  const access = await openWithFactor(t)
  const { code, clock, store, alice } = access
  const sessions = () => store.sessions.listOfUser(alice.user.id, 50).length
  const before = sessions()
  await t.rejects(signIn(access, undefined, 'wrong'), wrong)
  await t.rejects(signIn(access, code(), 'wrong'), wrong, 'the code alone is worth nothing')
  await t.rejects(signIn(access), { code: 'totp_required' })
  await t.rejects(signIn(access, ''), { code: 'totp_required' })
  await t.rejects(signIn(access, '000000'), wrong)
  t.equal(sessions(), before)
  t.ok(await signIn(access, code()), 'no try before spent the code')
  await t.rejects(signIn(access, code()), wrong, 'it works once')
  await t.rejects(signIn(access, code(-30_000)), wrong, 'and so does an older one')
  t.ok(await signIn(access, ` ${code(30_000).replace(/(...)/, '$1 ')}`), 'as apps show it')
  await clock.advance(60_000)
  t.ok(await signIn(access, code()))
})

t.test('of many sign-ins with one code at once, one succeeds', async (t) => {
  const access = await openWithFactor(t)
  for (const code of [access.code(), access.recoveryCodes[0] ?? '']) {
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => signIn(access, code)))
    t.equal(tries.filter(({ status }) => status === 'fulfilled').length, 1)
  }
})

t.test('a recovery code works once, and its owner is told', async (t) => {
  const access = await openWithFactor(t)
  const { recoveryCodes, letters, mailer, alice } = access
  const [first = '', second = ''] = recoveryCodes
  const woken = mailer.woken
  t.ok(await signIn(access, first))
  t.match(letters.at(-1), { to: 'alice@example.com', subject: 'A recovery code was used' })
  t.match(letters.at(-1)?.text, '9 recovery codes are left.')
  t.notMatch(letters.at(-1)?.text, first)
  await access.store.flush()
  await new Promise((resolve) => setImmediate(resolve))
  t.ok(mailer.woken > woken, 'the letter does not wait')
  t.match(actions(access), ['session.started', 'recovery_code.used'])
  await t.rejects(signIn(access, first), wrong)
  t.ok(await signIn(access, second.toUpperCase().replaceAll('-', ' ')), 'however it is typed')
  await t.rejects(signIn(access, 'aaaa-aaaa-aaaa-aaaa'), wrong)
  const kept = JSON.stringify(access.store.factors.get(alice.user.id))
  for (const code of recoveryCodes) t.notMatch(kept, code.replaceAll('-', ''))
})

t.test('after too many attempts in a day even the right code must wait', async (t) => {
  const access = await openWithFactor(t)
  const { factors, store, alice, code } = access
  const demand = (given: string) =>
    store.write((tx) => factors.demand(tx, callerOf(), alice.user.id, { totp: given }))
  const seen: string[] = []
  for (let tried = 0; tried < 100; tried += 1) {
    await demand('000000').catch(({ code }) => seen.push(code))
  }
  // The code that turned it on counted as well, and no wrong one was rolled back.
  t.same(seen, [...Array(95).fill('invalid_credentials'), ...Array(5).fill('rate_limited')])
  await t.rejects(demand(code()), { code: 'rate_limited', headers: [['Retry-After', /^\d+$/]] })
  await access.clock.advance(86_400_000)
  t.ok(await signIn(access, access.code()))
})

t.test('it is turned off with a code, and its letters say so', async (t) => {
  const access = await openWithFactor(t)
  const { factors, alice, code, letters } = access
  t.match(letters.at(-1), { subject: 'The second factor is on' })
  await t.rejects(factors.turnOff(alice.caller, '000000'), wrong)
  t.ok(factors.isEnrolled(alice.user.id))
  await factors.turnOff(alice.caller, code())
  t.match(letters.at(-1), { to: 'alice@example.com', subject: 'The second factor is off' })
  t.ok(await signIn(access))
  await t.rejects(factors.turnOff(alice.caller, code()), { code: 'conflict' })
  t.match(actions(access), ['session.started', 'totp.disabled', 'totp.enabled', 'totp.begun'])
})

t.test('the code itself can be the proof, for people who have one', async (t) => {
  const access = await openWithFactor(t)
  const { factors, store, alice, code } = access
  const prove = (userId = alice.user.id, given = code()) =>
    store.write((tx) => factors.prove(tx, callerOf(), userId, given))
  const bob = await access.enrol('bob')
  await t.rejects(prove(bob.user.id), { code: 'conflict' })
  await t.rejects(prove(alice.user.id, '000000'), wrong)
  await prove()
  await t.rejects(prove(), wrong)
})

t.test('the operator helps people who lost the app and the recovery codes', async (t) => {
  const access = await openWithFactor(t)
  const { factors, store, alice, letters } = access
  const reset = () =>
    store.write((tx) => factors.reset(tx, callerOf({ kind: 'system' }), alice.user.id))
  t.equal(await reset(), true)
  t.match(letters.at(-1)?.text, 'turned off by the operator')
  t.equal(await reset(), false)
  t.ok(await signIn(access))
})

t.test('a passkey is added with a code only, while there is a second factor', async (t) => {
  const access = openAccess(t, { baseUrl: 'https://up.test' })
  const { factors, passkeys, clock } = access
  const alice = await access.enrol('alice')
  t.ok(await passkeys.beginAdding(alice.caller), 'without a second factor none is asked for')
  const { otpauthUrl } = await factors.enrol(alice.caller)
  const app = OTPAuth.URI.parse(otpauthUrl) as OTPAuth.TOTP
  const code = () => app.generate({ timestamp: clock.nowMs() })
  await factors.confirm(alice.caller, code())
  await clock.advance(60_000)
  // A remembered device and the password would otherwise end the second factor for good.
  await t.rejects(passkeys.beginAdding(alice.caller), { code: 'totp_required' })
  await t.rejects(passkeys.beginAdding(alice.caller, '000000'), wrong)
  t.ok(await passkeys.beginAdding(alice.caller, code()))
})
