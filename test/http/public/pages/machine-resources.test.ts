// All documents of a page as they are asked for: each exists, and none tells what is not public.
import fc from 'fast-check'
import t, { type Test } from 'tap'
import { newId } from '../../../../src/base/ids.ts'
import { initialMonitorState } from '../../../../src/domain/monitors/monitor-state.ts'
import type { PageResource } from '../../../../src/http/public/pages/page-resource.ts'
import { pageResources } from '../../../../src/http/public/pages/page-resources.ts'
import { createPageUrls } from '../../../../src/services/pages/page-urls.ts'
import { createPublicPages } from '../../../../src/services/pages/public-pages.ts'
import { runs, testSeed } from '../../../support/depth.ts'
import { makeOrg } from '../../../support/make-org.ts'
import {
  makeDay,
  makeHealth,
  makeMonitor,
  makePage,
  makePublicIncident,
  noonMs,
} from '../../../support/make-page.ts'
import { makeWindow } from '../../../support/make-window.ts'
import { noRequest } from '../../../support/render-page.ts'
import { openTempStore } from '../../../support/temp-store.ts'

function open(t: Test) {
  const { store, clock } = openTempStore(t)
  const urls = createPageUrls({ store, baseUrl: 'https://up.test', statusDomain: null })
  const publicPages = createPublicPages({ store, clock, urls })

  /** As the routes do. */
  function ask(slug: string, resource: PageResource, params = {}, queryText = '') {
    const request = { ...noRequest, params, queryText, nowMs: noonMs }
    const wanted = resource.wanted(request)
    if (!wanted) return undefined
    const root = `/status/${slug}`
    const document = publicPages.render({ slug }, { ...wanted, language: null, root }, noonMs)
    return document && Buffer.from(document.plain).toString()
  }

  /** By the path below the page. */
  function get(slug: string, target: string): string | undefined {
    const [path = '', query = ''] = target.split('?')
    for (const resource of pageResources) {
      const names = [...resource.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
      const found = new RegExp(`^${resource.path.replace(/:\w+/g, '([^/]+)')}$`).exec(path)
      if (!found) continue
      const params = Object.fromEntries(names.map((name, at) => [name, found[at + 1]]))
      return ask(slug, resource, params, query)
    }
    return undefined
  }
  return { store, publicPages, get }
}

const statuspage = ['summary', 'status', 'components', 'incidents', 'incidents/unresolved']
  .concat(['', '/upcoming', '/active'].map((end) => `scheduled-maintenances${end}`))
  .map((path) => `/api/v2/${path}.json`)
const feeds = ['feed.atom', 'feed.rss', 'feed.json', 'history.atom', 'history.rss'].map(
  (file) => `/${file}`,
)

const paths = [
  '',
  ...statuspage,
  ...feeds,
  '/badge.svg',
  '/badge.json',
  '/calendar.ics',
  '/widget',
  '/history',
]
const badgesOf = (monitorId: string) => [
  `/badge/${monitorId}.svg`,
  `/badge/${monitorId}.json`,
  `/badge/${monitorId}.svg?metric=uptime&window=7d`,
  `/badge/${monitorId}.svg?metric=responseTime&window=24h`,
]

t.test('a page has each document, under names that cannot be confused', async (t) => {
  const { store, get } = open(t)
  const monitor = makeMonitor()
  await store.write((tx) => {
    store.orgs.put(tx, makeOrg({ id: monitor.orgId }))
    store.monitors.put(tx, monitor)
    store.pages.put(tx, makePage({ showResponseTimes: true }), noonMs)
  })
  for (const path of [...paths, '/og.png', ...badgesOf(monitor.id)]) t.ok(get('acme', path), path)
  t.match(get('acme', '/badge.svg?label=Our%20state'), '<title>Our state: ')
  t.match(get('acme', '/widget?theme=dark'), 'class="dark"')
  for (const path of [
    '/badge/nothing.svg',
    `/badge/${monitor.id}`,
    `/badge/${monitor.id}.png`,
    `/badge/${monitor.id}.svg?metric=latency`,
    `/badge/${monitor.id}.svg?window=1y`,
    `/badge/${monitor.id}.svg?label=${'x'.repeat(101)}`,
    '/badge.svg?metric=uptime',
    '/widget?theme=<script>',
    '/api/v2/metrics.json',
  ]) {
    t.equal(get('acme', path), undefined, path)
  }
})

t.test('a public name takes the place of a name in every document', async (t) => {
  const { store, get } = open(t)
  const address = 'db.internal:5432'
  const monitor = makeMonitor({ name: address, publicName: 'Order database' })
  const { id, orgId } = monitor
  // The second was opened when the monitor had another name, which was an address as well.
  const incidents = ([address, '10.1.2.3:5432'] as const).map((name) =>
    makePublicIncident({
      ...{ id: newId('incident', noonMs), orgId, monitorIds: [id], isPublic: true },
      title: `${name} was down`,
      timeline: [{ atMs: noonMs, kind: 'opened', message: `${name} is down`, isPublic: true }],
    }),
  )
  await store.write((tx) => {
    store.orgs.put(tx, makeOrg({ id: orgId }))
    store.monitors.put(tx, monitor)
    store.monitors.put(tx, makeMonitor({ id: newId('monitor', noonMs), name: 'Website' }))
    for (const incident of incidents) store.incidents.put(tx, incident)
    const times = { kind: 'once' as const, startsAtMs: noonMs, endsAtMs: noonMs + 3_600_000 }
    store.windows.put(tx, makeWindow({ orgId, isPublic: true, monitorIds: [id], times }))
    store.pages.put(tx, makePage({ showResponseTimes: true }), noonMs)
  })
  const asked = [...paths, ...badgesOf(id), ...incidents.map(({ id }) => `/incidents/${id}`)]
  const documents = asked.map((path) => [path, get('acme', path) ?? ''] as const)
  const told = documents.filter(([, text]) => /internal:|5432|10\.1\.2/.test(text))
  t.same(
    told.map(([path]) => path),
    [],
  )
  for (const path of ['', '/feed.atom', '/calendar.ics', '/api/v2/summary.json', '/history']) {
    t.match(get('acme', path), 'Order database', path)
  }
  t.match(get('acme', `/badge/${id}.svg`), 'Order database')
  for (const { id } of incidents) {
    t.match(get('acme', `/incidents/${id}`), 'Order database was down')
  }
})

/** Marks what must be in no document. No id has these letters. */
const mark = 'lilou'

const secret = fc.stringMatching(/^[a-zA-Z0-9<>"'&./:;,\\-]{1,20}$/).map((text) => mark + text)
const monitor = fc.record({
  isPublic: fc.boolean(),
  isListed: fc.boolean(),
  isActive: fc.boolean(),
  state: fc.constantFrom('up', 'down', 'pending', 'confirming', 'degraded'),
  secret,
})
const incident = fc.record({
  monitors: fc.uniqueArray(fc.nat({ max: 5 }), { maxLength: 3 }),
  isPublic: fc.boolean(),
  isOpen: fc.boolean(),
  severity: fc.constantFrom('down', 'degraded', 'declared', 'certificate'),
  kind: fc.constantFrom('opened', 'reopened', 'worsened', 'acknowledged', 'resolved', 'flapping'),
  secret,
})
const window = fc.record({
  isPublic: fc.boolean(),
  startsInHours: fc.integer({ min: -1, max: 500 }),
  isTagged: fc.boolean(),
  secret,
})
const switches = fc.record({
  showMonitors: fc.boolean(),
  showUptime: fc.boolean(),
  showHistory: fc.boolean(),
  showIncidents: fc.boolean(),
  showResponseTimes: fc.boolean(),
  listsAll: fc.boolean(),
})

t.test('no document of a page has anything of its organization that is not public', async (t) => {
  const { store, get } = open(t)
  let run = 0
  const property = fc.asyncProperty(
    fc.array(monitor, { maxLength: 6 }),
    fc.array(incident, { maxLength: 5 }),
    fc.array(window, { maxLength: 3 }),
    switches,
    async (monitors, incidents, windows, { listsAll, ...shows }) => {
      run += 1
      const orgId = newId('org', noonMs)
      const slug = `page-${run}`
      const known = monitors.map((one, number) => {
        const isShown = one.isPublic && (listsAll || one.isListed)
        const record = makeMonitor({
          id: newId('monitor', noonMs),
          orgId,
          isPublic: one.isPublic,
          isActive: one.isActive,
          name: isShown ? `Shown ${number}` : one.secret,
          url: `https://${one.secret}`,
          headerNames: [one.secret],
          requestBox: one.secret,
          bodyContains: one.secret,
          bodyNotContains: one.secret,
          description: one.secret,
          responseAssertionPath: one.secret,
          responseAssertionValue: one.secret,
          runbookUrl: one.secret,
          tags: [one.secret],
          pushTokenHash: one.secret,
          pushTokenBox: one.secret,
        })
        return { ...one, isShown, record }
      })
      await store.write((tx) => {
        store.orgs.put(tx, makeOrg({ id: orgId }))
        for (const { record, state } of known) {
          store.monitors.put(tx, record)
          store.monitorStates.put(tx, orgId, record.id, {
            ...initialMonitorState(noonMs),
            tally: makeDay(0),
            health: makeHealth(state),
          })
        }
        for (const one of incidents) {
          const about = one.monitors.flatMap((at) => known[at] ?? [])
          const isDeclared = one.severity === 'declared'
          const isShown = one.isPublic && about.every((monitor) => monitor.isShown)
          const entry = { atMs: noonMs, message: one.secret, isPublic: true } as const
          const record = makePublicIncident({
            id: newId('incident', noonMs),
            orgId,
            monitorIds: about.map(({ record }) => record.id),
            isPublic: one.isPublic,
            state: one.isOpen ? 'open' : 'resolved',
            resolvedAtMs: one.isOpen ? null : noonMs,
            severity: one.severity,
            ...(isDeclared ? { isDeclared: true as const } : {}),
            title: isShown || (isDeclared && one.isPublic) ? 'Trouble' : one.secret,
            cause: one.secret,
            acknowledgedBy: one.secret,
            evidence: { bodyText: one.secret, kind: 'status' } as never,
            timeline: [
              { ...entry, kind: one.kind },
              { ...entry, kind: 'acknowledged', by: one.secret },
              { ...entry, kind: 'update', isPublic: false, by: one.secret, id: 'upd_1' },
            ],
          })
          store.incidents.put(tx, record)
        }
        for (const one of windows) {
          const startsAtMs = noonMs + one.startsInHours * 3_600_000
          const shownTags = known.filter((monitor) => monitor.isShown).map(({ secret }) => secret)
          const hiddenTags = known.filter((monitor) => !monitor.isShown).map(({ secret }) => secret)
          const isOfShown = one.isTagged ? shownTags.length > 0 : known.some((two) => two.isShown)
          const isPublic = one.isPublic && isOfShown
          store.windows.put(
            tx,
            makeWindow({
              id: newId('maintenance', noonMs),
              orgId,
              isPublic: one.isPublic,
              name: isPublic ? 'Upgrade' : one.secret,
              description: isPublic ? null : one.secret,
              tags: one.isTagged ? [...shownTags, ...hiddenTags, one.secret] : [],
              times: { kind: 'once', startsAtMs, endsAtMs: startsAtMs + 7_200_000 },
            }),
          )
        }
        const listed = known.filter(({ isListed }) => isListed).map(({ record }) => record.id)
        const page = makePage({ id: newId('page', noonMs), orgId, slug, name: slug, ...shows })
        store.pages.put(tx, { ...page, publicMonitorIds: listsAll ? null : listed }, noonMs)
      })
      const asked = [...paths, ...known.flatMap(({ record }) => badgesOf(record.id))]
      const told = asked.filter((path) => get(slug, path)?.includes(mark))
      t.same(told, [], slug)
      for (const { record, isShown } of known) {
        const hasBadge = get(slug, `/badge/${record.id}.svg`) !== undefined
        const hasEntry = get(slug, '/api/v2/components.json')?.includes(record.id) ?? false
        t.same([hasBadge, hasEntry], [isShown && shows.showMonitors, isShown && shows.showMonitors])
      }
    },
  )
  await fc.assert(property, { ...runs(150), seed: testSeed(20_261_123) })
})
