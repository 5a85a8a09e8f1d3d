// News of the service itself reaches the chosen channels that still exist and are on.
import t from 'tap'
import type { ChannelId } from '../../../src/base/ids.ts'
import { createSystemNotices } from '../../../src/services/letters/system-notices.ts'
import { openAccess } from '../../support/access.ts'
import { makeChannel } from '../../support/make-channel.ts'

const notice = { kind: 'disk', title: 'Full', text: 'It is full.', isOver: false } as const

t.test('each chosen channel gets one message, whatever events it takes', async (t) => {
  const { store, clock, enrol } = openAccess(t)
  const { scope } = await enrol('alice')
  const { orgId } = scope
  const woken: string[] = []
  const wake = (_orgId: string, channelId: string) => void woken.push(channelId)
  const notices = createSystemNotices({ store, clock, wake })
  t.notOk(notices.hasReceivers())
  const idOf = (n: number) => `chn_01k0000000000000000000000${n}` as ChannelId
  await store.write((tx) => {
    store.channels.put(tx, makeChannel({ orgId, id: idOf(1), events: [] }))
    store.channels.put(tx, makeChannel({ orgId, id: idOf(2) }))
    store.channels.put(tx, makeChannel({ orgId, id: idOf(3), isActive: false }))
    const channels = [1, 2, 3, 4].map((n) => ({ orgId, channelId: idOf(n) }))
    store.meta.putNotices(tx, { ...store.meta.notices(), channels })
  })
  t.ok(notices.hasReceivers())
  const told = (n: number) =>
    store.deliveries.list(orgId, idOf(n), { limit: 9 }).map(({ event, payloadJson }) => {
      return { event, notice: JSON.parse(payloadJson).data.notice }
    })
  await store.write((tx) => notices.tell(tx, notice))
  t.same(told(1), [{ event: 'system.notice', notice }])
  t.same(told(2), told(1))
  t.same([told(3), told(4)], [[], []], 'one is off, one was deleted')
  t.same(woken, [idOf(1), idOf(2)])
  await store.write((tx) => notices.tell(tx, notice, idOf(1)))
  t.same([told(1).length, told(2).length], [1, 2], 'the channel that it is about is left out')
})
