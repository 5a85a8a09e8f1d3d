// The operator: switches people and organizations off and on, sets quotas, is never the last to go.
import t, { type Test } from 'tap'
import type { OrgId } from '../../../src/base/ids.ts'
import { createOperator } from '../../../src/services/system/operator.ts'
import { callerOf, goodPassword, openAccess } from '../../support/access.ts'

const system = callerOf({ kind: 'system' })

function open(t: Test) {
  const access = openAccess(t)
  const done: string[] = []
  access.store.signals.pagesChanged.listen(() => done.push('pages'))
  access.store.signals.accessLost.listen(() => done.push('access'))
  const operator = createOperator(access.core, {
    ...access,
    orgSwitch: {
      off: async () => void done.push('off'),
      on: async (_orgId, gapMs) => void done.push(`on after ${gapMs}`),
    },
  })
  const actions = (scope: OrgId | 'system') =>
    access.store.audit.list(scope, 50).map(({ action }) => action)
  return { ...access, operator, done, actions }
}

t.test('a switched-off user is signed out at once and cannot sign in', async (t) => {
  const { operator, enrol, identity, people, clock, done, actions } = open(t)
  const { user, token } = await enrol('bob')
  const use = () => identity.authenticate({ sessionToken: token }, clock.nowMs())
  t.match(await operator.changeUser(system, user.id, { isDisabled: true }, 1), {
    user: { isDisabled: true, revision: 2 },
  })
  t.throws(use, { code: 'unauthenticated' })
  t.same(done, ['access'])
  const signIn = () =>
    people.signIn(callerOf(), { email: 'bob@example.com', password: goodPassword })
  await t.rejects(signIn(), { code: 'invalid_credentials' })
  await operator.changeUser(system, user.id, { isDisabled: false })
  t.throws(use, { code: 'unauthenticated' }, 'the old session stays ended')
  t.ok(await signIn())
  t.same(actions('system').slice(1, 3).includes('user.switched_on'), true)
  t.ok(actions('system').includes('user.switched_off'))
})

t.test('one administrator always remains, even if two dismiss each other at once', async (t) => {
  const { operator, enrol, store } = open(t)
  const alice = await enrol('alice')
  const bob = await enrol('bob')
  await operator.changeUser(system, alice.user.id, { isSystemAdmin: true })
  for (const changes of [{ isSystemAdmin: false }, { isDisabled: true }]) {
    await t.rejects(operator.changeUser(alice.caller, alice.user.id, changes), { code: 'conflict' })
  }
  await operator.changeUser(alice.caller, bob.user.id, { isSystemAdmin: true })
  const both = await Promise.allSettled([
    operator.changeUser(alice.caller, bob.user.id, { isSystemAdmin: false }),
    operator.changeUser(bob.caller, alice.user.id, { isSystemAdmin: false }),
  ])
  t.same(both.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  const left = [alice, bob].filter(({ user }) => store.users.get(user.id)?.isSystemAdmin)
  t.equal(left.length, 1)
})

t.test('a lost second factor is removed, and the person is told', async (t) => {
  const { operator, enrol, store, factors, letters, actions } = open(t)
  const { user } = await enrol('bob')
  await store.write((tx) =>
    store.factors.put(tx, {
      userId: user.id,
      sealedSecret: '',
      createdAtMs: 0,
      confirmedAtMs: 1,
      lastStep: null,
      recoveryHashes: [],
    }),
  )
  t.ok(factors.isEnrolled(user.id))
  t.match(await operator.changeUser(system, user.id, { resetTotp: true }), { hasTotp: false })
  t.equal(letters.at(-1)?.to, 'bob@example.com')
  t.ok(actions('system').includes('totp.reset'))
})

t.test('a switched-off organization is closed to its people, and to nobody else', async (t) => {
  const { operator, enrol, identity, clock, done, actions, store } = open(t)
  const alice = await enrol('alice')
  const bob = await enrol('bob')
  const { orgId } = alice.scope
  await operator.changeOrg(system, orgId, { isDisabled: true })
  t.throws(() => identity.scope(alice.caller, orgId, 'viewer'), {
    code: 'forbidden',
    message: 'This organization was switched off by the operator.',
  })
  t.throws(() => identity.scope(bob.caller, orgId, 'viewer'), { code: 'not_found' })
  t.notOk(identity.holds(alice.scope, 'viewer', clock.nowMs()), 'streams end')
  await clock.advance(60_000)
  await operator.changeOrg(system, orgId, { isDisabled: true })
  await clock.advance(60_000)
  t.match(await operator.changeOrg(system, orgId, { isDisabled: false }), {
    org: { isDisabled: false, disabledAtMs: undefined },
  })
  t.ok(identity.scope(alice.caller, orgId, 'owner'))
  t.same(done, ['pages', 'access', 'off', 'pages', 'access', 'on after 120000'])
  for (const scope of ['system', orgId] as const) {
    t.same(
      actions(scope).filter((action) => action.startsWith('organization.switched')),
      ['organization.switched_on', 'organization.switched_off'],
      scope,
    )
  }
  t.equal(store.orgs.get(orgId)?.disabledAtMs, undefined)
})

t.test('its own quotas apply at once, and can be reset to the defaults', async (t) => {
  const { operator, enrol, keys, actions } = open(t)
  const { scope } = await enrol('alice')
  await keys.create(scope, { name: 'one' })
  const { quotas } = await operator.changeOrg(system, scope.orgId, {
    quotas: { keys: 1, pages: 3 },
  })
  t.match(quotas, { keys: 1, pages: 3, channels: 50 })
  await t.rejects(keys.create(scope, { name: 'two' }), {
    code: 'conflict',
    message: 'This organization may have at most 1 API keys.',
  })
  const back = await operator.changeOrg(system, scope.orgId, { quotas: { keys: null } })
  t.match(back.quotas, { keys: 20, pages: 3 })
  await keys.create(scope, { name: 'two' })
  t.ok(actions(scope.orgId).includes('organization.quotas_changed'))
})

t.test('a change of an outdated or missing object is refused', async (t) => {
  const { operator, enrol } = open(t)
  const { user, scope } = await enrol('alice')
  const late = { code: 'precondition_failed' }
  await t.rejects(operator.changeUser(system, user.id, { isDisabled: true }, 7), late)
  await t.rejects(operator.changeOrg(system, scope.orgId, { isDisabled: true }, 7), late)
  const nobody = 'usr_01k0000000000000000000000a' as typeof user.id
  const nothing = 'org_01k0000000000000000000000a' as OrgId
  await t.rejects(operator.changeUser(system, nobody, {}), { code: 'not_found' })
  await t.rejects(operator.changeOrg(system, nothing, {}), { code: 'not_found' })
})

t.test('lists come in pages, newest first, and find by address, name and title', async (t) => {
  const { operator, enrol, store } = open(t)
  for (let n = 0; n < 7; n++) {
    await enrol(`user${n}`, { name: `Person ${n}`, organizationName: `Acme ${n}` })
  }
  const names: string[] = []
  let after: string | undefined
  do {
    const page = operator.users({ limit: 3, ...(after ? { after } : {}) })
    names.push(...page.items.map(({ user }) => user.name ?? ''))
    after = page.nextAfter
  } while (after)
  t.same(
    names,
    [6, 5, 4, 3, 2, 1, 0].map((n) => `Person ${n}`),
  )
  const found = (q: string) => operator.users({ limit: 50, q }).items.map(({ user }) => user.email)
  t.same(found(' USER3@'), ['user3@example.com'])
  t.same(found('person 4'), ['user4@example.com'])
  t.same(found('example.com'), [], 'an address is found by its beginning')
  t.match(operator.orgs({ limit: 50, q: 'acme 5' }).items, [
    { org: { name: 'Acme 5' }, members: 1, monitors: 0, quotas: { keys: 20 } },
  ])
  t.equal(operator.orgs({ limit: 50 }).items.length, 7)
  t.equal(store.users.list(50).length, 7)
})
