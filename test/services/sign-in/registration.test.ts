// Registration: who is let in by an invitation, what is mailed, and how often one address may come.
import t from 'tap'
import { createRegister } from '../../../src/services/sign-in/registration.ts'
import { callerOf, goodPassword, openAccess } from '../../support/access.ts'

const anybody = callerOf()
const bob = { email: 'bob@example.com', password: goodPassword }

/** A daemon whose first account, Alice's, is there. */
async function closed(t: Parameters<typeof openAccess>[0], registration: 'first-user' | 'invite') {
  const access = openAccess(t, { registration })
  const setupToken = (await access.setupToken.ensure()) ?? ''
  return { ...access, ...(await access.enrol('alice', { setupToken })) }
}

t.test('while registration is closed, a valid invitation admits its address', async (t) => {
  for (const registration of ['first-user', 'invite'] as const) {
    const { people, invites, scope, organization, store } = await closed(t, registration)
    await t.rejects(people.register(anybody, bob), { code: 'registration_closed' })
    const invite = await invites.create(scope, { email: bob.email, role: 'member' })
    const inviteToken = invite.token
    const eve = { ...bob, email: 'eve@example.com', inviteToken }
    await t.rejects(people.register(anybody, eve), { code: 'link_expired' })
    const forged = { ...bob, inviteToken: `${inviteToken.slice(0, -1)}_` }
    await t.rejects(people.register(anybody, forged), { code: 'link_expired' })
    const made = await people.register(anybody, { ...bob, inviteToken })
    t.match(made.organization, { id: organization.id, role: 'member' })
    t.equal(made.user.isSystemAdmin, false)
    t.equal(store.memberships.listOfUser(made.user.id, 10).length, 1, 'no organization of its own')
    const again = { ...bob, email: 'bob2@example.com', inviteToken }
    await t.rejects(people.register(anybody, again), { code: 'link_expired' })
  }
})

t.test('an invitation does not take the place of the setup token', async (t) => {
  const { people, setupToken } = openAccess(t, { registration: 'first-user' })
  await setupToken.ensure()
  const tried = people.register(anybody, { ...bob, inviteToken: 'A'.repeat(43) })
  await t.rejects(tried, { code: 'registration_closed' })
})

t.test('a joining person creates no organization: both at once are refused by name', async (t) => {
  const { people, invites, scope } = await closed(t, 'invite')
  const { token } = await invites.create(scope, { email: bob.email })
  const both = { ...bob, inviteToken: token, organizationName: "Bob's" }
  await t.rejects(people.register(anybody, both), {
    code: 'validation_failed',
    errors: [{ pointer: '/organizationName' }],
  })
})

t.test('a new address is unverified and gets a letter; the mailer is woken', async (t) => {
  const { people, letters, mailer } = openAccess(t)
  const { user } = await people.register(anybody, bob)
  t.equal(user.emailVerifiedAtMs, null)
  t.match(letters, [{ to: bob.email, subject: 'Confirm your e-mail address' }])
  t.equal(mailer.woken, 1)
})

t.test('one address creates five accounts an hour; weak passwords do not count', async (t) => {
  const access = openAccess(t)
  const { people, clock } = access
  const register = (n: number, password = goodPassword, address = '2001:db8::1') =>
    people.register({ ...anybody, address }, { email: `u${n}@example.com`, password })
  for (let n = 0; n < 8; n += 1) {
    await t.rejects(register(n, 'password1234'), { code: 'validation_failed' })
  }
  for (let n = 0; n < 5; n += 1) await register(n)
  await t.rejects(register(5), { code: 'rate_limited' })
  const neighbour = register(5, goodPassword, '2001:db8::ffff')
  await t.rejects(neighbour, { code: 'rate_limited' }, 'one host has the whole network')
  t.ok(await register(5, goodPassword, '2001:db8:1::1'))
  await clock.advance(3_600_000)
  t.ok(await register(6))

  const { throttles } = access
  const invited = createRegister(access.core, { ...access, throttles, isInvited: () => true })
  const tried = invited({ ...anybody, address: '2001:db8::1' }, { ...bob, inviteToken: 'no' })
  await t.rejects(tried, { code: 'link_expired' }, 'who is invited is not counted')
})
