// Alert channels as an organization handles them: secrets, tests, deliveries, and what is refused.
import { Webhook } from 'standardwebhooks'
import t, { type Test } from 'tap'
import { Fault } from '../../../src/base/fault.ts'
import { newId, type OrgId } from '../../../src/base/ids.ts'
import { mintWebhookSecret } from '../../../src/seal/sign.ts'
import type { NewChannel } from '../../../src/services/alerts/channel-config.ts'
import type { Channels } from '../../../src/services/alerts/channels.ts'
import type { OrgScope } from '../../../src/services/context.ts'
import { callerOf } from '../../support/access.ts'
import { openChannelsService } from '../../support/channels.ts'
import { makeDelivery, makeIncident, orgA } from '../../support/make-incident.ts'
import { orgTwo } from '../../support/make-page.ts'
import { bodyOf, startReceiver } from '../../support/receiver.ts'

const mask = '••••'

function start(t: Test, targets: 'any' | 'public' = 'any') {
  const opened = openChannelsService(t, targets)
  const scopeOf = (orgId: OrgId): OrgScope => ({ caller: callerOf(), orgId, role: 'admin' })
  return { ...opened, alice: scopeOf(orgA), charlie: scopeOf(orgTwo) }
}

const hook = (config: object = {}, more: Partial<NewChannel> = {}): NewChannel => ({
  name: 'Pager',
  type: 'webhook',
  config: { url: 'https://hook.test/in', ...config },
  ...more,
})

/** What a rejected promise or a throwing call said. */
async function faultOf(run: () => unknown): Promise<Fault | undefined> {
  try {
    await run()
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  return undefined
}

t.test('a new channel shows its generated secret once, then the mask', async (t) => {
  const { channels, alice, store } = start(t)
  const made = await channels.create(alice, hook({ headers: { 'X-Key': 'k' } }))
  t.match(made.config, {
    url: 'https://hook.test/in',
    secret: /^whsec_[A-Za-z0-9+/]{43}=$/,
    headers: { 'X-Key': mask },
  })
  t.match(made, { name: 'Pager', type: 'webhook', isActive: true, isDefault: true, revision: 1 })
  t.match(channels.get(alice, made.id).config, { secret: mask, headers: { 'X-Key': mask } })
  t.match(channels.list(alice, { limit: 10 }).items, [{ id: made.id, config: { secret: mask } }])
  const record = JSON.stringify(store.channels.get(alice.orgId, made.id))
  t.notOk(record.includes(String(made.config.secret)), 'sealed at rest')
})

t.test('a change of the server does not send it the secrets of the former one', async (t) => {
  const { channels, alice, store } = start(t)
  const made = await channels.create(alice, hook({ headers: { 'X-Key': 'k' } }))
  const url = 'https://other.test/in'
  const fault = await faultOf(() => channels.change(alice, made.id, { config: { url } }))
  t.equal(fault?.code, 'validation_failed')
  t.match(fault, {
    errors: [{ pointer: '/config/headers/X-Key', message: /must be given again/ }],
  })
  t.match(store.channels.get(alice.orgId, made.id)?.config, { url: 'https://hook.test/in' })
  const headers = { 'X-Key': 'k' }
  t.match(await channels.change(alice, made.id, { config: { url, headers } }), { config: { url } })
})

t.test('the caller’s own secret is stored and not repeated', async (t) => {
  const { channels, alice, box, store } = start(t)
  const secret = mintWebhookSecret()
  const made = await channels.create(alice, hook({ secret }))
  t.equal(made.config.secret, mask)
  const record = store.channels.get(alice.orgId, made.id)
  t.same(JSON.parse(box.open(record?.secretsBox ?? '')), { secret })
})

t.test('only the first channel is a default one unless requested', async (t) => {
  const { channels, alice } = start(t)
  t.equal((await channels.create(alice, hook())).isDefault, true)
  t.equal((await channels.create(alice, hook())).isDefault, false)
  t.equal((await channels.create(alice, hook({}, { isDefault: true }))).isDefault, true)
})

t.test('an invalid config is refused at its field', async (t) => {
  const { channels, alice, store } = start(t, 'public')
  const cases: [object, string, string][] = [
    [{ url: undefined }, '/config/url', 'validation_failed'],
    [{ url: 5 }, '/config/url', 'validation_failed'],
    [{ url: 'ftp://hook.test/' }, '/config/url', 'validation_failed'],
    [{ url: 'http://user:pass@hook.test/' }, '/config/url', 'validation_failed'],
    [{ url: 'http://127.0.0.1/' }, '/config/url', 'target_not_allowed'],
    [{ url: 'http://169.254.169.254/' }, '/config/url', 'target_not_allowed'],
    [{ secret: 'short' }, '/config/secret', 'validation_failed'],
    [{ secret: mask }, '/config/secret', 'validation_failed'],
    [{ headers: { Host: 'x' } }, '/config/headers/Host', 'validation_failed'],
    [{ headers: { 'X-Key': mask } }, '/config/headers/X-Key', 'validation_failed'],
    [{ method: 'DELETE' }, '/config/method', 'validation_failed'],
    [{ colour: 'red' }, '/config/colour', 'validation_failed'],
  ]
  for (const [config, pointer, code] of cases) {
    const fault = await faultOf(() => channels.create(alice, hook(config)))
    t.match(fault, { code, errors: [{ pointer }] }, JSON.stringify(config))
  }
  t.same(store.channels.list(alice.orgId, 10), [], 'nothing is stored')
})

t.test('a change keeps omitted fields, and masked secrets', async (t) => {
  const { channels, alice, box, store, woken } = start(t)
  const secret = mintWebhookSecret()
  const { id } = await channels.create(alice, hook({ secret, headers: { 'X-Key': 'k' } }))
  const secrets = () =>
    JSON.parse(box.open(store.channels.get(alice.orgId, id)?.secretsBox ?? '')) as object
  const shown = channels.get(alice, id).config
  const changed = await channels.change(alice, id, {
    name: 'Night pager',
    config: { ...shown, url: 'https://hook.test/other' },
    events: ['incident.opened'],
    isDefault: false,
  })
  t.match(changed, { name: 'Night pager', isDefault: false, events: ['incident.opened'] })
  t.match(changed, { revision: 2, config: { url: 'https://hook.test/other', secret: mask } })
  t.same(secrets(), { secret, headers: { 'X-Key': 'k' } })
  t.same(woken, [id])

  await channels.change(alice, id, { events: null, config: { headers: { 'X-Key': null } } })
  t.equal(channels.get(alice, id).events.length, 11)
  t.same(secrets(), { secret, headers: {} })

  const rotated = await channels.change(alice, id, { config: { secret: null } })
  t.match(rotated.config.secret, /^whsec_/, 'a new secret is shown this once')
  t.equal(channels.get(alice, id).config.secret, mask)
})

t.test('a change is refused for another type, a bad URL, an old revision', async (t) => {
  const { channels, alice } = start(t)
  const { id } = await channels.create(alice, hook())
  const change = (changes: object, revision?: number) =>
    faultOf(() => channels.change(alice, id, changes, revision))
  t.match(await change({ type: 'slack' }), { code: 'validation_failed' })
  t.match(await change({ config: { url: null } }), { errors: [{ pointer: '/config/url' }] })
  t.match(await change({ name: 'x' }, 7), { code: 'precondition_failed' })
  t.match(await faultOf(() => channels.remove(alice, id, 7)), { code: 'precondition_failed' })
  t.equal(channels.get(alice, id).revision, 1)
})

t.test("another organization's channel does not exist", async (t) => {
  const { channels, alice, charlie } = start(t)
  const { id } = await channels.create(alice, hook())
  const verbs: ((channels: Channels) => unknown)[] = [
    (all) => all.get(charlie, id),
    (all) => all.change(charlie, id, { name: 'mine' }),
    (all) => all.remove(charlie, id),
    (all) => all.test(charlie, id),
    (all) => all.deliveries(charlie, id, { limit: 10 }),
    (all) => all.redeliver(charlie, id, newId('delivery', 0)),
    (all) => all.get(alice, 'chn_nonsense'),
  ]
  for (const verb of verbs) t.match(await faultOf(() => verb(channels)), { code: 'not_found' })
  t.same(channels.list(charlie, { limit: 10 }).items, [])
  t.equal(channels.channelIdsProblem(alice.orgId, [id]), null)
  t.equal(channels.channelIdsProblem(charlie.orgId, [id]), 0)
  t.equal(channels.channelIdsProblem(alice.orgId, [id, 'chn_nonsense']), 1)
})

t.test('an organization has at most fifty channels', async (t) => {
  const { channels, alice, charlie } = start(t)
  await Promise.all(Array.from({ length: 50 }, () => channels.create(alice, hook())))
  t.match(await faultOf(() => channels.create(alice, hook())), { code: 'conflict' })
  t.ok(await channels.create(charlie, hook()))
  const first = channels.list(alice, { limit: 30 })
  const second = channels.list(alice, { limit: 30, after: first.nextAfter ?? '' })
  t.same([first.items.length, second.items.length, second.nextAfter], [30, 20, undefined])
})

t.test('a test sends a signed message now and returns the receiver’s answer', async (t) => {
  const { channels, alice, store } = start(t)
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const secret = mintWebhookSecret()
  const { id } = await channels.create(alice, hook({ url: receiver.url, secret }))
  receiver.script({ status: 200, body: 'thanks' }, { status: 500, body: 'oops' })
  t.match(await channels.test(alice, id), {
    delivered: true,
    status: 200,
    response: 'thanks',
    error: null,
    durationMs: Number,
  })
  const [request] = receiver.requests
  t.match(new Webhook(secret).verify(request?.body ?? '', request?.headers ?? {}, {}), {
    type: 'channel.test',
    data: { channel: { id, name: 'Pager' } },
  })
  t.match(await channels.test(alice, id), {
    delivered: false,
    status: 500,
    response: 'oops',
    error: 'The receiver answered 500.',
  })
  t.match(channels.deliveries(alice, id, { limit: 10 }).items, [
    { event: 'channel.test', state: 'dead', lastError: 'The receiver answered 500.' },
    { event: 'channel.test', state: 'delivered', attempts: 1, webhookId: /^msg_/ },
  ])
  t.equal(store.deliveries.countPending(), 0, 'a test owes nothing')
  for (let more = 0; more < 4; more += 1) await channels.test(alice, id)
  const fault = await faultOf(() => channels.test(alice, id))
  t.match(fault, { code: 'rate_limited', headers: [['Retry-After', '10']] })
})

t.test('a test fills a template with a sample incident', async (t) => {
  const { channels, alice } = start(t)
  const receiver = await startReceiver()
  t.teardown(() => receiver.close())
  const bodyTemplate =
    '{"t": "{{title}}", "type": "{{type}}", "incident": "{{data.incident.title}}",' +
    ' "cause": "{{data.incident.cause}}", "ms": {{data.incident.durationMs}},' +
    ' "first": "{{data.monitors.0.name}}", "channel": "{{data.channel.name}}"}'
  const { id } = await channels.create(alice, hook({ url: receiver.url, bodyTemplate }))
  await channels.test(alice, id)
  t.same(bodyOf(receiver.requests[0]), {
    t: 'Test of Pager',
    type: 'channel.test',
    incident: 'Sample is down',
    cause: 'expected status 200, found 503',
    ms: 120_000,
    first: 'Sample',
    channel: 'Pager',
  })
})

t.test('a config that lacks what another field requires is refused', async (t) => {
  const { channels, alice } = start(t)
  const wrong = { topic: 'alerts', username: 'phil' }
  const channel = { name: 'Phone', type: 'ntfy' }
  const create = (config: Record<string, unknown>) => channels.create(alice, { ...channel, config })
  t.match(await faultOf(() => create(wrong)), { errors: [{ pointer: '/config/password' }] })
  const { id } = await create({ topic: 'alerts', username: 'phil', password: 'wonder' })
  const change = { config: { password: null } }
  t.match(await faultOf(() => channels.change(alice, id, change)), {
    errors: [{ pointer: '/config/password' }],
  })
})

t.test('a template of an earlier version stays until it is changed', async (t) => {
  const { channels, alice, store } = start(t)
  const { id } = await channels.create(alice, hook())
  const record = store.channels.get(alice.orgId, id)
  const bodyTemplate = '{"text": "{{nobody.knows}}"}'
  if (!record) throw new Error('it is stored')
  const config = { ...record.config, bodyTemplate }
  await store.write((tx) => store.channels.put(tx, { ...record, config }))
  const url = 'https://other.test/'
  const changed = await channels.change(alice, id, { config: { ...config, url } })
  t.match(changed.config, { url, bodyTemplate })
  const change = { config: { bodyTemplate: `${bodyTemplate} ` } }
  t.match(await faultOf(() => channels.change(alice, id, change)), {
    errors: [{ pointer: '/config/bodyTemplate' }],
  })
})

t.test('a channel with lost secrets says so until they are set again', async (t) => {
  const { channels, alice, store } = start(t)
  const { id } = await channels.create(alice, hook())
  const record = store.channels.get(alice.orgId, id)
  if (!record) return t.fail('it is stored')
  await store.write((tx) => store.channels.put(tx, { ...record, secretsBox: 'ffffffff.AAAA' }))
  t.equal((await faultOf(() => channels.test(alice, id)))?.code, 'conflict')
  t.match(channels.get(alice, id).config, { secret: mask })
  const mended = await channels.change(alice, id, { config: { secret: null } })
  t.match(mended.config, { secret: /^whsec_/ })
})

t.test('deliveries are listed by state and can be sent once more', async (t) => {
  const { channels, alice, store, woken, clock } = start(t)
  const { id: channelId } = await channels.create(alice, hook())
  const base = { orgId: alice.orgId, channelId }
  const ids = [1, 2, 3].map(() => newId('delivery', clock.nowMs()))
  await store.write((tx) => {
    store.incidents.put(tx, makeIncident({ orgId: alice.orgId }))
    const [first = '', second = '', third = ''] = ids
    const put = (id: string, more: object) =>
      store.deliveries.put(tx, makeDelivery({ ...base, id: id as never }, more))
    put(first, { state: 'dead', attempts: 30, lastError: 'The receiver answered 500.' })
    put(second, { state: 'delivered' })
    put(third, {})
  })
  const list = (state?: 'pending' | 'delivered' | 'dead') =>
    channels.deliveries(alice, channelId, { limit: 10, state }).items.map(({ id }) => id)
  t.same(list(), ids.toReversed())
  t.same([list('dead'), list('delivered'), list('pending')], [[ids[0]], [ids[1]], [ids[2]]])

  const again = await channels.redeliver(alice, channelId, ids[0] ?? '')
  t.match(again, { state: 'pending', attempts: 0, dueAtMs: clock.nowMs() })
  t.same(list('pending'), [ids[2], ids[0]])
  t.same(woken, [channelId])
  t.match(await faultOf(() => channels.redeliver(alice, channelId, ids[2] ?? '')), {
    code: 'conflict',
  })
  await channels.change(alice, channelId, { isActive: false })
  t.match(await faultOf(() => channels.redeliver(alice, channelId, ids[1] ?? '')), {
    code: 'conflict',
  })
})

t.test('a deleted channel takes its pending messages with it', async (t) => {
  const { channels, alice, store } = start(t)
  const { id: channelId } = await channels.create(alice, hook())
  await store.write((tx) =>
    store.deliveries.put(tx, makeDelivery({ orgId: alice.orgId, channelId })),
  )
  t.equal(store.deliveries.countPending(), 1)
  await channels.remove(alice, channelId)
  t.equal(store.deliveries.countPending(), 0)
  t.same(store.deliveries.owedChannels(), [])
  t.match(await faultOf(() => channels.get(alice, channelId)), { code: 'not_found' })
})

t.test(
  'a corrected config is tried at once, and a channel switched on again starts clean',
  async (t) => {
    const { channels, alice, store, clock } = start(t)
    const made = await channels.create(alice, hook())
    const late = { attempts: 3, dueAtMs: clock.nowMs() + 3_600_000 }
    const row = makeDelivery({ orgId: alice.orgId, channelId: made.id }, late)
    await store.write((tx) => {
      store.deliveries.put(tx, row)
      const off = { isActive: false, disabledReason: 'The receiver is gone for good (410).' }
      store.channels.put(tx, { ...(store.channels.get(alice.orgId, made.id) ?? made), ...off })
    })
    await channels.change(alice, made.id, { isActive: true, config: { url: 'https://new.test/' } })
    t.match(channels.get(alice, made.id), { isActive: true, disabledReason: null })
    t.equal(store.deliveries.get(alice.orgId, made.id, row.id)?.dueAtMs, clock.nowMs())
  },
)

t.test('new quiet hours give what they hold its whole time for attempts', async (t) => {
  const { channels, alice, store, clock } = start(t)
  const { id } = await channels.create(alice, hook())
  const nowMs = clock.nowMs()
  const waiting = makeDelivery({ channelId: id, nowMs })
  await store.write((tx) => store.deliveries.put(tx, waiting))
  const clockTime = (atMs: number) => new Date(atMs).toISOString().slice(11, 16)
  const hourMs = 3_600_000
  const quietHours = {
    timezone: 'UTC',
    from: clockTime(nowMs - hourMs),
    to: clockTime(nowMs + 9 * hourMs),
  }
  t.match(await channels.change(alice, id, { quietHours }), { quietHours })
  const [held] = channels.deliveries(alice, id, { limit: 10 }).items
  const untilMs = held?.heldUntilMs ?? 0
  t.ok(untilMs > nowMs + 8 * hourMs && untilMs <= nowMs + 9 * hourMs)
  t.match(held, { waitsFor: 'quiet_hours', giveUpAtMs: untilMs + 24 * hourMs })
  await channels.change(alice, id, { quietHours: null })
  t.match(channels.deliveries(alice, id, { limit: 10 }).items, [{ heldUntilMs: null }])
})

t.test('tags are kept once each, and null takes them and quiet hours away', async (t) => {
  const { channels, alice } = start(t)
  const quietHours = { timezone: 'Europe/Berlin', from: '22:00', to: '07:00' }
  const made = await channels.create(alice, hook({}, { tags: ['a', 'b', 'a'], quietHours }))
  t.match(made, { tags: ['a', 'b'], quietHours })
  t.match(await channels.change(alice, made.id, { name: 'Other' }), {
    tags: ['a', 'b'],
    quietHours,
  })
  const cleared = await channels.change(alice, made.id, { tags: null, quietHours: null })
  t.same([cleared.tags, cleared.quietHours], [[], null])
})
