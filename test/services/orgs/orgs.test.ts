// Organizations: founding, listing, renaming, and who sees which.
import t from 'tap'
import { newId } from '../../../src/base/ids.ts'
import type { Caller } from '../../../src/services/context.ts'
import type { HeldId } from '../../../src/services/orgs/orgs.ts'
import { callerOf, openAccess } from '../../support/access.ts'
import { makeIncident } from '../../support/make-incident.ts'
import { makePage } from '../../support/make-page.ts'
import { damageRecord } from '../../support/temp-store.ts'

t.test('the creator of an organization owns it and nobody else sees it', async (t) => {
  const { orgs, identity, enrol } = openAccess(t)
  const alice = await enrol('alice')
  const charlie = await enrol('charlie')
  const made = await orgs.create(alice.caller, { name: 'Second' })
  t.match(made, { name: 'Second', role: 'owner', revision: 1 })
  t.equal(orgs.get(identity.scope(alice.caller, made.id, 'owner')).name, 'Second')
  const names = (caller: typeof alice.caller) =>
    orgs.list(caller, { limit: 50 }).items.map(({ name }) => name)
  t.same(names(alice.caller), ['Second', 'My organization'], 'newest first')
  t.same(names(charlie.caller), ['My organization'])
})

t.test('a list comes in pages without gaps or repeats', async (t) => {
  const { orgs, enrol } = openAccess(t)
  const { caller } = await enrol('alice')
  for (let n = 0; n < 4; n += 1) await orgs.create(caller, { name: `Org ${n}` })
  const seen: string[] = []
  let after: string | undefined
  do {
    const page = orgs.list(caller, { limit: 2, ...(after ? { after } : {}) })
    seen.push(...page.items.map(({ name }) => name))
    after = page.nextAfter
  } while (after)
  t.same(seen, ['Org 3', 'Org 2', 'Org 1', 'Org 0', 'My organization'])
})

t.test('one whose record is damaged hides no other from its members', async (t) => {
  const { orgs, enrol, store } = openAccess(t)
  const { caller } = await enrol('alice')
  const hurt = await orgs.create(caller, { name: 'Hurt' })
  await orgs.create(caller, { name: 'Newest' })
  await damageRecord(store, 'orgs', [hurt.id])
  const first = orgs.list(caller, { limit: 1 })
  t.match(first, { items: [{ name: 'Newest' }], nextAfter: String })
  const after = String(first.nextAfter)
  t.match(orgs.list(caller, { limit: 1, after }), { items: [{ name: 'My organization' }] })
})

t.test('people find which of their organizations has something', async (t) => {
  const { orgs, enrol, keys, identity, clock, store } = openAccess(t)
  const { caller, scope, organization } = await enrol('alice')
  const second = await orgs.create(caller, { name: 'Second' })
  const charlie = await enrol('charlie')
  const page = makePage({ orgId: second.id })
  const incident = makeIncident({ orgId: organization.id })
  await store.write((tx) => {
    store.pages.put(tx, page, 0)
    store.incidents.put(tx, incident)
  })
  const find = (by: Caller, holds: HeldId) =>
    orgs.list(by, { limit: 50, holds }).items.map(({ id }) => id)
  t.same(find(caller, page.id), [second.id])
  t.same(find(caller, incident.id), [organization.id])
  t.same(find(caller, newId('monitor', 0)), [])
  t.same(find(charlie.caller, page.id), [], 'what is foreign is nowhere')
  const { key } = await keys.create(scope, { name: 'ci', role: 'viewer' })
  const byKey = callerOf(identity.authenticate({ apiKey: key }, clock.nowMs()))
  t.same(find(byKey, incident.id), [organization.id])
  t.same(find(byKey, page.id), [])
})

t.test('an API key sees its own organization and creates none', async (t) => {
  const { orgs, identity, enrol, keys, clock } = openAccess(t)
  const { caller, scope, organization } = await enrol('alice')
  await orgs.create(caller, { name: 'Second' })
  const { key } = await keys.create(scope, { name: 'ci', role: 'admin' })
  const byKey = callerOf(identity.authenticate({ apiKey: key }, clock.nowMs()))
  t.match(orgs.list(byKey, { limit: 50 }), { items: [{ id: organization.id, role: 'admin' }] })
  await t.rejects(orgs.create(byKey, { name: 'Third' }), { code: 'forbidden' })
  t.throws(() => orgs.list(callerOf(), { limit: 50 }), { code: 'unauthenticated' })
})

t.test('a rename increases the revision, and is refused for an old one', async (t) => {
  const { orgs, enrol, clock, store } = openAccess(t)
  const { scope } = await enrol('alice')
  await clock.advance(1_000)
  const renamed = await orgs.change(scope, { name: 'New' }, 1)
  t.match(renamed, { name: 'New', revision: 2, updatedAtMs: clock.nowMs(), role: 'owner' })
  await t.rejects(orgs.change(scope, { name: 'Late' }, 1), { code: 'precondition_failed' })
  t.equal(orgs.get(scope).name, 'New')
  t.notOk('role' in (store.orgs.get(scope.orgId) ?? {}), "a reader's role is not stored")
})

t.test('of two renames of one revision exactly one is kept', async (t) => {
  const { orgs, enrol } = openAccess(t)
  const { scope } = await enrol('alice')
  const both = await Promise.allSettled([
    orgs.change(scope, { name: 'One' }, 1),
    orgs.change(scope, { name: 'Two' }, 1),
  ])
  t.same(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  t.equal(orgs.get(scope).revision, 2)
})

t.test('a person is in at most 20 organizations, also when asking at once', async (t) => {
  const { orgs, enrol } = openAccess(t)
  const { caller } = await enrol('alice')
  const tried = await Promise.allSettled(
    Array.from({ length: 25 }, (_, n) => orgs.create(caller, { name: `Org ${n}` })),
  )
  t.equal(tried.filter(({ status }) => status === 'fulfilled').length, 19)
  t.match(tried.at(-1), { reason: { code: 'conflict' } })
  t.equal(orgs.list(caller, { limit: 50 }).items.length, 20)
})

t.test('a person who deleted the account meanwhile creates nothing', async (t) => {
  const { enrol, orgs, store } = openAccess(t)
  const { caller, user } = await enrol('alice')
  await store.write((tx) => store.users.remove(tx, user))
  await t.rejects(orgs.create(caller, { name: 'Nobody’s' }), { code: 'unauthenticated' })
})

t.test('the language and the time zone are chosen, changed, and given back', async (t) => {
  const { orgs, enrol, identity, store } = openAccess(t)
  const { caller } = await enrol('alice')
  const { id } = await orgs.create(caller, { name: 'A', language: 'de', timezone: 'Europe/Berlin' })
  const scope = identity.scope(caller, id, 'owner')
  t.match(orgs.get(scope), { language: 'de', timezone: 'Europe/Berlin' })
  await orgs.change(scope, { language: 'fr' })
  t.match(orgs.get(scope), { name: 'A', language: 'fr', timezone: 'Europe/Berlin' })
  t.match(store.audit.list(id, 1), [{ action: 'organization.changed', fields: ['language'] }])
  await orgs.change(scope, { timezone: null })
  t.notOk('timezone' in orgs.get(scope), 'a default is not stored')
  t.match(store.audit.list(id, 1), [{ fields: ['timezone'] }])
  for (const timezone of ['Berlin', '+01:00', '']) {
    const wrong = { code: 'validation_failed', message: /timezone must be an IANA time zone/ }
    await t.rejects(async () => orgs.change(scope, { timezone }), wrong)
    await t.rejects(orgs.create(caller, { name: 'B', timezone }), wrong)
  }
})
