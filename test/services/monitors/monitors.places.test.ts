// What becomes of a monitor that several places check when it is changed: paused, moved, voted on otherwise.

import t, { type Test } from 'tap'
import type { LocationId } from '../../../src/base/ids.ts'
import { home } from '../../../src/domain/locations/choice.ts'
import { type PlaceId, placedId } from '../../../src/domain/locations/place.ts'
import { type MonitorState, shownMonitorState } from '../../../src/domain/monitors/monitor-state.ts'
import { createSimulations } from '../../../src/services/checks/simulations.ts'
import { newLocation } from '../../../src/services/locations/locations.ts'
import { orgA } from '../../support/make-incident.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { failedBy, good, makeReading } from '../../support/monitor-world.ts'

const minuteMs = 60_000
const refused = failedBy('connect', 'the connection was refused')

async function open(t: Test) {
  const world = startMonitorServices(t)
  const { store, clock, monitors, alice, done, commit } = world
  const names = ['Frankfurt', 'Paris', 'Oslo'] as const
  const made = names.map((name) => newLocation(orgA, { name }, clock.nowMs()))
  await store.write((tx) => {
    for (const location of made) store.locations.put(tx, location)
  })
  const ids = made.map(({ id }) => id) as [LocationId, LocationId, LocationId]
  const fields = { name: 'Shop', url: 'https://shop.test/', failureThreshold: 1 }
  const asked = { ...fields, recoveryThreshold: 1, intervalMinutes: 1, locations: ids }
  const { id } = (await done(monitors.create(alice, asked))).monitor
  const now = () => {
    const monitor = store.monitors.get(orgA, id)
    if (!monitor) throw new Error('the monitor is gone')
    return monitor
  }
  const stateAt = (place: PlaceId): MonitorState | undefined =>
    store.placed.monitorStates.get(orgA, placedId(id, place))
  return {
    ...world,
    ...{ id, ids, now, stateAt },
    change: (changes: Parameters<typeof monitors.change>[2]) =>
      done(monitors.change(alice, id, changes)),
    state: () => shownMonitorState(world.monitorState(now())),
    seenAt: (place: PlaceId) => {
      const known = stateAt(place)
      return known && shownMonitorState(known)
    },
    /** Rounds a minute apart of the places that the monitor has, a sign each; returns the states after each. */
    async rounds(story: string): Promise<string> {
      const states: string[] = []
      for (const word of story.split(' ')) {
        await clock.advance(minuteMs)
        for (const [at, sign] of [...word].entries()) {
          const place = now().locations[at]
          const reading = makeReading(clock.nowMs(), sign === '-' ? refused : good)
          const slot = { dueAtMs: reading.atMs, try: 0 }
          if (place && sign !== '.') await done(commit.placed(now(), place, [{ reading, slot }]))
        }
        states.push(shownMonitorState(world.monitorState(now())))
      }
      return states.join(' ')
    },
  }
}

t.test('a paused monitor ends its incident, and begins empty when it is resumed', async (t) => {
  const world = await open(t)
  const { rounds, state, seenAt, stateAt, ids, monitors, alice, id, done, clock } = world
  t.equal(await rounds('+++ --+ --+'), 'up down down')
  await done(monitors.pause(alice, id))
  t.equal(world.allIncidents()[0]?.state, 'resolved')
  t.same(ids.map(seenAt), ['pending', 'pending', 'pending'])
  t.equal(await rounds('---'), 'pending', 'what comes late does not count')
  await clock.advance(10 * minuteMs)

  await done(monitors.resume(alice, id))
  t.same([state(), ...ids.map(seenAt)], ['pending', 'pending', 'pending', 'pending'])
  t.equal(stateAt(ids[0])?.lastError, null)
  t.equal(await rounds('+..'), 'up', 'the others have no vote left of before')
  t.equal(await rounds('-.. --.'), 'down down')
  const { tally } = stateAt(ids[1]) ?? {}
  t.match(tally, { downMs: 1 * minuteMs, pausedMs: 11 * minuteMs }, 'the pause is no outage')
})

t.test('a place that is added has no vote before its first result', async (t) => {
  const { rounds, change, ids, seenAt } = await open(t)
  await change({ locations: ids.slice(0, 2) })
  t.equal(await rounds('++ +-'), 'up up', 'one of two is no majority')
  await change({ locations: ids })
  t.equal(await rounds('+- +-'), 'up up')
  t.equal(seenAt(ids[2]), undefined)
  t.equal(await rounds('+--'), 'down')
})

t.test('a place that is removed has no vote any more', async (t) => {
  const { rounds, change, ids, allIncidents } = await open(t)
  t.equal(await rounds('+++ --+'), 'up down')
  await change({ locations: [ids[0], ids[2]] })
  t.equal(await rounds('-+'), 'up', 'one of two is no majority')
  t.match(allIncidents(), [{ state: 'resolved' }])
  await change({ locations: [ids[0]] })
  t.equal(await rounds('-'), 'down')
})

t.test('a place that is added again has forgotten what it saw then', async (t) => {
  const { rounds, change, ids, seenAt, clock, stateAt } = await open(t)
  await change({ recoveryThreshold: 3 })
  t.equal(await rounds('+++ ++-'), 'up up')
  await change({ locations: ids.slice(0, 2) })
  await clock.advance(24 * 60 * minuteMs)
  await change({ locations: ids, downWhen: 'any' })
  t.equal(seenAt(ids[2]), 'pending')
  t.equal(await rounds('+++'), 'up', 'the outage of yesterday is none of today')
  t.match(stateAt(ids[2]), { tally: { downMs: 0 } })
})

t.test('another rule of the vote holds from the next result on', async (t) => {
  const { rounds, change } = await open(t)
  t.equal(await rounds('+++ -++'), 'up up')
  await change({ downWhen: 'any' })
  t.equal(await rounds('.+.'), 'down')
  await change({ downWhen: 'all' })
  t.equal(await rounds('.+.'), 'up')
  await change({ downWhen: '2' })
  t.equal(await rounds('--+ -++'), 'down up')
})

t.test('to and from checks that only this service makes', async (t) => {
  const world = await open(t)
  const { rounds, change, now, state, ids } = world
  t.equal(await rounds('+++ --+'), 'up down')
  await change({ locations: [] })
  t.equal(state(), 'down', 'until it is looked at')
  await world.see(now(), [good])
  t.equal(state(), 'up')
  t.match(world.allIncidents(), [{ state: 'resolved' }])
  await change({ locations: ids })
  t.equal(await rounds('+..'), 'up')
  t.equal(world.allIncidents().length, 1)
})

t.test('what this service saw alone counts when other places look as well', async (t) => {
  const world = await open(t)
  const { rounds, change, now, ids, seenAt, allIncidents } = world
  await change({ locations: [] })
  await world.see(now(), [good])
  await change({ locations: [home, ...ids] })
  t.equal(seenAt(home), 'up')
  t.equal(await rounds('.-.. .--.'), 'up down', 'the first of the others does not decide alone')
  await change({ locations: [] })
  await world.see(now(), [good, refused])
  await change({ locations: [home, ...ids] })
  t.equal(seenAt(home), 'down', 'not what it saw when others looked as well')
  t.match(allIncidents(), [{ state: 'open' }])
})

t.test('results of several places are not simulated as if one had made them', async (t) => {
  const world = await open(t)
  const { core, id, alice, rounds, change, now } = world
  const simulations = createSimulations(core, { isLimited: () => false })
  await rounds('+++ --+ +++')
  await t.rejects(simulations.run(alice, id, { changes: { failureThreshold: 2 } }), {
    code: 'conflict',
    message: /Several locations check this monitor/,
  })
  await change({ locations: [] })
  const movedMs = world.clock.nowMs()
  await world.see(now(), [good, refused, good])
  const { firstAtMs, current } = await simulations.run(alice, id, { changes: {} })
  t.ok((firstAtMs ?? 0) > movedMs, 'only results from here')
  t.equal(current.incidents.length, 1)
})
