// Recipients end their own letters: one address at a time, and the channel with the last one.
import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { newId } from '../../../src/base/ids.ts'
import type { Channel } from '../../../src/domain/alerts/channel.ts'
import { createUnsubscribeLinks } from '../../../src/seal/unsubscribe-link.ts'
import { createUnsubscribes } from '../../../src/services/alerts/unsubscribes.ts'
import { callerOf } from '../../support/access.ts'
import { openCore } from '../../support/core.ts'
import { makeChannel } from '../../support/make-channel.ts'

const ann = 'Ann@example.test'
const bob = 'bob@example.test'

async function start(t: Test, more: Partial<Channel> = {}) {
  const core = openCore(t)
  const { store } = core
  const links = createUnsubscribeLinks(randomBytes(32))
  const woken: string[] = []
  const deserted: string[] = []
  const unsubscribes = createUnsubscribes(core, {
    links,
    wake: (_, channelId) => void woken.push(channelId),
    onDeserted: (_, { channelId }) => void deserted.push(channelId),
  })
  const made = makeChannel({ type: 'email', config: { to: [ann, bob] }, ...more })
  await store.write((tx) => store.channels.put(tx, made))
  const { orgId, id: channelId } = made
  return {
    store,
    woken,
    deserted,
    unsubscribes,
    made,
    tokenOf: (address: string) => links.token({ orgId, channelId, address }),
    stored: () => store.channels.get(orgId, channelId),
  }
}

t.test('one address is taken out, and the others stay', async (t) => {
  const { unsubscribes, tokenOf, stored, woken, deserted, made } = await start(t)
  t.match(unsubscribes.find(tokenOf(ann)), { letters: { address: ann, channel: made.name } })
  await unsubscribes.leave(callerOf(), tokenOf(ann))
  t.match(stored(), { config: { to: [bob] }, isActive: true, revision: made.revision + 1 })
  t.equal(unsubscribes.find(tokenOf(ann)).letters, null)
  t.ok(unsubscribes.find(tokenOf(bob)).letters)
  t.same(woken, [made.id])
  t.same(deserted, [])
})

t.test('the last one switches the channel off, with a reason', async (t) => {
  const { unsubscribes, tokenOf, stored, deserted, made } = await start(t, {
    config: { to: [bob] },
  })
  await unsubscribes.leave(callerOf(), tokenOf(bob))
  t.match(stored(), { config: { to: [bob] }, isActive: false, disabledReason: /^bob@example.test/ })
  t.equal(unsubscribes.find(tokenOf(bob)).letters, null)
  t.same(deserted, [made.id], 'the organization hears of it')
  await unsubscribes.leave(callerOf(), tokenOf(bob))
  t.equal(deserted.length, 1, 'once')
})

t.test(
  'letters of a channel that is switched off can be ended, for when it is on again',
  async (t) => {
    const { unsubscribes, tokenOf, stored } = await start(t, { isActive: false })
    t.ok(unsubscribes.find(tokenOf(ann)).letters)
    await unsubscribes.leave(callerOf(), tokenOf(ann))
    t.match(stored(), { config: { to: [bob] }, isActive: false, disabledReason: null })
  },
)

t.test('a second time changes nothing', async (t) => {
  const { unsubscribes, tokenOf, stored, store, made } = await start(t)
  await unsubscribes.leave(callerOf(), tokenOf(ann))
  const once = stored()
  await unsubscribes.leave(callerOf(), tokenOf(ann))
  t.same(stored(), once)
  const noted = store.audit.list(made.orgId, 10)
  t.match(noted, [{ action: 'channel.unsubscribed', detail: 'A…@example.test' }])
  t.equal(noted.length, 1)
})

t.test('a link that we did not make is not found', async (t) => {
  const { unsubscribes, made } = await start(t)
  const links = createUnsubscribeLinks(randomBytes(32))
  const foreign = links.token({ orgId: made.orgId, channelId: made.id, address: ann })
  t.throws(() => unsubscribes.find(foreign), { code: 'not_found' })
  await t.rejects(unsubscribes.leave(callerOf(), 'x'), { code: 'not_found' })
})

t.test('a deleted channel, or another type, has no letters to end', async (t) => {
  const gone = await start(t, { id: newId('channel', 9) })
  await gone.store.write((tx) => gone.store.channels.remove(tx, gone.made))
  t.equal(gone.unsubscribes.find(gone.tokenOf(ann)).letters, null)
  await gone.unsubscribes.leave(callerOf(), gone.tokenOf(ann))
  const webhook = await start(t, { type: 'webhook', config: { url: 'https://hook.test/' } })
  t.equal(webhook.unsubscribes.find(webhook.tokenOf(ann)).letters, null)
})
