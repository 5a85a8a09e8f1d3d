// One's own password: forgotten, chosen anew, changed; and what that ends.
import t from 'tap'
import { callerOf, goodPassword, openAccess } from '../../support/access.ts'

const anybody = callerOf()
const hourMs = 3_600_000
const alice = { email: 'alice@example.com', password: goodPassword }
const better = 'eleven quiet harbour lamps'
const linkGone = { code: 'link_expired' }

type Access = ReturnType<typeof openAccess>

/** The token in the newest letter that has a link to reset a password. */
function mailedToken({ letters }: Access): string {
  const text = letters.findLast((letter) => letter.text.includes('/password/reset?'))?.text ?? ''
  return /\/api\/v1\/auth\/password\/reset\?token=([\w-]{43})/.exec(text)?.[1] ?? ''
}

t.test('a mailed link sets a password, ends every session, and signs nobody in', async (t) => {
  const access = openAccess(t)
  const { ownPassword, people, enrol, signedIn, letters, store, mailer } = access
  const { token, user } = await enrol('alice')
  const second = await people.signIn(anybody, alice)
  t.equal(store.users.get(user.id)?.emailVerifiedAtMs, null)
  const woken = mailer.woken
  await ownPassword.forgot(anybody, ' ALICE@example.com')
  t.equal(mailer.woken, woken, 'the answer does not wait, whoever it is')
  await access.clock.advance(0)
  t.equal(mailer.woken, woken + 1)
  t.equal(letters.at(-1)?.to, alice.email)
  const link = mailedToken(access)
  t.same(ownPassword.look(link), { email: alice.email })
  t.equal(await ownPassword.reset(anybody, link, better), undefined)
  for (const value of [token, second.token]) t.throws(() => signedIn(value))
  await t.rejects(people.signIn(anybody, alice), { code: 'invalid_credentials' })
  t.ok(await people.signIn(anybody, { ...alice, password: better }))
  t.ok(store.users.get(user.id)?.emailVerifiedAtMs, 'the letter was read: the address is proven')
  t.match(letters.at(-1), { to: alice.email, subject: 'Your password was changed' })
})

t.test('a link works once, even if eight use it at once', async (t) => {
  const access = openAccess(t)
  const { ownPassword, people, enrol } = access
  await enrol('alice')
  await ownPassword.forgot(anybody, alice.email)
  const link = mailedToken(access)
  const words = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']
  const chosen = words.map((word) => `${better} ${word}`)
  const tried = await Promise.allSettled(
    chosen.map((password) => ownPassword.reset(anybody, link, password)),
  )
  t.equal(tried.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const one of tried) if (one.status === 'rejected') t.match(one.reason, linkGone)
  const winner = chosen[tried.findIndex(({ status }) => status === 'fulfilled')] ?? ''
  t.ok(await people.signIn(anybody, { ...alice, password: winner }))
  await t.rejects(ownPassword.reset(anybody, link, better), linkGone)
  t.throws(() => ownPassword.look(link), linkGone)
})

t.test('a link ends after an hour, with a newer one, and with any change', async (t) => {
  const access = openAccess(t)
  const { ownPassword, enrol, clock, signedIn, people } = access
  await enrol('alice')
  await ownPassword.forgot(anybody, alice.email)
  const first = mailedToken(access)
  await clock.advance(hourMs - 1)
  t.ok(ownPassword.look(first))
  await clock.advance(1)
  t.throws(() => ownPassword.look(first), linkGone)

  await ownPassword.forgot(anybody, alice.email)
  const second = mailedToken(access)
  await ownPassword.forgot(anybody, alice.email)
  t.throws(() => ownPassword.look(second), linkGone)
  const third = mailedToken(access)
  const caller = signedIn((await people.signIn(anybody, alice)).token)
  const input = { currentPassword: goodPassword, newPassword: better }
  await ownPassword.change(caller, input)
  await t.rejects(ownPassword.reset(anybody, third, `${better} more`), linkGone)
})

t.test('forged tokens, and tokens for something else, open nothing', async (t) => {
  const access = openAccess(t)
  const { ownPassword, enrol, letters } = access
  await enrol('alice')
  const verify = /verify\?token=([\w-]{43})/.exec(letters[0]?.text ?? '')?.[1] ?? ''
  t.ok(verify, 'registering mailed a link to confirm the address')
  for (const token of [verify, '', 'x', 'A'.repeat(43), `${verify}A`, '../../etc/passwd']) {
    await t.rejects(ownPassword.reset(anybody, token, better), linkGone)
  }
})

t.test('an unknown address takes the same steps and gets no letter', async (t) => {
  const { ownPassword, enrol, letters, store, mailer, clock } = openAccess(t)
  const { user } = await enrol('alice')
  const bob = await enrol('bob')
  await store.write((tx) => store.users.put(tx, { ...bob.user, isDisabled: true }))
  const known = letters.length
  const traces: string[] = []
  for (const email of ['alice@example.com', 'nobody@example.com', 'bob@example.com']) {
    const before = { links: store.links.slice(100).length, woken: mailer.woken }
    const timersBefore = clock.pending
    t.equal(await ownPassword.forgot(anybody, email), undefined)
    const links = store.links.slice(100).length
    const timers = clock.pending - timersBefore
    traces.push(JSON.stringify([links >= before.links, mailer.woken - before.woken, timers]))
    await clock.advance(0)
  }
  t.equal(new Set(traces).size, 1)
  t.same(
    letters.slice(known).map(({ to }) => to),
    ['alice@example.com'],
  )
  const strangers = store.links.slice(100).filter(({ userId }) => userId === null)
  t.equal(strangers.length, 1, 'and however many ask, one record of them is kept')
  t.equal(store.links.newestOf('password-reset', 'alice@example.com')?.userId, user.id)
})

t.test('a mailbox cannot be filled: a few letters an hour, and then silence', async (t) => {
  const { ownPassword, enrol, letters, clock } = openAccess(t)
  await enrol('alice')
  const known = letters.length
  for (let n = 0; n < 8; n += 1) await ownPassword.forgot(anybody, alice.email)
  t.equal(letters.length - known, 5)
  await clock.advance(hourMs)
  await ownPassword.forgot(anybody, alice.email)
  t.equal(letters.length - known, 6)
})

t.test('an easy password is refused by name, and the link still works', async (t) => {
  const access = openAccess(t)
  const { ownPassword, enrol } = access
  await enrol('alice', { organizationName: 'Rocketeers' })
  await ownPassword.forgot(anybody, alice.email)
  const link = mailedToken(access)
  for (const password of ['short', 'password1234', 'rocketeers123', 'x'.repeat(129)]) {
    await t.rejects(ownPassword.reset(anybody, link, password), {
      code: 'validation_failed',
      errors: [{ pointer: '/password' }],
    })
  }
  await ownPassword.reset(anybody, link, better)
})

t.test('changing it needs the current one, and ends every other session', async (t) => {
  const { ownPassword, people, enrol, signedIn, letters, access } = openAccess(t)
  const { caller, token } = await enrol('alice')
  const other = await people.signIn(anybody, alice)
  const input = { currentPassword: goodPassword, newPassword: better }
  const wrong = { ...input, currentPassword: 'something else' }
  await t.rejects(ownPassword.change(caller, wrong), { code: 'invalid_credentials' })
  t.ok(signedIn(other.token), 'a wrong one ends nothing')
  const easy = { ...input, newPassword: 'password1234' }
  await t.rejects(ownPassword.change(caller, easy), { errors: [{ pointer: '/newPassword' }] })
  const before = access.changes
  const fresh = await ownPassword.change(caller, input)
  t.equal(access.changes, before + 1)
  t.throws(() => signedIn(other.token), { code: 'unauthenticated' })
  t.throws(() => signedIn(token), { code: 'unauthenticated' }, 'a stolen copy is dead as well')
  t.equal(signedIn(fresh.token).principal.sessionId, caller.principal.sessionId)
  t.match(letters.at(-1), { to: alice.email, subject: 'Your password was changed' })
  await t.rejects(ownPassword.change(signedIn(fresh.token), input), { code: 'invalid_credentials' })
})

t.test('of two changes at once the second does not overwrite the first', async (t) => {
  const { ownPassword, people, enrol } = openAccess(t)
  const { caller } = await enrol('alice')
  const chosen = [`${better} one`, `${better} two`]
  const tried = await Promise.allSettled(
    chosen.map((newPassword) =>
      ownPassword.change(caller, { currentPassword: goodPassword, newPassword }),
    ),
  )
  const won = tried.map(({ status }) => status === 'fulfilled')
  t.equal(won.filter(Boolean).length, 1)
  const password = chosen[won.indexOf(true)] ?? ''
  t.ok(await people.signIn(anybody, { ...alice, password }))
})

t.test('a reset does not bypass the second factor', async (t) => {
  const access = openAccess(t)
  const { ownPassword, people, factors, emails, enrol, clock, letters } = access
  const { caller, user } = await enrol('alice')
  const [, proof = ''] = /verify\?token=([\w-]+)/.exec(letters.at(-1)?.text ?? '') ?? []
  await emails.verify(anybody, proof)
  const OTPAuth = await import('otpauth')
  const { otpauthUrl } = await factors.enrol(caller)
  const app = OTPAuth.URI.parse(otpauthUrl)
  await factors.confirm(
    caller,
    (app as InstanceType<typeof OTPAuth.TOTP>).generate({
      timestamp: clock.nowMs(),
    }),
  )
  await ownPassword.forgot(anybody, alice.email)
  await ownPassword.reset(anybody, mailedToken(access), better)
  t.ok(factors.isEnrolled(user.id))
  await t.rejects(people.signIn(anybody, { ...alice, password: better }), { code: 'totp_required' })
})

t.test('repeated password changes do not fill a mailbox', async (t) => {
  const { ownPassword, enrol, signedIn, letters } = openAccess(t)
  let { token } = await enrol('alice')
  let currentPassword = goodPassword
  letters.length = 0
  for (let n = 0; n < 8; n += 1) {
    const newPassword = `${better} ${n}`
    const changed = await ownPassword.change(signedIn(token), { currentPassword, newPassword })
    token = changed.token
    currentPassword = newPassword
  }
  t.equal(letters.length, 5)
})
