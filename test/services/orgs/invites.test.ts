// Invitations: one address, one role, once; dead with the right of whoever invited.
import t from 'tap'
import { newId } from '../../../src/base/ids.ts'
import { hashToken } from '../../../src/seal/tokens.ts'
import { callerOf, goodPassword, openAccess } from '../../support/access.ts'

const page = { limit: 50 }
const email = 'new@example.com'
const dayMs = 86_400_000

/** An organization of alice's, and new@example.com with a confirmed address. */
async function openInvites(t: Parameters<typeof openAccess>[0]) {
  const access = openAccess(t)
  const alice = await access.enrol('alice', { name: 'Alice' })
  const guest = await access.enrol('new')
  const confirm = (user: typeof guest.user, emailVerifiedAtMs: number | null) =>
    access.store.write((tx) => access.store.users.put(tx, { ...user, emailVerifiedAtMs }))
  await confirm(guest.user, 1)
  const invitations = () => access.letters.filter(({ subject }) => /^Invitation to/.test(subject))
  return { ...access, alice, guest, confirm, invitations, orgId: alice.organization.id }
}

t.test('an invitation is mailed, its token shown once and stored only as a hash', async (t) => {
  const { invites, alice, invitations, store, mailer, orgId } = await openInvites(t)
  const before = mailer.woken
  const made = await invites.create(alice.scope, { email: ' New@Example.com ', role: 'member' })
  t.match(made.token, /^[\w-]{43}$/)
  t.equal(Buffer.from(made.token, 'base64url').length, 32)
  t.match(made.url, made.token)
  t.equal(mailer.woken, before + 1)
  const [letter] = invitations()
  t.equal(letter?.to, 'New@Example.com')
  t.match(letter?.text, made.url)
  t.match(letter?.text, /Alice \(alice@example\.com\) invites you .* with the role member/)
  const stored = store.invites.findByToken(hashToken(made.token))
  t.match(stored, { orgId, role: 'member', invitedBy: alice.user.id })
  t.notMatch(JSON.stringify(stored), made.token)
  const { items } = invites.list(alice.scope, page)
  t.match(items, [{ id: made.id, email: 'New@Example.com' }])
  t.notMatch(JSON.stringify(items), made.token)
  const shown = invites.look(made.token)
  t.match(shown, { organization: { id: orgId }, invite: { role: 'member' } })
})

t.test('it makes the right person a member, in the role of its creation, once', async (t) => {
  const { invites, alice, guest, identity, store, orgId } = await openInvites(t)
  const { token, id } = await invites.create(alice.scope, { email, role: 'member' })
  const tried = await Promise.allSettled(
    Array.from({ length: 8 }, () => invites.accept(guest.caller, token)),
  )
  const done = tried.filter(({ status }) => status === 'fulfilled')
  t.match(done, [{ value: { id: orgId, role: 'member' } }])
  t.equal(done.length, 1)
  for (const one of tried) {
    if (one.status === 'rejected') t.equal(one.reason.code, 'link_expired')
  }
  t.equal(identity.scope(guest.caller, orgId, 'member').role, 'member')
  t.equal(store.memberships.count(orgId), 2)
  t.throws(() => invites.look(token), { code: 'link_expired' })
  t.same(invites.list(alice.scope, page).items, [])
  await t.rejects(invites.revoke(alice.scope, id), { code: 'not_found' })
})

t.test('without a role the invitation is for a viewer', async (t) => {
  const { invites, alice } = await openInvites(t)
  t.equal((await invites.create(alice.scope, { email })).role, 'viewer')
})

t.test('only the invited address counts, and only if it is confirmed', async (t) => {
  const { invites, alice, guest, confirm, enrol, store, orgId } = await openInvites(t)
  const charlie = await enrol('charlie')
  const { token } = await invites.create(alice.scope, { email })
  await t.rejects(invites.accept(charlie.caller, token), {
    code: 'forbidden',
    message: /is for new@example\.com; your address is charlie@/,
  })
  await confirm(guest.user, null)
  await t.rejects(invites.accept(guest.caller, token), {
    code: 'forbidden',
    message: /Confirm your address new@example\.com first/,
  })
  t.equal(store.memberships.count(orgId), 1)
  await confirm(guest.user, 5)
  t.ok(await invites.accept(guest.caller, token), 'what was refused spent nothing')
})

t.test('nobody can invite above their own role, by a key, or a member', async (t) => {
  const { invites, alice, enrolIn, keys, identity, clock, invitations, orgId } =
    await openInvites(t)
  const ann = await enrolIn(orgId, 'ann', 'admin')
  const max = await enrolIn(orgId, 'max', 'member')
  await t.rejects(invites.create(ann.scope, { email, role: 'owner' }), { code: 'forbidden' })
  await t.rejects(invites.create(max.scope, { email, role: 'viewer' }), { code: 'forbidden' })
  const { key } = await keys.create(alice.scope, { name: 'ci', role: 'admin' })
  const byKey = callerOf(identity.authenticate({ apiKey: key }, clock.nowMs()))
  const keyScope = identity.scope(byKey, orgId, 'admin')
  await t.rejects(invites.create(keyScope, { email }), { code: 'forbidden' })
  const member = { email: 'MAX@example.com ' }
  await t.rejects(invites.create(alice.scope, member), { code: 'already_member' })
  t.same(invitations(), [])
  t.equal((await invites.create(alice.scope, { email, role: 'owner' })).role, 'owner')
})

t.test('whether an address has an account elsewhere is not revealed', async (t) => {
  const { invites, alice } = await openInvites(t)
  const known = await invites.create(alice.scope, { email })
  const unknown = await invites.create(alice.scope, { email: 'nobody@example.com' })
  t.same(Object.keys(known), Object.keys(unknown))
})

t.test('a newer invitation of the same address replaces the older one', async (t) => {
  const { invites, alice, orgId, enrolIn } = await openInvites(t)
  const ann = await enrolIn(orgId, 'ann', 'admin')
  const first = await invites.create(alice.scope, { email, role: 'admin' })
  const second = await invites.create(ann.scope, { email: 'NEW@example.com', role: 'viewer' })
  t.throws(() => invites.look(first.token), { code: 'link_expired' })
  t.match(invites.list(alice.scope, page).items, [{ id: second.id }])
  t.equal(invites.list(alice.scope, page).items.length, 1)
})

t.test('it ends after seven days, when withdrawn, and an invalid token never works', async (t) => {
  const { invites, alice, guest, clock, store } = await openInvites(t)
  const first = await invites.create(alice.scope, { email })
  await clock.advance(7 * dayMs - 1)
  t.ok(invites.look(first.token))
  await clock.advance(1)
  const dead = { code: 'link_expired', message: /was used, withdrawn or replaced/ }
  t.throws(() => invites.look(first.token), dead)
  t.same(invites.list(alice.scope, page).items, [])
  await t.rejects(invites.accept(guest.caller, first.token), dead)
  t.equal(await invites.sweep(10), 1)
  t.equal(store.invites.findByToken(first.tokenHash), undefined)
  const second = await invites.create(alice.scope, { email })
  t.match(await invites.revoke(alice.scope, second.id), { id: second.id })
  const tokens = [second.token, `${second.token}x`, '', 'x'.repeat(43), '../../etc']
  for (const token of tokens) t.throws(() => invites.look(token), dead)
  t.equal(await invites.sweep(10), 0)
})

t.test('it ends when the inviter may no longer grant it, and does not come back', async (t) => {
  const { invites, members, alice, enrolIn, store, orgId } = await openInvites(t)
  const ann = await enrolIn(orgId, 'ann', 'admin')
  const bob = await enrolIn(orgId, 'bob', 'owner')
  const byAnn = await invites.create(ann.scope, { email: 'a@example.com', role: 'viewer' })
  const asOwner = await invites.create(bob.scope, { email: 'b@example.com', role: 'owner' })
  const asAdmin = await invites.create(bob.scope, { email: 'c@example.com', role: 'admin' })
  await members.change(alice.scope, { userId: bob.user.id, role: 'admin' })
  t.throws(() => invites.look(asOwner.token), { code: 'link_expired' })
  t.ok(invites.look(asAdmin.token), 'what an admin may grant too goes on')
  await members.remove(alice.scope, ann.user.id)
  t.throws(() => invites.look(byAnn.token), { code: 'link_expired' })
  await members.change(alice.scope, { userId: bob.user.id, role: 'owner' })
  t.throws(() => invites.look(asOwner.token), { code: 'link_expired' })
  await store.write((tx) => store.users.put(tx, { ...bob.user, isDisabled: true }))
  t.throws(() => invites.look(asAdmin.token), { code: 'link_expired' }, 'nor by one switched off')
})

t.test('a newcomer joins by the token with the address it is for', async (t) => {
  const { people, invites, alice, signedIn, identity, store, orgId } = await openInvites(t)
  const { token } = await invites.create(alice.scope, { email: 'Late@example.com', role: 'member' })
  t.equal(invites.isInvited(token, 'late@EXAMPLE.com'), true)
  t.equal(invites.isInvited(token, 'other@example.com'), false)
  t.equal(invites.isInvited('nothing', 'late@example.com'), false)
  const come = (address: string) =>
    people.register(callerOf(), { email: address, password: goodPassword, inviteToken: token })
  await t.rejects(come('other@example.com'), {
    code: 'validation_failed',
    errors: [{ pointer: '/inviteToken' }],
  })
  t.equal(store.users.isEmailTaken('other@example.com'), false, 'and there is no account')
  const made = await come('late@example.com')
  t.match(made.organization, { id: orgId, role: 'member' })
  t.equal(made.user.emailVerifiedAtMs, null, 'having the token proves no address')
  t.equal(identity.scope(signedIn(made.token), orgId, 'member').role, 'member')
  t.equal(store.memberships.countOfUser(made.user.id), 1, 'no organization of their own')
  await t.rejects(come('second@example.com'), { code: 'link_expired' })
})

t.test('two accounts that come with one token become one member', async (t) => {
  const { people, invites, alice, store, orgId } = await openInvites(t)
  const { token } = await invites.create(alice.scope, { email: 'late@example.com' })
  const tried = await Promise.allSettled(
    Array.from({ length: 3 }, () =>
      people.register(callerOf(), {
        email: 'late@example.com',
        password: goodPassword,
        inviteToken: token,
      }),
    ),
  )
  t.equal(tried.filter(({ status }) => status === 'fulfilled').length, 1)
  t.equal(store.memberships.count(orgId), 2)
})

t.test('a member is told so, and a full organization accepts nobody', async (t) => {
  const { invites, alice, guest, store, orgId } = await openInvites(t)
  const { token } = await invites.create(alice.scope, { email })
  const membership = { orgId, userId: guest.user.id, role: 'viewer', joinedAtMs: 1 } as const
  await store.write((tx) => store.memberships.put(tx, membership))
  await t.rejects(invites.accept(guest.caller, token), { code: 'already_member' })
  await store.write((tx) => {
    store.memberships.remove(tx, membership)
    store.orgs.put(tx, { ...alice.organization, quotas: { members: 1 } })
  })
  await t.rejects(invites.accept(guest.caller, token), { code: 'conflict', message: /1 members/ })
})

t.test('an invitation to an organization that is switched off leads nowhere', async (t) => {
  const { invites, alice, guest, store } = await openInvites(t)
  const { token } = await invites.create(alice.scope, { email })
  await store.write((tx) => store.orgs.put(tx, { ...alice.organization, isDisabled: true }))
  t.throws(() => invites.look(token), { code: 'link_expired' })
  await t.rejects(invites.accept(guest.caller, token), { code: 'link_expired' })
})

t.test('one person invites 20 in a day, and the quota counts only open ones', async (t) => {
  const { invites, alice, store, clock } = await openInvites(t)
  await store.write((tx) => store.orgs.put(tx, { ...alice.organization, quotas: { invites: 2 } }))
  const invite = (n: number) => invites.create(alice.scope, { email: `n${n}@example.com` })
  await invite(1)
  await invite(2)
  await t.rejects(invite(3), { code: 'conflict', message: /at most 2 open invites/ })
  await invite(2)
  await clock.advance(8 * dayMs)
  const { orgId } = alice.scope
  await invite(3)
  t.equal(store.invites.list(orgId).length, 1, 'what has ended makes room')
  await store.write((tx) => store.orgs.put(tx, alice.organization))
  for (let n = 1; n < 20; n += 1) await invite(100 + n)
  await t.rejects(invite(200), { code: 'rate_limited' })
  await clock.advance(dayMs / 20)
  t.ok(await invite(200))
})

t.test("another organization's invitations can be neither seen nor withdrawn", async (t) => {
  const { invites, alice, guest } = await openInvites(t)
  const { id } = await invites.create(alice.scope, { email: 'x@example.com' })
  t.same(invites.list(guest.scope, page).items, [])
  const told: string[] = []
  for (const inviteId of [id, newId('invite', 1)]) {
    await invites.revoke(guest.scope, inviteId).catch((error) => told.push(String(error)))
  }
  t.same(told, Array(2).fill('Fault: There is no such invitation.'))
})

t.test('invitations are listed in pages, newest first', async (t) => {
  const { invites, alice } = await openInvites(t)
  for (let n = 0; n < 5; n += 1) await invites.create(alice.scope, { email: `n${n}@example.com` })
  const first = invites.list(alice.scope, { limit: 3 })
  const second = invites.list(alice.scope, { limit: 3, after: first.nextAfter ?? '' })
  const listed = [...first.items, ...second.items].map((invite) => invite.email)
  t.same(
    listed,
    ['n4', 'n3', 'n2', 'n1', 'n0'].map((name) => `${name}@example.com`),
  )
  t.equal(second.nextAfter, undefined)
})
