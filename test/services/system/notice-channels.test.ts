// Administrators choose who hears of the service itself: only channels of their own organizations.
import t from 'tap'
import type { ChannelId } from '../../../src/base/ids.ts'
import { createAudit } from '../../../src/services/audit.ts'
import { createNoticeChannels } from '../../../src/services/system/notice-channels.ts'
import { callerOf, openAccess } from '../../support/access.ts'
import { makeChannel } from '../../support/make-channel.ts'

const idOf = (n: number) => `chn_01k0000000000000000000000${n}` as ChannelId

t.test('a channel of an organization that the caller administers is taken', async (t) => {
  const { store, clock, enrol } = openAccess(t)
  const notices = createNoticeChannels({ store, audit: createAudit({ store, clock }) })
  const alice = await enrol('alice')
  const bob = await enrol('bob')
  await store.write((tx) => {
    store.channels.put(tx, makeChannel({ orgId: alice.scope.orgId, id: idOf(1) }))
    store.channels.put(tx, makeChannel({ orgId: bob.scope.orgId, id: idOf(2) }))
  })
  t.same(notices.get(), { channelIds: [], revision: 1 })
  const chosen = await notices.choose(alice.caller, [idOf(1)])
  t.same(chosen, { channelIds: [idOf(1)], revision: 2 })
  t.match(store.audit.list('system', 1), [
    { action: 'system_notices.channels_chosen', detail: '1 channel' },
  ])
  await t.rejects(notices.choose(alice.caller, [idOf(1), idOf(2)]), {
    code: 'validation_failed',
    message: new RegExp(idOf(2)),
    errors: [{ pointer: '/channelIds/1' }],
  })
  await t.rejects(notices.choose(alice.caller, [idOf(3)]), { code: 'validation_failed' })
  const operator = callerOf({ kind: 'system' })
  await t.rejects(notices.choose(operator, [idOf(2)]), { code: 'validation_failed' })
  await t.rejects(notices.choose(bob.caller, [idOf(2)], 1), { code: 'precondition_failed' })
  const both = await notices.choose(bob.caller, [idOf(1), idOf(2)])
  t.same(both.channelIds, [idOf(1), idOf(2)], 'what another administrator chose may stay')

  const { orgId } = bob.scope
  await store.write((tx) =>
    store.memberships.put(tx, { orgId, userId: alice.user.id, role: 'viewer', joinedAtMs: 0 }),
  )
  await notices.choose(operator, [idOf(1)])
  await t.rejects(notices.choose(alice.caller, [idOf(2)]), { code: 'validation_failed' })
})

t.test('a deleted channel leaves the list', async (t) => {
  const { store, clock, enrol } = openAccess(t)
  const notices = createNoticeChannels({ store, audit: createAudit({ store, clock }) })
  const { caller, scope } = await enrol('alice')
  const channel = makeChannel({ orgId: scope.orgId, id: idOf(1) })
  await store.write((tx) => store.channels.put(tx, channel))
  await notices.choose(caller, [idOf(1)])
  await store.write((tx) => {
    store.channels.remove(tx, channel)
    store.meta.forgetNoticeChannels(tx, ({ channelId }) => channelId === channel.id)
  })
  t.same(notices.get(), { channelIds: [], revision: 3 })
})
