// Who may do what: every route, with every credential, in the own, a foreign and no organization.
import t, { type Test } from 'tap'
import { createMetrics } from '../../src/base/metrics.ts'
import { apiRoutes } from '../../src/http/api/api.ts'
import { docsRoutes } from '../../src/http/public/docs.ts'
import { healthRoutes } from '../../src/http/public/health.ts'
import { metricsRoute } from '../../src/http/public/metrics.ts'
import { pageRoutes } from '../../src/http/public/pages.ts'
import { styleSheet } from '../../src/pages/style-sheet.ts'
import type { Answer, AskOptions, Credential } from '../support/api-client.ts'
import { password } from '../support/cast.ts'
import { person } from '../support/kyc-person.ts'
import { type Bearer, openMatrixWorld, type RoleName } from '../support/matrix-world.ts'

/** Who is let in. This table is the promise; the routes have to keep it. */
type Rule =
  | 'anyone'
  | 'any credential'
  | 'anyone, without a wrong credential'
  | 'the operator'
  | 'a person'
  | 'a person just signed in'
  | 'a person by header'
  | RoleName
  | `${RoleName} in person`
  | `${RoleName} just signed in`

interface Line {
  readonly who: Rule
  /** The least that is accepted. */
  readonly body?: (world: { n: number }) => object
  /** What whoever is let in is told, where it is no success that can be had here. */
  readonly told?: readonly [status: number, code?: string]
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
  'auth.sessions': { who: 'a person' },
  'auth.endSession': { who: 'a person' },
  'auth.reauthenticate': { who: 'a person', body: () => ({ password }) },
  'auth.forgotPassword': { who: 'anyone', body: () => ({ email: 'nobody@example.com' }) },
  'auth.resetPasswordPage': { who: 'anyone', told: [410] },
  'auth.resetPassword': {
    who: 'anyone',
    body: () => ({ token: 'no-token', password }),
    told: [410, 'link_expired'],
  },
  'auth.changePassword': {
    who: 'a person',
    body: () => ({ currentPassword: password, newPassword: password }),
  },
  'auth.verifyEmailPage': { who: 'anyone', told: [410] },
  'auth.verifyEmail': {
    who: 'anyone',
    body: () => ({ token: 'no-token' }),
    told: [410, 'link_expired'],
  },
  'auth.resendVerification': { who: 'a person' },
  'auth.changeEmailPage': { who: 'anyone', told: [410] },
  'auth.changeEmail': {
    who: 'anyone',
    body: () => ({ token: 'no-token' }),
    told: [410, 'link_expired'],
  },
  'magic-link.request': {
    who: 'anyone',
    body: ({ n }) => ({ email: `no-${n}@example.com`, redirectUri: '/' }),
  },
  'magic-link.callback': { who: 'anyone', told: [410] },
  'magic-link.verify': {
    who: 'anyone',
    body: () => ({ token: 'no-token' }),
    told: [410, 'link_expired'],
  },
  'user.get': { who: 'a person' },
  'user.change': { who: 'a person', body: ({ n }) => ({ name: `Me ${n}` }) },
  // Each of them owns an organization alone.
  'user.remove': { who: 'a person just signed in', told: [409, 'conflict'] },
  'user.organizations': { who: 'a person' },
  'user.referrals': { who: 'a person' },
  'user.changeReferralCode': { who: 'a person', body: () => ({}) },
  'oidc.list': { who: 'anyone' },
  // No provider is set up here.
  'oidc.start': { who: 'anyone', told: [404] },
  'oidc.callback': { who: 'anyone', told: [404] },
  'oidc.confirm': { who: 'anyone', body: () => ({ totp: '000000' }), told: [404] },
  'totp.enrol': { who: 'a person just signed in' },
  'totp.confirm': {
    who: 'a person',
    body: () => ({ code: '000000' }),
    told: [401, 'invalid_credentials'],
  },
  'totp.turnOff': {
    who: 'a person just signed in',
    body: () => ({ code: '000000' }),
    told: [409, 'conflict'],
  },
  'orgs.create': { who: 'a person', body: () => ({ name: 'Another' }) },
  'orgs.list': { who: 'any credential' },
  'orgs.get': { who: 'viewer' },
  'orgs.change': { who: 'admin', body: () => ({ name: 'Renamed' }) },
  'orgs.remove': { who: 'owner just signed in' },
  'orgs.summary': { who: 'viewer' },
  'orgs.export': { who: 'admin' },
  'orgs.import': { who: 'admin', body: () => ({ format: 'stillup/1' }) },
  'api-keys.create': { who: 'admin just signed in', body: () => ({ name: 'k' }) },
  'api-keys.list': { who: 'viewer in person' },
  'api-keys.change': { who: 'admin just signed in', body: () => ({ name: 'other' }) },
  'api-keys.rotate': { who: 'admin just signed in' },
  'api-keys.revoke': { who: 'admin in person' },
  'members.list': { who: 'viewer in person' },
  'members.change': {
    who: 'admin just signed in',
    // Another role each time, so that there is something to change.
    body: ({ n }) => ({ userId: world.memberId, role: n % 2 === 0 ? 'member' : 'viewer' }),
  },
  // Whoever is no admin may still leave.
  'members.remove': { who: 'admin just signed in' },
  'orgs.transfer': {
    who: 'owner just signed in',
    body: () => ({ userId: 'usr_01jd0000000000000000000000' }),
    told: [404, 'not_found'],
  },
  'invites.create': {
    who: 'admin just signed in',
    body: ({ n }) => ({ email: `guest-${n}@example.com` }),
  },
  'invites.list': { who: 'admin in person' },
  'invites.revoke': { who: 'admin in person' },
  'invites.look': { who: 'anyone', told: [410, 'link_expired'] },
  'invites.page': { who: 'anyone', told: [410] },
  'invites.join': {
    who: 'anyone',
    body: () => ({ password }),
    told: [410, 'link_expired'],
  },
  'invites.accept': { who: 'a person', told: [410, 'link_expired'] },
  'audit-log.list': { who: 'admin' },
  'audit-log.verify': { who: 'admin' },
  'audit-log.export': { who: 'admin' },
  'system.info': { who: 'the operator' },
  'system.auditLog': { who: 'the operator' },
  'system.verifyAuditLog': { who: 'the operator' },
  'system.exportAuditLog': { who: 'the operator' },
  'system.errors': { who: 'the operator' },
  'system.reportError': {
    who: 'anyone, without a wrong credential',
    body: () => ({ message: 'It broke' }),
  },
  'system.tasks': { who: 'the operator' },
  'system.runTask': { who: 'the operator' },
  'system.users': { who: 'the operator' },
  'system.changeUser': { who: 'the operator', body: () => ({ isDisabled: true }) },
  'system.orgs': { who: 'the operator' },
  'system.changeOrg': { who: 'the operator', body: () => ({ quotas: { keys: 20 } }) },
  'kyc.verify': { who: 'a person by header', body: () => person },
  'kyc.status': { who: 'a person by header' },
  'kyc.erase': { who: 'a person by header' },
  'kyc.list': { who: 'the operator' },
  'kyc.get': { who: 'the operator' },
  'kyc.decide': { who: 'the operator', body: () => ({ decision: 'review' }) },
  'monitors.list': { who: 'viewer' },
  'monitors.create': { who: 'member', body: () => ({ name: 'm', url }) },
  'monitors.test': { who: 'member', body: () => ({ name: 'm', url, timeoutMs: 500 }) },
  'monitors.createMany': { who: 'member', body: () => ({ monitors: [{ name: 'm', url }] }) },
  'monitors.changeMany': { who: 'member', body: () => ({ tag: 'none', isActive: false }) },
  'monitors.removeMany': { who: 'member', body: () => ({ tag: 'none' }) },
  'monitors.get': { who: 'viewer' },
  'monitors.run': { who: 'member' },
  'monitors.change': { who: 'member', body: () => ({ name: 'other' }) },
  'monitors.remove': { who: 'member' },
  'monitors.pause': { who: 'member' },
  'monitors.resume': { who: 'member' },
  'monitors.checks': { who: 'viewer' },
  // What the target itself said is null for them: see http/api/monitors.
  'monitors.latest': { who: 'viewer' },
  'events.open': { who: 'viewer' },
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
  'push.report': { who: 'anyone', told: [404, 'not_found'] },
  'push.reportByGet': { who: 'anyone', told: [404, 'not_found'] },
  'push.word': { who: 'anyone', told: [404, 'not_found'] },
  'push.wordByGet': { who: 'anyone', told: [404, 'not_found'] },
  'kyc.callback': { who: 'anyone', told: [404, 'not_found'] },
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
  'pages.status': ['/status/nobody', 404],
  'pages.style': [styleSheet.path, 200],
  'pages.subdomain': ['/', 404],
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
  ...['monitors.run', 'system.reportError'],
  // Noted in the log of the organization that it makes.
  'orgs.create',
  // Nobody has the address that is asked for.
  'auth.forgotPassword',
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

function thingsIn(path: string): string[] {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  // A token is nobody's thing: there it is one that leads nowhere.
  return names.filter((name) => !['orgId', 'token', 'word', 'provider'].includes(name))
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
  const isScoped = path.startsWith('/api/v1/orgs/:orgId')
  t.test(`${name}: ${line.who}`, async (t) => {
    const wanted = thingsIn(path)
    const shared = {
      own: await world.make(own, wanted),
      foreign: await world.make(foreign, wanted),
    }
    const ask = (bearer: Bearer, values: Readonly<Record<string, string>>) => {
      n += 1
      const json = line.body?.({ n })
      const credential =
        line.who === 'a person by header' ? byHeader(bearer.credential) : bearer.credential
      const options = { ...credential, ...(json ? { json } : {}) }
      return daemon.ask(method, filled(path, values), options)
    }
    for (const bearer of bearers) {
      const answers = new Map<Place, Answer>()
      for (const place of isScoped
        ? (['own', 'foreign', 'unknown'] as const)
        : (['own'] as const)) {
        const promise = promised(line.who, bearer, place)
        const isLetIn = promise[0] === 200
        const [status, code] = isLetIn ? (line.told ?? promise) : promise
        // What is done may only be possible once, so whoever is let in gets a thing of its own.
        const things = isLetIn
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
          t.ok((await entriesNoted()) > noted, 'the audit log has an entry of it')
        }
        t.ok(
          answer.status === status,
          `${bearer.name}, ${place}: ${answer.status} is ${status}; ${answer.text.slice(0, 200)}`,
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
  return { ...bearer, credential: { cookie: await world.login(dora) } }
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

t.test('without a credential only public routes answer', async (t) => {
  const open = apiRoutes.filter(({ name }) => table[name]?.who === 'anyone')
  t.same(
    open.map(({ name }) => name),
    [
      ...['auth.register', 'auth.login', 'auth.forgotPassword'],
      ...['auth.resetPasswordPage', 'auth.resetPassword', 'auth.verifyEmailPage'],
      ...['auth.verifyEmail', 'auth.changeEmailPage', 'auth.changeEmail'],
      ...['oidc.list', 'oidc.start', 'oidc.callback', 'oidc.confirm'],
      ...['magic-link.request', 'magic-link.callback', 'magic-link.verify'],
      ...['invites.look', 'invites.page', 'invites.join'],
      ...['push.report', 'push.reportByGet', 'push.word', 'push.wordByGet', 'kyc.callback'],
    ],
  )
  const raw = [
    ...healthRoutes({ isReady: () => true }),
    ...docsRoutes({ routes: [], baseUrl: '' }),
    metricsRoute({ metrics: createMetrics(), systemToken: undefined }),
    ...pageRoutes({ baseUrl: 'http://127.0.0.1', statusDomain: 'status.test' }),
  ]
  t.same(raw.map(({ name }) => name).toSorted(), Object.keys(rawTable).toSorted())
  for (const { name } of raw) {
    const [path, status] = rawTable[name] ?? ['', 0]
    const answer = await daemon.ask('GET', path)
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
