// What each place of a monitor sees, through the API: now, and over time.

import t, { type Test } from 'tap'
import type { LocationId } from '../../../../src/base/ids.ts'
import { home } from '../../../../src/domain/locations/choice.ts'
import { sharedOwner } from '../../../../src/domain/locations/location.ts'
import type { PlaceId } from '../../../../src/domain/locations/place.ts'
import type { Monitor } from '../../../../src/domain/monitors/monitor.ts'
import { history } from '../../../../src/http/api/monitors/history.ts'
import { monitorPlaces } from '../../../../src/http/api/monitors/monitor-places.ts'
import { monitors } from '../../../../src/http/api/monitors/monitors.ts'
import { atPrefix } from '../../../../src/http/routing/route.ts'
import { createHistories } from '../../../../src/services/checks/histories.ts'
import { createMonitorPlaces } from '../../../../src/services/checks/monitor-places.ts'
import { newLocation } from '../../../../src/services/locations/locations.ts'
import { placeNames } from '../../../../src/store/place-names.ts'
import { orgA, startTestHttp } from '../../../support/http.ts'
import { makeWindow } from '../../../support/make-window.ts'
import { startMonitorServices } from '../../../support/monitor-services.ts'
import { failedBy, good, makeReading, type Seen, slow } from '../../../support/monitor-world.ts'

const hasty = { failureThreshold: 1, recoveryThreshold: 1, intervalSeconds: 300 }
const minuteMs = 60_000
const refused = failedBy('connect', 'the connection was refused')
const signs: Readonly<Record<string, Seen>> = { '+': good, '-': refused, '~': slow }

async function open(t: Test) {
  const world = startMonitorServices(t)
  const { store, clock } = world
  const server = await startTestHttp({
    routes: atPrefix('/api/v1', [...monitors, ...history, ...monitorPlaces]),
    services: {
      monitors: world.monitors,
      readings: world.readings,
      histories: createHistories({ store, clock }),
      monitorPlaces: createMonitorPlaces(
        { store, clock },
        placeNames(store, () => null),
      ),
    },
    clock,
  })
  t.teardown(() => server.stop())
  const put = async (owner: typeof orgA, name: string): Promise<LocationId> => {
    const location = newLocation(owner, { name }, clock.nowMs())
    await store.write((tx) => store.locations.put(tx, location))
    return location.id
  }
  const frankfurt = await put(orgA, 'Frankfurt')
  const oslo = await put(sharedOwner, 'Oslo')
  const monitor = await world.add({
    ...{ ...hasty, orgId: orgA, locations: [frankfurt, home, oslo] },
    updatedAtMs: clock.nowMs(),
  })
  const ask = (path: string) =>
    world.done(server.ask(`/api/v1/orgs/${orgA}/monitors/${path}`, { as: 'bob' }))
  async function see(of: Monitor, place: PlaceId, sign: string) {
    const reading = makeReading(clock.nowMs(), signs[sign])
    const slot = { dueAtMs: reading.atMs, try: 0 }
    await world.done(world.commit.placed(of, place, [{ reading, slot }]))
  }
  return {
    ...world,
    monitor,
    ...{ frankfurt, oslo, ask, see },
    /** What bob gets of the monitor. */
    get: async (path: string) => {
      const { status, json } = await ask(`${monitor.id}/${path}`)
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(json)}`)
      return json.data
    },
    /** Rounds of all places every five minutes, a sign each; a dot says nothing. */
    async rounds(story: string, of = monitor) {
      for (const word of story.split(' ')) {
        await clock.advance(5 * minuteMs)
        for (const [at, sign] of [...word].entries()) {
          const place = of.locations[at]
          if (place && sign !== '.') await see(of, place, sign)
        }
      }
    },
  }
}

t.test('each place says what it sees, with its own uptime, and how they vote', async (t) => {
  const { rounds, get, frankfurt, oslo, clock, ask } = await open(t)
  const before = await get('locations')
  t.match(before.vote, { downWhen: 'majority', needed: 1, voting: 0 })
  t.match(before.places[0], { state: 'pending', stateSince: null, lastCheckAt: null, error: null })

  await rounds(`${'+++ '.repeat(13)}-++ -+. -+. -+.`)
  const { vote, places } = await get('locations')
  t.same(vote, { downWhen: 'majority', needed: 2, voting: 2 })
  const nowMs = clock.nowMs()
  const ago = (minutes: number) => new Date(nowMs - minutes * minuteMs).toISOString()
  t.match(places, [
    {
      location: frankfurt,
      name: 'Frankfurt',
      isShared: false,
      state: 'down',
      stateSince: ago(15),
      lastCheckAt: ago(0),
      responseTimeMs: 50,
      error: { kind: 'connect', message: 'the connection was refused' },
    },
    { location: 'home', name: null, isShared: false, state: 'up', error: null },
    {
      ...{ location: oslo, name: 'Oslo', isShared: true, state: 'silent' },
      ...{ stateSince: ago(15), lastCheckAt: ago(15), responseTimeMs: 100, error: null },
    },
  ])
  t.ok(places[0].uptime['24h'] < 1, 'it has not worked from Frankfurt')
  t.same(places[1].uptime, { '24h': 1, '7d': 1, '30d': 1, '90d': 1 })
  t.equal(places[2].uptime['24h'], 1, 'nobody knows what became of it')
  t.equal((await ask('mon_01k00000000000000000000099/locations')).status, 404)
})

t.test('a place where no probe stands is not awaited for ever', async (t) => {
  const { rounds, get } = await open(t)
  const states = async () =>
    (await get('locations')).places.map(({ state }: { state: string }) => state)
  await rounds('.++')
  t.same(await states(), ['pending', 'up', 'up'])
  await rounds('.++ .++')
  t.same(await states(), ['silent', 'up', 'up'])
})

t.test('a monitor that only this service checks has no vote', async (t) => {
  const { add, ask, world, clock } = await open(t)
  const alone = await add({ ...hasty, orgId: orgA })
  await world.see(alone, [good])
  t.same((await ask(`${alone.id}/locations`)).json.data, { vote: null, places: [] })
  const { status, json } = await ask(`${alone.id}/checks?location=home`)
  t.equal(status, 200)
  t.match(
    json.data,
    [{ at: new Date(clock.nowMs()).toISOString(), location: null }],
    'all are from home',
  )
})

t.test('results, the newest one and response times of one place', async (t) => {
  const { rounds, get, frankfurt, oslo, clock } = await open(t)
  await rounds('+++ -+~ -++')
  const all = await get('checks')
  t.equal(all.length, 9)
  const from = all.map(({ location, outcome }: Record<string, string>) => `${location} ${outcome}`)
  t.same(
    from.slice(0, 3).sort(),
    [`${frankfurt} down`, 'home up', `${oslo} up`].sort(),
    'each result says from where it is, also where all are together',
  )
  t.match(await get(`checks?outcome=degraded`), [{ location: oslo }])
  t.match(await get(`checks?location=${frankfurt}`), [{ location: frankfurt }])
  const outcomes = async (location: string) =>
    (await get(`checks?location=${location}`)).map((one: { outcome: string }) => one.outcome)
  t.same(await outcomes(frankfurt), ['down', 'down', 'up'])
  t.same(await outcomes('home'), ['up', 'up', 'up'])
  t.same(await outcomes(oslo), ['up', 'degraded', 'up'])
  t.equal((await get(`checks?location=${frankfurt}&outcome=up`)).length, 1)
  t.match(await get(`checks/latest?location=${frankfurt}`), {
    ...{ outcome: 'down', error: { message: 'the connection was refused' }, found: null },
  })
  t.match(await get(`checks/latest?location=${oslo}`), { outcome: 'up', error: null })

  await clock.advance(minuteMs)
  t.match((await get('response-times')).total, { count: 7, results: { down: 2 } })
  const { total } = await get(`response-times?location=${oslo}`)
  t.match(total, { count: 3, maxMs: 9_000, results: { up: 2, degraded: 1, down: 0 } })
})

t.test('the uptime of one place', async (t) => {
  const { rounds, get, monitor, frankfurt, oslo, store, clock } = await open(t)
  await rounds('+++ -++ -++ +++ ++.')
  const { outages, downSeconds } = await get('uptime?window=24h')
  t.match({ outages, downSeconds }, { outages: 0, downSeconds: 0 }, 'one of three does not count')
  t.match(await get(`uptime?window=24h&location=${frankfurt}`), {
    ...{ upSeconds: 600, downSeconds: 600, outages: 0 },
    ...{ meanSecondsToRecover: null, meanSecondsBetweenOutages: null },
  })
  await rounds('++. ++. ++.')
  t.match(
    await get(`uptime?window=24h&location=${oslo}`),
    { upSeconds: 900, downSeconds: 0 },
    'not what came after it was heard last',
  )
  const fromMs = clock.nowMs()
  const times = { startsAtMs: fromMs, endsAtMs: fromMs + 20 * minuteMs } as const
  const window = makeWindow({
    coversFromMs: fromMs,
    orgId: orgA,
    monitorIds: [monitor.id],
    times: { kind: 'once', ...times },
  })
  await store.write((tx) => store.windows.put(tx, window))
  await rounds('-++ -++ -++ -++')
  t.match(
    await get(`uptime?window=24h&location=${frankfurt}`),
    { downSeconds: 600, maintenanceSeconds: 1_200 },
    'maintenance of the monitor is none of the place either',
  )
})

t.test('a former place keeps its history, and grows no older', async (t) => {
  const world = await open(t)
  const { rounds, get, monitor, oslo, frankfurt, clock } = world
  await rounds('+++ ++-')
  const changed = await world.done(
    world.monitors.change({ ...world.alice, orgId: orgA }, monitor.id, {
      locations: [frankfurt, home],
    }),
  )
  t.equal((await get('locations')).places.length, 2)
  t.equal((await get(`checks?location=${oslo}`)).length, 2)
  await clock.advance(3_600_000)
  await rounds('++', changed.monitor)
  t.match(await get(`uptime?window=24h&location=${oslo}`), { upSeconds: 300, downSeconds: 0 })
})

t.test('an id that is no place of the monitor is refused', async (t) => {
  const { ask, monitor, add } = await open(t)
  const strange = 'loc_01k00000000000000000000099'
  for (const path of ['checks', 'checks/latest', 'uptime', 'response-times']) {
    const { status, json } = await ask(`${monitor.id}/${path}?location=${strange}`)
    t.equal(status, 400, path)
    t.match(json.errors, [
      { pointer: '/location', message: 'is no place that this monitor was checked from' },
    ])
    t.equal((await ask(`${monitor.id}/${path}?location=paris`)).status, 400)
  }
  const alone = await add({ ...hasty, orgId: orgA, locations: [] })
  t.equal((await ask(`${alone.id}/uptime?location=${strange}`)).status, 400)
})
