// From where the services of a page fail, as its readers see it: where the page says so, and nowhere else.
import t, { type Test } from 'tap'
import { required } from '../../../src/base/assert.ts'
import type { LocationId } from '../../../src/base/ids.ts'
import { home } from '../../../src/domain/locations/choice.ts'
import { type Location, sharedOwner } from '../../../src/domain/locations/location.ts'
import type { PlaceId } from '../../../src/domain/locations/place.ts'
import type { Monitor } from '../../../src/domain/monitors/monitor.ts'
import type { StatusPage } from '../../../src/domain/pages/page.ts'
import { pageResources } from '../../../src/http/public/pages/page-resources.ts'
import { createLocations } from '../../../src/services/locations/locations.ts'
import { createSharedLocations } from '../../../src/services/locations/shared-locations.ts'
import { createPageStreams } from '../../../src/services/pages/page-streams.ts'
import { createPageUrls } from '../../../src/services/pages/page-urls.ts'
import { createPublicPages } from '../../../src/services/pages/public-pages.ts'
import type { Language } from '../../../src/texts/languages.ts'
import { makePage, orgOne } from '../../support/make-page.ts'
import { startMonitorServices } from '../../support/monitor-services.ts'
import { failed, good, makeReading, type Seen, settled } from '../../support/monitor-world.ts'
import { noRequest } from '../../support/render-page.ts'

const ids = ['1', '2', '3'].map((digit) => `loc_01k000000000000000000000${digit}0`)
const [frankfurt, paris, oslo] = ids as [LocationId, LocationId, LocationId]
const three = [frankfurt, paris, oslo]
const hasty = { failureThreshold: 1, recoveryThreshold: 1, intervalSeconds: 60 }
const times = { createdAtMs: 0, updatedAtMs: 0, revision: 1 }
const names = ['Frankfurt', 'Paris', 'Oslo']
/** Neither markup nor Markdown. */
const hostile = '<b>Oslo</b> [*x*](https://evil.test)'
const components = '/api/v2/components.json'
const servicePath = '/services/:monitorId'
const incidentPath = '/incidents/:incidentId'

async function open(t: Test, page: Partial<StatusPage> = {}, monitor: Partial<Monitor> = {}) {
  const world = startMonitorServices(t)
  const { store, clock, commit, news } = world
  const urls = createPageUrls({ store, baseUrl: 'https://up.test', statusDomain: null })
  const publicPages = createPublicPages({ store, clock, urls })
  await store.write((tx) => {
    for (const [at, id] of three.entries()) {
      const orgId = id === paris ? sharedOwner : orgOne
      const location: Location = { id, orgId, name: names[at] ?? '', description: null, ...times }
      store.locations.put(tx, location)
    }
    const shown = { language: null, showLocations: true, showResponseTimes: true, ...page }
    store.pages.put(tx, makePage(shown), clock.nowMs())
  })
  const checked = await world.add({ ...hasty, locations: three, isPublic: true, ...monitor })

  async function say(place: PlaceId, seen: Seen) {
    await clock.advance(5_000)
    const before = news.length
    const reading = makeReading(clock.nowMs(), seen)
    const slot = { dueAtMs: clock.nowMs(), try: 0 }
    await settled(store, commit.placed(checked, place, [{ reading, slot }]))
    // As the daemon does.
    if (news.length > before) publicPages.invalidate(orgOne)
  }
  /** A document of the page, as text; '' if there is none. */
  function read(path = '', language: Language = 'en'): string {
    const params = { monitorId: checked.id, incidentId: world.allIncidents().at(-1)?.id ?? '' }
    const resource = pageResources.find((one) => one.path === path)
    const wanted = required(resource).wanted({ ...noRequest, params })
    if (!wanted) return ''
    const asked = { ...wanted, language, root: '/status/acme' }
    const made = publicPages.render({ slug: 'acme' }, asked, clock.nowMs())
    return made ? Buffer.from(made.plain).toString() : ''
  }
  const json = (path: string) => JSON.parse(read(path))
  return { ...world, publicPages, say, read, json }
}

t.test('a service that fails from some places says from which, and is no worse', async (t) => {
  const { say, read } = await open(t)
  for (const place of three) await say(place, good)
  t.notMatch(read(), 'Fails')
  await say(frankfurt, failed)
  t.match(read(), '<i>Operational</i><small>Fails from Frankfurt.</small>')
  t.match(read(), 'All systems operational')
  t.match(read('', 'de'), 'Gestört von Frankfurt aus.')
  t.match(read(servicePath), 'Fails from Frankfurt.')
  await say(frankfurt, good)
  t.notMatch(read(), 'Fails')
})

t.test('what fails everywhere, or is not judged, is said by its state alone', async (t) => {
  const { say, read, store } = await open(t)
  for (const place of three) await say(place, good)
  for (const place of [frankfurt, paris]) await say(place, failed)
  t.match(read(), '<small>Fails from Frankfurt and Paris.</small>', 'it is down, but not from Oslo')
  await say(oslo, failed)
  t.notMatch(read(), '<small>Fails')
  await say(oslo, good)
  t.match(read(), '<small>Fails')
  const monitor = required(store.monitors.list(orgOne, 1)[0])
  await store.write((tx) => store.monitors.put(tx, { ...monitor, isActive: false }))
  t.notMatch(read(), '<small>Fails', 'it is paused')
  await store.write((tx) => store.monitors.put(tx, { ...monitor, locations: [frankfurt] }))
  t.notMatch(read(), '<small>Fails', 'one place has nothing to differ from')
})

t.test('programs read what each location sees', async (t) => {
  const { say, json } = await open(t)
  for (const place of three) await say(place, good)
  await say(frankfurt, failed)
  t.match(json(components).components[0], {
    status: 'operational',
    description: 'Fails from Frankfurt.',
    locations: [
      { name: 'Frankfurt', status: 'major_outage', response_time_ms: 100 },
      { name: 'Paris', status: 'operational', response_time_ms: 100 },
      { name: 'Oslo', status: 'operational', response_time_ms: 100 },
    ],
  })
})

t.test('response times are shown by location, where they are shown', async (t) => {
  const { say, read } = await open(t)
  for (const place of three) await say(place, { ...good, durationMs: place === oslo ? 480 : 30 })
  for (const path of ['', servicePath]) {
    t.match(read(path), /<li><b>30 ms<\/b> <bdi>Frankfurt<\/bdi><\/li>.*<b>480 ms<\/b> <bdi>Oslo/)
  }
  const hidden = await open(t, { showResponseTimes: false })
  for (const place of three) await hidden.say(place, good)
  t.notMatch(hidden.read(), 'Frankfurt')
  t.match(hidden.json(components).components[0].locations[0], { response_time_ms: null })
})

t.test('an incident says from where it was seen when it was decided', async (t) => {
  const { say, read, json } = await open(t)
  for (const place of three) await say(place, good)
  for (const place of [frankfurt, paris]) await say(place, failed)
  const said = 'Fails from Frankfurt and Paris, works from Oslo.'
  t.match(read(), `<p>${said}</p>`)
  t.match(read(incidentPath), `<p>${said}</p>`)
  t.match(read(incidentPath, 'fr'), 'Échoue depuis Frankfurt et Paris, fonctionne depuis Oslo.')
  t.match(json('/api/v2/incidents.json').incidents[0].incident_updates[0], { body: said })
  t.match(read('/feed.json'), said)
  for (const place of [frankfurt, paris]) await say(place, good)
  t.match(read(incidentPath), said, 'it stays true of that time')
})

t.test('names of locations are in no document of a page that does not show them', async (t) => {
  const { say, read } = await open(t, { showLocations: false })
  for (const place of three) await say(place, good)
  for (const place of [frankfurt, paris]) await say(place, failed)
  for (const { path } of pageResources) {
    const text = read(path)
    for (const hidden of [...names, ...three, 'Fails', '"locations"'])
      t.notMatch(text, hidden, path)
  }
  t.match(read(), 'Major outage')
})

t.test('names alone are shown, as they are written', async (t) => {
  const { say, read, store, json } = await open(t, {}, { locations: [home, ...three] })
  const location = required(store.locations.get(orgOne, oslo))
  await store.write((tx) => store.locations.put(tx, { ...location, name: hostile }))
  for (const place of [home, ...three] as const) await say(place, good)
  await say(oslo, failed)
  await say(home, failed)
  const escaped = 'Fails from &lt;b&gt;Oslo&lt;/b&gt; [*x*](https://evil.test).'
  t.match(read(), escaped, 'home has no name')
  t.equal(json(components).components[0].locations.length, 3)
  await say(paris, failed)
  for (const { path } of pageResources) {
    const text = read(path)
    for (const hidden of [...three, 'here']) t.notMatch(text, hidden, path)
    if (!text.startsWith('<')) continue
    for (const markup of ['href="https://evil', '<em>x', '<b>Oslo']) t.notMatch(text, markup, path)
  }
  t.match(read(incidentPath), 'Fails from Paris and &lt;b&gt;Oslo')
})

t.test('readers of an open page are told when a place turns, and when it is renamed', async (t) => {
  const world = await open(t)
  const { say, clock, publicPages, core, alice } = world
  for (const place of three) await say(place, good)
  const streams = createPageStreams({ clock, publicPages, streamsMax: 10 })
  t.teardown(() => streams.stop())
  const told: string[] = []
  const stream = { tell: (etag: string) => void told.push(etag), beat() {}, end() {} }
  const wanted = { ...required(pageResources[0].wanted(noRequest)), language: null, root: '/' }
  const caller = { caller: 'one', lastVersion: '' }
  t.ok(streams.follow({ slug: 'acme' }, wanted, caller, stream))
  await say(frankfurt, failed)
  await clock.advance(1_000)
  t.equal(told.length, 1)
  const probeLoad = () => null
  await createLocations(core, { probeLoad }).change(alice, frankfurt, { name: 'Main' })
  await clock.advance(1_000)
  t.equal(told.length, 2)
  t.match(world.read(), 'Fails from Main.')
  await say(frankfurt, good)
  await say(paris, failed)
  const shared = createSharedLocations(core, { probeLoad })
  await shared.change(shared.scopeOf(alice.caller), paris, { name: 'Lyon' })
  t.match(world.read(), 'Fails from Lyon.', 'one that all organizations share')
})
