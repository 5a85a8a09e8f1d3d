// What one caller can cost all others: each operation with its most expensive bodies and parameters,
// one by one and many at once, in an organization that is as full as it may be.
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { limits } from '../../src/domain/limits/limits.ts'
import { apiRoutes } from '../../src/http/api/api.ts'
import type { Route } from '../../src/http/routing/route.ts'
import type { Credential } from '../support/api-client.ts'
import { createContract } from '../support/api-contract.ts'
import { mintKey, register } from '../support/cast.ts'
import { type DaemonProcess, startProcess } from '../support/daemon-process.ts'
import { amount, isDeep, patient, testSeed } from '../support/depth.ts'
import { createExpensive } from '../support/expensive.ts'
import { loopTurns, watchedEnv } from '../support/loop-turns.ts'
import { createMaker, filled, type Things } from '../support/matrix-world.ts'
import { startReceiver } from '../support/receiver.ts'
import { routeTable } from '../support/route-table.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { startTarget } from '../support/target.ts'
import { testFolder } from '../support/test-folder.ts'

/** The longest turn of the event loop that requests may cause, in processor time. */
const turnMsMax = patient(100)
const answerBytesMax = 16 * 1024 * 1024
const atOnce = amount(20, 100)
/** On loopback bodies arrive faster than over any network: receiving them is not what this is about. */
const bytesAtOnce = amount(8, 64) * 1024 * 1024

const victimIntervalMs = 10_000
const skip = !isDeep && 'a matter of quantity: in deep runs'
const everyMonitor = { tag: 'every monitor has it' }
const { document } = createContract()
/** The largest bodies are tried in a deep run. */
const sizeMax = isDeep ? 16 * 1024 * 1024 : 512 * 1024
const expensive = createExpensive(document, sizeMax)
const dir = testFolder(t)
const socket = join(dir, 'loop.sock')
const [target, receiver] = await Promise.all([startTarget(), startReceiver()])
t.teardown(() => Promise.all([target.close(), receiver.close()]))

/** What is left to the limits of rates is tried without them first, and then with them. */
function start(rates: '0' | '1000000'): DaemonProcess {
  return startProcess(t, dir, {
    ...watchedEnv(socket),
    STILLUP_HTTP_RATE_API_PER_MINUTE: rates,
    STILLUP_HTTP_RATE_PUSH_PER_MINUTE: rates,
    STILLUP_AUTH_REGISTRATION: 'open',
    STILLUP_CHECKS_TARGETS: 'any',
    STILLUP_CHECKS_PER_HOST: '100',
    STILLUP_QUOTAS_MONITORS: '1000',
    STILLUP_QUOTAS_CHANNELS: '1000',
    STILLUP_QUOTAS_PAGES: '500',
    STILLUP_QUOTAS_KEYS: '500',
    STILLUP_QUOTAS_MAINTENANCE: '500',
    STILLUP_QUOTAS_MEMBERS: '500',
    SYSTEM_TOKEN: 'the-token-of-the-operator',
  })
}

let daemon = start('0')
await daemon.ready()
const mallory = await register(daemon, 'mallory')
const victim = await register(daemon, 'victim')
// Her sessions are ended and replaced by what is tried.
const dora = await register(daemon, 'dora')
const keys: Readonly<Record<string, string>> = {
  admin: await mintKey(daemon, mallory, 'admin'),
  member: await mintKey(daemon, mallory, 'member'),
  viewer: await mintKey(daemon, mallory, 'viewer'),
}

const { org, cookie } = mallory
await daemon.need('POST', `${victim.org}/monitors/bulk`, {
  cookie: victim.cookie,
  json: {
    monitors: Array.from({ length: 60 }, (_, at) => ({
      name: `Watched ${at}`,
      url: target.url,
      intervalSeconds: victimIntervalMs / 1_000,
    })),
  },
})
await fillOrganization()

/** Monitors, windows, incidents and pages that make lists and sums of them long. */
async function fillOrganization(): Promise<void> {
  const tags = Array.from({ length: 15 }, (_, at) => (at === 0 ? everyMonitor.tag : `tag ${at}`))
  const common = {
    url: target.url,
    intervalMinutes: 1_440,
    body: 'b'.repeat(4_000),
    method: 'POST',
    isPublic: true,
  }
  const names = Array.from({ length: 150 }, (_, at) => `Heavy ${at}`)
  const monitors = names.map((name) => ({ ...common, tags, name }))
  const { ids: publicMonitorIds } = await daemon.need('POST', `${org}/monitors/bulk`, {
    cookie,
    json: { monitors },
  })
  const times = [
    { cron: '* * * * *', durationMinutes: 1 },
    { cron: '0 0 29 2 1', durationMinutes: 1_440 },
  ]
  for (const [at, tag] of tags.entries()) {
    const json = { name: tag, tags: [tag], timezone: 'Antarctica/Troll', ...times[at % 2] }
    await daemon.ask('POST', `/api/v1${org}/maintenance-windows`, { cookie, json })
  }
  const message = '**a _'.repeat(700)
  for (let at = 0; at < 5; at += 1) {
    const json = { title: `Incident ${at}`, message, isPublic: true }
    const { id } = await daemon.need('POST', `${org}/incidents`, { cookie, json })
    for (let update = 0; update < 20; update += 1) {
      await daemon.need('POST', `${org}/incidents/${id}/updates`, { cookie, json: { message } })
    }
  }
  const json = { name: 'Full', slug: 'full', publicMonitorIds }
  await daemon.need('POST', `${org}/status-pages`, { cookie, json })
}

/** A request of an operation: what is expensive of it, and the rest as it is accepted. */
interface Call {
  readonly what: string
  readonly query: string
  readonly json: object | string | undefined
}

/** What is expensive because of what it is about, which a schema cannot tell. */
const meant: Readonly<Record<string, readonly object[]>> = {
  'monitors.changeMany': [
    { ...everyMonitor, addTags: ['one more'] },
    { ...everyMonitor, isActive: false },
    { ...everyMonitor, isActive: true },
  ],
  'monitors.createMany': [manyMonitors(400)],
  'orgs.import': [{ format: 'stillup/1', ...manyMonitors(200) }],
  'orgs.tryImport': [{ format: 'stillup/1', ...manyMonitors(400) }],
}

/** As many as fit beside those that are there, each with all that one may have. */
function manyMonitors(count: number): object {
  const assertions = Array.from({ length: limits.assertionsMax }, (_, at) => ({
    source: 'json',
    path: `$..*[?@.a == ${at}]`,
    type: 'exists',
  }))
  const tags = Array.from({ length: limits.tagsMax }, (_, at) => `t${at}`)
  const one = { url: target.url, intervalMinutes: 1_440, assertions, tags, isActive: false }
  const monitors = Array.from({ length: count }, (_, at) => ({ ...one, name: `Full ${at}` }))
  return { monitors }
}

function callsOf(route: Route): readonly Call[] {
  const template = route.path.replaceAll(/:(\w+)/g, '{$1}')
  const { parameters = [], requestBody } = document.paths[template][route.method.toLowerCase()]
  const example = routeTable[route.name]?.body?.({ n: 1, memberId: mallory.userId })
  const base = requestBody ? { ...route.spec.example, ...example } : undefined
  const calls: Call[] = [{ what: 'as usual', query: '', json: base }]
  for (const { in: place, name, schema } of parameters) {
    if (place !== 'query') continue
    for (const value of expensive.values(name, schema)) {
      const query = `?${new URLSearchParams({ [name]: String(value).slice(0, 4_000) })}`
      calls.push({ what: query.slice(0, 80), query, json: base })
    }
  }
  if (!base) return calls
  for (const json of meant[route.name] ?? []) {
    calls.push({ what: JSON.stringify(json).slice(0, 80), query: '', json })
  }
  const { schema } = requestBody.content['application/json']
  const bytesMax = Math.min(sizeMax, route.spec.bodyBytesMax ?? limits.bodyBytesMax)
  for (const { field, body } of expensive.bodies(schema, base, bytesMax)) {
    calls.push({ what: field, query: '', json: body })
  }
  for (const text of expensive.texts(schema, bytesMax)) {
    calls.push({ what: `${text.slice(0, 30)}…`, query: '', json: text })
  }
  return calls
}

function credentialFor({ name, path }: Route): Credential {
  const who = routeTable[name]?.who ?? 'anyone'
  if (who.startsWith('anyone')) return {}
  if (!path.includes('/orgs/:orgId')) return { cookie: dora.cookie }
  const key = keys[who]
  return key === undefined ? { cookie } : { key }
}

/** From nobody to the owner, whether or not they are let in. */
const everyRole: readonly Credential[] = [
  {},
  ...['viewer', 'member', 'admin'].map((role) => ({ key: keys[role] ?? '' })),
  { cookie },
]

/** What requests cost the daemon. */
interface Cost {
  readonly name: string
  readonly what: string
  /** Each status that was answered. */
  readonly statuses: string
  readonly turnMs: number
  readonly allMs: number
  readonly answerBytes: number
}

const costs: Cost[] = []

/** Sends a request once for each of the callers, all at once. */
async function costOf(
  route: Route,
  call: Call,
  things: Things,
  callers: readonly Credential[],
): Promise<Cost> {
  const path = filled(route.path, things)
  const body = call.json ? textOf(call.json) : undefined
  await loopTurns(socket)
  const answers = await Promise.all(
    // A refused body is not read to its end, which breaks the connection.
    callers.map((caller) =>
      ask(route.method, path + call.query, caller, body).catch(() => ({
        status: 0,
        bytes: 0,
      })),
    ),
  )
  const { longestMs, allMs } = await loopTurns(socket)
  const cost = {
    name: route.name,
    what: call.what,
    statuses: [...new Set(answers.map(({ status }) => status))].join(' '),
    turnMs: longestMs,
    allMs,
    answerBytes: Math.max(...answers.map(({ bytes }) => bytes)),
  }
  costs.push(cost)
  return cost
}

const textOf = (json: object | string) => (typeof json === 'string' ? json : JSON.stringify(json))

/** Sends a request and does not look at the answer: what the test does meanwhile is not free either. */
async function ask(
  method: string,
  path: string,
  { key, cookie: session }: Credential,
  body: string | undefined,
) {
  const response = await fetch(daemon.url + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(session === undefined ? {} : { cookie: `auth-token=${session}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  })
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return { status: response.status, bytes: 0 }
  }
  const bytes = (await response.arrayBuffer()).byteLength
  return { status: response.status, bytes }
}

/** They would end what all others need. */
const endings: ReadonlySet<string> = new Set([
  ...[
    'auth.logout',
    'auth.endSession',
    'auth.reauthenticate',
    'auth.changePassword',
    'user.remove',
    'orgs.remove',
  ],
  ...['members.remove', 'members.change', 'orgs.transfer', 'totp.confirm', 'totp.turnOff'],
])

/** Doors that were open once; they are tried in each run. */
const always: ReadonlySet<string> = new Set([
  ...['maintenance-windows.create', 'maintenance-windows.change', 'maintenance-windows.cancel'],
  ...['monitors.create', 'monitors.testAlerts', 'orgs.tryImport'],
])

const random = seededRandom(testSeed())
const share = isDeep ? 1 : 0.05
const routes = apiRoutes.filter(({ name }) => {
  const isChosen = random() < share || always.has(name)
  return isChosen && routeTable[name]?.who !== 'the operator' && !endings.has(name)
})
const worst = new Map<Route, { readonly call: Call; readonly cost: Cost }>()

function judge(t: Test, cost: Cost): void {
  const { name, what, statuses, turnMs, allMs, answerBytes } = cost
  const told = `${name}, ${what}: ${statuses}; ${turnMs.toFixed(0)} ms of ${allMs.toFixed(0)} ms in one turn`
  if (turnMs > turnMsMax) t.fail(told)
  if (answerBytes > answerBytesMax) t.fail(`${told}; an answer of ${answerBytes} bytes`)
}

const thingsIn = (path: string) =>
  [...path.matchAll(/:(\w+)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !['orgId', 'token', 'word', 'provider'].includes(name))

const maker = createMaker(
  {
    ask: (...args) => daemon.ask(...args),
    need: (...args) => daemon.need(...args),
    get url() {
      return daemon.url
    },
  },
  { targetUrl: target.url, hookUrl: receiver.url },
)

async function thingsFor({ path }: Route): Promise<Things> {
  return { orgId: mallory.orgId, ...(await maker(mallory, thingsIn(path))) }
}

t.test('no request, however expensive, keeps the daemon from everything else', async (t) => {
  for (const route of routes) {
    const things = await thingsFor(route)
    for (const call of callsOf(route)) {
      const cost = await costOf(route, call, things, [credentialFor(route)])
      const before = worst.get(route)
      if (!before || cost.turnMs > before.cost.turnMs) worst.set(route, { call, cost })
      judge(t, cost)
    }
    const { call } = worst.get(route) ?? {}
    if (call) for (const one of everyRole) judge(t, await costOf(route, call, things, [one]))
    t.pass(route.name)
  }
})

/**
 * How late each check of the victim was, in milliseconds: they are 10 s apart, so the earliest phase of a
 * monitor's checks is when they are due.
 */
async function latenesses(sinceMs: number): Promise<readonly number[]> {
  const { org, cookie } = victim
  const monitors = await daemon.need('GET', `${org}/monitors?limit=100`, { cookie })
  const late: number[] = []
  for (const { id } of monitors) {
    const path = `${org}/monitors/${id}/checks?limit=200`
    const checks: { readonly at: string }[] = await daemon.need('GET', path, { cookie })
    const times = checks.map(({ at }) => Date.parse(at)).filter((atMs) => atMs >= sinceMs)
    const phases = times.map((atMs) => atMs % victimIntervalMs)
    const [first = 0] = phases
    const offsets = phases.map(
      (phase) =>
        ((phase - first + 1.5 * victimIntervalMs) % victimIntervalMs) - victimIntervalMs / 2,
    )
    late.push(...offsets.map((offset) => offset - Math.min(...offsets)))
  }
  return late.toSorted((a, b) => a - b)
}

t.test(
  'many expensive requests at once keep the daemon from nothing either',
  { skip },
  async (t) => {
    await daemon.stop()
    daemon = start('1000000')
    await daemon.ready()
    const sinceMs = Date.now() + victimIntervalMs
    for (const [route, { call }] of worst) {
      const things = await thingsFor(route)
      const bytes = call.json ? textOf(call.json).length : 1
      const times = Math.min(atOnce, Math.ceil(bytesAtOnce / bytes))
      const many = { ...call, what: `${times} × ${call.what}` }
      const least = Array.from({ length: times }, () => credentialFor(route))
      judge(t, await costOf(route, many, things, least))
      const each = least.map((one, at) => everyRole[at % everyRole.length] ?? one)
      judge(t, await costOf(route, { ...many, what: `${many.what}, each role` }, things, each))
      t.pass(route.name)
    }
    const late = await latenesses(sinceMs)
    const p99Ms = late[Math.floor(0.99 * late.length)] ?? 0
    t.comment(`${late.length} checks of another organization: p99 ${p99Ms} ms late`)
    // Nothing else runs beside a deep run, so only there time is judged by the clock.
    if (isDeep) t.ok(p99Ms < 250, 'checks of another organization are in time meanwhile')
  },
)

t.test('the most expensive requests are listed', async (t) => {
  for (const { name, what, statuses, turnMs, allMs, answerBytes } of costs
    .toSorted((a, b) => b.turnMs - a.turnMs)
    .slice(0, 40)) {
    t.comment(
      `${turnMs.toFixed(0)} ms of ${allMs.toFixed(0)}: ${name} ${what}: ${statuses}, ${answerBytes} B`,
    )
  }
  t.pass()
})
