// Tests of channels: what they prove, with which config they are sent, and what they make default.
import t, { type Test } from 'tap'
import { limits } from '../../../src/domain/limits/limits.ts'
import { channelTestMsMax } from '../../../src/services/alerts/channel-tests.ts'
import type { OrgScope } from '../../../src/services/context.ts'
import { callerOf } from '../../support/access.ts'
import { openChannelsService } from '../../support/channels.ts'
import { orgA } from '../../support/make-incident.ts'
import { startReceiver } from '../../support/receiver.ts'
import { startSilentMailServer } from '../../support/silent-mail-server.ts'
import { settle } from '../../support/temp-store.ts'
import { until } from '../../support/until.ts'

async function start(t: Test) {
  const opened = openChannelsService(t)
  const alice: OrgScope = { caller: callerOf(), orgId: orgA, role: 'admin' }
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const hook = (config: object = {}) => ({
    name: 'Pager',
    type: 'webhook',
    config: { url: receiver.url, ...config },
  })
  const stateOf = (id: string) => opened.channels.get(alice, id).health.state
  return { ...opened, alice, receiver, hook, stateOf }
}

const letter = { name: 'Mail', type: 'email', config: { to: ['ann@example.com'] } }
const all = { limit: 10 }

t.test('a test shows whether a channel works, until its config is changed', async (t) => {
  const { channels, alice, receiver, hook, stateOf } = await start(t)
  const { id } = await channels.create(alice, hook())
  t.equal(stateOf(id), 'untested')
  receiver.script({ status: 404, body: 'no such hook' })
  await channels.test(alice, id)
  t.match(channels.get(alice, id).health, {
    state: 'test_failed',
    lastError: 'The receiver answered 404.',
    sinceMs: Number,
    consecutiveFailures: 0,
  })
  await channels.test(alice, id)
  t.match(channels.get(alice, id).health, { state: 'ok', lastError: null })
  await channels.change(alice, id, { name: 'Other', config: {} })
  t.equal(stateOf(id), 'ok', 'the destination is the same')
  await channels.change(alice, id, { config: { url: `${receiver.url}/other` } })
  t.equal(stateOf(id), 'untested')
})

t.test('a test sends what is in the form, and stores nothing', async (t) => {
  const { channels, alice, receiver, hook, stateOf, store } = await start(t)
  t.match(await channels.testDraft(alice, hook({ headers: { 'X-Key': 'k' } })), { delivered: true })
  t.equal(receiver.requests[0]?.headers['x-key'], 'k')
  t.equal(store.channels.count(orgA), 0)
  const { id } = await channels.create(alice, hook({ headers: { 'X-Key': 'stored' } }))
  const { revision } = channels.get(alice, id)
  const config = { url: `${receiver.url}/other`, headers: { 'X-Key': '••••' } }
  const moved = { url: 'http://127.0.0.2:9/', headers: { 'X-Key': '••••' } }
  t.match(await channels.test(alice, id, { name: 'Form', config }), { delivered: true })
  const { path, headers, body } = receiver.requests[1] ?? {}
  t.match({ path, headers }, { path: '/hook/other', headers: { 'x-key': 'stored' } })
  t.match(JSON.parse(body ?? ''), { data: { channel: { id, name: 'Form' } } })
  t.match(channels.get(alice, id), { name: 'Pager', revision, config: { url: receiver.url } })
  t.equal(stateOf(id), 'untested', 'another config arrived')
  await t.rejects(
    channels.test(alice, id, { config: moved }),
    { errors: [{ pointer: '/config/headers/X-Key' }] },
    'a stored secret goes to no other server',
  )
  await channels.change(alice, id, { config })
  t.equal(stateOf(id), 'ok', 'it was tested a moment ago')
  t.match(channels.deliveries(alice, id, all).items, [{ event: 'channel.test', attempts: 1 }])
})

t.test('a test in the form counts for the channel that is made of it', async (t) => {
  const { channels, alice, receiver, hook, clock } = await start(t)
  await channels.testDraft(alice, hook())
  const made = await channels.create(alice, { ...hook(), name: 'Renamed' })
  t.match(made, { isDefault: true, health: { state: 'ok' } })
  receiver.script({ status: 500 })
  await channels.testDraft(alice, hook({ url: `${receiver.url}/gone` }))
  const failed = await channels.create(alice, hook({ url: `${receiver.url}/gone` }))
  t.match(failed, { isDefault: false, health: { state: 'test_failed' } })
  const [test] = channels.deliveries(alice, failed.id, all).items
  t.match(test, { event: 'channel.test' })
  await t.rejects(channels.redeliver(alice, failed.id, test?.id ?? ''), { code: 'conflict' })
  t.match(await channels.redeliverDead(alice, failed.id), { redelivered: 0 }, 'a test is over')
  await channels.testDraft(alice, hook({ url: `${receiver.url}/old` }))
  clock.advance(16 * 60_000)
  const late = await channels.create(alice, hook({ url: `${receiver.url}/old` }))
  t.match(late, { health: { state: 'untested' } })
})

t.test('a test that its caller left says nothing about the channel', async (t) => {
  const { channels, alice, hook, stateOf } = await start(t)
  const { id } = await channels.create(alice, hook())
  t.match(await channels.test(alice, id, {}, AbortSignal.abort()), { delivered: false })
  t.equal(stateOf(id), 'untested')
  t.same(channels.deliveries(alice, id, all).items, [])
})

t.test(
  'a test of a mail server that hangs ends in time, and says what was waited for',
  async (t) => {
    const { channels, alice, clock } = await start(t)
    const { url, heard } = await startSilentMailServer(t, { greeting: '220 here' })
    const config = { to: ['ann@example.com', 'bob@example.com'], server: url, from: 'up@acme.test' }
    const testing = channels.testDraft(alice, { name: 'Mail', type: 'email', config })
    await until(() => heard.some((line) => line.startsWith('EHLO')))
    await settle()
    await clock.advance(channelTestMsMax)
    t.ok(channelTestMsMax < limits.requestMsMax)
    t.match(await testing, {
      delivered: false,
      error: 'The mail server took longer than 25 seconds: it did not answer EHLO.',
    })
  },
)

t.test('tests of channels that are not stored are limited for each organization', async (t) => {
  const { channels, alice, hook } = await start(t)
  for (let number = 0; number < 6; number += 1) await channels.testDraft(alice, hook())
  await t.rejects(channels.testDraft(alice, hook()), { code: 'rate_limited' })
})

t.test('a way that is not set up says what it needs, and becomes no default channel', async (t) => {
  const { channels, alice, hook } = await start(t)
  const types = new Map(channels.types().map((one) => [one.type, one]))
  t.match(types.get('email'), { isSetUp: false, missingSettings: ['mail.smtpUrl'] })
  t.match(types.get('webhook'), { isSetUp: true, missingSettings: [], title: 'Webhook' })
  const mail = await channels.create(alice, letter)
  t.match(mail, { isDefault: false, health: { missingSettings: ['mail.smtpUrl'] } })
  t.match(await channels.create(alice, hook()), { isDefault: true, revision: 1 })
})

t.test('the first channel that can work becomes a default one', async (t) => {
  const { channels, alice, receiver, hook } = await start(t)
  const isDefault = (id: string) => channels.get(alice, id).isDefault
  receiver.script({ status: 500 })
  const dead = await channels.create(alice, hook({ url: `${receiver.url}/dead` }))
  await channels.test(alice, dead.id)
  const second = await channels.create(alice, hook())
  t.equal(second.isDefault, true, 'no alert would arrive otherwise')
  const third = await channels.create(alice, hook({ url: `${receiver.url}/third` }))
  t.equal(third.isDefault, false)
  await channels.test(alice, third.id)
  t.equal(isDefault(third.id), true, 'it works, and no other default channel was seen to')
  const chosen = { ...hook({ url: `${receiver.url}/own` }), isDefault: false }
  await channels.change(alice, third.id, { isDefault: false })
  const own = await channels.create(alice, chosen)
  await channels.test(alice, own.id)
  t.equal(isDefault(own.id), false, 'a person chose')
  await channels.test(alice, third.id)
  t.equal(isDefault(third.id), false, 'a person chose')
})

t.test(
  'a change answers with what a test in the form made of it, and a choice stands',
  async (t) => {
    const { channels, alice, hook, receiver } = await start(t)
    await channels.create(alice, hook())
    const changedAfterTest = async (path: string, more: object) => {
      const config = { url: `${receiver.url}/${path}` }
      const { id } = await channels.create(alice, hook({ url: `${receiver.url}/${path}/old` }))
      await channels.test(alice, id, { config })
      return channels.change(alice, id, { config, ...more })
    }
    t.match(await changedAfterTest('chosen', { isDefault: false }), { isDefault: false })
    const made = await changedAfterTest('made', {})
    const { isDefault, revision } = channels.get(alice, made.id)
    t.match(made, { isDefault: true, health: { state: 'ok' } })
    t.match({ isDefault, revision }, { isDefault: made.isDefault, revision: made.revision })
  },
)
