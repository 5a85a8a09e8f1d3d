// Credentials and places: what lets a caller in, how long, and how far.
import t from 'tap'
import { newId } from '../../src/base/ids.ts'
import { roles } from '../../src/domain/access.ts'
import { mintToken } from '../../src/seal/tokens.ts'
import { callerOf, openAccess } from '../support/access.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const refused = { code: 'unauthenticated', message: 'A valid session or API key is required.' }

t.test('missing, invalid and unknown credentials are refused in the same words', async (t) => {
  const { identity, clock, enrol } = openAccess(t)
  const { token } = await enrol('alice')
  const stranger = openAccess(t)
  const foreign = await stranger.enrol('alice')
  for (const credentials of [
    {},
    { sessionToken: '' },
    { sessionToken: 'garbage' },
    { sessionToken: `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}` },
    { sessionToken: foreign.token },
    { sessionToken: token.toUpperCase() },
    { apiKey: '' },
    { apiKey: 'garbage' },
    { apiKey: mintToken('sup') },
    { apiKey: mintToken('spp') },
    { apiKey: token },
  ]) {
    t.throws(() => identity.authenticate(credentials, clock.nowMs()), refused)
  }
})

t.test('an API key makes the session ignored, also when the key is wrong', async (t) => {
  const { identity, clock, enrol, keys } = openAccess(t)
  const { token, scope } = await enrol('alice')
  const { key, id } = await keys.create(scope, { name: 'ci', role: 'member' })
  const both = { sessionToken: token, apiKey: key }
  t.match(identity.authenticate(both, clock.nowMs()), { kind: 'key', keyId: id, role: 'member' })
  const wrong = { sessionToken: token, apiKey: 'wrong' }
  t.throws(() => identity.authenticate(wrong, clock.nowMs()), refused)
})

t.test('a session ends after 7 unused days, to the second', async (t) => {
  const { identity, clock, enrol, signedIn } = openAccess(t)
  const { token } = await enrol('alice')
  await clock.advance(7 * dayMs - 1_000)
  t.ok(signedIn(token))
  const lone = await enrol('bob')
  await clock.advance(7 * dayMs)
  const seen = () => identity.authenticate({ sessionToken: lone.token }, clock.nowMs())
  t.throws(seen, refused)
})

t.test('a used session ends after 30 days anyway', async (t) => {
  const { identity, clock, enrol, signedIn, store } = openAccess(t)
  const { token, session } = await enrol('alice')
  for (let day = 1; day < 30; day += 1) {
    await clock.advance(dayMs)
    signedIn(token)
    await clock.advance(0)
    await store.flush()
  }
  await clock.advance(session.expiresAtMs - clock.nowMs() - 1_000)
  t.ok(signedIn(token))
  await clock.advance(1_000)
  t.throws(() => identity.authenticate({ sessionToken: token }, clock.nowMs()), refused)
})

t.test('the last use is written now and then, not for every request', async (t) => {
  const { identity, clock, enrol, keys, store, signedIn } = openAccess(t)
  const { token, scope, user, session } = await enrol('alice')
  const minted = await keys.create(scope, { name: 'ci' })
  const lastUsedAtMs = () => store.apiKeys.get(scope.orgId, minted.id)?.lastUsedAtMs
  const lastSeenAtMs = () => store.sessions.get(user.id, session.id)?.lastSeenAtMs
  const use = async () => {
    for (let n = 0; n < 50; n += 1) {
      identity.authenticate({ apiKey: minted.key }, clock.nowMs())
      signedIn(token)
    }
    await clock.advance(0)
    await store.flush()
  }
  const startMs = clock.nowMs()
  await use()
  t.equal(lastUsedAtMs(), startMs, 'the first use of a key is noted')
  await clock.advance(minuteMs - 1)
  await use()
  t.equal(lastUsedAtMs(), startMs)
  await clock.advance(1)
  await use()
  t.equal(lastUsedAtMs(), startMs + minuteMs)
  t.equal(lastSeenAtMs(), startMs)
  await clock.advance(4 * minuteMs)
  await use()
  t.equal(lastSeenAtMs(), startMs + 5 * minuteMs)
})

t.test('recording the last use does not restore what was revoked meanwhile', async (t) => {
  const { identity, clock, enrol, keys, store, people } = openAccess(t)
  const { token, scope, caller } = await enrol('alice')
  const { key, id } = await keys.create(scope, { name: 'ci' })
  await clock.advance(5 * minuteMs)
  identity.authenticate({ apiKey: key }, clock.nowMs())
  identity.authenticate({ sessionToken: token }, clock.nowMs())
  await keys.revoke(scope, id)
  await people.signOut(caller)
  await clock.advance(minuteMs)
  await store.flush()
  t.throws(() => identity.authenticate({ apiKey: key }, clock.nowMs()), refused)
  t.throws(() => identity.authenticate({ sessionToken: token }, clock.nowMs()), refused)
})

t.test('a disabled user is refused at the next request', async (t) => {
  const { identity, clock, enrol, store } = openAccess(t)
  const { token, user } = await enrol('alice')
  await store.write((tx) => store.users.put(tx, { ...user, isDisabled: true }))
  t.throws(() => identity.authenticate({ sessionToken: token }, clock.nowMs()), refused)
})

t.test('an unknown and a foreign organization are the same to the caller', async (t) => {
  const { identity, enrol, keys, clock } = openAccess(t)
  const alice = await enrol('alice')
  const charlie = await enrol('charlie')
  const { key } = await keys.create(alice.scope, { name: 'ci', role: 'admin' })
  const keyCaller = callerOf(identity.authenticate({ apiKey: key }, clock.nowMs()))
  const told = new Set<string>()
  for (const caller of [alice.caller, keyCaller]) {
    for (const orgId of [charlie.organization.id, newId('org', 1), 'org_', '', '../etc', 'ORG_1']) {
      try {
        identity.scope(caller, orgId, 'viewer')
        t.fail(`${orgId} was let in`)
      } catch (error) {
        t.match(error, { code: 'not_found' })
        told.add(String(error))
      }
    }
  }
  t.equal(told.size, 1)
  t.equal(identity.scope(keyCaller, alice.organization.id, 'admin').role, 'admin')
  const anonymous = callerOf()
  const seen = () => identity.scope(anonymous, alice.organization.id, 'viewer')
  t.throws(seen, refused)
})

t.test('every role may do what it includes and nothing above, as of this request', async (t) => {
  const { identity, enrol, store } = openAccess(t)
  const alice = await enrol('alice')
  const bob = await enrol('bob')
  const orgId = alice.organization.id
  for (const [rank, role] of roles.entries()) {
    await store.write((tx) =>
      store.memberships.put(tx, { orgId, userId: bob.user.id, role, joinedAtMs: 1 }),
    )
    for (const [neededRank, needed] of roles.entries()) {
      const asked = () => identity.scope(bob.caller, orgId, needed)
      if (neededRank <= rank) t.equal(asked().role, role)
      else t.throws(asked, { code: 'forbidden' })
    }
  }
})
