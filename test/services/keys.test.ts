// API keys: shown once, known by their beginning, dead from the moment they are revoked.
import t from 'tap'
import { newId } from '../../src/base/ids.ts'
import { callerOf, openAccess } from '../support/access.ts'

t.test('a key is shown once and works at once, as a viewer unless told otherwise', async (t) => {
  const { keys, identity, clock, enrol } = openAccess(t)
  const { scope, organization } = await enrol('alice')
  const minted = await keys.create(scope, { name: 'ci' })
  t.match(minted.key, /^sup_[0-9A-Za-z]{36}$/)
  t.match(identity.authenticate({ apiKey: minted.key }, clock.nowMs()), {
    kind: 'key',
    orgId: organization.id,
    role: 'viewer',
  })
  const listed = keys.list(scope, { limit: 50 })
  t.match(listed.items, [{ name: 'ci', role: 'viewer', prefix: minted.key.slice(0, 8) }])
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

t.test('a key ends at its own time, which must lie ahead', async (t) => {
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

t.test('a key makes no keys, and nobody gives more than they have', async (t) => {
  const { keys, identity, clock, enrol } = openAccess(t)
  const { scope, organization } = await enrol('alice')
  const { key } = await keys.create(scope, { name: 'ci', role: 'admin' })
  const byKey = callerOf(identity.authenticate({ apiKey: key }, clock.nowMs()))
  const keyScope = identity.scope(byKey, organization.id, 'admin')
  await t.rejects(keys.create(keyScope, { name: 'child' }), { code: 'forbidden' })
  const asMember = { ...scope, role: 'member' } as const
  await t.rejects(keys.create(asMember, { name: 'up', role: 'admin' }), { code: 'forbidden' })
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
