// Sessions: what is listed, what ends, and how one value gives way to the next.
import t from 'tap'
import { newId } from '../../../src/base/ids.ts'
import { forgetExpired } from '../../../src/store/forget.ts'
import { callerOf, goodPassword, openAccess } from '../../support/access.ts'
import { settle } from '../../support/temp-store.ts'

const secondMs = 1_000
const dayMs = 86_400_000
const alice = { email: 'alice@example.com', password: goodPassword }
const refused = { code: 'unauthenticated' }
const page = { limit: 50 }

t.test('a person sees where they are signed in, newest first, and nothing secret', async (t) => {
  const { people, sessions, enrol, signedIn, clock } = openAccess(t)
  const { caller, session } = await enrol('alice')
  await enrol('bob')
  await clock.advance(secondMs)
  const phone = { ...callerOf(), address: '203.0.113.9', userAgent: 'a phone' }
  const second = await people.signIn(phone, alice)
  const { items } = sessions.list(signedIn(second.token), page)
  t.match(items, [
    { id: second.session.id, address: '203.0.113.9', userAgent: 'a phone' },
    { id: session.id, userAgent: 'tap' },
  ])
  t.equal(items.length, 2)
  const first = sessions.list(caller, { limit: 1 })
  t.equal(first.nextAfter, second.session.id)
  t.match(sessions.list(caller, { limit: 1, after: second.session.id }).items, [{ id: session.id }])
})

t.test('an ended session is refused at the next request', async (t) => {
  const { people, sessions, enrol, signedIn, access } = openAccess(t)
  const { caller } = await enrol('alice')
  const other = await people.signIn(callerOf(), alice)
  t.ok(signedIn(other.token))
  const before = access.changes
  await sessions.end(caller, other.session.id)
  t.throws(() => signedIn(other.token), refused)
  t.equal(access.changes, before + 1, 'and its streams are looked at')
  t.ok(sessions.list(caller, page).items.length === 1)
})

t.test("nobody can end another's session, or learn that there is one", async (t) => {
  const { sessions, enrol, signedIn } = openAccess(t)
  const { caller } = await enrol('alice')
  const bob = await enrol('bob')
  const told: string[] = []
  for (const id of [bob.session.id, newId('session', 1)]) {
    await sessions.end(caller, id).catch((error) => told.push(`${error.code} ${error.message}`))
  }
  t.match(told[0], /^not_found/)
  t.equal(told[0], told[1])
  t.ok(signedIn(bob.token))
})

t.test('a value is used for a day; its successor is the same session', async (t) => {
  const { sessions, enrol, signedIn, clock } = openAccess(t)
  const { token, caller } = await enrol('alice')
  await clock.advance(dayMs - secondMs)
  t.equal(signedIn(token).principal.mustRenew, undefined)
  await clock.advance(secondMs)
  const old = signedIn(token)
  t.equal(old.principal.mustRenew, true)
  // If several requests come at once, one gets the new value.
  const made = await Promise.all([1, 2, 3].map(() => sessions.renew(old.principal)))
  t.equal(made.filter((value) => value !== undefined).length, 1)
  const fresh = made.find((value) => value !== undefined) ?? ''
  t.not(fresh, token)
  t.equal(signedIn(fresh).principal.sessionId, caller.principal.sessionId)
  t.equal(signedIn(fresh).principal.mustRenew, undefined)
  t.match(signedIn(token).principal, { sessionId: caller.principal.sessionId })
  t.equal(signedIn(token).principal.mustRenew, undefined, 'the old one asks for no third')
  await settle()
  await clock.advance(30 * secondMs - 1)
  t.ok(signedIn(token), 'requests in progress')
  await clock.advance(1)
  t.throws(() => signedIn(token), refused)
  t.ok(signedIn(fresh))
})

t.test('a program that takes no cookies keeps the value of its sign-in', async (t) => {
  const { sessions, enrol, signedIn, clock } = openAccess(t)
  const { token, caller } = await enrol('alice')
  const fresh: string[] = []
  for (let day = 0; day < 29; day += 1) {
    await clock.advance(dayMs)
    const { principal } = signedIn(token)
    t.equal(principal.mustRenew, true, 'it is offered a new one each day')
    fresh.push((await sessions.renew(principal)) ?? '')
    t.equal(signedIn(token).principal.mustRenew, undefined)
    if (day > 0) t.throws(() => signedIn(fresh.at(-2) ?? ''), refused, 'the unused one is gone')
  }
  t.equal(new Set(fresh).size, 29)
  t.equal(sessions.list(caller, page).items.length, 1)
  t.ok(signedIn(fresh.at(-1) ?? ''), 'it takes the new one after all')
  await settle()
  await clock.advance(30 * secondMs)
  t.throws(() => signedIn(token), refused)
  t.ok(signedIn(fresh.at(-1) ?? ''))
})

t.test('the value of a sign-in ends with its session', async (t) => {
  const { sessions, enrol, signedIn, clock } = openAccess(t)
  const { token } = await enrol('alice')
  for (let day = 0; day < 30; day += 1) {
    await sessions.renew(signedIn(token).principal)
    await clock.advance(dayMs)
  }
  t.throws(() => signedIn(token), refused)
})

t.test('ending a session also ends its previous value', async (t) => {
  const { sessions, people, enrol, signedIn, clock } = openAccess(t)
  const { token } = await enrol('alice')
  await clock.advance(dayMs)
  const fresh = (await sessions.renew(signedIn(token).principal)) ?? ''
  t.ok(signedIn(token))
  await people.signOut(signedIn(fresh))
  t.throws(() => signedIn(token), refused)
  t.throws(() => signedIn(fresh), refused)
})

t.test('renewing does not extend a session', async (t) => {
  const { sessions, enrol, signedIn, clock } = openAccess(t)
  const made = await enrol('alice')
  let { token } = made
  for (let day = 1; day < 30; day += 1) {
    await clock.advance(dayMs)
    token = (await sessions.renew(signedIn(token).principal)) ?? token
    await clock.advance(0)
  }
  await clock.advance(made.session.expiresAtMs - clock.nowMs() - secondMs)
  t.ok(signedIn(token), 'a second before')
  await clock.advance(secondMs)
  t.throws(() => signedIn(token), refused)
})

t.test('after a change of role every value is replaced at its next use', async (t) => {
  const { sessions, people, enrol, signedIn, store } = openAccess(t)
  const { token, user } = await enrol('alice')
  const second = await people.signIn(callerOf(), alice)
  const bob = await enrol('bob')
  await store.write((tx) => sessions.rotateSoon(tx, user.id))
  t.equal(signedIn(token).principal.mustRenew, true)
  t.equal(signedIn(second.token).principal.mustRenew, true)
  t.equal(signedIn(bob.token).principal.mustRenew, undefined)
  const fresh = (await sessions.renew(signedIn(token).principal)) ?? ''
  t.equal(signedIn(fresh).principal.mustRenew, undefined)
})

t.test('a value from before a sign-in never works after it', async (t) => {
  const { people, enrol, signedIn, sessionSeal } = openAccess(t)
  await enrol('alice')
  const planted = sessionSeal.mint().token
  t.throws(() => signedIn(planted), refused)
  const { token } = await people.signIn(callerOf(), alice)
  t.not(token, planted)
  t.throws(() => signedIn(planted), refused)
})

t.test('forged, swapped and shortened values sign nobody in', async (t) => {
  const { enrol, signedIn } = openAccess(t)
  const { token } = await enrol('alice')
  const { token: other } = await enrol('bob')
  const [version, sid = '', mac = ''] = token.split('.')
  const [, otherSid, otherMac] = other.split('.')
  const flipped = (text: string) => (text.startsWith('A') ? 'B' : 'A') + text.slice(1)
  const forgeries = [
    `${version}.${sid}.${otherMac}`,
    `${version}.${otherSid}.${mac}`,
    `${version}.${flipped(sid)}.${mac}`,
    `${version}.${sid}.${flipped(mac)}`,
    `s2.${sid}.${mac}`,
    ...[sid, mac, `${sid}.${mac}`, `${token}=`, ` ${token}`, `${token}.${mac}`, token.slice(0, -1)],
    ...['', '..', 's1..', `s1.${'A'.repeat(43)}.${'A'.repeat(43)}`, 'x'.repeat(8_000)],
  ]
  for (const forgery of forgeries) t.throws(() => signedIn(forgery), refused, forgery.slice(0, 20))
  t.ok(signedIn(token))
})

t.test('expired sessions are deleted, and nothing else', async (t) => {
  const { people, ownPassword, enrol, store, clock, signedIn } = openAccess(t)
  const { user } = await enrol('alice')
  await ownPassword.forgot(callerOf(), alice.email)
  await clock.advance(6 * dayMs)
  const { token } = await people.signIn(callerOf(), alice)
  await ownPassword.forgot(callerOf(), alice.email)
  t.equal(store.links.slice(10).length, 2, 'one to confirm the address, one for the password')
  const device = (no: number, expiresAtMs: number) => {
    const id = newId('device', clock.nowMs())
    const seen = { address: '192.0.2.1', userAgent: 'Firefox', createdAtMs: 0, lastUsedAtMs: 0 }
    return { id, userId: user.id, tokenHash: `hash ${no}`, expiresAtMs, ...seen }
  }
  await store.write((tx) => {
    store.trustedDevices.put(tx, device(1, clock.nowMs() + dayMs))
    store.trustedDevices.put(tx, device(2, clock.nowMs() + 9 * dayMs))
  })
  const tidy = async () => {
    let removed: number | undefined
    void forgetExpired(store, clock.nowMs()).then((count) => {
      removed = count
    })
    while (removed === undefined) await clock.advance(0)
    return removed
  }
  await clock.advance(dayMs)
  t.equal(await tidy(), 4, 'a session of seven days, a link to confirm, one of yesterday, a device')
  t.match(store.trustedDevices.listOfUser(user.id, 10), [{ tokenHash: 'hash 2' }])
  t.equal(store.sessions.listOfUser(user.id, 10).length, 1)
  t.same(store.links.slice(10), [])
  t.ok(signedIn(token))
  t.equal(await tidy(), 0)
})
