// Several places check one monitor: each confirms for itself, and what they say together is the state.

import fc from 'fast-check'
import t from 'tap'
import { createPlaces } from '../../../src/actors/monitor/places.ts'
import { required } from '../../../src/base/assert.ts'
import type { LocationId, OrgId } from '../../../src/base/ids.ts'
import { messageOf } from '../../../src/channels/model/message.ts'
import { home } from '../../../src/domain/locations/choice.ts'
import { sharedOwner } from '../../../src/domain/locations/location.ts'
import { type PlaceId, placedId } from '../../../src/domain/locations/place.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import { shownMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { leftOutOf } from '../../../src/store/left-out.ts'
import type { Language } from '../../../src/texts/languages.ts'
import { makeChannel } from '../../support/make-channel.ts'
import { orgA } from '../../support/make-incident.ts'
import {
  failedBy,
  good,
  type MonitorWorld,
  makeReading,
  type Seen,
  settled,
  slow,
  startMonitorWorld,
  unknown,
} from '../../support/monitor-world.ts'

const [frankfurt, paris, oslo] = ['1', '2', '3'].map(
  (digit) => `loc_01k000000000000000000000${digit}0`,
) as [LocationId, LocationId, LocationId]
const three = [frankfurt, paris, oslo]
const refused = failedBy('connect', 'the connection was refused')
const stepMs = 20_000

/** Believed at once by each place. */
const hasty = { failureThreshold: 1, recoveryThreshold: 1, intervalSeconds: 60 }
const voted = { ...hasty, locations: three }

async function say(
  world: MonitorWorld,
  monitor: Monitor,
  place: PlaceId,
  seen: Seen,
  slot = { dueAtMs: world.clock.nowMs(), try: 0 },
) {
  const reading = makeReading(world.clock.nowMs(), seen)
  return settled(world.store, world.commit.placed(monitor, place, [{ reading, slot }]))
}

/** What the default channel is owed or was told, oldest first. */
const deliveriesOf = ({ store }: MonitorWorld) =>
  store.deliveries.list(orgA, makeChannel().id, { limit: 10 }).toReversed()

const placesNow = ({ store, clock }: MonitorWorld, monitor: Monitor) =>
  required(createPlaces({ store, leftOut: leftOutOf(store) }).groundsOf(monitor, clock.nowMs()))

const signs: Readonly<Record<string, Seen>> = { '+': good, '-': refused, '~': slow, '?': unknown }

/**
 * Each word is a round of all places, one sign each, 20 s apart; a dot says nothing. Returns the state
 * after each round.
 */
async function rounds(world: MonitorWorld, monitor: Monitor, story: string): Promise<string> {
  const states: string[] = []
  for (const word of story.split(' ')) {
    for (const [at, sign] of [...word].entries()) {
      await world.clock.advance(stepMs)
      const seen = signs[sign]
      const place = monitor.locations[at]
      if (seen && place) await say(world, monitor, place, seen)
    }
    states.push(shownMonitorState(world.monitorState(monitor)))
  }
  return states.join(' ')
}

t.test('a majority opens and ends an incident, one place does not', async (t) => {
  const world = startMonitorWorld(t)
  await world.addChannel()
  const monitor = await world.add(voted)
  t.equal(await rounds(world, monitor, '+++ -++ -++ --+ --+ -++ +++'), 'up up up down down up up')
  t.same(world.events(), ['incident.opened', 'incident.resolved'])
  const [incident] = world.incidents()
  t.match(incident, { state: 'resolved', severity: 'down', cause: 'the connection was refused' })
  t.match(incident?.basis, [
    {
      rule: 'locations',
      needed: 2,
      among: 3,
      places: [
        { place: frankfurt, state: 'down', error: { message: 'the connection was refused' } },
        { place: paris, state: 'down' },
        { place: oslo, state: 'up' },
      ],
    },
  ])
})

t.test('a place that may not open the target has no vote, and blames nobody', async (t) => {
  const world = startMonitorWorld(t)
  await world.addChannel()
  const monitor = await world.add(voted)
  await rounds(world, monitor, '+++ -++')
  t.same(world.monitorState(monitor).lastError, null)
  const message = '10.0.0.1 is a private address, which is not allowed'
  const blocked: Seen = { result: 'unknown', error: { kind: 'blocked', message } }
  await world.clock.advance(stepMs)
  await say(world, monitor, frankfurt, blocked)
  t.match(world.monitorState(monitor), { lastError: null, lastVerdict: 'up' }, 'it works elsewhere')
  t.same(await rounds(world, monitor, '.++'), 'up')
  t.same(world.events(), [])
  const { places, voting } = placesNow(world, monitor)
  t.equal(voting, 2)
  t.match(places[0], { place: frankfurt, state: 'silent', error: { kind: 'blocked', message } })
})

t.test('channels hear from where it fails, under the names of that time', async (t) => {
  const world = startMonitorWorld(t)
  await world.addChannel()
  const named = (id: LocationId, orgId: OrgId, name: string) =>
    world.store.write((tx) => {
      const times = { createdAtMs: 0, updatedAtMs: 0, revision: 1 }
      world.store.locations.put(tx, { id, orgId, name, description: null, ...times })
    })
  await named(frankfurt, orgA, 'Frankfurt')
  await named(paris, sharedOwner, 'Paris')
  const monitor = await world.add({ ...voted, locations: [frankfurt, paris, home] })
  t.equal(await rounds(world, monitor, '+++ --+'), 'up down')
  await named(frankfurt, orgA, 'Main')
  await rounds(world, monitor, '+++')
  const [opened, resolved] = deliveriesOf(world).map((delivery) => {
    const factsIn = (language: Language) => {
      const readers = { locale: { language, timezone: 'UTC' }, nowMs: world.clock.nowMs() }
      return messageOf(delivery, readers).facts.map(({ value }) => value)
    }
    return { ...delivery, factsIn }
  })
  t.ok(opened?.factsIn('en').includes('Fails from Frankfurt and Paris, works from here.'))
  t.ok(
    opened?.factsIn('de').includes('Gestört von Frankfurt und Paris aus, erreichbar von hier aus.'),
  )
  t.notMatch(String(resolved?.factsIn('en')), 'Paris', 'a recovery does not say it')
  const locationsOf = ({ payloadJson = '{}' }) => JSON.parse(payloadJson).data.incident.locations
  t.same(opened && locationsOf(opened), [
    ...[
      [frankfurt, 'Frankfurt'],
      [paris, 'Paris'],
    ].map(([location, name]) => ({
      ...{ location, name, state: 'down', error: 'the connection was refused' },
    })),
    { location: home, name: null, state: 'up', error: null },
  ])
  t.equal(resolved && locationsOf(resolved), null)
})

t.test('the first place that sees a new monitor down waits for the others', async (t) => {
  const states = async (story: string, more: Partial<Monitor> = {}) => {
    const world = startMonitorWorld(t, { inMemory: true })
    await world.addChannel()
    const said = await rounds(world, await world.add({ ...voted, ...more }), story)
    return `${said}, ${world.events().length} told`
  }
  t.equal(await states('-.. .++ -++'), 'pending up up, 0 told', 'no alarm of one of three')
  t.equal(await states('-.. .-.'), 'pending down, 1 told', 'two of three need not wait')
  t.equal(await states('+..'), 'up, 0 told', 'what works is believed at once')
  t.equal(await states('-..', { downWhen: 'any' }), 'down, 1 told')
  t.equal(await states('--. ..-', { downWhen: 'all' }), 'pending down, 1 told')
  t.equal(await states('-.. -.. -.. -.. -..'), 'pending pending pending down down, 1 told')
  t.equal(
    await states('-.. -.. -.. -..', { intervalSeconds: 3_600 }),
    'pending pending pending down, 1 told',
    'nobody else stands there: three minutes are enough',
  )
})

t.test('the other rules: any, all, so many', async (t) => {
  for (const [downWhen, states] of [
    ['any', 'up down down down'],
    ['all', 'up up up down'],
    ['2', 'up up down down'],
  ] as const) {
    const world = startMonitorWorld(t)
    const monitor = await world.add({ ...voted, downWhen })
    t.equal(await rounds(world, monitor, '+++ -++ --+ ---'), states, downWhen)
  }
})

t.test('each place confirms for itself, with the thresholds of the monitor', async (t) => {
  const world = startMonitorWorld(t)
  const monitor = await world.add({ ...voted, failureThreshold: 3, recoveryThreshold: 2 })
  t.equal(await rounds(world, monitor, '+++ --+ --+ --+ +++ +++'), 'up up up down down up')
  const [incident] = world.incidents()
  t.equal(incident?.startedAtMs, (incident?.confirmedAtMs ?? 0) - 2 * 3 * stepMs, 'dated back')
})

t.test('slowness is voted on as well', async (t) => {
  const world = startMonitorWorld(t)
  const monitor = await world.add({ ...voted, degradedThreshold: 1 })
  t.equal(await rounds(world, monitor, '+++ ~++ ~~+ ~-+ +++'), 'up up degraded degraded up')
})

t.test('silence neither opens nor ends an incident; without a word it is unknown', async (t) => {
  const world = startMonitorWorld(t)
  const monitor = await world.add(voted)
  world.fleet.start(monitor, 'start')
  // Two see it down; one of them falls silent, and the third goes on to reach it.
  t.equal(
    await rounds(world, monitor, '+++ --+ -.+ -.+ -.+ -.+ -.+'),
    'up down down down down down down',
  )
  t.equal(world.incidents()[0]?.state, 'open')
  t.equal(await rounds(world, monitor, '+.+ +++'), 'up up', 'the others recovered')
  t.equal(
    await rounds(world, monitor, '.-. .-. ... .-. .-. .-. .-. .-.'),
    'up up up down down down down down',
  )
  await world.run(600_000)
  t.equal(shownMonitorState(world.monitorState(monitor)), 'unknown', 'nothing was heard for long')
  t.equal(world.incidents().at(-1)?.state, 'open')
  t.equal(await rounds(world, monitor, '.-.'), 'down', 'it is heard again')
  t.equal(world.incidents().length, 2, 'nothing opened or ended meanwhile')
})

t.test('who comes back and says what it said before turns nothing', async (t) => {
  const world = startMonitorWorld(t)
  const monitor = await world.add(voted)
  t.equal(await rounds(world, monitor, '+++ -++ -++'), 'up up up')
  // Such as after a restart of the daemon: which probe connects first is chance.
  await world.clock.advance(600_000)
  t.equal(await rounds(world, monitor, '-.. -.. -++'), 'up up up', 'it failed from there all along')
  t.equal(world.incidents().length, 0)
  t.equal(await rounds(world, monitor, '--+'), 'down')
  await world.clock.advance(600_000)
  t.equal(await rounds(world, monitor, '..+ ..+ --+'), 'down down down', 'it worked from there')
  t.equal(world.incidents().length, 1)
  t.equal(world.incidents()[0]?.state, 'open')
  await world.clock.advance(600_000)
  t.equal(await rounds(world, monitor, '+.. +++'), 'up up', 'what it has not said yet does')
})

t.test(
  'who was cut off turns nothing with all it has held, until the others are back',
  async (t) => {
    const world = startMonitorWorld(t)
    const monitor = await world.add(voted)
    const back = (place: PlaceId, seen: Seen, held = 1) => {
      const results = Array.from({ length: held }, (_, at) => {
        const atMs = world.clock.nowMs() - 20_000 * (held - 1 - at)
        return { reading: makeReading(atMs, seen), slot: { dueAtMs: atMs, try: 0 } }
      })
      return settled(world.store, world.commit.placed(monitor, place, results, true))
    }
    t.equal(await rounds(world, monitor, '+++'), 'up')
    await world.clock.advance(600_000)
    await back(frankfurt, refused, 9)
    t.equal(world.monitorState(monitor).health.state, 'up')
    for (const place of [paris, oslo]) await back(place, good)
    t.equal(world.incidents().length, 0)
    await world.clock.advance(20_000)
    for (const place of [frankfurt, paris]) await back(place, refused)
    t.equal(world.incidents().length, 1)
    await world.clock.advance(600_000)
    await back(frankfurt, good, 9)
    t.equal(world.incidents()[0]?.state, 'open')
    for (const place of [paris, oslo]) await back(place, good)
    t.not(world.incidents()[0]?.state, 'open')
  },
)

t.test('a place that cannot look says nothing', async (t) => {
  const world = startMonitorWorld(t)
  const monitor = await world.add({ ...voted, downWhen: 'all' })
  t.equal(await rounds(world, monitor, '+++ --+ --? --? --?'), 'up up up up up')
  t.equal(await rounds(world, monitor, '?.. ?.. ?.. ?..'), 'up up up unknown')
})

t.test('a result counts once, and one of an earlier check not at all', async (t) => {
  const world = startMonitorWorld(t)
  const monitor = await world.add(voted)
  const slot = { dueAtMs: world.clock.nowMs(), try: 1 }
  await say(world, monitor, oslo, good, slot)
  await say(world, monitor, oslo, refused, slot)
  await say(world, monitor, oslo, refused, { ...slot, try: 0 })
  await say(world, monitor, oslo, refused, { dueAtMs: slot.dueAtMs - 60_000, try: 9 })
  t.equal(world.monitorState(monitor).recentRowCount, 1)
  const placed = world.store.placed.monitorStates.get(monitor.orgId, placedId(monitor.id, oslo))
  t.match(placed, { recentRowCount: 1, lastVerdict: 'up', lastSlot: slot, tally: { checks: 1 } })
})

t.test(
  'a result that was held back for long is kept of its place, and turns nothing',
  async (t) => {
    const world = startMonitorWorld(t)
    const monitor = await world.add({ ...voted, downWhen: 'any' })
    await rounds(world, monitor, '+++')
    await world.clock.advance(3_000_000)
    const atMs = world.clock.nowMs() - 2_900_000
    const result = { reading: makeReading(atMs, refused), slot: { dueAtMs: atMs, try: 0 } }
    await settled(world.store, world.commit.placed(monitor, oslo, [result]))
    t.equal(world.incidents().length, 0)
    t.match(world.store.placed.monitorStates.get(monitor.orgId, placedId(monitor.id, oslo)), {
      lastVerdict: 'down',
      health: { state: 'down' },
    })
  },
)

t.test('home is one of the places, and keeps its own pace', async (t) => {
  const world = startMonitorWorld(t)
  const monitor = await world.add({
    ...{ ...hasty, failureThreshold: 3, retryIntervalSeconds: 5, locations: [home, oslo] },
    downWhen: 'all',
  })
  world.answer = () => refused
  world.fleet.start(monitor, 'created')
  await world.run(11_000)
  t.equal(world.checksOf(monitor).length, 3, 'it confirms at its own pace')
  t.equal(world.incidents().length, 0, 'the other one may be about to speak')
  await world.run(240_000)
  t.equal(world.incidents().length, 1, 'the only one that was heard')
  await say(world, monitor, oslo, good)
  t.equal(shownMonitorState(world.monitorState(monitor)), 'up')
})

t.test('when a place begins to confirm, the others look at once', async (t) => {
  const world = startMonitorWorld(t)
  const monitor = await world.add({ ...hasty, failureThreshold: 2, locations: [home, oslo, paris] })
  world.fleet.start(monitor, 'created')
  await world.run(1)
  t.equal(world.checksOf(monitor).length, 1)
  await say(world, monitor, oslo, good)
  t.same(world.fleet.placements.asked(paris), [])
  await say(world, monitor, oslo, refused, { dueAtMs: world.clock.nowMs(), try: 1 })
  await world.run(1)
  t.equal(world.checksOf(monitor).length, 2, 'home')
  t.match(world.fleet.placements.asked(paris), [{ monitorId: monitor.id }])
  t.same(world.fleet.placements.asked(oslo), [], 'but not itself')
})

/** A result may come late by its interval without losing its vote. */
const rare = { ...voted, intervalSeconds: 3_600 }

t.test('the order in which places are heard does not matter in the end', async (t) => {
  const sign = fc.constantFrom('+', '-')
  const round = fc.tuple(sign, sign, sign).map((some) => some.join(''))
  const story = fc.array(round, { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(story, fc.infiniteStream(fc.nat()), async (words, picks) => {
      const inOrder = startMonitorWorld(t, { inMemory: true })
      const monitor = await inOrder.add(rare)
      await rounds(inOrder, monitor, words.join(' '))
      // The same results, sent twice, and those of different places in any order.
      const mixed = startMonitorWorld(t, { inMemory: true })
      const same = await mixed.add({ ...rare, id: monitor.id })
      const waiting = three.map((place, at) => ({
        place,
        results: words.map((word, number) => {
          const atMs = same.createdAtMs + (number * 3 + at + 1) * stepMs
          return {
            reading: makeReading(atMs, signs[word[at] ?? '+']),
            slot: { dueAtMs: atMs, try: 0 },
          }
        }),
      }))
      await mixed.clock.advance(words.length * 3 * stepMs)
      for (;;) {
        const open = waiting.filter(({ results }) => results.length > 0)
        const next = open[(picks.next().value ?? 0) % Math.max(1, open.length)]
        if (!next) break
        const [result] = next.results.splice(0, 1)
        if (!result) break
        const { place } = next
        for (let times = 0; times < 2; times += 1) {
          await settled(mixed.store, mixed.commit.placed(same, place, [result]))
        }
      }
      // What is late turns nothing; the next round of all says what is true.
      const last = words.at(-1) ?? '+++'
      t.equal(await rounds(inOrder, monitor, last), await rounds(mixed, same, last))
      const [a, b] = [inOrder.monitorState(monitor), mixed.monitorState(same)]
      t.equal(a.health.state, b.health.state)
      t.equal(a.tally.checks, b.tally.checks)
    }),
    { numRuns: 25 },
  )
})

t.test(
  'what a new hourly monitor is held back by is asked again after three minutes',
  async (t) => {
    const world = startMonitorWorld(t)
    const monitor = await world.add({ ...voted, intervalSeconds: 3_600 })
    world.fleet.start(monitor, 'created')
    const asked = () => world.fleet.placements.asked(frankfurt).map(({ monitorId }) => monitorId)
    await say(world, monitor, frankfurt, refused)
    await world.clock.advance(170_000)
    t.same(asked(), [])
    await world.clock.advance(20_000)
    t.same(asked(), [monitor.id])
    await say(world, monitor, frankfurt, refused)
    t.equal(world.incidents().length, 1, 'nobody else has said anything')
  },
)
