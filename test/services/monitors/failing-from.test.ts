// A monitor that is up but fails from some of its locations says so, and where it is shown learns of it.

import t from 'tap'
import type { LocationId } from '../../../src/base/ids.ts'
import { checkEvent } from '../../../src/domain/live-events/live-event.ts'
import { home } from '../../../src/domain/locations/choice.ts'
import type { PlaceId } from '../../../src/domain/locations/place.ts'
import { monitorToWire } from '../../../src/http/api/monitors/monitor-wire.ts'
import { createMonitorOverviews } from '../../../src/services/monitors/monitor-overviews.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { failed, good, makeReading, type Seen, settled } from '../../support/monitor-world.ts'

const [frankfurt, oslo] = ['1', '2'].map((digit) => `loc_01k000000000000000000000${digit}0`) as [
  LocationId,
  LocationId,
]

t.test('less than the quorum is no outage, but is said', async (t) => {
  const world = startMonitorServices(t)
  const { monitors, alice, store, clock, news } = world
  const times = { createdAtMs: 0, updatedAtMs: 0, revision: 1 }
  const location = { orgId: alice.orgId, name: 'Frankfurt', description: null, ...times }
  await store.write((tx) => store.locations.put(tx, { ...location, id: frankfurt }))
  const monitor = await world.add({
    ...{ failureThreshold: 1, recoveryThreshold: 1, intervalSeconds: 60 },
    locations: [home, frankfurt, oslo],
  })
  const say = async (place: PlaceId, seen: Seen) => {
    await clock.advance(10_000)
    const result = {
      reading: makeReading(clock.nowMs(), seen),
      slot: { dueAtMs: clock.nowMs(), try: 0 },
    }
    const committed = await settled(store, world.commit.placed(monitor, place, [result]))
    if (!committed) throw new Error('the monitor is gone')
    return checkEvent(monitor, result.reading, committed, world.failingFrom)
  }
  const overviews = createMonitorOverviews(world, world)
  const glance = async () => (await overviews.reader((one) => one)(alice))[0]
  const shown = () => monitors.get(alice, monitor.id)
  const onWire = () => JSON.stringify(monitorToWire(shown()))
  for (const place of [home, frankfurt, oslo] as const) await say(place, good)
  t.match(shown(), { state: 'up', failingFrom: null })
  t.match(onWire(), '"failingFrom":null')
  const before = news.length
  const told = await say(frankfurt, failed)
  t.equal(news.length, before + 1, 'pages learn of it')
  t.match(shown(), {
    state: 'up',
    failingFrom: {
      ...{ failing: 1, of: 3 },
      places: [
        { location: home, name: null, state: 'up' },
        { location: frankfurt, name: 'Frankfurt', state: 'down' },
        { location: oslo, state: 'up' },
      ],
    },
  })
  t.match(onWire(), '"failingFrom":{"failing":1,"of":3,')
  const { failingFrom } = shown()
  t.match(await glance(), { state: 'up', failingFrom }, 'the overview says the same')
  t.match(told, { failingFrom, verdict: 'up', error: null }, 'and what open pages are told')
  await say(frankfurt, failed)
  t.equal(news.length, before + 1, 'nothing turned')
  const isDown = { verdict: 'down', error: failed.error, failingFrom: null }
  t.match(await say(oslo, failed), isDown)
  t.match(await say(home, good), isDown, 'a place that is outvoted says nothing of it')
  t.match(shown(), { state: 'down', failingFrom: null }, 'its incident says it')
  await say(oslo, good)
  await clock.advance(300_000)
  await say(home, good)
  t.match(shown(), { state: 'up', failingFrom: null }, 'nothing was heard of it for long')
})
