// Export and import: what goes out comes in again, secrets never go, a refusal leaves nothing.

import t, { type Test } from 'tap'
import { Fault } from '../../../src/base/fault.ts'
import type { ChannelId, MonitorId, OrgId, PageId } from '../../../src/base/ids.ts'
import { limits } from '../../../src/domain/limits/limits.ts'
import { home } from '../../../src/domain/locations/choice.ts'
import { sharedOwner } from '../../../src/domain/locations/location.ts'
import { secretMask } from '../../../src/domain/secret-mask.ts'
import { secretsOmittedMax } from '../../../src/http/api/orgs/portability.ts'
import { createGuard } from '../../../src/net/egress-policy.ts'
import { mintSigningKey, publicKeyOf } from '../../../src/seal/sign.ts'
import { createFieldHash } from '../../../src/seal/tokens.ts'
import { changedChannel, createConfigs } from '../../../src/services/alerts/channel-config.ts'
import { portableChannels } from '../../../src/services/alerts/portable-channels.ts'
import { newLocation } from '../../../src/services/locations/locations.ts'
import { portableLocations } from '../../../src/services/locations/portable-locations.ts'
import { portableMonitors } from '../../../src/services/monitors/portable-monitors.ts'
import { createImportTurns } from '../../../src/services/orgs/imports/import-turns.ts'
import { createPortability } from '../../../src/services/orgs/portability.ts'
import { createPageUrls } from '../../../src/services/pages/page-urls.ts'
import { portablePages } from '../../../src/services/pages/portable-pages.ts'
import type { ImportedDocument, PortableDocument } from '../../../src/services/portable.ts'
import { openAddressChanges } from '../../support/address-changes.ts'
import { patient } from '../../support/depth.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { orgA } from '../../support/make-incident.ts'
import { makePage, monitorNo, orgTwo } from '../../support/make-page.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { targetRules } from '../../support/target-rules.ts'
import { watchTurns } from '../../support/turns.ts'

const secrets = { Authorization: 'Bearer of-nobody', 'X-Key': 'another-secret' }

function open(t: Test, targets: 'any' | 'public' = 'any') {
  const world = { isApproved: true }
  const services = startMonitorServices(t, {
    targets,
    quotas: { monitors: 1_000, channels: 3, pages: 3 },
  })
  const { core, store, fleet } = services
  const guard = createGuard({ targets })
  const { judgeUrl } = guard
  const judgeTarget = targetRules(guard).judgeUrl
  const publish = () => {}
  const unknownChannel = (orgId: OrgId, ids: readonly ChannelId[]) => {
    const index = ids.findIndex((id) => !store.channels.get(orgId, id))
    return index < 0 ? null : index
  }
  const configs = {
    judgeUrl,
    judgeMailServer: () => null,
    mintSecret: () => `whsec_${'A'.repeat(32)}`,
    mintSigningKey,
    publicKeyOf,
  }
  const { incidents } = services
  const shared = { fleet, publish, incidents, unknownChannel }
  const monitorsPart = portableMonitors(core, { judgeTarget, ...shared })
  const portability = createPortability(core, {
    portables: {
      channels: portableChannels(core, { ...configs, wake() {} }),
      locations: portableLocations(core),
      monitors: monitorsPart,
      statusPages: portablePages(core, {
        addresses: openAddressChanges(),
        urls: createPageUrls({ store, baseUrl: 'https://up.test', statusDomain: null }),
      }),
    },
    hashOf: createFieldHash(Buffer.alloc(32)),
    keepPingKeys: () => [],
    takeBack: async () => {},
    turns: createImportTurns(),
    mustBeApproved() {
      if (!world.isApproved) throw new Fault('kyc_required')
    },
  })
  const refusal = async (document: ImportedDocument) => {
    const error = await services
      .done(portability.import(services.charlie, document))
      .catch((e) => e)
    if (!(error instanceof Fault)) throw error
    return { code: error.code, pointers: error.errors.map(({ pointer }) => pointer), error }
  }
  /** Whether the other organization has anything. */
  const isEmpty = () =>
    [store.channels, store.pages].every((table) => table.count(orgTwo) === 0) &&
    store.monitors.count(orgTwo) === 0
  return {
    ...services,
    portability,
    monitorsPart,
    configs: createConfigs(core, configs),
    refusal,
    isEmpty,
    approval: world,
  }
}

/** One of everything, each naming the others. */
async function fill({ store, monitors, alice, done, configs, clock }: ReturnType<typeof open>) {
  const config = { url: 'https://hook.test/in', headers: { 'X-Secret': 'sealed' }, method: 'PUT' }
  const { config: masked, secretsBox } = configs.seal('webhook', config)
  const channel = makeChannel({
    orgId: orgA,
    config: masked,
    secretsBox,
    name: 'Pager',
    delayMinutes: 5,
  })
  await store.write((tx) => store.channels.put(tx, channel))
  const { monitor } = await done(
    monitors.create(alice, {
      name: 'API',
      url: 'https://api.test/',
      headers: secrets,
      body: '{"a":1}',
      isPublic: true,
      method: 'POST',
      tags: ['x'],
      notifyChannelIds: [channel.id],
      intervalSeconds: 30,
      degradedThresholdMs: null,
      acceptedStatuses: ['200-299'],
      retryIntervalSeconds: 7,
    }),
  )
  const push = await done(
    monitors.create(alice, { name: 'Job', checkType: 'push', isActive: false }),
  )
  const page = makePage({
    orgId: orgA,
    publicMonitorIds: [monitor.id],
    sections: [{ name: 'Core', monitorIds: [monitor.id] }],
    showLocations: true,
    subdomain: 'acme',
    title: '',
  })
  await store.write((tx) => store.pages.put(tx, page, clock.nowMs()))
  return { channel, monitor, push: push.monitor, page }
}

const frame = { format: 'stillup/1', channels: [], monitors: [], statusPages: [] } as const

/** The document without what cannot be the same in another organization. */
function comparable(document: PortableDocument, ids = {}): unknown {
  const other = ['exportedAtMs', 'organization', 'secretsOmitted', 'slug', 'subdomain']
  const text = JSON.stringify(document, (name, value) => (other.includes(name) ? undefined : value))
  return JSON.parse(text.replace(/(mon|chn|pag)_\w{26}/g, (id) => Object(ids)[id] ?? id))
}

t.test(
  'an export leaves out channels that have been deleted, so that it can be imported',
  async (t) => {
    const opened = open(t)
    const { portability, alice, charlie, store, done } = opened
    const { channel } = await fill(opened)
    await store.write((tx) => store.channels.remove(tx, channel))
    const document = await done(portability.export(alice))
    t.match(document.monitors[0], { notifyChannelIds: [] })
    const statusPages: object[] = []
    t.match(await done(portability.import(charlie, { ...document, statusPages })), { monitors: 2 })
  },
)

t.test('a document names a password, and has the user name', async (t) => {
  const { portability, monitors, alice, charlie, done, store } = open(t)
  const url = 'postgres://db.test/shop'
  const login = { username: 'ada', password: 's3cret-pass' }
  await done(monitors.create(alice, { name: 'DB', checkType: 'postgres', url, ...login }))
  const document = await done(portability.export(alice))
  t.notMatch(JSON.stringify(document), /s3cret-pass/)
  t.match(document.monitors, [{ username: 'ada' }])
  t.same(document.secretsOmitted, ['/monitors/0/password'])
  t.match(document.maybeSecret, ['/monitors/0/username'])
  const paused = await done(portability.import(charlie, document))
  t.match(paused.paused, [{ secrets: ['/password'] }], 'it is paused until the password is there')
  const [item] = document.monitors
  const whole = { ...document, monitors: [{ ...item, ...login }] }
  const { ids } = await done(portability.import(charlie, whole))
  const made = store.monitors.get(orgTwo, Object.values(ids)[0] as MonitorId)
  t.match(made, { isActive: true })
})

t.test('monitors depend on each other in the copy as in the original', async (t) => {
  const { portability, monitors, alice, charlie, done, store, refusal } = open(t)
  const make = async (name: string) =>
    (await done(monitors.create(alice, { name, url: 'https://api.test/' }))).monitor
  // The newer one is above the older one, and so behind it in the document.
  const shop = await make('Shop')
  const router = await make('Router')
  await done(monitors.change(alice, shop.id, { dependsOn: [router.id] }))
  const document = await done(portability.export(alice))
  t.match(document.monitors, [{ id: shop.id, dependsOn: [router.id] }, { id: router.id }])
  const { ids } = await done(portability.import(charlie, document))
  const copyOf = (id: string) => ids[id] as MonitorId
  t.same(store.monitors.get(orgTwo, copyOf(shop.id))?.dependsOn, [copyOf(router.id)])
  t.same(store.monitors.dependents(orgTwo, copyOf(router.id), 9), [copyOf(shop.id)])

  const items = document.monitors as readonly { id: string }[]
  const round = items.map((item) =>
    item.id === router.id ? { ...item, dependsOn: [shop.id, shop.id] } : item,
  )
  const circle = await refusal({ ...document, monitors: round })
  t.same(circle.pointers, ['/monitors/1/dependsOn/0'])
  t.match(circle.error.message, /makes a circle: "Router" depends on "Shop", which depends on/)
  const lost = items.filter(({ id }) => id === shop.id)
  t.same((await refusal({ ...document, monitors: lost })).pointers, ['/monitors/0/dependsOn/0'])
})

t.test('locations of monitors come along, and stand in for those of the same name', async (t) => {
  const { portability, monitors, alice, charlie, done, store, refusal, clock } = open(t)
  const put = async (owner: OrgId, name: string) => {
    const location = newLocation(owner, { name, description: `${name} rack` }, clock.nowMs())
    await store.write((tx) => store.locations.put(tx, location))
    return location.id
  }
  const oslo = await put(orgA, 'Oslo')
  const paris = await put(orgA, 'Paris')
  const shared = await put(sharedOwner, 'Frankfurt')
  const fields = { url: 'https://api.test/', locations: [paris, home, shared, oslo] }
  await done(monitors.create(alice, { ...fields, name: 'API', downWhen: '2' }))
  const document = await done(portability.export(alice))
  t.match(document.locations, [{ name: 'Oslo' }, { name: 'Paris', description: 'Paris rack' }])
  t.match(document.monitors, [{ locations: fields.locations, downWhen: '2' }])

  const there = await put(orgTwo, 'oslo')
  const { ids } = await done(portability.import(charlie, document))
  const copy = (name: string) =>
    store.locations.list(orgTwo, 9).find((location) => location.name === name)?.id
  t.equal(store.locations.list(orgTwo, 9).length, 2, 'Oslo was there')
  const [monitor] = store.monitors.list(orgTwo, 9)
  t.same(monitor?.locations, [copy('Paris'), home, shared, there])
  t.equal(monitor?.downWhen, '2')
  t.equal(ids[paris], copy('Paris'))
  t.equal(store.monitors.at(there, orgTwo, 9).length, 1)

  const lost = { ...document, locations: [] }
  t.same((await refusal(lost)).pointers, ['/monitors/0/locations/0'])
  const again = await done(portability.export({ ...alice, orgId: orgTwo }))
  t.match(again.monitors, [{ downWhen: '2', locations: { length: 4 } }])
})

t.test('a monitor whose headers are set again in the document is watched at once', async (t) => {
  const opened = open(t)
  const { portability, alice, charlie, store, done, fleet } = opened
  const { monitor } = await fill(opened)
  const document = await done(portability.export(alice))
  const monitors = document.monitors.map((one, at) =>
    at === 0 ? { ...one, headers: secrets } : one,
  )
  const imported = await done(
    portability.import(charlie, { ...document, monitors, statusPages: [] }),
  )
  t.same(imported.paused, [])
  const made = store.monitors.get(orgTwo, imported.ids[monitor.id] as MonitorId)
  t.match(made, { isActive: true, headerNames: Object.keys(secrets) })
  t.ok(made && fleet.monitor(made.id), 'it is watched')
})

t.test('what people left of the list of secrets cannot harm', async (t) => {
  const opened = open(t)
  const { portability, alice, charlie, done } = opened
  await fill(opened)
  const document = await done(portability.export(alice))
  const secretsOmitted = [
    '',
    '/',
    '/monitors',
    '/monitors/99/headers/X',
    '/nothing/0/x',
    '/monitors/0',
  ]
  const one = { ...document, statusPages: [], secretsOmitted }
  t.match(await done(portability.import(charlie, one)), { monitors: 2, paused: [] })
})

t.test('an export creates the same objects in another organization', async (t) => {
  const opened = open(t)
  const { portability, alice, charlie, store, done, fleet, changedOrgs } = opened
  const { channel, monitor, push, page } = await fill(opened)
  const document = await done(portability.export(alice))
  t.same(document.secretsOmitted, [
    ...['/channels/0/config/secret', '/channels/0/config/headers/X-Secret'],
    ...['/monitors/0/headers/Authorization', '/monitors/0/headers/X-Key', '/monitors/1/pushToken'],
  ])
  const text = JSON.stringify(document)
  for (const secret of ['of-nobody', 'another-secret', 'sealed', 'whsec_', 'Box', 'Hash']) {
    t.notOk(text.includes(secret), `${secret} stays here`)
  }
  t.ok(text.includes('{\\"a\\":1}'), 'a body is no secret to whoever may read the monitor')
  t.same(document.maybeSecret, ['/channels/0/config/url', '/monitors/0/body'])

  const statusPages = document.statusPages.map((one) => ({
    ...one,
    slug: 'moved',
    subdomain: null,
  }))
  const imported = await done(portability.import(charlie, { ...document, statusPages }))
  t.match(imported, { channels: 1, monitors: 2, statusPages: 1 })
  t.same(Object.keys(imported.ids).toSorted(), [
    ...[channel.id, monitor.id, push.id, page.id].toSorted(),
  ])
  const made = store.monitors.get(orgTwo, imported.ids[monitor.id] as MonitorId)
  t.match(made, { notifyChannelIds: [imported.ids[channel.id]], headerNames: [], revision: 1 })
  t.match(store.pages.get(orgTwo, imported.ids[page.id] as PageId), {
    publicMonitorIds: [imported.ids[monitor.id]],
    sections: [{ name: 'Core', monitorIds: [imported.ids[monitor.id]] }],
    showLocations: true,
    slug: 'moved',
    subdomain: null,
  })
  t.ok(store.channels.get(orgTwo, imported.ids[channel.id] as ChannelId)?.secretsBox)
  const lost = ['/headers/Authorization', '/headers/X-Key']
  t.same(imported.paused, [{ id: imported.ids[monitor.id], secrets: lost }])
  t.match(made, { isActive: false }, 'it would fail without its headers')
  t.notOk(made && fleet.monitor(made.id))
  t.notOk(fleet.monitor(imported.ids[push.id] as MonitorId), 'and what was paused is not')
  t.equal(changedOrgs.at(-1), orgTwo)

  const again = await done(portability.export(charlie))
  const [first, ...others] = document.monitors
  const monitorsThen = [{ ...first, isActive: false }, ...others]
  const channelsThen = document.channels.map((one) => ({ ...one, isActive: false }))
  const expected = { ...document, monitors: monitorsThen, channels: channelsThen }
  t.same(comparable(again), comparable(expected, imported.ids), 'the same but for ids and secrets')
  t.same(again.secretsOmitted, [
    ...['/channels/0/config/secret', '/channels/0/config/headers/X-Secret'],
    '/monitors/1/pushToken',
  ])
  t.match(again, { organization: { name: 'A' }, exportedAtMs: opened.clock.nowMs() })
  const actions = [orgA, orgTwo].map((orgId) => store.audit.list(orgId, 5).map((e) => e.action))
  t.ok(actions[0]?.includes('organization.exported'))
  t.ok(actions[1]?.includes('organization.imported'))
})

t.test('a monitor whose variables came without their values is not resumed before', async (t) => {
  const world = open(t)
  const { portability, monitors, alice, charlie, store, done } = world
  const variables = { token: 'hunter22', user: 'ada', suffix: '' }
  const step = { name: 'Look', url: 'in{{suffix}}', body: '{{user}} {{token}}', method: 'POST' }
  const url = 'https://inside.test/'
  await done(
    monitors.create(alice, { name: 'Shop', checkType: 'steps', url, variables, steps: [step] }),
  )
  const document = await done(portability.export(alice))
  t.notMatch(JSON.stringify(document), /hunter22/)
  t.match(document.monitors, [{ variables: { suffix: '' } }], 'an empty value is no secret')
  const { paused } = await done(portability.import(charlie, document))
  t.match(paused, [{ secrets: ['/variables/token', '/variables/user'] }])
  const id = paused[0]?.id as MonitorId
  const problemsOf = async (call: () => Promise<unknown>) => {
    const error = await done(call()).catch((thrown: unknown) => thrown)
    return error instanceof Fault ? error.errors.map(({ pointer }) => pointer) : error
  }
  const both = ['/variables/token', '/variables/user']
  t.same(await problemsOf(() => monitors.resume(charlie, id)), both)
  t.same(await problemsOf(() => monitors.change(charlie, id, { isActive: true })), both)
  t.notMatch(
    JSON.stringify((await done(portability.export(charlie))).monitors),
    /"token":""/,
    'nor does it leave again with an empty value',
  )

  const masked = { token: secretMask, user: secretMask, suffix: secretMask }
  await done(monitors.change(charlie, id, { variables: { ...masked, token: 'mine' } }))
  t.same(await problemsOf(() => monitors.resume(charlie, id)), ['/variables/user'])
  const patch = { variables: { ...masked, user: '' }, isActive: true }
  t.match(await done(monitors.change(charlie, id, patch)), { state: 'pending' }, 'empty on purpose')
  t.equal(store.monitors.get(orgTwo, id)?.isActive, true)
})

t.test('a channel whose secrets were left out waits for them, switched off', async (t) => {
  const { portability, charlie, store, done, refusal } = open(t)
  const chat = { name: 'Chat', type: 'slack', config: {} }
  const phone = { name: 'Phone', type: 'pushover', config: { outagePriority: 1 } }
  const secretsOmitted = [
    ...['/channels/0/config/webhookUrl', '/channels/0/name', '/channels/1/config/userKey'],
    '/channels/1/config/appToken',
  ]
  const document = { ...frame, channels: [chat, phone], secretsOmitted }
  const tried = await done(portability.tryImport(charlie, document))
  t.match(tried.awaitingSecrets, [
    { name: 'Chat', secrets: ['/config/webhookUrl'] },
    { name: 'Phone', secrets: ['/config/userKey', '/config/appToken'] },
  ])
  t.equal(store.channels.count(orgTwo), 0, 'a trial keeps nothing')

  const { awaitingSecrets } = await done(portability.import(charlie, document))
  const [waiting] = awaitingSecrets
  if (!waiting) return t.fail('nothing waits')
  t.match(store.channels.get(orgTwo, waiting.id), {
    ...{ isActive: false, config: {}, missingSecrets: ['/webhookUrl'] },
  })
  const hidden = { ...frame, channels: [chat] }
  t.same((await refusal(hidden)).pointers, ['/channels/0/config/webhookUrl'], 'nothing was omitted')
  const nameless = { ...frame, channels: [{ ...chat, config: { colour: 1 } }], secretsOmitted }
  t.same((await refusal(nameless)).pointers, ['/channels/0/config/colour'])
})

t.test('a channel waits for a password alone, whose user name the export has', async (t) => {
  const { portability, charlie, store, done } = open(t)
  const config = { server: 'https://ntfy.test', username: 'ann' }
  const document = {
    ...frame,
    channels: [{ name: 'Push', type: 'ntfy', config }],
    secretsOmitted: ['/channels/0/config/topic', '/channels/0/config/password'],
  }
  const { awaitingSecrets } = await done(portability.import(charlie, document))
  const [waiting] = awaitingSecrets
  const channel = waiting && store.channels.get(orgTwo, waiting.id)
  if (!channel) return t.fail('nothing waits')
  t.match(channel, { isActive: false, missingSecrets: ['/topic', '/password'] })
  const half = { ...channel, config: { ...config, topic: '••••' } }
  t.throws(() => changedChannel(half, { isActive: true }, undefined), {
    errors: [{ pointer: '/config/password' }],
  })
})

t.test('a taken address is named, and nothing is created', async (t) => {
  const opened = open(t)
  const { portability, alice, done, refusal, isEmpty } = opened
  await fill(opened)
  const document = await done(portability.export(alice))
  t.match(await refusal(document), {
    code: 'subdomain_taken',
    pointers: ['/statusPages/0/subdomain'],
  })
  const statusPages = document.statusPages.map((page) => ({ ...page, subdomain: null }))
  t.match(await refusal({ ...document, statusPages }), {
    code: 'slug_taken',
    pointers: ['/statusPages/0/slug'],
    error: { message: 'The slug acme is taken.' },
  })
  const twice = ['one', 'one'].map((slug) => ({ name: 'Page', slug }))
  t.match(await refusal({ ...frame, statusPages: twice }), { pointers: ['/statusPages/1/slug'] })
  t.ok(isEmpty())
})

t.test('every problem is reported with its place, and nothing is created', async (t) => {
  const { refusal, isEmpty } = open(t, 'public')
  const url = 'https://example.com/'
  const webhook = { name: 'c', type: 'webhook' } as const
  const found = await refusal({
    ...frame,
    channels: [
      { ...webhook, config: { url } },
      { ...webhook, config: { url, secret: 'short' } },
    ],
    monitors: [
      { name: 'good', url },
      { name: 'none' },
      { name: 'late', url, timeoutMs: 60_000, intervalSeconds: 10 },
      { name: 'lost', url, notifyChannelIds: ['chn_01k0000000000000000000000z'] },
      { name: 'mute', url, method: 'HEAD', bodyContains: 'x' },
      { name: 'long', url, method: 'POST', body: 'ä'.repeat(33 * 1_024) },
      { name: 'six', url: 'http://8.8.8.8/', ipFamily: 'ipv6' },
    ],
    statusPages: [
      { name: 'p', logoUrl: 'javascript:1' },
      { name: 'q', publicMonitorIds: [monitorNo(5)] },
    ],
  })
  t.equal(found.code, 'validation_failed')
  t.same(found.pointers, [
    ...['/channels/1/config/secret', '/monitors/1/url', '/monitors/2/timeoutMs'],
    ...['/monitors/3/notifyChannelIds/0', '/monitors/4/method', '/monitors/5/body'],
    '/monitors/6/ipFamily',
    '/statusPages/0/logoUrl',
    '/statusPages/1/publicMonitorIds/0',
  ])
  t.match(found.error.message, /^channels\.1\.config\.secret must be/)
  t.match(await refusal({ ...frame, monitors: [{ name: 'in', url: 'http://127.0.0.1/' }] }), {
    code: 'target_not_allowed',
    pointers: ['/monitors/0/url'],
  })
  const id = monitorNo(1)
  t.match(
    await refusal({
      ...frame,
      monitors: [
        { id, name: 'a', url },
        { id, name: 'b', url },
      ],
    }),
    {
      pointers: ['/monitors/1/id'],
    },
  )
  t.match(
    await refusal({
      ...frame,
      monitors: [{ id, name: 'private', url }],
      statusPages: [{ name: 'p', publicMonitorIds: [id] }],
    }),
    { pointers: ['/statusPages/0/publicMonitorIds/0'] },
  )
  for (const subdomain of ['admin', 'up']) {
    t.match(await refusal({ ...frame, statusPages: [{ name: 'p', subdomain }] }), {
      pointers: ['/statusPages/0/subdomain'],
    })
  }
  t.ok(isEmpty())
})

t.test('quotas hold for a document as a whole, and say what it would bring', async (t) => {
  const { portability, charlie, done, refusal, store, isEmpty } = open(t)
  await done(store.flush())
  const channels = Array.from({ length: 4 }, (_, n) => ({
    name: `c${n}`,
    type: 'webhook' as const,
    config: { url: 'https://hook.test/' },
  }))
  t.match(await refusal({ ...frame, channels }), {
    code: 'conflict',
    error: { message: /at most 3 alert channels\. With 4 more, it would have 4\.$/ },
  })
  t.ok(isEmpty())
  await done(portability.import(charlie, { ...frame, channels: channels.slice(1) }))
  t.equal(store.channels.count(orgTwo), 3)
  t.match(await refusal({ ...frame, channels: channels.slice(3) }), { code: 'conflict' })
  await done(portability.import(charlie, frame))
})

t.test('many monitors are imported at once', async (t) => {
  const { portability, charlie, alice, done, store, fleet } = open(t)
  const monitors = Array.from({ length: 1_000 }, (_, n) => ({
    name: `Monitor ${n}`,
    url: `https://example.com/${n}`,
  }))
  t.equal(portability.progress(charlie), null)
  const importing = portability.import(charlie, { ...frame, monitors })
  const { doneItems = 0, totalItems } = portability.progress(charlie) ?? {}
  t.equal(totalItems, 1_000)
  t.ok(doneItems < 1_000, 'it is known how far it is')
  t.equal(portability.progress(alice), null, 'another organization imports nothing')
  t.equal((await done(importing)).monitors, 1_000)
  t.equal(portability.progress(charlie), null)
  t.equal(store.monitors.count(orgTwo), 1_000)
  t.equal(fleet.size(), 1_000)
  const { monitors: out } = await done(portability.export(charlie))
  t.same(
    out.map((item) => new Map(Object.entries(item)).get('name')),
    monitors.map(({ name }) => name),
    'in the order they were made',
  )
  t.equal((await done(portability.export(alice))).monitors.length, 0)
})

t.test('an import that nobody waits for any more ends, and nothing is created', async (t) => {
  const { portability, charlie, done, store, isEmpty } = open(t)
  await done(store.flush())
  const ended = AbortSignal.abort()
  const document = { ...frame, monitors: [{ name: 'Site', url: 'https://example.com/' }] }
  for (const how of ['import', 'tryImport'] as const) {
    await t.rejects(done(portability[how](charlie, document, { signal: ended, leavesOut: true })), {
      code: 'unavailable',
    })
  }
  t.ok(isEmpty())
  t.equal(portability.progress(charlie), null)
})

t.test('an export of many monitors leaves time for other work', async (t) => {
  const { store, clock, alice, monitors, monitorsPart, done } = open(t)
  await done(monitors.create(alice, { name: 'one', url: 'https://inside.test/', headers: secrets }))
  await done(monitors.create(alice, { name: 'two', url: 'https://inside.test/' }))
  // Each look at the clock finds that its time is used up.
  let monoMs = 0
  Object.assign(clock, { monoMs: () => (monoMs += limits.turnMs) })
  let others = 0
  const { list } = store.monitors
  Object.assign(store.monitors, {
    list(...asked: Parameters<typeof list>) {
      setImmediate(() => {
        others += 1
      })
      return list(...asked)
    },
  })
  const exported = await monitorsPart.export(alice.orgId)
  t.ok(others > 0, 'other work went on before the last was read')
  t.match(exported, [{ item: { name: 'one' } }, { item: { name: 'two' } }])
})

t.test('an organization that may not create monitors imports none', async (t) => {
  const { refusal, isEmpty, approval } = open(t)
  approval.isApproved = false
  const monitors = [{ name: 'a', url: 'https://example.com/' }]
  t.match(await refusal({ ...frame, monitors }), { code: 'kyc_required' })
  t.ok(isEmpty())
})

t.test('a list of omitted secrets costs as much as it is long', async (t) => {
  const { portability, done, charlie } = open(t)
  const secretsOmitted = Array.from({ length: secretsOmittedMax }, (_, at) => {
    return `/monitors/0/headers/x-${at}`
  })
  const item = { name: 'a', url: 'http://127.0.0.1:9/', headers: {} }
  const document = { format: 'stillup/1', secretsOmitted, monitors: [item] } as const
  const longestMs = watchTurns()
  const { paused } = await done(portability.tryImport(charlie, document))
  const turnMs = longestMs()
  t.equal(paused[0]?.secrets.length, limits.secretsOmittedOfItem)
  t.ok(turnMs < patient(500), `${turnMs.toFixed(1)} ms at a time`)
})
