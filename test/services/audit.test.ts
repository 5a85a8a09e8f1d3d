// Refusals and failed sign-ins in the audit log: noted, but never without end, and nothing secret.
import t from 'tap'
import { newId } from '../../src/base/ids.ts'
import { refusalsNoted, strangersRefusalsNoted } from '../../src/services/audit.ts'
import { callerOf, openAccess } from '../support/access.ts'

function open(t: Parameters<typeof openAccess>[0]) {
  const access = openAccess(t)
  const { store, clock } = access
  /** What nobody waits for is on disk after it. */
  const written = async () => {
    await clock.advance(0)
    await store.flush()
  }
  return { ...access, written }
}

t.test('a refusal is in the log of the organization of the refused person', async (t) => {
  const { audit, enrol, store, written } = open(t)
  const { caller, organization, user } = await enrol('alice')
  const stranger = await enrol('charlie')
  const before = store.audit.ends(organization.id).newest.sequence
  audit.refused(caller, { orgId: organization.id }, 'api-keys.create: forbidden')
  audit.refused(stranger.caller, { orgId: organization.id }, 'api-keys.create: forbidden')
  audit.refused(callerOf(), { orgId: organization.id }, 'api-keys.create: forbidden')
  const orgId = stranger.organization.id
  const key = { kind: 'key', keyId: newId('key', 1), orgId, role: 'admin' } as const
  audit.refused(callerOf(key), { orgId: organization.id }, 'api-keys.create: forbidden')
  await written()
  t.equal(store.audit.ends(organization.id).newest.sequence, before + 1)
  t.match(store.audit.list(organization.id, 1)[0], {
    action: 'access.refused',
    outcome: 'refused',
    detail: 'api-keys.create: forbidden',
    actor: { kind: 'session', id: user.id },
    address: '192.0.2.7',
  })
})

t.test(
  'a failed sign-in names the user, or a mark of the address, never the address',
  async (t) => {
    const { audit, enrol, store, written } = open(t)
    const { user, caller } = await enrol('alice')
    audit.signInFailed(callerOf(), ' ALICE@example.com ', 'auth.login: invalid_credentials')
    audit.signInFailed(callerOf(), 'nobody@example.com', 'auth.login: invalid_credentials')
    audit.signInFailed(callerOf(), 'Nobody@Example.com', 'auth.login: invalid_credentials')
    audit.signInFailed(caller, undefined, 'auth.reauthenticate: invalid_credentials')
    await written()
    const [own, third, second, first] = store.audit.list('system', 4)
    const failed = { action: 'session.refused', outcome: 'failed' }
    t.match(first, { ...failed, objectId: user.id, detail: 'auth.login: invalid_credentials' })
    t.match(second, { ...failed, objectId: null, detail: /; address [0-9a-f]{8}$/ })
    t.equal(second?.detail, third?.detail, 'the same address again can be seen')
    t.match(own, { ...failed, objectId: user.id, actor: { id: user.id } })
    t.notMatch(JSON.stringify([first, second, third, own]), /nobody|alice@/i)
  },
)

t.test('one caller cannot fill the disk, nor can many anonymous ones', async (t) => {
  const { audit, enrol, store, clock, written } = open(t)
  const { caller, organization } = await enrol('alice')
  const count = () => store.audit.ends(organization.id).newest.sequence
  const before = count()
  const most = refusalsNoted.quota
  for (let n = 0; n < most * 3; n += 1) audit.refused(caller, { orgId: organization.id }, 'x: y')
  await written()
  t.equal(count(), before + most)
  await clock.advance(3_600_000)
  audit.refused(caller, { orgId: organization.id }, 'x: y')
  await written()
  t.equal(count(), before + most + 1, 'an hour later there is room again')

  const system = () => store.audit.ends('system').newest.sequence
  const start = system()
  const from = (address: string) => ({ ...callerOf(), address })
  for (let n = 0; n < 200; n += 1) audit.signInFailed(from(`2001:db8::${n}`), undefined, 'x: y')
  await written()
  t.equal(system(), start + most, 'addresses of one network are one caller')
  for (let n = 0; n < 2_000; n += 1) {
    audit.signInFailed(from(`198.51.${n >> 8}.${n & 255}`), undefined, 'x: y')
  }
  await written()
  t.equal(system(), start + strangersRefusalsNoted.quota)
})

t.test('an organization that was deleted meanwhile gets no new log', async (t) => {
  const { audit, enrol, store, written } = open(t)
  const { caller, organization } = await enrol('alice')
  audit.refused(caller, { orgId: organization.id }, 'x: y')
  await store.write((tx) => {
    store.orgs.remove(tx, organization.id)
    store.audit.forget(tx, organization.id, 100)
  })
  await written()
  t.same(store.audit.list(organization.id, 10), [])
  t.notOk(store.audit.scopes(10).includes(organization.id))
})
