// Who may do what: every route, with every credential, in the own, a foreign and no organization.
import t, { type Test } from 'tap'
import { createMetrics } from '../../src/base/metrics.ts'
import { apiRoutes } from '../../src/http/api.ts'
import { docsRoutes } from '../../src/http/public/docs.ts'
import { healthRoutes } from '../../src/http/public/health.ts'
import { metricsRoute } from '../../src/http/public/metrics.ts'
import { pageRoutes } from '../../src/http/public/pages.ts'
import { pushRoutes } from '../../src/http/public/push.ts'
import { styleSheet } from '../../src/pages/style-sheet.ts'
import type { Answer } from '../support/api-client.ts'
import { password } from '../support/cast.ts'
import { type Bearer, openMatrixWorld, type RoleName } from '../support/matrix-world.ts'

/** Who is let in. This table is the promise; the routes have to keep it. */
type Rule =
  | 'anyone'
  | 'any credential'
  | 'a person'
  | RoleName
  | `${RoleName} in person`
  | `${RoleName} just signed in`

interface Line {
  readonly who: Rule
  /** The least that is accepted. */
  readonly body?: (world: { n: number }) => object
}

const url = 'http://127.0.0.1:9/'
const config = { url }
const table: Readonly<Record<string, Line>> = {
  'auth.register': {
    who: 'anyone',
    body: ({ n }) => ({ email: `new-${n}@example.com`, password }),
  },
  // Somebody else: too many sessions of one person end the oldest.
  'auth.login': { who: 'anyone', body: () => ({ email: 'dora@example.com', password }) },
  'auth.logout': { who: 'a person' },
  'auth.session': { who: 'a person' },
  'orgs.create': { who: 'a person', body: () => ({ name: 'Another' }) },
  'orgs.list': { who: 'any credential' },
  'orgs.get': { who: 'viewer' },
  'orgs.change': { who: 'admin', body: () => ({ name: 'Renamed' }) },
  'api-keys.create': { who: 'admin just signed in', body: () => ({ name: 'k' }) },
  'api-keys.list': { who: 'viewer in person' },
  'api-keys.revoke': { who: 'admin in person' },
  'monitors.list': { who: 'viewer' },
  'monitors.create': { who: 'member', body: () => ({ name: 'm', url }) },
  'monitors.get': { who: 'viewer' },
  'monitors.run': { who: 'member' },
  'monitors.change': { who: 'member', body: () => ({ name: 'other' }) },
  'monitors.remove': { who: 'member' },
  'monitors.pause': { who: 'member' },
  'monitors.resume': { who: 'member' },
  'monitors.checks': { who: 'viewer' },
  'monitors.latest': { who: 'member' },
  'incidents.list': { who: 'viewer' },
  'incidents.get': { who: 'viewer' },
  'incidents.acknowledge': { who: 'member' },
  'incidents.resolve': { who: 'member' },
  'incidents.update': { who: 'member', body: () => ({ message: 'we look' }) },
  'alert-channels.create': { who: 'admin', body: () => ({ name: 'c', type: 'webhook', config }) },
  'alert-channels.list': { who: 'viewer' },
  'alert-channels.get': { who: 'viewer' },
  'alert-channels.change': { who: 'admin', body: () => ({ name: 'other' }) },
  'alert-channels.remove': { who: 'admin' },
  'alert-channels.test': { who: 'admin' },
  'alert-channels.deliveries': { who: 'viewer' },
  'alert-channels.redeliver': { who: 'admin' },
  'status-pages.create': { who: 'admin', body: ({ n }) => ({ name: 'p', slug: `made-${n}` }) },
  'status-pages.list': { who: 'viewer' },
  'status-pages.get': { who: 'viewer' },
  'status-pages.change': { who: 'admin', body: () => ({ title: 'other' }) },
  'status-pages.remove': { who: 'admin' },
  'status-pages.setSubdomain': { who: 'admin', body: ({ n }) => ({ subdomain: `sub-${n}` }) },
}

/** What the raw routes answer to whoever brings nothing. */
const rawTable: Readonly<Record<string, [path: string, status: number]>> = {
  healthz: ['/healthz', 200],
  readyz: ['/readyz', 200],
  metrics: ['/metrics', 200],
  'api/v1/openapi.json': ['/api/v1/openapi.json', 200],
  docs: ['/docs', 200],
  'docs/reference.js': ['/docs/reference.js', 200],
  'docs/swagger-ui.css': ['/docs/swagger-ui.css', 200],
  'docs/swagger-ui-bundle.js': ['/docs/swagger-ui-bundle.js', 200],
  'push.report': ['/api/v1/push/nobody', 404],
  'push.reportByGet': ['/api/v1/push/nobody', 404],
  'push.word': ['/api/v1/push/nobody/ok', 404],
  'push.wordByGet': ['/api/v1/push/nobody/ok', 404],
  'pages.status': ['/status/nobody', 404],
  'pages.style': [styleSheet.path, 200],
  'pages.subdomain': ['/', 404],
}

type Place = 'own' | 'foreign' | 'unknown'
const ranks: readonly RoleName[] = ['viewer', 'member', 'admin', 'owner']

/** The status and the code that the table promises; 200 where the caller is let in. */
function promised(rule: Rule, { kind, role }: Bearer, place: Place): [number, string?] {
  if (rule === 'anyone') return [200]
  if (kind === 'none' || kind === 'invalid') return [401, 'unauthenticated']
  if (rule === 'any credential') return kind === 'system' ? [401, 'unauthenticated'] : [200]
  const isPerson = kind === 'session' || kind === 'old session'
  if (rule === 'a person') return isPerson ? [200] : [403, 'forbidden']
  const [needed, ...more] = rule.split(' ') as [RoleName, ...string[]]
  if (more.length > 0 && kind === 'key') return [403, 'forbidden']
  if (kind === 'system' || role === undefined || place !== 'own') return [404, 'not_found']
  if (ranks.indexOf(role) < ranks.indexOf(needed)) return [403, 'forbidden']
  if (more.includes('just') && kind === 'old session') return [403, 'reauthentication_required']
  return [200]
}

const world = await openMatrixWorld(t)
const { daemon, own, foreign, bearers } = world
const unknownOrg = { ...own, orgId: 'org_01jd0000000000000000000000' }
const places = { own, foreign, unknown: unknownOrg } as const
let n = 0

const withoutNames = ({ text }: Answer) =>
  text.replace(/"(instance|requestId)":"[^"]*"/g, '"$1":""')

function thingsIn(path: string): string[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return names.filter((name) => name !== 'orgId')
}

function filled(path: string, values: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_whole, name: string) => values[name] ?? `no-${name}`)
}

t.test('each route is in the table, and the table has no other', async (t) => {
  t.same(
    apiRoutes.map(({ name }) => name).toSorted(),
    Object.keys(table).toSorted(),
    'a new route needs a line that says who may use it',
  )
})

for (const { name, method, path } of apiRoutes) {
  const line = table[name]
  if (!line) continue
  const isScoped = path.includes(':orgId')
  t.test(`${name}: ${line.who}`, async (t) => {
    const wanted = thingsIn(path)
    const shared = {
      own: await world.make(own, wanted),
      foreign: await world.make(foreign, wanted),
    }
    const ask = (bearer: Bearer, values: Readonly<Record<string, string>>) => {
      n += 1
      const json = line.body?.({ n })
      const options = { ...bearer.credential, ...(json ? { json } : {}) }
      return daemon.ask(method, filled(path, values), options)
    }
    for (const bearer of bearers) {
      const answers = new Map<Place, Answer>()
      for (const place of isScoped
        ? (['own', 'foreign', 'unknown'] as const)
        : (['own'] as const)) {
        const [status, code] = promised(line.who, bearer, place)
        const isLetIn = status === 200
        // What is done may only be possible once, so whoever is let in gets a thing of its own.
        const things = isLetIn
          ? await world.make(own, wanted)
          : shared[place === 'own' ? 'own' : 'foreign']
        const one = isLetIn && name === 'auth.logout' ? await freshSession(bearer) : bearer
        const answer = await ask(one, { ...things, orgId: places[place].orgId })
        t.ok(
          answer.status === status,
          `${bearer.name}, ${place}: ${answer.status} is ${status}; ${answer.text}`,
        )
        if (code) t.equal(answer.json.code, code, `${bearer.name}, ${place}`)
        answers.set(place, answer)
        if (isLetIn) await tidy(things)
      }
      const [elsewhere, nowhere] = [answers.get('foreign'), answers.get('unknown')]
      if (!elsewhere || !nowhere) continue
      const same = 'what is foreign looks as if it did not exist'
      t.equal(withoutNames(elsewhere), withoutNames(nowhere), `${bearer.name}: ${same}`)
    }
    if (wanted.length > 0) await foreignThings(t, ask, shared.foreign)
    await tidy(shared.own)
  })
}

/** A thing of another organization, under the own one: no role reaches it, or learns of it. */
async function foreignThings(
  t: Test,
  ask: (bearer: Bearer, values: Readonly<Record<string, string>>) => Promise<Answer>,
  things: Readonly<Record<string, string>>,
): Promise<void> {
  const nothing = Object.fromEntries(
    Object.entries(things).map(([name, id]) => [
      name,
      `${id.slice(0, 4)}01jd0000000000000000000000`,
    ]),
  )
  for (const bearer of bearers.filter(({ role }) => role === 'owner' || role === 'admin')) {
    const elsewhere = await ask(bearer, { ...things, orgId: own.orgId })
    const nowhere = await ask(bearer, { ...nothing, orgId: own.orgId })
    t.ok([404, 403].includes(elsewhere.status), `${bearer.name}: ${elsewhere.status}`)
    t.equal(withoutNames(elsewhere), withoutNames(nowhere), `${bearer.name}: a foreign thing`)
  }
}

async function freshSession(bearer: Bearer): Promise<Bearer> {
  const cookie = await world.login(world.emails[bearer.role ?? 'owner'])
  return { ...bearer, credential: { cookie } }
}

/** Keeps the organization below its quotas. */
async function tidy(things: Readonly<Record<string, string>>): Promise<void> {
  const { cookie } = own
  const kinds = { channelId: 'alert-channels', statusPageId: 'status-pages', keyId: 'api-keys' }
  for (const [name, kind] of Object.entries(kinds)) {
    const id = things[name]
    if (id) await daemon.ask('DELETE', `/api/v1${own.org}/${kind}/${id}`, { cookie })
  }
}

t.test('without a credential nothing answers but what is meant for everybody', async (t) => {
  const open = apiRoutes.filter(({ name }) => table[name]?.who === 'anyone')
  t.same(
    open.map(({ name }) => name),
    ['auth.register', 'auth.login'],
  )
  const raw = [
    ...healthRoutes({ isReady: () => true }),
    ...docsRoutes({ routes: [], rawRoutes: [], baseUrl: '' }),
    metricsRoute({ metrics: createMetrics(), systemToken: undefined }),
    ...pushRoutes,
    ...pageRoutes({ baseUrl: 'http://127.0.0.1', statusDomain: 'status.test' }),
  ]
  t.same(raw.map(({ name }) => name).toSorted(), Object.keys(rawTable).toSorted())
  for (const { name, method } of raw) {
    const [path, status] = rawTable[name] ?? ['', 0]
    const answer = await daemon.ask(method === 'ANY' ? 'GET' : method, path)
    t.equal(answer.status, status, name)
    t.equal(answer.headers.get('set-cookie'), null, name)
  }
})

t.test('metrics are for this machine, or for whoever has the system token', async (t) => {
  const ask = (headers: Record<string, string>) => daemon.ask('GET', '/metrics', { headers })
  t.equal((await ask({ 'x-forwarded-for': '203.0.113.7' })).status, 401)
  t.equal((await ask({ authorization: `Bearer ${own.cookie}` })).status, 401)
  const system = bearers.find(({ kind }) => kind === 'system')?.credential.bearer
  t.equal((await ask({ authorization: `Bearer ${system}` })).status, 200)
})

t.test('each answer of the matrix was held against the description', async (t) => {
  t.ok(daemon.checked > 1_500, `${daemon.checked} answers`)
})
