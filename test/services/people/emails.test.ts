// Addresses: proven by a letter, and changed only when both mailboxes agree.
import t from 'tap'
import { callerOf, goodPassword, openAccess } from '../../support/access.ts'

const anybody = callerOf()
const linkGone = { code: 'link_expired' }
const dayMs = 86_400_000

type Access = ReturnType<typeof openAccess>

/** The token in the newest letter to an address. */
function tokenTo({ letters }: Access, to: string): string {
  const text = letters.findLast((letter) => letter.to === to)?.text ?? ''
  return /\/api\/v1\/auth\/email\/\w+\?token=([\w-]{43})/.exec(text)?.[1] ?? ''
}

const old = 'alice@example.com'
const fresh = 'alice@example.org'

/** Alice with a proven address, and a change asked for. */
async function asked(access: Access) {
  const { emails, store } = access
  const made = await access.enrol('alice')
  await emails.verify(anybody, tokenTo(access, old))
  const user = await store.write((tx) =>
    emails.requestChange(tx, made.caller, made.user.id, ` ${fresh} `),
  )
  return { ...made, user, oldToken: tokenTo(access, old), newToken: tokenTo(access, fresh) }
}

t.test('who asks for a change does not choose the language of the warning', async (t) => {
  const access = openAccess(t)
  const { emails, store, letters } = access
  const { user, caller, organization } = await access.enrol('alice')
  const ask = () => {
    const chinese = { ...caller, language: 'zh' } as const
    return store.write((tx) => emails.requestChange(tx, chinese, user.id, fresh))
  }
  const languagesTo = (to: string) =>
    letters.flatMap((one) => (one.to === to ? /<html lang="(\w+)"/.exec(one.html)?.[1] : []))
  letters.length = 0
  await ask()
  t.same(languagesTo(old), ['zh'], 'the organization chose none')
  await store.write((tx) => store.orgs.put(tx, { ...organization, language: 'fr' }))
  letters.length = 0
  await ask()
  t.same(languagesTo(old), ['fr'])
  t.same(languagesTo(fresh), ['zh'])
})

t.test('the letter at registration verifies the address, once', async (t) => {
  const access = openAccess(t)
  const { emails, enrol, store, letters, clock } = access
  const { user } = await enrol('alice')
  t.equal(letters.length, 1)
  const token = tokenTo(access, old)
  t.same(emails.lookVerification(token), { email: old })
  t.equal(store.users.get(user.id)?.emailVerifiedAtMs, null, 'looking proves nothing')
  t.match(await emails.verify(anybody, token), { emailVerifiedAtMs: clock.nowMs() })
  await t.rejects(emails.verify(anybody, token), linkGone)
})

t.test('the letter can be sent again, a few times, until the address is verified', async (t) => {
  const access = openAccess(t)
  const { emails, enrol, letters } = access
  const { caller } = await enrol('alice')
  const first = tokenTo(access, old)
  for (let n = 0; n < 5; n += 1) await emails.resendVerification(caller)
  t.equal(letters.length, 6)
  await t.rejects(emails.resendVerification(caller), { code: 'rate_limited' })
  await t.rejects(emails.verify(anybody, first), linkGone, 'only the newest one works')
  await emails.verify(anybody, tokenTo(access, old))
  await access.clock.advance(dayMs)
  await t.rejects(emails.resendVerification(caller), { code: 'conflict' })
})

t.test('an address changes once it is verified and the old one agreed, in any order', async (t) => {
  for (const order of ['old first', 'new first'] as const) {
    const access = openAccess(t)
    const { emails, people, store, letters } = access
    const { user, oldToken, newToken } = await asked(access)
    t.equal(user.email, old)
    t.match(emails.lookChange(oldToken), { from: old, to: fresh, side: 'old' })
    t.match(emails.lookChange(newToken), { from: old, to: fresh, side: 'new' })
    const turns = order === 'old first' ? [oldToken, newToken] : [newToken, oldToken]
    const outcomes: string[] = []
    for (const token of turns) outcomes.push(await emails.answerChange(anybody, token, 'confirm'))
    t.same(outcomes, ['waiting', 'changed'])
    t.match(store.users.get(user.id), { email: fresh, wantedEmail: null })
    t.equal(store.users.findByEmail(old), undefined)
    t.ok(await people.signIn(anybody, { email: fresh, password: goodPassword }))
    t.match(letters.at(-1), { to: old, subject: 'Your e-mail address was changed' })
    for (const token of turns) {
      await t.rejects(emails.answerChange(anybody, token, 'confirm'), linkGone)
    }
  }
})

t.test('the old mailbox refuses: nothing changes, and all sessions end', async (t) => {
  const access = openAccess(t)
  const { emails, store, signedIn } = access
  const { user, token, oldToken, newToken } = await asked(access)
  t.ok(signedIn(token))
  t.equal(await emails.answerChange(anybody, oldToken, 'refuse'), 'refused')
  t.match(store.users.get(user.id), { email: old, wantedEmail: null })
  t.throws(() => signedIn(token), { code: 'unauthenticated' })
  await t.rejects(emails.answerChange(anybody, newToken, 'confirm'), linkGone)
})

t.test('the new mailbox refuses: nothing changes, and nobody is disturbed', async (t) => {
  const access = openAccess(t)
  const { emails, store, signedIn } = access
  const { user, token, oldToken, newToken } = await asked(access)
  t.equal(await emails.answerChange(anybody, newToken, 'refuse'), 'refused')
  t.match(store.users.get(user.id), { email: old, wantedEmail: null })
  t.ok(signedIn(token))
  await t.rejects(emails.answerChange(anybody, oldToken, 'confirm'), linkGone)
})

t.test('a link sent to the old mailbox never verifies the new one', async (t) => {
  const access = openAccess(t)
  const { emails, store } = access
  const { user, oldToken } = await asked(access)
  t.equal(await emails.answerChange(anybody, oldToken, 'confirm'), 'waiting')
  await t.rejects(emails.answerChange(anybody, oldToken, 'confirm'), linkGone)
  t.equal(store.users.get(user.id)?.email, old)
})

t.test('an address that was never verified can be corrected by the new one alone', async (t) => {
  const access = openAccess(t)
  const { emails, store } = access
  const { caller, user } = await access.enrol('alice')
  await store.write((tx) => emails.requestChange(tx, caller, user.id, fresh))
  t.equal(await emails.answerChange(anybody, tokenTo(access, fresh), 'confirm'), 'changed')
  t.ok(store.users.get(user.id)?.emailVerifiedAtMs)
})

t.test("another's address is told to that address only", async (t) => {
  const access = openAccess(t)
  const { emails, store, letters } = access
  await access.enrol('bob')
  const { caller, user } = await access.enrol('alice')
  const wanted = await store.write((tx) =>
    emails.requestChange(tx, caller, user.id, 'bob@example.com'),
  )
  t.equal(wanted.wantedEmail?.email, 'bob@example.com', 'the caller sees what they always see')
  const bobs = letters.filter(({ to }) => to === 'bob@example.com')
  t.match(bobs.at(-1), { subject: 'This e-mail address already has an account' })
  t.notMatch(bobs.at(-1)?.text, /token=/)
  t.equal(store.users.get(user.id)?.email, old)
})

t.test('an address that was taken meanwhile is not taken over', async (t) => {
  const access = openAccess(t)
  const { emails, people, store } = access
  const { user, oldToken, newToken } = await asked(access)
  await people.register(anybody, { email: fresh, password: goodPassword })
  await emails.answerChange(anybody, oldToken, 'confirm')
  const late = emails.answerChange(anybody, newToken, 'confirm')
  await t.rejects(late, { code: 'email_taken' })
  t.equal(store.users.get(user.id)?.email, old)
})

t.test('the current address is no change; a later request replaces an earlier one', async (t) => {
  const access = openAccess(t)
  const { emails, store } = access
  const { caller, user, oldToken, newToken } = await asked(access)
  const same = store.write((tx) => emails.requestChange(tx, caller, user.id, 'ALICE@example.com'))
  await t.rejects(same, { code: 'validation_failed', errors: [{ pointer: '/email' }] })
  await store.write((tx) => emails.requestChange(tx, caller, user.id, 'third@example.org'))
  for (const token of [oldToken, newToken]) t.throws(() => emails.lookChange(token), linkGone)
  t.equal(store.users.get(user.id)?.wantedEmail?.email, 'third@example.org')
})

t.test('letters to the old address open nothing after the change', async (t) => {
  const access = openAccess(t)
  const { emails, ownPassword, letters } = access
  const { oldToken, newToken } = await asked(access)
  await ownPassword.forgot(anybody, old)
  const reset = /reset\?token=([\w-]{43})/.exec(letters.at(-1)?.text ?? '')?.[1] ?? ''
  t.ok(ownPassword.look(reset))
  for (const token of [oldToken, newToken]) await emails.answerChange(anybody, token, 'confirm')
  t.throws(() => ownPassword.look(reset), linkGone)
})

t.test('a mailbox cannot be filled by registering or requesting its addresses', async (t) => {
  const access = openAccess(t)
  const { enrol, emails, store, letters } = access
  for (let n = 0; n < 8; n += 1) await enrol(`b.o.m.b+${n}`)
  t.equal(letters.length, 5)
  for (let n = 0; n < 8; n += 1) {
    const { caller, user } = await enrol(`mallory${n}`)
    const asking = store.write((tx) =>
      emails.requestChange(tx, caller, user.id, `vic.tim+${n}@example.org`),
    )
    if (n < 5) await asking
    else await t.rejects(asking, { code: 'rate_limited' })
  }
  t.equal(letters.filter(({ to }) => to.endsWith('@example.org')).length, 5)
})
