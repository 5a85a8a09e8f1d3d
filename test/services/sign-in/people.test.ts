// Registration, sign-in and sessions: who gets in, who does not, and what two at once do.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { createPasswords } from '../../../src/seal/passwords.ts'
import { createPeople } from '../../../src/services/sign-in/people.ts'
import { createSetupToken } from '../../../src/services/sign-in/setup.ts'
import { callerOf, cheapCost, goodPassword, openAccess } from '../../support/access.ts'

const dayMs = 86_400_000
const anybody = callerOf()
const alice = { email: 'alice@example.com', password: goodPassword }

t.test('a new account has an organization, is its owner, and is signed in', async (t) => {
  const { people, enrol } = openAccess(t)
  const { user, organization, caller } = await enrol('alice', {
    name: 'Alice',
    organizationName: 'Rockets',
  })
  t.match(user, { email: 'alice@example.com', name: 'Alice', isSystemAdmin: false })
  t.equal(organization.name, 'Rockets')
  t.match(people.session(caller), {
    user: { id: user.id },
    organizations: [{ id: organization.id, name: 'Rockets', role: 'owner' }],
  })
})

t.test('while registration is open, the setup token makes the administrator', async (t) => {
  const { people, setupToken, enrol } = openAccess(t)
  const token = await setupToken.ensure()
  t.equal((await enrol('bob')).user.isSystemAdmin, false, 'a stranger was first')
  const made = await people.register(anybody, { ...alice, setupToken: token ?? '' })
  t.equal(made.user.isSystemAdmin, true)
  const late = { ...alice, email: 'late@example.com', setupToken: token ?? '' }
  t.equal((await people.register(anybody, late)).user.isSystemAdmin, false, 'it works once')
})

t.test('the first account requires the setup token, and uses it up', async (t) => {
  for (const registration of ['first-user', 'invite'] as const) {
    const { people, setupToken, store } = openAccess(t, { registration })
    const token = await setupToken.ensure()
    t.equal(await setupToken.ensure(), token, 'the same one at every start')
    for (const wrong of [undefined, '', 'guess', `${token}0`]) {
      const tried = people.register(anybody, { ...alice, setupToken: wrong })
      await t.rejects(tried, { code: 'registration_closed' })
    }
    t.ok(store.users.isEmpty(), 'nothing was stored')
    await people.register(anybody, { ...alice, setupToken: token ?? '' })
    t.equal(await setupToken.ensure(), null, 'there is none once somebody is there')
    t.equal(store.secrets.get('setup-token'), undefined)
    const late = { ...alice, email: 'eve@example.com', setupToken: token ?? '' }
    await t.rejects(people.register(anybody, late), { code: 'registration_closed' })
  }
})

t.test("the operator's own setup token takes the place of a minted one", async (t) => {
  const configuredSetupToken = 'from-the-settings'
  const { people, setupToken, store } = openAccess(t, {
    registration: 'first-user',
    configuredSetupToken,
  })
  t.equal(await setupToken.ensure(), configuredSetupToken)
  t.equal(store.secrets.get('setup-token'), undefined, 'and is not stored')
  t.ok(await people.register(anybody, { ...alice, setupToken: configuredSetupToken }))
})

t.test("the operator's own setup token makes one administrator, and no second one", async (t) => {
  const configuredSetupToken = 'from-the-settings'
  const { people, setupToken } = openAccess(t, { registration: 'open', configuredSetupToken })
  const made = await people.register(anybody, { ...alice, setupToken: configuredSetupToken })
  t.equal(made.user.isSystemAdmin, true)
  const late = { ...alice, email: 'late@example.com', setupToken: configuredSetupToken }
  t.equal((await people.register(anybody, late)).user.isSystemAdmin, false)
  t.equal(setupToken.isRight(configuredSetupToken), false)
})

t.test('a setup token that can no longer be opened is replaced', async (t) => {
  const { core, setupToken } = openAccess(t, { registration: 'first-user' })
  const lost = await setupToken.ensure()
  const other = openAccess(t, { registration: 'first-user' })
  const again = createSetupToken({ ...core, box: other.box }, { configured: null })
  const fresh = await again.ensure()
  t.not(fresh, lost)
  t.ok(again.isRight(fresh ?? undefined))
  t.notOk(again.isRight(lost ?? undefined))
})

t.test('of several first users at once exactly one succeeds', async (t) => {
  const { people, setupToken, store } = openAccess(t, { registration: 'first-user' })
  const token = (await setupToken.ensure()) ?? ''
  const tried = await Promise.allSettled(
    ['a', 'b', 'c', 'd'].map((name) =>
      people.register(anybody, { ...alice, email: `${name}@example.com`, setupToken: token }),
    ),
  )
  t.equal(tried.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const one of tried) {
    if (one.status === 'rejected') t.match(one.reason, { code: 'registration_closed' })
  }
  const won = ['a', 'b', 'c', 'd'].filter((name) => store.users.isEmailTaken(`${name}@example.com`))
  t.equal(won.length, 1, 'the losers left nothing behind')
})

t.test('of several accounts with one address at once exactly one is made', async (t) => {
  const { people } = openAccess(t)
  const spellings = ['alice@example.com', 'Alice@Example.com', ' ALICE@EXAMPLE.COM ']
  const tried = await Promise.allSettled(
    spellings.map((email) => people.register(anybody, { ...alice, email })),
  )
  t.equal(tried.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const one of tried) {
    if (one.status === 'rejected') t.match(one.reason, { code: 'email_taken' })
  }
  await t.rejects(people.register(anybody, alice), { code: 'email_taken' })
})

t.test('no account is made on a full disk', async (t) => {
  const { people, store, disk } = openAccess(t)
  disk.hasRoom = false
  await t.rejects(people.register(anybody, alice), { code: 'storage_full' })
  t.notOk(store.users.isEmailTaken(alice.email))
  disk.hasRoom = true
  await people.register(anybody, alice)
})

t.test('an easy password is refused by name and nothing is stored', async (t) => {
  const { people, store } = openAccess(t)
  for (const password of ['short', 'password1234', 'alicealice12']) {
    await t.rejects(people.register(anybody, { ...alice, password }), {
      code: 'validation_failed',
      errors: [{ pointer: '/password' }],
    })
  }
  t.ok(store.users.isEmpty())
})

t.test('the right password signs in, whatever the case of the address', async (t) => {
  const { people, enrol, signedIn } = openAccess(t)
  const { user } = await enrol('alice')
  const { token } = await people.signIn(anybody, { ...alice, email: 'ALICE@example.com' })
  t.equal(signedIn(token).principal.userId, user.id)
})

t.test('a wrong password, an unknown address and a disabled user get one answer', async (t) => {
  const { people, enrol, store } = openAccess(t)
  await enrol('alice')
  const { user: bob } = await enrol('bob')
  await store.write((tx) => store.users.put(tx, { ...bob, isDisabled: true }))
  const tries = [
    { ...alice, password: 'something else entirely' },
    { ...alice, email: 'nobody@example.com' },
    { ...alice, email: 'bob@example.com' },
  ]
  const answers = await Promise.allSettled(tries.map((input) => people.signIn(anybody, input)))
  const told = answers.map((one) => {
    if (one.status === 'fulfilled') return 'let in'
    const { code, message, errors, headers } = one.reason
    return JSON.stringify({ code, message, errors, headers })
  })
  t.match(told[0], /invalid_credentials/)
  t.equal(new Set(told).size, 1)
})

t.test('an unknown address costs a password hash like a known one', async (t) => {
  const access = openAccess(t)
  await access.enrol('alice')
  const asked: (string | null)[] = []
  const real = createPasswords(cheapCost)
  const people = createPeople(access.core, {
    ...access,
    isInvited: access.invites.isInvited,
    passwords: {
      hash: real.hash,
      verify(password, stored) {
        asked.push(stored)
        return real.verify(password, stored)
      },
    },
  })
  for (const email of ['alice@example.com', 'nobody@example.com']) {
    await t.rejects(people.signIn(anybody, { email, password: 'something else' }))
  }
  t.match(asked[0], /^\$argon2id/)
  t.equal(asked[1], null)
})

t.test('a hash of an older cost is renewed at sign-in, also by two at once', async (t) => {
  const access = openAccess(t)
  const { user } = await access.enrol('alice')
  const dearer = createPasswords({ ...cheapCost, passes: 2 })
  const people = createPeople(access.core, {
    ...access,
    isInvited: access.invites.isInvited,
    passwords: dearer,
  })
  const both = await Promise.all([people.signIn(anybody, alice), people.signIn(anybody, alice)])
  t.equal(both.length, 2)
  t.match(access.store.users.get(user.id)?.passwordHash, /t=2/)
  t.ok(await people.signIn(anybody, alice))
})

t.test('signing out ends this session at once, and only this one', async (t) => {
  const { people, enrol, signedIn, clock, identity } = openAccess(t)
  const first = await enrol('alice')
  const second = await people.signIn(anybody, alice)
  await people.signOut(first.caller)
  const seen = () => identity.authenticate({ sessionToken: first.token }, clock.nowMs())
  t.throws(seen, { code: 'unauthenticated' })
  t.ok(signedIn(second.token))
  await people.signOut(first.caller)
  t.throws(() => people.session(first.caller), { code: 'unauthenticated' })
})

t.test('a user has at most 20 sessions; the oldest ends for a new one', async (t) => {
  const { people, enrol, clock, identity, store } = openAccess(t)
  const { token, user } = await enrol('alice')
  const tokens = [token]
  for (let n = 0; n < 20; n += 1) {
    await clock.advance(1_000)
    tokens.push((await people.signIn(anybody, alice)).token)
  }
  const isIn = (sessionToken: string) => {
    try {
      return identity.authenticate({ sessionToken }, clock.nowMs()).kind === 'session'
    } catch {
      return false
    }
  }
  t.same(tokens.map(isIn), [false, ...Array(20).fill(true)])
  t.equal(store.sessions.listOfUser(user.id, 100).length, 20)
  await clock.advance(31 * dayMs)
  await people.signIn(anybody, alice)
  t.equal(store.sessions.listOfUser(user.id, 100).length, 1, 'dead ones are cleared away')
})

t.test('the data file holds neither passwords nor tokens nor cookies', async (t) => {
  const access = openAccess(t, { registration: 'first-user' })
  const setupToken = (await access.setupToken.ensure()) ?? ''
  const seen = () => readFileSync(join(access.dir, 'data.mdb')).toString('latin1')
  const early = seen()
  const { token, scope } = await access.enrol('alice', { setupToken })
  const { key } = await access.keys.create(scope, { name: 'ci' })
  const late = seen()
  t.ok(late.includes('alice@example.com'), 'the file was looked into')
  const sid = token.split('.')[1] ?? ''
  for (const secret of [setupToken, goodPassword, token, sid, key]) {
    t.notOk(early.includes(secret) || late.includes(secret))
  }
})
