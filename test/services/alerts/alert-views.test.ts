// What the link of an alert shows and does, in every state of its incident.

import { randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { type LocationId, newId } from '../../../src/base/ids.ts'
import type { Channel } from '../../../src/domain/alerts/channel.ts'
import { unused } from '../../../src/domain/alerts/channel-health.ts'
import { home } from '../../../src/domain/locations/choice.ts'
import type { PlaceId } from '../../../src/domain/locations/place.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import { createAlertLinks } from '../../../src/seal/id-token.ts'
import { createAlertViews } from '../../../src/services/alerts/alert-views.ts'
import { createTellings } from '../../../src/services/incidents/tellings.ts'
import type { Language } from '../../../src/texts/languages.ts'
import { callerOf } from '../../support/access.ts'
import { makePage, orgTwo } from '../../support/make-page.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { failed, good, makeReading, type Seen, settled } from '../../support/monitor-world.ts'

const visitor = callerOf({ kind: 'anonymous' })

/** A monitor that is down, and the link that its channel was sent. */
async function startOutage(t: Test, fields: Partial<Monitor> = {}) {
  const world = startMonitorServices(t)
  const { core, store, incidents, alice } = world
  const { orgId } = alice
  const alertLinks = createAlertLinks(randomBytes(32))
  const views = createAlertViews(core, {
    alertLinks,
    incidents,
    tellings: createTellings(core, { isOff: () => false }),
  })
  const named = (language: Language, timezone = 'UTC') =>
    store.write((tx) => {
      const times = { createdAtMs: 0, updatedAtMs: 0, revision: 1 }
      store.orgs.put(tx, { id: orgId, name: 'Acme', language, timezone, ...times })
    })
  await named('en')
  const channel: Channel = await world.addChannel({ name: 'On call' })
  const threshold = { failureThreshold: 1, recoveryThreshold: 1 }
  const monitor = await world.add({ name: 'Shop', isPublic: true, ...threshold, ...fields })
  await world.see(monitor, [good, failed])
  const { openIncidentId: incidentId } = world.monitorState(monitor).health
  if (incidentId === null) throw new Error('an incident was expected')
  const token = alertLinks.token({ orgId, incidentId, channelId: channel.id })
  return { ...world, views, named, channel, monitor, incidentId, token, orgId, alertLinks }
}

t.test('an open incident has a button, which acknowledges it once', async (t) => {
  const { views, token, done, events, store, orgId, channel, ...world } = await startOutage(t, {
    runbookUrl: 'https://wiki.test/shop',
    url: 'https://shop.test/health?token=hidden',
  })
  const open = views.open(token)
  t.match(open, {
    language: 'en',
    title: 'Shop is down',
    tone: 'down',
    state: 'open',
    notes: ['Nobody has acknowledged this incident yet.'],
    form: { action: `/alerts/${token}`, button: 'Acknowledge' },
    monitors: [
      { name: 'Shop', url: 'https://shop.test/health', runbookUrl: 'https://wiki.test/shop' },
    ],
    entries: [{ label: 'Detected' }],
    statusPages: [],
  })
  t.notMatch(open?.entries[0]?.message, 'Shop is down', 'the title is not repeated')
  const labels = open?.facts.map(({ label }) => label)
  t.same(
    labels?.filter((label) => label !== 'Details'),
    ['Cause', 'Started', 'Lasting'],
  )
  t.same(views.open(token), open, 'looking changes nothing')
  t.same(events(), ['incident.opened'])

  t.equal(await done(views.acknowledge(token, visitor)), true)
  const [incident] = world.allIncidents()
  t.match(incident, {
    state: 'acknowledged',
    acknowledgedBy: `channel:${channel.id}`,
    acknowledgedAtMs: world.clock.nowMs(),
  })
  t.match(incident?.timeline.at(-1), { kind: 'acknowledged', by: `channel:${channel.id}` })
  t.same(events(), ['incident.opened', 'incident.acknowledged'])
  const [entry] = store.audit.list(orgId, 1)
  t.match(entry, {
    action: 'incident.acknowledged',
    objectId: world.incidentId,
    actor: { kind: 'channel', id: channel.id },
    address: visitor.address,
  })
  t.match(views.open(token), {
    state: 'acknowledged',
    tone: 'maintenance',
    notes: ['Acknowledged through On call'],
    form: null,
    entries: [{ label: 'Acknowledged through On call', message: '' }, { label: 'Detected' }],
  })

  t.equal(await done(views.acknowledge(token, visitor)), true)
  t.same(world.allIncidents(), [incident], 'a second press changes nothing')
  t.same(events(), ['incident.opened', 'incident.acknowledged'])
})

t.test('after the end the page says so, and a late press changes nothing', async (t) => {
  const { views, token, done, see, monitor, ...world } = await startOutage(t)
  await see(monitor, [good])
  const over = views.open(token)
  t.match(over, {
    title: 'Shop was down',
    tone: 'up',
    state: 'resolved',
    notes: ['This incident is over.'],
    form: null,
    entries: [{ label: 'Resolved', message: '' }, { label: 'Detected' }],
  })
  t.same(over?.facts.map(({ label }) => label).slice(-2), ['Resolved', 'Lasted'])
  const before = world.allIncidents()
  t.equal(await done(views.acknowledge(token, visitor)), true)
  t.same(world.allIncidents(), before)
})

t.test('an incident that reopens can be acknowledged again by the same link', async (t) => {
  const { views, token, done, see, monitor, ...world } = await startOutage(t)
  await done(views.acknowledge(token, visitor))
  await see(monitor, [good, failed], 1_000)
  t.equal(world.allIncidents().length, 1)
  t.match(views.open(token), { state: 'open', form: {}, entries: [{ label: 'Detected again' }] })
  await done(views.acknowledge(token, visitor))
  t.match(views.open(token), { state: 'acknowledged', form: null })
})

t.test('people see what people wrote, and who acknowledged it by name', async (t) => {
  const { views, token, done, incidents, alice, incidentId, store } = await startOutage(t)
  const userId = 'usr_01k0000000000000000000000a'
  const ada = callerOf({
    kind: 'session',
    userId: userId as never,
    sessionId: 'ses_a' as never,
    authenticatedAtMs: 0,
    isSystemAdmin: false,
  })
  const times = { createdAtMs: 0, updatedAtMs: 0, revision: 1, emailVerifiedAtMs: null }
  await store.write((tx) =>
    store.users.put(tx, {
      id: userId as never,
      email: 'ada@example.com',
      name: 'Ada',
      passwordHash: null,
      isSystemAdmin: false,
      isDisabled: false,
      ...times,
    }),
  )
  await done(incidents.acknowledge({ ...alice, caller: ada }, incidentId, 'On it'))
  const note = { message: 'The disk is full', status: 'identified', isPublic: false } as const
  await done(incidents.update(alice, incidentId, note))
  const view = views.open(token)
  t.match(view, {
    notes: ['Acknowledged by Ada'],
    entries: [
      { label: 'Identified', message: 'The disk is full' },
      { label: 'Acknowledged by Ada', message: 'On it' },
      { label: 'Detected' },
    ],
  })
  t.notMatch(JSON.stringify(view), 'ada@example.com')
  await done(incidents.resolve(alice, incidentId))
  t.match(views.open(token), {
    tone: 'down',
    state: 'closed by hand, still failing',
    entries: [{ label: 'Closed', message: /still failing/ }],
  })
})

t.test(
  'an incident that a person declared shows the words of that person, and no cause',
  async (t) => {
    const { views, done, named, incidents, alice, alertLinks, orgId, channel } =
      await startOutage(t)
    const request = {
      title: 'Trouble',
      severity: 'declared',
      monitorIds: [],
      isPublic: false,
    } as const
    const message = 'We are looking.'
    const { id } = await done(incidents.declare(alice, { ...request, message }))
    const token = alertLinks.token({ orgId, incidentId: id, channelId: channel.id })
    const open = views.open(token)
    t.match(open, { title: 'Trouble', tone: 'down', entries: [{ label: 'Reported', message }] })
    t.notOk(open?.facts.some(({ label }) => label === 'Cause'))
    await named('de')
    t.match(views.open(token), { entries: [{ label: 'Gemeldet' }] })
    await done(views.acknowledge(token, visitor))
    t.match(incidents.get(alice, id), { state: 'acknowledged' })
  },
)

t.test('the page is in the language and the time zone of the organization', async (t) => {
  const { views, token, named, done } = await startOutage(t)
  await named('de', 'Europe/Berlin')
  const view = views.open(token)
  t.match(view, { language: 'de', form: { button: 'Übernehmen' }, timelineTitle: 'Verlauf' })
  const started = view?.facts.find(({ value }) => typeof value !== 'string')?.value
  t.match(started, { text: /MEZ|MESZ|CET|CEST|GMT\+/ })
  await done(views.acknowledge(token, visitor))
  t.match(views.open(token)?.notes, ['Übernommen über On call'])
})

t.test('a status page that shows the incident to everybody is linked', async (t) => {
  const { views, token, store, orgId, monitor, clock, incidentId } = await startOutage(t)
  const put = (fields: Parameters<typeof makePage>[0]) =>
    store.write((tx) => store.pages.put(tx, makePage({ orgId, ...fields }), clock.nowMs()))
  await put({ slug: 'shop', title: 'Shop', publicMonitorIds: [monitor.id] })
  const href = `/status/shop/incidents/${incidentId}`
  t.same(views.open(token)?.statusPages, [{ label: 'Status page: Shop', href }])
  await put({ slug: 'shop', title: 'Shop', publicMonitorIds: [] })
  t.same(views.open(token)?.statusPages, [])
  await put({ slug: 'shop', title: 'Shop', publicMonitorIds: null, isEnabled: false })
  t.same(views.open(token)?.statusPages, [])
})

t.test('what is gone, and what we did not sign, leads nowhere', async (t) => {
  const { views, token, alertLinks, channel, incidentId, orgId, store, done } = await startOutage(t)
  const foreign = createAlertLinks(randomBytes(32))
  const subject = { orgId, incidentId, channelId: channel.id }
  for (const wrong of [
    '',
    'x',
    `${token}x`,
    foreign.token(subject),
    alertLinks.token({ ...subject, orgId: orgTwo }),
    alertLinks.token({ ...subject, channelId: 'chn_01k0000000000000000000000z' as never }),
    alertLinks.token({ ...subject, incidentId: 'inc_01k0000000000000000000000z' as never }),
  ]) {
    t.equal(views.open(wrong), undefined, wrong)
    t.equal(await done(views.acknowledge(wrong, visitor)), false, wrong)
  }
  await store.write((tx) => store.channels.remove(tx, channel))
  t.equal(views.open(token), undefined, 'the channel was deleted')
})

t.test(
  'an alert behind one that failed says why without the address of the receiver',
  async (t) => {
    const { views, token, store, orgId, channel, named } = await startOutage(t)
    const [waiting] = store.deliveries.pending(orgId, channel.id, 1)
    if (!waiting) return t.fail('an alert was expected')
    const reason = 'Nothing listens at hooks.internal:8443.'
    const attempt = { atMs: 0, durationMs: 1, class: 'connection', status: null, reason } as const
    const log = [{ ...attempt, request: null, answerBox: null }]
    await store.write((tx) => {
      const tried = { id: newId('delivery', 0), attempts: 3, lastError: reason, log }
      store.deliveries.put(tx, { ...waiting, ...tried, incidentId: null })
      const health = { ...unused, failures: 3, failingSinceMs: 0, lastError: reason }
      store.channelHealth.put(tx, orgId, channel.id, health)
    })
    t.match(views.open(token)?.told, [{ reason: 'The receiver could not be reached.' }])
    await named('de')
    t.notMatch(views.open(token)?.told, [{ reason: /internal/ }])
  },
)

t.test('an outage that several locations saw says from where', async (t) => {
  const frankfurt = 'loc_01k00000000000000000000010' as LocationId
  const world = await startOutage(t)
  const { views, named, store, orgId, alertLinks, channel, clock } = world
  const location = { id: frankfurt, orgId, name: 'Frankfurt', description: null }
  await store.write((tx) => {
    store.locations.put(tx, { ...location, createdAtMs: 0, updatedAtMs: 0, revision: 1 })
  })
  const monitor = await world.add({
    ...{ name: 'Cart', failureThreshold: 1, recoveryThreshold: 1 },
    ...{ locations: [home, frankfurt], downWhen: 'any' },
  })
  const say = async (place: PlaceId, seen: Seen) => {
    await clock.advance(20_000)
    const slot = { dueAtMs: clock.nowMs(), try: 0 }
    const reading = makeReading(clock.nowMs(), seen)
    await settled(store, world.commit.placed(monitor, place, [{ reading, slot }]))
  }
  await say(home, good)
  await say(frankfurt, failed)
  await named('de')
  const { openIncidentId: incidentId } = world.monitorState(monitor).health
  if (incidentId === null) return
  const token = alertLinks.token({ orgId, incidentId, channelId: channel.id })
  const seen = 'Gestört von Frankfurt aus, erreichbar von hier aus.'
  const facts = () => views.open(token)?.facts.map(({ label, value }) => [label, value]) ?? []
  t.same(
    facts().find(([label]) => label === 'Standorte'),
    ['Standorte', seen],
  )
  t.match(views.open(token)?.entries[0]?.message, new RegExp(`[^.]\\. ${seen}$`))
  await say(frankfurt, good)
  t.notOk(
    facts().some(([label]) => label === 'Standorte'),
    'it is over',
  )
})
