// Who may do what: every route, with every credential, in the own, a foreign and no organization.
import t from 'tap'
import { ensureConsole } from '../../scripts/console/build.ts'
import { ensureGuide } from '../../scripts/guide/build.ts'
import { createMetrics } from '../../src/base/metrics.ts'
import { apiRoutes } from '../../src/http/api/api.ts'
import { probeRoutes } from '../../src/http/api/probe/probe.ts'
import { consoleRoutes } from '../../src/http/public/console-routes.ts'
import { docsRoutes } from '../../src/http/public/docs.ts'
import { guideRoutes } from '../../src/http/public/guide-routes.ts'
import { healthRoutes } from '../../src/http/public/health.ts'
import { metricsRoute } from '../../src/http/public/metrics.ts'
import { monitorMetricsRoutes } from '../../src/http/public/monitor-metrics.ts'
import { domainAnswerRoute } from '../../src/http/public/pages/domain-answer.ts'
import { pageResources } from '../../src/http/public/pages/page-resources.ts'
import { statusPages } from '../../src/http/public/pages/status-pages.ts'
import { subscriptionPages } from '../../src/http/public/subscriptions.ts'
import { tlsAskRoute } from '../../src/http/public/tls-ask.ts'
import { fontFiles } from '../../src/pages/fonts.ts'
import { readReferenceAssets } from '../../src/pages/reference/reference-assets.ts'
import {
  accentStyle,
  lookStyles,
  pageScript,
  pageStyle,
} from '../../src/pages/status/look/page-assets.ts'
import { styleSheet } from '../../src/pages/style-sheet.ts'
import { probeSecrets } from '../../src/seal/probe-token.ts'
import { proofPath } from '../../src/services/pages/domain-sights.ts'
import type { Answer, AskOptions, Credential } from '../support/api-client.ts'
import type { Owner } from '../support/cast.ts'
import { amount, isDeep } from '../support/depth.ts'
import {
  type Bearer,
  filled,
  openMatrixWorld,
  type RoleName,
  thingsIn,
} from '../support/matrix-world.ts'
import { type Rule, routeTable } from '../support/route-table.ts'

const referenceAssets = readReferenceAssets()

/** Every document below a page, at a page that there is not. */
const ofNobody = pageResources.flatMap(({ name, path }): [string, [string, number]][] => {
  const below = path.replace(/:\w+/g, 'x')
  if (below === '') return []
  return [
    [name, [`/status/nobody${below}`, 404]],
    [`${name}.host`, [below, 404]],
  ]
})

/** What the raw routes answer to whoever brings nothing. */
const rawTable: Readonly<Record<string, [path: string, status: number]>> = {
  ...Object.fromEntries(ofNobody),
  healthz: ['/healthz', 200],
  readyz: ['/readyz', 200],
  metrics: ['/metrics', 200],
  'metrics.monitors': ['/metrics/monitors', 401],
  'metrics.http_sd': ['/metrics/http_sd', 401],
  'api/v1/openapi.json': ['/api/v1/openapi.json', 200],
  docs: ['/docs', 200],
  'docs.operation': ['/docs/monitors.create', 200],
  'docs.css': [referenceAssets.css.path, 200],
  'docs.script': [referenceAssets.script.path, 200],
  problems: ['/problems', 200],
  'problems.one': ['/problems/not_found', 200],
  app: ['/app', 200],
  'app.page': ['/app/incidents', 200],
  'app.file': ['/app/assets/none.AAAAAAAA.js', 404],
  guide: ['/guide', 200],
  'guide.folder': ['/guide/', 200],
  'guide.file': ['/guide/install', 200],
  'tls-ask': ['/internal/tls-ask?domain=other.test', 404],
  'pages.domain-answer': [`${proofPath}/${'0'.repeat(32)}`, 404],
  ...documentsOfNoPage(),
  'pages.events': ['/status/nobody/events', 404],
  'pages.events.host': ['/events', 404],
  'pages.unlock': ['/status/nobody/unlock', 404],
  'pages.unlock.host': ['/unlock', 404],
  'pages.unlock.submit': ['/status/nobody/unlock', 415],
  'pages.unlock.submit.host': ['/unlock', 415],
  'pages.status.slash': ['/status/nobody/', 308],
  'pages.subscribe': ['/status/nobody/subscribe', 404],
  'pages.subscribe.submit': ['/status/nobody/subscribe', 415],
  'pages.subscribe.host': ['/subscribe', 404],
  'pages.subscribe.submit.host': ['/subscribe', 415],
  'subscriptions.ask': ['/subscriptions/nothing', 410],
  'subscriptions.save': ['/subscriptions/nothing', 415],
  'subscriptions.askToLeave': ['/subscriptions/nothing/unsubscribe', 410],
  'subscriptions.leave': ['/subscriptions/nothing/unsubscribe', 200],
  'pages.style': [styleSheet.path, 200],
  'pages.look': [pageStyle.path, 200],
  ...Object.fromEntries(lookStyles.map(({ look, path }) => [`pages.look.${look}`, [path, 200]])),
  'pages.script': [pageScript.path, 200],
  ...Object.fromEntries(fontFiles.map(({ part, path }) => [`pages.font.${part}`, [path, 200]])),
  'pages.draftStyle': ['/assets/draft/nothing', 404],
  'pages.accent': [accentStyle('#ff8800').path, 200],
}

/** Every document of a page, at a page that does not exist, and at a host that is not a page's. */
function documentsOfNoPage(): Record<string, [path: string, status: number]> {
  const lines = pageResources.flatMap(({ name, path }) => {
    const asked = path.replaceAll(/:\w+/g, 'nothing')
    const below = [name, [`/status/nobody${asked}`, 404]] as const
    return path === '' ? [below] : [below, [`${name}.host`, [asked, 404]] as const]
  })
  return Object.fromEntries(lines.map(([name, [path, status]]) => [name, [path, status]]))
}

/** What ends or replaces sessions is done by somebody whom no other line needs. */
const endsSessions: ReadonlySet<string> = new Set([
  ...['auth.logout', 'auth.endSession', 'auth.reauthenticate', 'auth.changePassword'],
])
const dora = 'dora@example.com'

/** What answers 200 without an entry in the audit log: nothing was changed by it. */
const unaudited: ReadonlySet<string> = new Set([
  // It runs already, and stays as it is.
  'monitors.resume',
  // Nothing has that tag.
  ...['monitors.changeMany', 'monitors.removeMany'],
  // A check and a report are records of their own.
  ...['monitors.run', 'monitors.checkMany', 'system.reportError'],
  // Noted in the log of the organization that it makes.
  'orgs.create',
  // A file for an import changes nothing, and goes by itself.
  'uploads.begin',
  // Only a changed state is noted.
  'custom-domains.verify',
  // Without tests it only answers, as do a simulation, a preview and a trial.
  ...['monitors.testAlerts', 'monitors.simulate', 'status-pages.preview'],
  'incidents.previewPostmortem',
  ...[
    'orgs.tryImport',
    'subscribers.tryImport',
    'imports.tryUndo',
    'orgs.convert',
    'orgs.fetchForeign',
    'monitors.convertSteps',
    'monitors.convertScript',
  ],
  // Nobody has the address that is asked for.
  'auth.forgotPassword',
  // Only what counts as new for the person who looked is another.
  'activity.see',
  'user.changePreferences',
])

/** Each of their answers takes a process: in the usual run one session and one key get one. */
const dear: ReadonlySet<string> = new Set([
  ...['orgs.convert', 'monitors.convertSteps', 'monitors.convertScript'],
])

type Place = 'own' | 'foreign' | 'unknown'
const ranks: readonly RoleName[] = ['viewer', 'member', 'admin', 'owner']

/** The status and the code that the table promises; 200 where the caller is let in. */
function promised(rule: Rule, { kind, role }: Bearer, place: Place): [number, string?] {
  if (rule === 'anyone') return [200]
  const isFree = rule === 'anyone, without a wrong credential'
  if (isFree && kind !== 'invalid') return [200]
  if (kind === 'none' || kind === 'invalid') return [401, 'unauthenticated']
  if (rule === 'the operator') return kind === 'system' ? [200] : [403, 'forbidden']
  if (rule === 'any credential') return kind === 'system' ? [401, 'unauthenticated'] : [200]
  const isPerson = kind === 'session' || kind === 'old session'
  if (rule === 'a person' || rule === 'a person by header') {
    return isPerson ? [200] : [403, 'forbidden']
  }
  if (rule === 'a person just signed in') {
    if (kind === 'old session') return [403, 'reauthentication_required']
    return isPerson ? [200] : [403, 'forbidden']
  }
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

t.test('each route is in the table, and the table has no other', async (t) => {
  t.same(
    apiRoutes.map(({ name }) => name).toSorted(),
    Object.keys(routeTable).toSorted(),
    'a new route needs a line that says who may use it',
  )
})

const ofKinds = (...kinds: readonly Bearer['kind'][]) =>
  bearers.filter(({ kind }) => kinds.includes(kind))

/** So many of them in the usual run, others at each route; all of them in a deep run. */
function inTurn(some: readonly Bearer[], routeNo: number, usual: number): readonly Bearer[] {
  const count = amount(usual, some.length)
  return some.filter((_, at) => (at + routeNo) % some.length < count)
}

/**
 * Who asks in the own organization: each role, by a session and by a key, which comes in one of its two
 * places; and some of the credentials that are wrong.
 */
function insiders(routeNo: number): readonly Bearer[] {
  const isHere = (_: Bearer, at: number) => (at + routeNo) % 2 < amount(1, 2)
  return [
    ...ofKinds('session', 'old session', 'system', 'none'),
    ...ofKinds('key').filter(isHere),
    ...inTurn(ofKinds('invalid'), routeNo, 2),
  ]
}

/** Who asks in an organization that is foreign to all, and in none. */
function strangers(routeNo: number): readonly Bearer[] {
  return [
    ...inTurn(ofKinds('session', 'old session', 'key', 'system'), routeNo, 2),
    ...inTurn(ofKinds('none', 'invalid'), routeNo, 1),
  ]
}

for (const [routeNo, { name, method, path, spec, creates }] of apiRoutes.entries()) {
  const line = routeTable[name]
  if (!line) continue
  const isScoped = path.startsWith('/api/v1/orgs/:orgId')
  t.test(`${name}: ${line.who}`, async (t) => {
    const wanted = thingsIn(path)
    // One assertion for what thousands of answers have to be: each costs as much as an answer.
    const wrong: string[] = []
    const expect = (isRight: boolean, what: string) => {
      if (!isRight) wrong.push(what)
    }
    const shared = {
      own: await world.make(own, wanted),
      foreign: await world.make(foreign, wanted),
    }
    const ask = (bearer: Bearer, values: Readonly<Record<string, string>>) => {
      n += 1
      const json = line.body?.({ n, memberId: world.memberId })
      const credential =
        line.who === 'a person by header' ? byHeader(bearer.credential) : bearer.credential
      // What makes something makes it also for those who may ask twice.
      const headers = creates ? { 'idempotency-key': `matrix-${n}` } : {}
      const { bytes } = line
      const asBytes = { ...headers, 'content-type': 'application/octet-stream' }
      const sent = bytes === undefined ? { headers } : { headers: asBytes, body: 'x' }
      const options = { ...sent, ...credential, ...(json ? { json } : {}) }
      return daemon.ask(method, filled(path, values) + (bytes ?? ''), options)
    }
    const isAnswered = (bearer: Bearer) => promised(line.who, bearer, 'own')[0] === 200
    const answered = insiders(routeNo).filter(isAnswered)
    const few = ['session', 'key'].map((of) => answered.findLast(({ kind }) => kind === of))
    const isSpared = (bearer: Bearer) =>
      !isDeep && dear.has(name) && answered.includes(bearer) && !few.includes(bearer)
    const inside = insiders(routeNo).filter((bearer) => !isSpared(bearer))
    const outside = isScoped ? strangers(routeNo) : []
    for (const bearer of bearers) {
      const answers = new Map<Place, Answer>()
      for (const place of Object.keys(places) as Place[]) {
        if (!(place === 'own' ? inside : outside).includes(bearer)) continue
        const promise = promised(line.who, bearer, place)
        const isLetIn = promise[0] === 200
        const [status, code] = isLetIn ? (line.told ?? promise) : promise
        // What is done may only be possible once, so whoever may change a thing gets one of its own.
        const isForOne = isLetIn && method !== 'GET'
        const things = isForOne
          ? await world.make(own, wanted)
          : shared[place === 'own' ? 'own' : 'foreign']
        const one = isLetIn && endsSessions.has(name) ? await freshSession(bearer) : bearer
        if (isLetIn && name === 'kyc.verify') await world.withdraw(bearer.credential.cookie ?? '')
        const isChange = isLetIn && method !== 'GET' && bearer === bearers[0]
        const noted = isChange ? await entriesNoted() : 0
        const isItsEnd = isLetIn && name === 'orgs.remove'
        const { orgId } = isItsEnd ? await anotherOf(bearer) : places[place]
        const answer = await ask(one, { ...things, orgId })
        if (isChange && answer.status === 200 && !unaudited.has(name)) {
          expect((await entriesNoted()) > noted, 'the audit log has no entry of it')
        }
        expect(
          answer.status === status,
          `${bearer.name}, ${place}: ${answer.status}, not ${status}; ${answer.text.slice(0, 200)}`,
        )
        // A page is refused with a page, which has words in place of a code.
        const isPage = spec.plain?.contentType === 'text/html'
        if (code && !isPage) {
          const got = answer.json.code
          expect(got === code, `${bearer.name}, ${place}: ${got}, not ${code}`)
        }
        answers.set(place, answer)
        if (isForOne) await tidy(own, things)
      }
      const [elsewhere, nowhere] = [answers.get('foreign'), answers.get('unknown')]
      if (!elsewhere || !nowhere) continue
      expect(
        withoutNames(elsewhere) === withoutNames(nowhere),
        `${bearer.name}: what is foreign looks other than what does not exist`,
      )
    }
    if (wanted.length > 0) await foreignThings(routeNo, expect, ask, shared.foreign)
    await tidy(own, shared.own)
    await tidy(foreign, shared.foreign)
    t.same(wrong, [])
  })
}

/** An organization that nobody needs, of somebody who may found one. */
async function anotherOf({ credential }: Bearer): Promise<{ readonly orgId: string }> {
  const made = await daemon.need('POST', '/orgs', { ...credential, json: { name: 'Brief' } })
  return { orgId: made.id }
}

/** A session in the header of its name, where the cookie does not count. */
function byHeader({ cookie, ...keys }: Credential): AskOptions {
  return cookie === undefined ? keys : { headers: { 'auth-token': cookie } }
}

/** How many entries the logs of the own organization and of the service have had. */
async function entriesNoted(): Promise<number> {
  const system = bearers.find(({ kind }) => kind === 'system')?.credential
  const [ofOrg, ofAll] = await Promise.all([
    daemon.need('GET', `${own.org}/audit-log?limit=1`, { cookie: own.cookie }),
    daemon.need('GET', '/system/audit-log?limit=1', system),
  ])
  return (ofOrg[0]?.sequence ?? 0) + (ofAll[0]?.sequence ?? 0)
}

/** A thing of another organization, under the own one: no role reaches it, or learns of it. */
async function foreignThings(
  routeNo: number,
  expect: (isRight: boolean, what: string) => void,
  ask: (bearer: Bearer, values: Readonly<Record<string, string>>) => Promise<Answer>,
  things: Readonly<Record<string, string>>,
): Promise<void> {
  const nothing = Object.fromEntries(
    Object.entries(things).map(([name, id]) => [
      name,
      `${id.slice(0, 4)}01jd0000000000000000000000`,
    ]),
  )
  const mighty = bearers.filter(({ role }) => role === 'owner' || role === 'admin')
  for (const bearer of inTurn(mighty, routeNo, 2)) {
    const elsewhere = await ask(bearer, { ...things, orgId: own.orgId })
    const nowhere = await ask(bearer, { ...nothing, orgId: own.orgId })
    expect([404, 403].includes(elsewhere.status), `${bearer.name}: ${elsewhere.status}`)
    const isHidden = withoutNames(elsewhere) === withoutNames(nowhere)
    expect(isHidden, `${bearer.name}: a foreign thing is told from none`)
  }
}

async function freshSession(bearer: Bearer): Promise<Bearer> {
  return { ...bearer, credential: { cookie: await world.login(dora) } }
}

/** Keeps an organization below its quotas. */
async function tidy(
  { org, cookie }: Owner,
  things: Readonly<Record<string, string>>,
): Promise<void> {
  const kinds = {
    channelId: 'alert-channels',
    statusPageId: 'status-pages',
    maintenanceId: 'maintenance-windows',
    keyId: 'api-keys',
    locationId: 'locations',
  }
  for (const [name, kind] of Object.entries(kinds)) {
    const id = things[name]
    if (id) await daemon.ask('DELETE', `/api/v1${org}/${kind}/${id}`, { cookie })
  }
}

t.test('the routes of remote probes are for probes alone, and these have no others', async (t) => {
  const { cookie } = own
  const { id } = await daemon.need('POST', '/orgs', { cookie, json: { name: 'Far' } })
  const places = `/orgs/${id}/locations`
  const place = await daemon.need('POST', places, { cookie, json: { name: 'Oslo' } })
  const probes = `${places}/${place.id}/probes`
  const { token } = await daemon.need('POST', probes, { cookie, json: { name: 'oslo-1' } })
  daemon.secrets.add(token)
  const { auth } = probeSecrets(token)
  const [first] = probeRoutes
  for (const { method, path } of probeRoutes) {
    const json = method === 'GET' ? {} : { json: {} }
    for (const { name, credential } of bearers) {
      const answer = await daemon.ask(method, path, { ...json, ...credential })
      t.equal(answer.status, 401, `${path}: ${name}`)
    }
    const byToken = await daemon.ask(method, path, { ...json, bearer: token })
    t.equal(byToken.status, 401, `${path}: the token itself`)
    const answer = await daemon.ask(method, path, { ...json, bearer: auth })
    t.ok([409, 422].includes(answer.status), `${path}: ${answer.status}`)
  }
  for (const path of [`/api/v1${own.org}`, '/api/v1/user', '/api/v1/system/info']) {
    t.equal((await daemon.ask('GET', path, { bearer: auth })).status, 401, path)
  }
  const post = async (path: string) => (await daemon.ask('POST', path, { cookie })).status
  t.equal(await post('/api/v1/probe/plan'), 405)
  t.ok(first && apiRoutes.every(({ path }) => path !== first.path), 'no part of the reference')
})

t.test('without a credential only public routes answer', async (t) => {
  await Promise.all([ensureConsole(), ensureGuide()])
  const open = apiRoutes.filter(({ name }) => routeTable[name]?.who === 'anyone')
  t.same(
    open.map(({ name }) => name),
    [
      ...['auth.register', 'auth.login', 'auth.confirmLogin', 'auth.forgotPassword'],
      ...['auth.resetPasswordPage', 'auth.resetPassword', 'auth.verifyEmailPage'],
      ...['auth.verifyEmail', 'auth.changeEmailPage', 'auth.changeEmail'],
      ...['passkeys.beginSignIn', 'passkeys.signIn'],
      ...['oidc.list', 'oidc.start', 'oidc.callback', 'oidc.confirm'],
      ...['magic-link.request', 'magic-link.callback', 'magic-link.verify'],
      'shadow.hear',
      ...['invites.look', 'invites.page', 'invites.join'],
      ...['push.report', 'push.reportByGet', 'push.word', 'push.wordByGet', 'kyc.callback'],
    ],
  )
  const raw = [
    ...healthRoutes({ isReady: () => true }),
    ...docsRoutes({ routes: [], baseUrl: '', version: '' }),
    ...consoleRoutes({ isOwnHost: () => true }),
    ...guideRoutes(),
    metricsRoute({ metrics: createMetrics(), isSystemToken: () => false }),
    ...monitorMetricsRoutes({ isSystemToken: () => false }),
    tlsAskRoute({
      isSystemToken: () => false,
      isTrustedProxy: () => false,
      mayHaveCertificate: () => false,
    }),
    domainAnswerRoute(() => null),
    ...statusPages({
      baseUrl: 'http://127.0.0.1',
      isBaseGuessed: false,
      isPageHost: () => false,
    }).routes,
    ...subscriptionPages,
  ]
  t.same(raw.map(({ name }) => name).toSorted(), Object.keys(rawTable).toSorted())
  for (const { name, method = 'GET' } of raw) {
    const [path, status] = rawTable[name] ?? ['', 0]
    const answer = await daemon.ask(method, path)
    t.equal(answer.status, status, name)
    t.equal(answer.headers.get('set-cookie'), null, name)
  }
})

t.test('metrics are for this machine, and for holders of the system token', async (t) => {
  const ask = (headers: Record<string, string>) => daemon.ask('GET', '/metrics', { headers })
  t.equal((await ask({ 'x-forwarded-for': '203.0.113.7' })).status, 401)
  t.equal((await ask({ authorization: `Bearer ${own.cookie}` })).status, 401)
  const system = bearers.find(({ kind }) => kind === 'system')?.credential.bearer
  t.equal((await ask({ authorization: `Bearer ${system}` })).status, 200)
})

t.test('each response of the matrix was compared with the description', async (t) => {
  t.ok(daemon.checked > 1_500, `${daemon.checked} answers`)
})
