// Members: roles that change at once, people who leave or are removed, and the owner that stays.
import t from 'tap'
import { newId } from '../../../src/base/ids.ts'
import type { Role } from '../../../src/domain/access.ts'
import { callerOf, openAccess } from '../../support/access.ts'

const page = { limit: 50 }

t.test('members are listed with name, address and role, newest account first', async (t) => {
  const { members, enrol, enrolIn, clock } = openAccess(t)
  const { scope, organization } = await enrol('alice', { name: 'Alice' })
  await clock.advance(10)
  await enrolIn(organization.id, 'max', 'member')
  await enrol('stranger')
  const { items } = members.list(scope, page)
  t.match(items, [
    { email: 'max@example.com', name: null, role: 'member', joinedAtMs: clock.nowMs() },
    { email: 'alice@example.com', name: 'Alice', role: 'owner' },
  ])
  t.equal(items.length, 2)
  const first = members.list(scope, { limit: 1 })
  const second = members.list(scope, { limit: 1, after: first.nextAfter ?? '' })
  t.same([...first.items, ...second.items], items)
  t.equal(second.nextAfter, undefined)
})

t.test('a new role counts at once, is recorded, and renews the sessions', async (t) => {
  const access = openAccess(t)
  const { members, identity, store, enrol, enrolIn } = access
  const { scope, organization } = await enrol('alice')
  const max = await enrolIn(organization.id, 'max', 'member')
  const changed = await members.change(scope, { userId: max.user.id, role: 'viewer' })
  t.match(changed, { email: 'max@example.com', role: 'viewer' })
  t.throws(() => identity.scope(max.caller, organization.id, 'member'), { code: 'forbidden' })
  t.equal(identity.scope(max.caller, organization.id, 'viewer').role, 'viewer')
  t.equal(
    store.sessions.listOfUser(max.user.id, 9).every((one) => one.mustRenew),
    true,
  )
  t.equal(access.access.changes, 1, 'whatever runs for max is looked at again')
  t.match(store.audit.list(organization.id, 1), [
    { action: 'member.role_changed', objectId: max.user.id, detail: 'member to viewer' },
  ])
})

t.test('who may change whom depends on both roles', async (t) => {
  const { members, store, enrol, enrolIn } = openAccess(t)
  const alice = await enrol('alice')
  const orgId = alice.organization.id
  const ann = await enrolIn(orgId, 'ann', 'admin')
  const max = await enrolIn(orgId, 'max', 'member')
  const vic = await enrolIn(orgId, 'vic', 'viewer')
  const reset = () =>
    store.write((tx) => {
      const put = (userId: typeof vic.user.id, role: Role) =>
        store.memberships.put(tx, { orgId, userId, role, joinedAtMs: 1 })
      put(alice.user.id, 'owner')
      put(vic.user.id, 'viewer')
    })
  const tried: [by: typeof alice, of: typeof alice, role: Role, code: string | undefined][] = [
    [ann, vic, 'admin', undefined],
    [ann, vic, 'owner', 'forbidden'],
    [ann, ann, 'owner', 'forbidden'],
    [ann, alice, 'viewer', 'forbidden'],
    [max, vic, 'member', 'forbidden'],
    [vic, vic, 'owner', 'forbidden'],
    [alice, vic, 'owner', undefined],
    [alice, alice, 'admin', 'last_owner'],
  ]
  for (const [by, of, role, code] of tried) {
    const change = members.change(by.scope, { userId: of.user.id, role })
    const title = `${by.user.email} makes ${of.user.email} ${role}`
    if (code) await t.rejects(change, { code }, title)
    else t.equal((await change).role, role, title)
    await reset()
  }
})

t.test('an unknown and a foreign person are not found, in the same words', async (t) => {
  const { members, enrol } = openAccess(t)
  const { scope } = await enrol('alice')
  const { user } = await enrol('charlie')
  const told: string[] = []
  for (const userId of [user.id, newId('user', 1)]) {
    const said = (error: unknown) => void told.push(String(error))
    await members.change(scope, { userId, role: 'viewer' }).catch(said)
    await members.remove(scope, userId).catch(said)
    await members.transfer(scope, userId).catch(said)
  }
  t.same(told, Array(6).fill('Fault: There is no such member.'))
})

t.test('of two owners who step down at once one stays, in every way', async (t) => {
  const { members, store, enrol, enrolIn } = openAccess(t)
  const ways = ['demote', 'leave', 'each other'] as const
  for (const way of ways) {
    const alice = await enrol(`alice-${way.replace(' ', '-')}`)
    const orgId = alice.organization.id
    const bob = await enrolIn(orgId, `bob-${way.replace(' ', '-')}`, 'owner')
    const tried = await Promise.allSettled(
      [alice, bob].map((who, at) => {
        if (way === 'leave') return members.remove(who.scope, who.user.id)
        const of = way === 'demote' ? who : at === 0 ? bob : alice
        return members.change(who.scope, { userId: of.user.id, role: 'admin' })
      }),
    )
    const done = tried.filter(({ status }) => status === 'fulfilled')
    t.equal(done.length, 1, way)
    const owners = store.memberships.list(orgId, 9).filter(({ role }) => role === 'owner')
    t.equal(owners.length, 1, way)
    const code = way === 'each other' ? 'forbidden' : 'last_owner'
    t.match(
      tried,
      [{}, {}].map((_, at) => (tried[at]?.status === 'rejected' ? { reason: { code } } : {})),
    )
  }
})

t.test('an owner whose account is switched off does not count as remaining', async (t) => {
  const { members, store, enrol, enrolIn } = openAccess(t)
  const { scope, organization, user } = await enrol('alice')
  const bob = await enrolIn(organization.id, 'bob', 'owner')
  await store.write((tx) => store.users.put(tx, { ...bob.user, isDisabled: true }))
  await t.rejects(members.remove(scope, user.id), { code: 'last_owner' })
  await t.rejects(members.transfer(scope, bob.user.id), { code: 'conflict' })
})

t.test('everybody may leave without a recent sign-in; removing another requires it', async (t) => {
  const { members, identity, clock, enrol, enrolIn } = openAccess(t)
  const alice = await enrol('alice')
  const orgId = alice.organization.id
  const vic = await enrolIn(orgId, 'vic', 'viewer')
  const max = await enrolIn(orgId, 'max', 'member')
  await t.rejects(members.remove(vic.scope, max.user.id), { code: 'forbidden' })
  await clock.advance(16 * 60_000)
  await t.rejects(members.remove(alice.scope, max.user.id), { code: 'reauthentication_required' })
  t.match(await members.remove(vic.scope, vic.user.id), { email: 'vic@example.com' })
  t.throws(() => identity.scope(vic.caller, orgId, 'viewer'), { code: 'not_found' })
  t.ok(identity.scope(max.caller, orgId, 'viewer'))
})

t.test('a removed member loses access at once, and so do the keys they made', async (t) => {
  const access = openAccess(t)
  const { members, keys, identity, clock, enrol, enrolIn } = access
  const { scope, organization } = await enrol('alice')
  const ann = await enrolIn(organization.id, 'ann', 'admin')
  const { key } = await keys.create(ann.scope, { name: 'deploy' })
  await members.remove(scope, ann.user.id)
  t.throws(() => identity.scope(ann.caller, organization.id, 'viewer'), { code: 'not_found' })
  t.equal(access.access.changes, 1)
  t.throws(() => identity.authenticate({ apiKey: key }, clock.nowMs()), { code: 'unauthenticated' })
  await t.rejects(keys.create(ann.scope, { name: 'late' }), { code: 'not_found' })
  await t.rejects(members.remove(scope, ann.user.id), { code: 'not_found' })
})

t.test('handing over swaps the two, once', async (t) => {
  const { members, identity, enrol, enrolIn, store } = openAccess(t)
  const alice = await enrol('alice')
  const orgId = alice.organization.id
  const bob = await enrolIn(orgId, 'bob', 'viewer')
  const ann = await enrolIn(orgId, 'ann', 'admin')
  await t.rejects(members.transfer(ann.scope, ann.user.id), { code: 'forbidden' })
  await t.rejects(members.transfer(alice.scope, alice.user.id), { code: 'validation_failed' })
  const tried = await Promise.allSettled([
    members.transfer(alice.scope, bob.user.id),
    members.transfer(alice.scope, ann.user.id),
  ])
  t.match(tried, [{ status: 'fulfilled' }, { status: 'rejected', reason: { code: 'forbidden' } }])
  t.equal(identity.scope(bob.caller, orgId, 'owner').role, 'owner')
  t.equal(identity.scope(alice.caller, orgId, 'admin').role, 'admin')
  t.equal(
    store.sessions.listOfUser(alice.user.id, 9).every((one) => one.mustRenew),
    true,
  )
})

t.test('a key cannot change members', async (t) => {
  const { members, keys, identity, clock, enrol, enrolIn } = openAccess(t)
  const { scope, organization } = await enrol('alice')
  const vic = await enrolIn(organization.id, 'vic', 'viewer')
  const { key } = await keys.create(scope, { name: 'ci', role: 'admin' })
  const byKey = callerOf(identity.authenticate({ apiKey: key }, clock.nowMs()))
  const keyScope = identity.scope(byKey, organization.id, 'admin')
  const { id: userId } = vic.user
  const refused = { code: 'reauthentication_required' }
  await t.rejects(members.remove(keyScope, userId), refused)
  await t.rejects(members.transfer(keyScope, userId), { code: 'forbidden' })
})
