// Ping keys: kept by one organization, within bounds, and gone with it.
import t from 'tap'
import type { ImportId, OrgId } from '../../../src/base/ids.ts'
import { pingKeysMax } from '../../../src/domain/monitors/kept-address.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'

const importId = 'imp_01arz3ndektsv4rrffq69g5fav' as ImportId

t.test('an organization keeps a bounded number of them, each once', async (t) => {
  const { store, alice, done, pingKeys: keys } = startMonitorServices(t)
  const keep = (orgId: OrgId, some: readonly string[]) =>
    done(store.write((tx) => keys.keep(tx, { orgId, importId }, some)))
  t.equal(keys.areAny(), false)
  await keep(alice.orgId, ['key-number-1', 'key-number-1'])
  await keep(alice.orgId, ['key-number-1'])
  t.match(keys.list(alice), [{ hint: 'key-' }])
  t.match(keys.holderOf('key-number-1'), { orgId: alice.orgId })
  t.equal(keys.holderOf('key-number-2'), undefined)
  const many = Array.from({ length: pingKeysMax }, (_, n) => `many-keys-${n}`)
  await t.rejects(keep(alice.orgId, many), { errors: [{ keyword: 'maxItems' }] })
  t.equal(keys.list(alice).length, 1, 'all or nothing')
  const other = 'org_01k0000000000000000000000b' as OrgId
  await t.rejects(keep(other, ['key-number-1']), { errors: [{ pointer: '/keptPingKeys/0' }] })
  await done(store.write((tx) => store.pingKeys.forget(tx, alice.orgId, 10)))
  t.equal(keys.areAny(), false)
})
