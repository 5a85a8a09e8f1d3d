// The rights of API keys follow from those of the people who answer for them, at each request.
import t, { type Test } from 'tap'
import { keyRoles, type Role, roles } from '../../../src/domain/access.ts'
import { keyStanding } from '../../../src/domain/orgs/api-key.ts'
import { createDepartures } from '../../../src/services/orgs/departures.ts'
import { createForgetPerson } from '../../../src/services/people/forget-person.ts'
import { createOperator } from '../../../src/services/system/operator.ts'
import { callerOf, openAccess } from '../../support/access.ts'
import { damageRecord } from '../../support/temp-store.ts'

const page = { limit: 50 }
const system = callerOf({ kind: 'system' })

/** Alice owns the organization; Ann is one of its admins, and made an admin's key. */
async function open(t: Test) {
  const access = openAccess(t)
  const { core, store, identity, clock, keys, emails } = access
  const alice = await access.enrol('alice')
  const { orgId } = alice.scope
  const ann = await access.enrolIn(orgId, 'ann', 'admin')
  const { key, id } = await keys.create(ann.scope, { name: 'deploy', role: 'admin' })
  const orgSwitch = { off: async () => {}, on: async () => {} }
  const kyc = { forget: () => {} }
  const forgetPerson = createForgetPerson(core, { emails, kyc })
  return {
    ...access,
    alice,
    ann,
    orgId,
    keyId: id,
    departures: createDepartures(core, { ...access, orgSwitch, forgetPerson }),
    operator: createOperator(core, { ...access, orgSwitch }),
    /** What the key may do at a request now; null: it is refused. */
    async may(): Promise<Role | null> {
      await clock.advance(1)
      try {
        const caller = callerOf(identity.authenticate({ apiKey: key }, clock.nowMs()))
        return identity.scope(caller, orgId, 'viewer').role
      } catch (error) {
        t.match(error, { code: 'unauthenticated', message: /valid session or API key/ })
        return null
      }
    },
    listed: () => keys.list(alice.scope, page).items.find((one) => one.id === id),
    noted: () =>
      store.audit
        .list(orgId, 50)
        .filter(({ objectId }) => objectId === id)
        .map(({ action, detail }) => `${action}: ${detail}`),
  }
}

t.test('a key of an admin who becomes a viewer is a viewer from the next request on', async (t) => {
  const { may, members, alice, ann, listed, noted, keyId, letters } = await open(t)
  t.equal(await may(), 'admin')
  const demoted = await members.change(alice.scope, { userId: ann.user.id, role: 'viewer' })
  t.match(demoted.apiKeys, [{ id: keyId, effectiveRole: 'viewer' }], 'the answer lists it')
  t.equal(await may(), 'viewer')
  const shown = { role: 'admin', effectiveRole: 'viewer', endedBecause: null }
  t.match(listed(), { ...shown, madeBy: { name: null, email: 'ann@example.com' } })
  t.match(noted()[0], 'key.role_changed: admin to viewer')
  t.equal(letters.filter(({ subject }) => /ended/.test(subject)).length, 0)
  await members.change(alice.scope, { userId: ann.user.id, role: 'owner' })
  t.equal(await may(), 'admin', 'and never more than it was given')
})

for (const [title, endedBecause, email, leave] of [
  [
    'was removed',
    'maker_left',
    'ann@example.com',
    ({ members, alice, ann }) => members.remove(alice.scope, ann.user.id),
  ],
  [
    'left by themselves',
    'maker_left',
    'ann@example.com',
    ({ members, ann }) => members.remove(ann.scope, ann.user.id),
  ],
  [
    'deleted the account',
    'maker_deleted',
    undefined,
    async ({ departures, ann, members, enrolIn }) => {
      // Her own organization would keep her.
      const bob = await enrolIn(ann.organization.id, 'bob', 'viewer')
      const own = { ...ann.scope, orgId: ann.organization.id, role: 'owner' } as const
      await members.transfer(own, bob.user.id)
      await departures.removeUser(ann.caller)
    },
  ],
  [
    'was switched off by the operator',
    'maker_switched_off',
    'ann@example.com',
    ({ operator, ann }) => operator.changeUser(system, ann.user.id, { isDisabled: true }),
  ],
] as [string, string, string | undefined, (all: Awaited<ReturnType<typeof open>>) => unknown][]) {
  t.test(`a key ends with a maker who ${title}, and an owner can adopt it`, async (t) => {
    const all = await open(t)
    const { may, alice, keys, keyId, listed, noted, letters, enrolIn, orgId } = all
    await leave(all)
    t.equal(await may(), null)
    const madeBy = email === undefined ? null : { email }
    t.match(listed(), { role: 'admin', effectiveRole: null, endedBecause, madeBy })
    t.match(noted()[0], `key.ended: ${endedBecause}`)
    for (const change of [
      () => keys.rotate(alice.scope, keyId, {}),
      () => keys.change(alice.scope, keyId, { expiresAtMs: null }),
    ]) {
      await t.rejects(change(), { code: 'conflict', message: /an owner can adopt it/ })
    }
    const told = letters.filter(({ subject }) => subject === 'API key “deploy” has ended')
    t.same(
      told.map(({ to }) => to),
      title === 'was removed' ? [] : ['alice@example.com'],
      'the owners hear of it, but for the one who did it',
    )
    const max = await enrolIn(orgId, 'max', 'admin')
    await t.rejects(keys.adopt(max.scope, keyId), { code: 'forbidden' }, 'an admin cannot')
    t.equal(await may(), null)
    const adopted = await keys.adopt(alice.scope, keyId)
    t.match(adopted, { createdBy: alice.user.id, effectiveRole: 'admin', endedBecause: null })
    t.equal(await may(), 'admin')
    t.match(noted()[0], /^key\.adopted: admin, of usr_/)
  })
}

t.test('a key that an owner adopts before its maker is removed works on', async (t) => {
  const { may, members, keys, alice, ann, keyId } = await open(t)
  await keys.adopt(alice.scope, keyId)
  const removed = await members.remove(alice.scope, ann.user.id)
  t.same(removed.apiKeys, [])
  t.equal(await may(), 'admin')
})

t.test('a person who left is named to admins only', async (t) => {
  const { members, keys, alice, ann, orgId, enrolIn } = await open(t)
  const max = await enrolIn(orgId, 'max', 'member')
  const named = ({ scope }: typeof max) => keys.list(scope, page).items.map((one) => one.madeBy)
  const madeBy = { name: null, email: 'ann@example.com' }
  t.same([named(max), named(alice)], [[madeBy], [madeBy]])
  await members.remove(alice.scope, ann.user.id)
  t.same([named(max), named(alice)], [[null], [madeBy]])
})

t.test('a maker who comes back brings no key back, one who is switched on does', async (t) => {
  const { may, members, operator, store, clock, alice, ann, orgId } = await open(t)
  const set = (isDisabled: boolean) => operator.changeUser(system, ann.user.id, { isDisabled })
  await set(true)
  t.equal(await may(), null)
  await set(false)
  t.equal(await may(), 'admin')
  await members.remove(alice.scope, ann.user.id)
  const again = { orgId, userId: ann.user.id, role: 'owner', joinedAtMs: clock.nowMs() } as const
  await store.write((tx) => store.memberships.put(tx, again))
  t.equal(await may(), null)
})

t.test('a key of a person who was gone before an upgrade is refused, and noted once', async (t) => {
  const { may, keyRights, store, ann, orgId, noted, letters, keyId } = await open(t)
  await store.write((tx) => {
    const key = store.apiKeys.get(orgId, keyId)
    // As earlier versions stored it.
    const { backedSinceMs: _since, ...former } = key ?? {}
    if (key) store.apiKeys.put(tx, former as typeof key)
  })
  t.equal(await may(), 'admin', 'of somebody who is still there it works on')
  await store.write((tx) => store.memberships.remove(tx, { orgId, userId: ann.user.id }))
  t.equal(await may(), null)
  const before = letters.length
  t.same([await keyRights.noteEnded(), await keyRights.noteEnded()], [1, 0])
  t.same(noted(), ['key.ended: maker_left', 'key.created: admin'])
  t.match(letters.slice(before), [{ to: 'alice@example.com' }])
  t.equal(letters.length, before + 1)
})

t.test(
  'a maker whose records are damaged grants nothing, and is not said to be gone',
  async (t) => {
    const { keys, identity, clock, store, alice, ann, listed, keyRights, noted } = await open(t)
    const { key } = await keys.create(ann.scope, { name: 'other' })
    await damageRecord(store, 'users', [ann.user.id])
    t.throws(() => identity.authenticate({ apiKey: key }, clock.nowMs()), {
      code: 'damaged_record',
    })
    t.match(listed(), { effectiveRole: null, endedBecause: 'maker_unreadable' })
    t.equal(await keyRights.noteEnded(), 0)
    t.same(noted(), ['key.created: admin'])
    t.match(await keys.adopt(alice.scope, listed()?.id ?? ('' as never)), {
      effectiveRole: 'admin',
    })
  },
)

t.test('a key has the lower of its own role and that of its maker', async (t) => {
  const { store, orgId, keyId } = await open(t)
  const key = store.apiKeys.get(orgId, keyId)
  if (!key) return t.fail('the key is stored')
  for (const maker of roles) {
    for (const role of keyRoles) {
      const membership = { role: maker, joinedAtMs: 0 }
      const standing = keyStanding(
        { ...key, role },
        { account: { isDisabled: false }, membership },
        0,
      )
      const lower = Math.min(roles.indexOf(maker), roles.indexOf(role))
      t.equal(standing.role, roles[lower], `${role} of ${maker}`)
    }
  }
})
