// Why an incident opened, and who was told of it: from what was stored when it happened.
import t, { type Test } from 'tap'
import { heldLookMs } from '../../../src/actors/alerts/holds.ts'
import { type IncidentId, newId } from '../../../src/base/ids.ts'
import type { Channel } from '../../../src/domain/alerts/channel.ts'
import type { Delivery } from '../../../src/domain/alerts/delivery.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import { decisionSentence, tellingSentence } from '../../../src/http/api/incidents/explain-words.ts'
import { createExplanations } from '../../../src/services/incidents/explanations.ts'
import { createTellings } from '../../../src/services/incidents/tellings.ts'
import { channelNo } from '../../support/make-channel.ts'
import { orgA } from '../../support/make-incident.ts'
import { monitorNo } from '../../support/make-page.ts'
import { addPush } from '../../support/make-push.ts'
import { makeWindow } from '../../support/make-window.ts'
import { type MonitorServices, startMonitorServices } from '../../support/monitor-services.ts'
import { failed, good, type Seen, slow } from '../../support/monitor-world.ts'

const minuteMs = 60_000
const hasty = { failureThreshold: 1, recoveryThreshold: 1 }

function begin(t: Test) {
  const world = startMonitorServices(t)
  const { core, readings } = world
  const explanations = createExplanations(core, {
    readings,
    tellings: createTellings(core, { isOff: () => false }),
  })
  const explain = (id: IncidentId | null, scope = world.alice) => {
    if (id === null) throw new Error('an incident was expected')
    return explanations.explain(scope, id)
  }
  /** The explanation of the only incident, or the newest. */
  const newest = () => explain(world.allIncidents().at(-1)?.id ?? null)
  return { ...world, explain, newest, change: changes(world) }
}

/** Changes deliveries as the outbox would. */
const changes =
  ({ store }: MonitorServices) =>
  async (number: number, changed: Partial<Delivery>) => {
    const [row] = store.deliveries.list(orgA, channelNo(number), { limit: 1 })
    if (row) await store.write((tx) => store.deliveries.put(tx, { ...row, ...changed }))
    return row
  }

const outage = async (world: MonitorServices, seen: readonly Seen[], monitor: Partial<Monitor>) => {
  const made = await world.add(monitor)
  await world.see(made, seen)
  return made
}

t.test('an outage names the results that counted, and the threshold of that time', async (t) => {
  const world = begin(t)
  const seen = [good, good, good, good, failed, good, failed, failed]
  const monitor = await outage(world, seen, { failureThreshold: 3, intervalSeconds: 60 })
  await world.store.write((tx) => {
    world.store.monitors.replace(tx, monitor, { ...monitor, failureThreshold: 1, revision: 2 })
  })
  const [decision] = world.newest().decisions
  if (!decision) return
  t.match(decision.basis, { rule: 'failures', needed: 3, among: 5, monitorId: monitor.id })
  t.same(
    decision.checks.map(({ row, counted }) => [row.verdict, counted]),
    [
      ['up', false],
      ['up', false],
      ['up', false],
      ['down', true],
      ['up', false],
      ['down', true],
      ['down', true],
    ],
  )
  t.match(
    decisionSentence(decision),
    /^Opened: 3 of the newest 5 results had failed, the first at .*; from 3 on it counted as down\.$/,
  )
})

t.test('slowness, a reported error and a missed report have grounds of their own', async (t) => {
  const world = begin(t)
  const { newest, done, push, clock } = world
  const slowly = { degradedThreshold: 2, degradedOpensIncident: true, degradedThresholdMs: 3_000 }
  const monitor = await outage(world, [good, slow, slow], { ...hasty, ...slowly })
  const [slowness] = newest().decisions
  t.match(slowness?.basis, { rule: 'slow', needed: 2, slowAboveMs: 3_000 })
  t.same(
    slowness?.checks.map(({ counted }) => counted),
    [false, true, true],
  )
  t.match(slowness && decisionSentence(slowness), /2 results in a row had taken more than 3000 ms/)
  await world.see(monitor, [failed])
  const [, worse] = newest().decisions
  t.match(worse, { entry: { kind: 'worsened' }, basis: { rule: 'failures', needed: 1 } })

  const { token } = await addPush(world.world, { intervalSeconds: 60, graceSeconds: 10 })
  await done(push.report(token, { status: 'error', message: 'disk full' }))
  const [reported] = newest().decisions
  t.match(reported, { basis: { rule: 'reported' }, checks: [{ counted: true }] })
  await done(push.report(token, { status: 'ok' }))
  await done(clock.advance(10 * minuteMs))
  const kinds = newest().decisions.map(({ entry, basis }) => [entry.kind, basis?.rule])
  t.same(kinds.at(-1), ['reopened', 'missed'], 'soon after the other one ended')
})

t.test('reopening, flapping and the end are explained as well', async (t) => {
  const world = begin(t)
  const { alice, done, newest, incidents } = world
  const monitor = await outage(world, [good, failed, failed], { ...hasty, failureThreshold: 2 })
  const { openIncidentId: id } = world.monitorState(monitor).health
  if (id === null) return
  await done(incidents.resolve(alice, id))
  await world.see(monitor, [failed, failed])
  await world.see(monitor, [good, failed, failed])
  const told = newest().decisions.map(({ entry, basis }) => [entry.kind, basis?.rule ?? null])
  t.same(told.slice(0, 5), [
    ['opened', 'failures'],
    ['closed', null],
    ['reopened', 'still_failing'],
    ['resolved', null],
    ['reopened', 'failures'],
  ])
  const still = newest().decisions[2]
  t.equal(still?.checks.filter(({ counted }) => counted).length, 2)
  await outage(world, [good, failed, good, failed, good], hasty)
  t.match(newest().decisions.at(-1), { entry: { kind: 'flapping' }, basis: { rule: 'unstable' } })
  for (const decision of newest().decisions) t.match(decisionSentence(decision), /^[A-Z].*: .*\.$/)
})

t.test('what maintenance held back says so', async (t) => {
  const world = begin(t)
  const monitor = await world.add(hasty)
  const startsAtMs = world.clock.nowMs()
  const times = { kind: 'once', startsAtMs, endsAtMs: startsAtMs + 150_000 } as const
  const window = makeWindow({ times, coversFromMs: startsAtMs })
  await world.store.write((tx) => world.store.windows.put(tx, window))
  await world.see(monitor, [failed, failed, failed])
  const [decision] = world.newest().decisions
  t.match(decision, { basis: { rule: 'held_back', countedAtMs: [times.endsAtMs] } })
  t.same(
    decision?.checks.map(({ counted }) => counted),
    [false, false, true],
  )
})

t.test('what a person declared was measured by nothing', async (t) => {
  const world = begin(t)
  const request = { title: 'Trouble', severity: 'down', monitorIds: [], isPublic: false } as const
  await world.done(world.incidents.declare(world.alice, request))
  const { decisions } = world.newest()
  t.match(decisions, [{ entry: { kind: 'opened' }, basis: null, checks: [] }])
  t.equal(
    decisions[0] && decisionSentence(decisions[0]),
    'Opened: a person did it; nothing was measured.',
  )
})

t.test('each channel says what became of each piece of news, and why', async (t) => {
  const world = begin(t)
  const { incidents, alice, done, newest, change, clock, store } = world
  const channels: Partial<Channel>[] = [
    {},
    { delayMinutes: 30 },
    { isDefault: false },
    { minSeverity: 'down', isActive: false },
    { events: ['incident.opened'] },
    { quietHours: { timezone: 'UTC', from: '00:00', to: '23:59' } },
    { type: 'pagerduty', tags: ['shop'] },
  ]
  for (const [index, channel] of channels.entries()) {
    await world.addChannel({ ...channel, id: channelNo(index + 1) })
  }
  const monitor = await outage(world, [good, failed], hasty)
  const { openIncidentId: id } = world.monitorState(monitor).health
  if (id === null) return
  const about = (number: number) =>
    newest()
      .channels.find(({ channel }) => channel.id === channelNo(number))
      ?.tellings.map(({ event, kind, because }) => [event.slice(9), kind, because])
  const nowMs = clock.nowMs()
  t.same(about(1), [['opened', 'waiting', 'turn']])
  t.same(about(2), [['opened', 'waiting', 'delay']])
  t.same(about(3), [['opened', 'not_sent', 'not_default']])
  t.same(about(4), [['opened', 'not_sent', 'switched_off']])
  t.same(about(6), [['opened', 'waiting', 'quiet_hours']])
  t.same(about(7), [['opened', 'not_sent', 'tags']])
  await change(1, { state: 'delivered', attempts: 2, deliveredAtMs: nowMs })
  await change(5, { state: 'dead', attempts: 9, lastError: 'The receiver answered 500.' })
  t.same(about(5), [['opened', 'given_up', null]])
  await done(incidents.acknowledge(alice, id))
  const later = await world.addChannel({ id: channelNo(8) })
  await store.write((tx) => store.channels.put(tx, { ...later, createdAtMs: clock.nowMs() + 1 }))
  t.same(about(1), [
    ['opened', 'sent', null],
    ['acknowledged', 'waiting', 'turn'],
  ])
  t.same(about(2), [
    ['opened', 'not_sent', 'over_early'],
    ['acknowledged', 'not_sent', 'not_informed'],
  ])
  t.same(about(5)?.at(-1), ['acknowledged', 'not_sent', 'event'])
  t.same(about(8), [
    ['opened', 'not_sent', 'created_later'],
    ['acknowledged', 'not_sent', 'created_later'],
  ])
  const eighth = newest().channels.find(({ channel }) => channel.id === channelNo(8))
  t.match(eighth?.now, { kind: 'now' }, 'today it would hear of it')
  const sentences = newest().channels.flatMap(({ tellings }) => tellings.map(tellingSentence))
  for (const sentence of sentences) t.match(sentence, /^[A-Z].*\.$/)
  t.ok(sentences.some((sentence) => /^Sent at \d+ \w+ 20.*, at attempt 2\.$/.test(sentence)))
})

t.test('a digest and a later message that took the place of news are named', async (t) => {
  const world = begin(t)
  const { change, newest, store } = world
  await world.addChannel()
  await world.addChannel({ id: channelNo(2) })
  const monitor = await outage(world, [good, failed, good], hasty)
  t.ok(monitor)
  const rows = [1, 2].map((number) => store.deliveries.list(orgA, channelNo(number), { limit: 9 }))
  const [[end, opening] = [], [, other] = []] = rows
  if (!end || !opening || !other) return
  const digestId = newId('delivery', world.clock.nowMs())
  await store.write((tx) => {
    const merged = { state: 'delivered', mergedIntoId: end.id } as const
    store.deliveries.put(tx, { ...opening, ...merged })
    store.deliveries.put(tx, {
      ...other,
      id: digestId,
      incidentId: null,
      event: 'incident.digest',
    })
    store.deliveries.put(tx, { ...other, state: 'delivered', mergedIntoId: digestId })
  })
  await change(1, { state: 'delivered', attempts: 1, deliveredAtMs: 5 })
  const kinds = newest().channels.map(({ tellings }) => tellings.map(({ kind }) => kind))
  t.same(kinds, [
    ['folded', 'waiting'],
    ['merged', 'sent'],
  ])
})

t.test('viewers see it without words of results; strangers not at all', async (t) => {
  const world = begin(t)
  const monitor = await outage(world, [good, failed], hasty)
  const { openIncidentId: id } = world.monitorState(monitor).health
  t.equal(world.explain(id, world.bob).showsWords, false)
  t.equal(world.explain(id).showsWords, true)
  t.throws(() => world.explain(id, world.charlie), { code: 'not_found' })
  await world.done(world.monitors.remove(world.alice, monitor.id))
  t.match(world.explain(id).decisions, [{ checks: [], basis: { rule: 'failures' } }, {}])
  const [channel] = world.explain(id).channels
  t.equal(channel, undefined)
})

t.test('what was held behind another outage says so, and when it was released', async (t) => {
  const world = begin(t)
  await world.addChannel()
  const router = await outage(world, [failed], { id: monitorNo(7), name: 'Router', ...hasty })
  const shop = await outage(world, [failed], { name: 'Shop', ...hasty, dependsOn: [router.id] })
  const { openIncidentId: id } = world.monitorState(shop).health
  const [held] = world.explain(id).channels
  t.match(held, {
    tellings: [{ event: 'incident.opened', kind: 'not_sent', because: 'dependency' }],
    now: { kind: 'none', because: 'dependency', blockerName: 'Router' },
  })
  const kinds = () => world.explain(id).decisions.map(({ entry }) => entry.kind)
  t.same(kinds(), ['opened', 'held'])
  await world.see(router, [good])
  await world.world.run(heldLookMs)
  await world.see(shop, [failed])
  await world.world.run(heldLookMs)
  t.same(kinds(), ['opened', 'held', 'released'])
  const [told] = world.explain(id).channels
  t.match(told, {
    tellings: [{ because: 'dependency' }, { kind: 'waiting' }],
    now: { kind: 'now' },
  })
  t.same(world.explain(id).decisions.map(decisionSentence).slice(1), [
    'Held back: Alerts are held: "Router" is down.',
    'Released: Alerts are no longer held: nothing that it depends on is down.',
  ])
})
