// Departures: who is gone is gone for everybody, and nobody leaves others without an owner.
import t, { type Test } from 'tap'
import type { InviteId, OrgId } from '../../../src/base/ids.ts'
import { createDepartures } from '../../../src/services/orgs/departures.ts'
import { createForgetPerson } from '../../../src/services/people/forget-person.ts'
import { callerOf, goodPassword, openAccess } from '../../support/access.ts'
import { damageRecords } from '../../support/damaged-records.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { makePage } from '../../support/make-page.ts'
import { damageRecord } from '../../support/temp-store.ts'

function open(t: Test) {
  const access = openAccess(t)
  const { core, store, identity, invites, keyRights, emails } = access
  const done: string[] = []
  const { tombstoneAdded, pagesChanged, accessLost } = store.signals
  tombstoneAdded.listen(() => done.push('sweep'))
  pagesChanged.listen((orgId) => done.push(`pages ${orgId}`))
  accessLost.listen(() => done.push('access'))
  const forgotten: string[] = []
  const departures = createDepartures(core, {
    identity,
    invites,
    keyRights,
    orgSwitch: { off: async (orgId) => void done.push(`off ${orgId}`) },
    forgetPerson: createForgetPerson(core, {
      emails,
      kyc: { forget: (_tx, userId) => void forgotten.push(userId) },
    }),
  })
  const noted = (scope: OrgId | 'system') => store.audit.list(scope, 20)
  return { ...access, departures, done, forgotten, noted }
}

t.test('an organization whose own record is damaged can be deleted', async (t) => {
  const { departures, enrol, identity, store, done } = open(t)
  const { caller, scope } = await enrol('alice')
  await damageRecord(store, 'orgs', [scope.orgId])
  await t.rejects(departures.removeOrg(scope, 1), { code: 'damaged_record' }, 'it has no revision')
  done.length = 0
  await departures.removeOrg(scope)
  t.throws(() => identity.scope(caller, scope.orgId, 'viewer'), { code: 'not_found' })
  t.ok(store.tombstones.hasOrg(scope.orgId))
  t.ok(done.includes(`off ${scope.orgId}`))
})

t.test('a deleted organization is unknown to everybody from the next request on', async (t) => {
  const { departures, enrol, enrolIn, keys, identity, clock, store, done, noted } = open(t)
  const alice = await enrol('alice')
  const { orgId } = alice.scope
  const bob = await enrolIn(orgId, 'bob', 'member')
  const { key } = await keys.create(alice.scope, { name: 'ci' })
  const page = makePage({ orgId, slug: 'acme', subdomain: 'acme' })
  await store.write((tx) => {
    store.pages.put(tx, page, clock.nowMs())
    store.channels.put(tx, makeChannel({ orgId }))
  })
  done.length = 0
  await departures.removeOrg(alice.scope, 1)
  for (const { caller } of [alice, bob]) {
    t.throws(() => identity.scope(caller, orgId, 'viewer'), { code: 'not_found' })
  }
  t.throws(() => identity.authenticate({ apiKey: key }, clock.nowMs()), { code: 'unauthenticated' })
  t.equal(store.pages.findBySlug('acme'), undefined)
  t.equal(store.pages.slugHolder('acme'), undefined, 'the slug is free')
  t.match(store.pages.subdomainHolder('acme'), { pageId: null, releasedAtMs: clock.nowMs() })
  t.same(store.channels.list(orgId, 10), [], 'nobody can be told of anything')
  t.ok(store.tombstones.hasOrg(orgId))
  t.same(done, ['access', `pages ${orgId}`, 'sweep', `off ${orgId}`])
  t.match(noted('system')[0], {
    action: 'organization.deleted',
    objectId: orgId,
    actor: { id: alice.user.id },
    detail:
      'monitors 0, channels 1, pages 1, domains 0, subscribers 0, maintenance 0, keys 1, locations 0, members 2',
  })
})

t.test('an organization is deleted with its damaged records', async (t) => {
  const { departures, enrol, enrolIn, keys, identity, clock, store } = open(t)
  const alice = await enrol('alice')
  const { orgId } = alice.scope
  const bob = await enrolIn(orgId, 'bob', 'member')
  const { key, id: keyId } = await keys.create(alice.scope, { name: 'ci' })
  const page = makePage({ orgId, slug: 'acme', subdomain: 'acme' })
  const channel = makeChannel({ orgId })
  await store.write((tx) => {
    store.pages.put(tx, page, clock.nowMs())
    store.channels.put(tx, channel)
  })
  for (const [table, part] of [
    ['orgs', orgId],
    ['orgApiKeys', keyId],
    ['pages', page.id],
    ['channels', channel.id],
  ] as const) {
    t.ok(await damageRecords(store, table, part), table)
  }
  t.equal(await damageRecords(store, 'memberships', bob.user.id), 2)
  await departures.removeOrg(alice.scope)
  for (const { caller } of [alice, bob]) {
    t.throws(() => identity.scope(caller, orgId, 'viewer'), { code: 'not_found' })
  }
  t.throws(() => identity.authenticate({ apiKey: key }, clock.nowMs()), { code: 'unauthenticated' })
  t.equal(store.pages.slugHolder('acme'), undefined, 'the slug is free')
  t.equal(store.channels.has(orgId, channel.id), false)
  t.equal(store.apiKeys.count(orgId), 0)
  t.equal(store.memberships.has(orgId, bob.user.id), false)
})

t.test('a person is deleted with their damaged records', async (t) => {
  const { departures, enrol, enrolIn, identity, clock, store } = open(t)
  const alice = await enrol('alice')
  const { orgId } = alice.scope
  const bob = await enrolIn(orgId, 'bob', 'admin')
  const { id: userId } = bob.user
  await departures.removeOrg(identity.scope(bob.caller, bob.organization.id, 'owner'))
  t.equal(await damageRecords(store, 'memberships', userId), 1)
  t.ok(await damageRecords(store, 'userSessions', userId))
  await departures.removeUser(bob.caller)
  t.equal(store.users.get(userId), undefined)
  t.equal(store.memberships.has(orgId, userId), false)
  t.throws(() => identity.authenticate({ sessionToken: bob.token }, clock.nowMs()), {
    code: 'unauthenticated',
  })
  t.not((await enrol('bob')).user.id, userId, 'the address is free')
})

t.test('only an owner deletes it, at the revision that was seen, and once', async (t) => {
  const { departures, enrol, enrolIn, orgs, store } = open(t)
  const alice = await enrol('alice')
  const ann = await enrolIn(alice.scope.orgId, 'ann', 'admin')
  await t.rejects(departures.removeOrg({ ...ann.scope, role: 'owner' }), { code: 'forbidden' })
  await orgs.change(alice.scope, { name: 'Other' })
  await t.rejects(departures.removeOrg(alice.scope, 1), { code: 'precondition_failed' })
  const both = [departures.removeOrg(alice.scope, 2), departures.removeOrg(alice.scope, 2)]
  const [first, second] = await Promise.allSettled(both)
  t.equal(first?.status, 'fulfilled')
  t.match(second, { status: 'rejected', reason: { code: 'not_found' } })
  t.equal(store.orgs.get(alice.scope.orgId), undefined)
})

t.test('requests during the deletion create nothing', async (t) => {
  const { departures, enrol, keys, store, quotas } = open(t)
  const { scope } = await enrol('alice')
  const removing = departures.removeOrg(scope)
  await t.rejects(keys.create(scope, { name: 'late' }), { code: 'not_found' })
  await removing
  t.throws(() => quotas.mustHaveRoom(scope.orgId, 'monitors', 0), { code: 'not_found' })
  t.same(store.apiKeys.list(scope.orgId, 10), [])
})

t.test('a person leaves with everything that is only theirs, and may come back', async (t) => {
  const { departures, enrol, enrolIn, identity, people, clock, store, ...rest } = open(t)
  const alice = await enrol('alice')
  const bob = await enrolIn(alice.scope.orgId, 'bob', 'admin')
  const { id: userId } = bob.user
  const inviteId = 'inv_01k0000000000000000000000a' as InviteId
  await store.write((tx) => {
    store.factors.put(tx, {
      userId,
      sealedSecret: '',
      createdAtMs: 0,
      confirmedAtMs: 0,
      lastStep: null,
      recoveryHashes: [],
    })
    store.identities.put(tx, { userId, issuer: 'https://id.test', subject: 'bob', linkedAtMs: 0 })
    store.invites.put(tx, {
      id: inviteId,
      orgId: alice.scope.orgId,
      email: 'eve@example.com',
      role: 'viewer',
      tokenHash: 'x',
      invitedBy: userId,
      createdAtMs: 0,
      expiresAtMs: clock.nowMs() + 60_000,
    })
  })
  const own = identity.scope(bob.caller, bob.organization.id, 'owner')
  await t.rejects(departures.removeUser(bob.caller), { code: 'conflict' })
  await departures.removeOrg(own)
  await departures.removeUser(bob.caller)

  t.throws(() => identity.authenticate({ sessionToken: bob.token }, clock.nowMs()), {
    code: 'unauthenticated',
  })
  t.same(
    [store.users.get(userId), store.factors.get(userId), store.memberships.countOfUser(userId)],
    [undefined, undefined, 0],
  )
  t.equal(store.identities.get({ issuer: 'https://id.test', subject: 'bob' }), undefined)
  t.equal(store.invites.get(alice.scope.orgId, inviteId), undefined, 'nobody stands for it now')
  t.same(rest.forgotten, [userId])
  t.match(rest.noted('system')[0], { action: 'user.deleted', objectId: userId })
  t.ok(rest.noted(alice.scope.orgId).some(({ action }) => action === 'member.left'))
  await t.rejects(people.signIn(callerOf(), { email: 'bob@example.com', password: goodPassword }), {
    code: 'invalid_credentials',
  })
  const again = await enrol('bob')
  t.not(again.user.id, userId, 'the address is free')
})

t.test('a sole owner is told, by name, what they own', async (t) => {
  const { departures, enrol, orgs, store } = open(t)
  const { caller, organization } = await enrol('alice', { organizationName: 'Acme' })
  const second = await orgs.create(caller, { name: 'Beta' })
  await t.rejects(departures.removeUser(caller), {
    code: 'conflict',
    message:
      `You are the only owner of Beta (${second.id}), Acme (${organization.id}):` +
      ' hand them over or delete them first.',
  })
  t.ok(store.users.get(caller.principal.userId))
})

t.test('of two owners who leave at once one stays', async (t) => {
  const { departures, enrol, enrolIn, identity, store } = open(t)
  const alice = await enrol('alice')
  const { orgId } = alice.scope
  const bob = await enrolIn(orgId, 'bob', 'owner')
  await departures.removeOrg(identity.scope(bob.caller, bob.organization.id, 'owner'))
  const tried = await Promise.allSettled([
    departures.removeUser(alice.caller),
    departures.removeUser(bob.caller),
  ])
  t.same(tried.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  t.equal(store.memberships.list(orgId, 10).length, 1)
})

t.test('a switched-off owner does not count as a remaining owner', async (t) => {
  const { departures, enrol, enrolIn, store } = open(t)
  const alice = await enrol('alice')
  const bob = await enrolIn(alice.scope.orgId, 'bob', 'owner')
  await store.write((tx) => store.users.put(tx, { ...bob.user, isDisabled: true }))
  await t.rejects(departures.removeUser(alice.caller), { code: 'conflict' })
})

t.test('the last system administrator stays', async (t) => {
  const { departures, enrol, store, identity, clock } = open(t)
  const alice = await enrol('alice')
  const bob = await enrol('bob')
  const appoint = (user: typeof alice.user, isDisabled = false) =>
    store.write((tx) => store.users.put(tx, { ...user, isSystemAdmin: true, isDisabled }))
  await appoint(alice.user)
  await appoint(bob.user, true)
  await departures.removeOrg(alice.scope)
  await t.rejects(departures.removeUser(alice.caller), /last system administrator/)
  await appoint(bob.user)
  await departures.removeUser(alice.caller)
  t.ok(identity.authenticate({ sessionToken: bob.token }, clock.nowMs()))
})
