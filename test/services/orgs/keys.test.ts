// API keys: shown once, known by their beginning, rotated, dead from the moment they are revoked.
import t from 'tap'
import { newId } from '../../../src/base/ids.ts'
import { callerOf, openAccess } from '../../support/access.ts'
import { damageRecords } from '../../support/damaged-records.ts'

const dayMs = 86_400_000

t.test('a key is shown once and works at once, as a viewer by default', async (t) => {
  const { keys, identity, clock, enrol } = openAccess(t)
  const { scope, organization } = await enrol('alice')
  const minted = await keys.create(scope, { name: 'ci' })
  t.match(minted.key, /^sup_a[0-9A-Za-z]{36}$/)
  t.match(identity.authenticate({ apiKey: minted.key }, clock.nowMs()), {
    kind: 'key',
    orgId: organization.id,
    role: 'viewer',
  })
  const listed = keys.list(scope, { limit: 50 })
  t.match(listed.items, [{ name: 'ci', role: 'viewer', prefix: minted.key.slice(0, 9) }])
  t.notOk(JSON.stringify(listed).includes(minted.key))
})

t.test('a revoked key is refused at the very next request', async (t) => {
  const { keys, identity, clock, enrol } = openAccess(t)
  const { scope } = await enrol('alice')
  const { key, id } = await keys.create(scope, { name: 'ci' })
  const use = () => identity.authenticate({ apiKey: key }, clock.nowMs())
  t.ok(use())
  t.match(await keys.revoke(scope, id), { id, name: 'ci' })
  t.throws(use, { code: 'unauthenticated' })
  t.same(keys.list(scope, { limit: 50 }).items, [])
  await t.rejects(keys.revoke(scope, id), { code: 'not_found' })
})

t.test('a damaged key, and one that only its hash leads to, can be revoked', async (t) => {
  const { keys, identity, clock, store, enrol } = openAccess(t)
  const { scope } = await enrol('alice')
  for (const table of ['apiKeys', 'orgApiKeys']) {
    const { key, id } = await keys.create(scope, { name: 'ci' })
    const { keyHash } = store.apiKeys.get(scope.orgId, id) ?? {}
    await damageRecords(store, table, table === 'apiKeys' ? String(keyHash) : id)
    await t.rejects(keys.change(scope, id, { name: 'other' }), { code: 'damaged_record' })
    t.same(await keys.revoke(scope, id), { id, revision: 0 })
    t.throws(() => identity.authenticate({ apiKey: key }, clock.nowMs()), {
      code: 'unauthenticated',
    })
    await t.rejects(keys.revoke(scope, id), { code: 'not_found' })
  }
  t.same(store.apiKeys.due(Number.MAX_SAFE_INTEGER, 9), [])
  t.equal(store.apiKeys.count(scope.orgId), 0)
})

t.test('a key expires at its own time, which must be in the future', async (t) => {
  const { keys, identity, clock, enrol } = openAccess(t)
  const { scope } = await enrol('alice')
  const expiresAtMs = clock.nowMs() + 60_000
  const { key } = await keys.create(scope, { name: 'ci', expiresAtMs })
  await clock.advance(59_999)
  t.ok(identity.authenticate({ apiKey: key }, clock.nowMs()))
  await clock.advance(1)
  t.throws(() => identity.authenticate({ apiKey: key }, clock.nowMs()), { code: 'unauthenticated' })
  for (const late of [clock.nowMs(), clock.nowMs() - 1, Number.NaN]) {
    await t.rejects(keys.create(scope, { name: 'late', expiresAtMs: late }), {
      code: 'validation_failed',
      errors: [{ pointer: '/expiresAt' }],
    })
  }
})

t.test("another organization's key can be neither seen nor revoked", async (t) => {
  const { keys, identity, clock, enrol } = openAccess(t)
  const alice = await enrol('alice')
  const charlie = await enrol('charlie')
  const { id, key } = await keys.create(alice.scope, { name: 'ci' })
  t.same(keys.list(charlie.scope, { limit: 50 }).items, [])
  const told: string[] = []
  for (const keyId of [id, newId('key', 1)]) {
    await keys.revoke(charlie.scope, keyId).catch((error) => told.push(String(error)))
  }
  t.equal(told.length, 2)
  t.equal(told[0], told[1], 'foreign and unknown are the same')
  t.ok(identity.authenticate({ apiKey: key }, clock.nowMs()))
})

t.test('a key creates no keys, and only admins do', async (t) => {
  const { keys, identity, clock, enrol, enrolIn } = openAccess(t)
  const { scope, organization } = await enrol('alice')
  const max = await enrolIn(organization.id, 'max', 'member')
  const { key, id } = await keys.create(scope, { name: 'ci', role: 'admin' })
  const byKey = callerOf(identity.authenticate({ apiKey: key }, clock.nowMs()))
  const keyScope = identity.scope(byKey, organization.id, 'admin')
  for (const refused of [keyScope, max.scope]) {
    await t.rejects(keys.create(refused, { name: 'child' }), { code: 'forbidden' })
    await t.rejects(keys.rotate(refused, id, {}), { code: 'forbidden' })
  }
})

t.test('a key lasts a year by default, and forever only on request', async (t) => {
  const { keys, clock, enrol } = openAccess(t)
  const { scope } = await enrol('alice')
  const { expiresAtMs } = await keys.create(scope, { name: 'usual' })
  t.equal(expiresAtMs, clock.nowMs() + 365 * dayMs)
  t.equal((await keys.create(scope, { name: 'kept', expiresAtMs: null })).expiresAtMs, null)
})

t.test('a key gets another name or expiry, with a check of the version', async (t) => {
  const { keys, identity, clock, enrol, store } = openAccess(t)
  const { scope, organization } = await enrol('alice')
  const { key, id, revision } = await keys.create(scope, { name: 'ci', role: 'member' })
  const renamed = await keys.change(scope, id, { name: 'deploy' }, revision)
  t.match(renamed, { name: 'deploy', role: 'member', expiresAtMs: Number })
  const late = keys.change(scope, id, { name: 'late' }, revision)
  await t.rejects(late, { code: 'precondition_failed' })
  await t.rejects(keys.change(scope, id, { expiresAtMs: clock.nowMs() }), {
    code: 'validation_failed',
    errors: [{ pointer: '/expiresAt' }],
  })
  t.equal((await keys.change(scope, id, { expiresAtMs: null })).expiresAtMs, null)
  const expiresAtMs = clock.nowMs() + 1_000
  await keys.change(scope, id, { expiresAtMs })
  t.match(store.audit.list(organization.id, 1), [{ action: 'key.changed', fields: ['expiresAt'] }])
  await clock.advance(1_000)
  t.throws(() => identity.authenticate({ apiKey: key }, clock.nowMs()), { code: 'unauthenticated' })
  const revived = keys.change(scope, id, { expiresAtMs: null })
  await t.rejects(revived, { code: 'conflict' }, 'what has ended stays ended')
  await t.rejects(keys.rotate(scope, id, {}), { code: 'conflict' })
})

t.test('after a rotation both keys work for a day, then only the new one', async (t) => {
  const { keys, keyWarnings, identity, clock, enrol } = openAccess(t)
  const { scope } = await enrol('alice')
  const expiresAtMs = clock.nowMs() + 90 * dayMs
  const old = await keys.create(scope, { name: 'ci', role: 'member', expiresAtMs })
  await clock.advance(10 * dayMs)
  const made = await keys.rotate(scope, old.id, {})
  t.match(made, { name: 'ci', role: 'member', expiresAtMs: clock.nowMs() + 90 * dayMs })
  t.not(made.key, old.key)
  const works = (apiKey: string) => {
    try {
      return identity.authenticate({ apiKey }, clock.nowMs()).kind === 'key'
    } catch {
      return false
    }
  }
  await clock.advance(dayMs - 1)
  t.same([works(old.key), works(made.key)], [true, true])
  await clock.advance(1)
  t.same([works(old.key), works(made.key)], [false, true])
  t.equal(await keyWarnings.warnExpiring(10), 1, 'and what was replaced goes')
  t.match(keys.list(scope, { limit: 9 }).items, [{ id: made.id }])
  t.equal(keys.list(scope, { limit: 9 }).items.length, 1)
})

t.test('a leaked key is replaced at once, and no key is replaced twice', async (t) => {
  const access = openAccess(t)
  const { keys, identity, clock, enrol } = access
  const { scope } = await enrol('alice')
  const leaked = await keys.create(scope, { name: 'ci' })
  const made = await keys.rotate(scope, leaked.id, { revokeNow: true })
  t.equal(access.access.changes, 1, 'whatever the key runs is looked at again')
  const use = (apiKey: string) => identity.authenticate({ apiKey }, clock.nowMs())
  t.throws(() => use(leaked.key), { code: 'unauthenticated' })
  t.ok(use(made.key))
  const tried = await Promise.allSettled([1, 2, 3].map(() => keys.rotate(scope, made.id, {})))
  t.same(
    tried.map(({ status }) => status),
    ['fulfilled', 'rejected', 'rejected'],
  )
  t.match(tried[1], { reason: { code: 'conflict', message: /replaced/ } })
  await t.rejects(keys.change(scope, made.id, { expiresAtMs: null }), { code: 'conflict' })
  t.match(await keys.revoke(scope, made.id), { id: made.id })
})

t.test('rotating creates no more keys than the quota, twice', async (t) => {
  const { keys, enrol, store } = openAccess(t)
  const { scope, organization } = await enrol('alice')
  await store.write((tx) => store.orgs.put(tx, { ...organization, quotas: { keys: 2 } }))
  let { id } = await keys.create(scope, { name: 'ci' })
  await keys.create(scope, { name: 'other' })
  id = (await keys.rotate(scope, id, {})).id
  id = (await keys.rotate(scope, id, {})).id
  await t.rejects(keys.rotate(scope, id, {}), { code: 'conflict', message: /replaced keys/ })
  t.ok(await keys.rotate(scope, id, { revokeNow: true }))
  await t.rejects(keys.create(scope, { name: 'third' }), { code: 'conflict' })
  t.equal(store.apiKeys.count(organization.id), 4)
})

t.test('when and from where a key was last used is noted once a minute', async (t) => {
  const { keys, identity, clock, enrol, store } = openAccess(t)
  const { scope } = await enrol('alice')
  const { key, id } = await keys.create(scope, { name: 'ci' })
  const use = async (address: string) => {
    identity.authenticate({ apiKey: key, address }, clock.nowMs())
    await clock.advance(0)
    await store.flush()
    const { lastUsedAtMs, lastUsedFrom } = store.apiKeys.get(scope.orgId, id) ?? {}
    return { lastUsedAtMs, lastUsedFrom }
  }
  const first = { lastUsedAtMs: clock.nowMs(), lastUsedFrom: '203.0.113.0/24' }
  t.same(await use('203.0.113.77'), first)
  await clock.advance(59_999)
  t.same(await use('198.51.100.1'), first)
  await clock.advance(1)
  const second = { lastUsedAtMs: clock.nowMs(), lastUsedFrom: '2001:db8:1::/48' }
  t.same(await use('2001:db8:1:2::3'), second)
})

t.test('an organization has at most 20 keys, listed newest first in pages', async (t) => {
  const { keys, enrol } = openAccess(t)
  const { scope } = await enrol('alice')
  const tried = await Promise.allSettled(
    Array.from({ length: 23 }, (_, n) => keys.create(scope, { name: `key ${n}` })),
  )
  t.equal(tried.filter(({ status }) => status === 'fulfilled').length, 20)
  t.match(tried.at(-1), { reason: { code: 'conflict' } })
  const first = keys.list(scope, { limit: 15 })
  const second = keys.list(scope, { limit: 15, after: first.nextAfter ?? '' })
  const names = [...first.items, ...second.items].map(({ name }) => name)
  t.same(
    names,
    Array.from({ length: 20 }, (_, n) => `key ${19 - n}`),
  )
  t.equal(second.nextAfter, undefined)
})
