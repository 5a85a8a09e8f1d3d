// npm run golden: makes a data directory of this version, with one of everything, for the test that
// later versions open it (test/golden/README.md).
//
// node scripts/golden.ts TO [ROOT]: ROOT is a checkout of another version, whose own test support
// makes the world. What that version does not know is left out, and said.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync } from 'node:zlib'
import * as OTPAuth from 'otpauth'
import { asId } from '../src/base/ids.ts'
import { newHostCertificate } from '../src/domain/system/host-certificate.ts'
import type * as ApiModule from '../src/http/api/api.ts'
import type { Tx } from '../src/store/engine/write.ts'
import type { Store } from '../src/store/store.ts'
import { password } from '../test/support/cast.ts'
import type * as DaemonModule from '../test/support/daemon.ts'
import type * as ClockModule from '../test/support/fake-clock.ts'
import { makeSubscriber } from '../test/support/make-subscriber.ts'
import type * as WorldModule from '../test/support/matrix-world.ts'
import type * as ReceiverModule from '../test/support/receiver.ts'
import { tamper } from '../test/support/tamper.ts'

type Daemon = DaemonModule.Daemon

const [to = '', rootText] = process.argv.slice(2)
if (to === '') throw new Error('usage: node scripts/golden.ts TO [ROOT]')
const own = resolve(import.meta.dirname, '..')
const root = resolve(rootText ?? own)
const isOwn = root === own

const load = async <Module>(path: string): Promise<Module> => import(join(root, path))
const { apiRoutes } = await load<typeof ApiModule>('src/http/api/api.ts')
const { startDaemon } = await load<typeof DaemonModule>('test/support/daemon.ts')
const { FakeClock } = await load<typeof ClockModule>('test/support/fake-clock.ts')
const { openMatrixWorld } = await load<typeof WorldModule>('test/support/matrix-world.ts')
const { startReceiver } = await load<typeof ReceiverModule>('test/support/receiver.ts')

const teardowns: (() => unknown)[] = []
/** What test support asks of a test: to be told of its end. */
const t = { teardown: (run: () => unknown) => void teardowns.unshift(run) } as never

const systemToken = 'the-token-of-the-operator'
/** Nobody listens there: letters and alerts that are owed stay so. */
const closedUrl = 'http://127.0.0.1:9/'

let leftOut = 0

/** Something that an earlier version may not know. */
async function attempt<T>(what: string, run: () => Promise<T>): Promise<T | undefined> {
  try {
    // A kept connection may just have been closed.
    return await run().catch((error) => (isCut(error) ? run() : Promise.reject(error)))
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    process.stderr.write(`left out: ${what}: ${reason}\n`)
    leftOut += 1
    return undefined
  }
}

class StoppableClock extends FakeClock {
  readonly stop = (): void => {}
}

const isCut = (error: unknown) => error instanceof Error && error.message === 'fetch failed'

/** Simulated time, slowly enough for real sockets. */
async function pass(clock: InstanceType<typeof FakeClock>, ms: number, stepMs: number) {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await clock.advance(stepMs)
    await sleep(2)
  }
}

async function during<T>(clock: InstanceType<typeof FakeClock>, running: Promise<T>): Promise<T> {
  let isOver = false
  const note = () => {
    isOver = true
  }
  running.then(note, note)
  while (!isOver) await pass(clock, 100, 100)
  return running
}

const names = [
  ...new Set(
    apiRoutes.flatMap(({ path }) => [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)),
  ),
].filter((name) => !['orgId', 'token', 'provider', 'word'].includes(name))

/** Things that the routes can make, as the test of all routes makes them. */
const world = await openMatrixWorld(t)
const { dir } = world.daemon
const kept = join(dir, '..', 'kept')
const { own: alice, foreign: charlie } = world
const things = await world.make(alice, names)
await attempt('things of another organization', () =>
  world.make(charlie, ['monitorId', 'statusPageId']),
)
await world.daemon.stop()

const clock = new StoppableClock(Date.now())
const env = {
  SYSTEM_TOKEN: systemToken,
  HTTP_BASE_URL: 'http://stillup.test',
  HTTP_RATE_AUTH_PER_MINUTE: '1000',
  HTTP_STATUS_DOMAIN: 'status.test',
  MAIL_SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'stillup <up@stillup.test>',
}
const hook = await startReceiver()
teardowns.unshift(() => hook.close())
const daemon = await startDaemon(t, { dir, clock, env })
const lived = await live(daemon)
await during(clock, daemon.stop())
if (isOwn) await tamper(dir, addTheRest)
const endedAt = new Date(clock.nowMs()).toISOString()
rmSync(kept, { recursive: true, force: true })
mkdirSync(kept)
for (const name of ['data.mdb', 'master.key']) cpSync(join(dir, name), join(kept, name))

// What this version answers, from a copy at that moment.
const again = new StoppableClock(Date.parse(endedAt))
const asked = await startDaemon(t, { dir: kept, clock: again, env })
const answers = await answersOf(asked)
await during(again, asked.stop())

mkdirSync(to, { recursive: true })
const pack = (name: string, bytes: Uint8Array) =>
  writeFileSync(join(to, name), brotliCompressSync(bytes))
pack('data.mdb.br', readFileSync(join(dir, 'data.mdb')))
writeFileSync(join(to, 'master.key'), readFileSync(join(dir, 'master.key')))
pack('answers.json.br', Buffer.from(JSON.stringify(answers)))
const made = {
  endedAt,
  systemToken,
  cookie: alice.cookie,
  org: alice.org,
  email: alice.email,
  things,
  ...lived,
}
writeFileSync(join(to, 'world.json'), `${JSON.stringify(made, null, 2)}\n`)
const { length } = Object.keys(answers)
process.stdout.write(`${to}: ${length} answers\n`)
for (const teardown of teardowns) {
  try {
    await teardown()
  } catch (error) {
    // The known key and tokens of this world are no secrets.
    process.stderr.write(`${String(error).slice(0, 200)}\n`)
  }
}
process.exit(isOwn && leftOut > 0 ? 1 : 0)

/** Two days with reports, an outage, and what people do about it. */
async function live(daemon: Daemon) {
  const { org, cookie } = alice
  const need = (method: string, path: string, json?: object) =>
    daemon.need(method, path.startsWith('/') ? path : `${org}/${path}`, {
      cookie,
      ...(json && { json }),
    })
  const channel = await need('POST', 'alert-channels', {
    name: 'Closed port',
    type: 'webhook',
    config: { url: closedUrl },
    isDefault: true,
  })
  const tagged = await attempt('a channel with tags and quiet hours', () =>
    need('POST', 'alert-channels', {
      name: 'Chat',
      type: 'slack',
      config: { webhookUrl: 'https://hooks.slack.com/services/T0/B0/x' },
      tags: ['shop'],
      isDefault: false,
      quietHours: { from: '22:00', to: '07:00', timezone: 'Europe/Prague', days: ['mon'] },
    }),
  )
  const job = await need('POST', 'monitors', {
    name: 'Backup job',
    checkType: 'push',
    intervalMinutes: 60,
    isPublic: true,
    notifyChannelIds: [channel.id],
    tags: ['shop'],
  })
  const shop = await need('POST', 'monitors', {
    name: 'Shop',
    url: hook.url,
    method: 'POST',
    body: '{"check":1}',
    headers: { authorization: 'Bearer a-secret-of-the-shop' },
    intervalMinutes: 5,
    isPublic: true,
    responseFormat: 'text',
    bodyContains: 'ok',
  })
  const cron = await attempt('a monitor with a cron schedule, an objective and a dependency', () =>
    need('POST', 'monitors', {
      name: 'Nightly job',
      checkType: 'push',
      schedule: '0 3 * * *',
      timezone: 'Europe/Prague',
      graceSeconds: 600,
      maxRunSeconds: 3_600,
      sloPercent: 99.5,
      dependsOn: [shop.id],
      reminderMinutes: 60,
      runbookUrl: 'https://wiki.example.com/nightly',
    }),
  )
  const page = await need('POST', 'status-pages', {
    name: 'Everything',
    slug: 'everything',
    title: 'Everything of Alice',
    monitorIds: [shop.id, job.id],
  }).catch(() => need('POST', 'status-pages', { name: 'Everything', slug: 'everything' }))
  await attempt('a page with a password, sections and a language', () =>
    need('PATCH', `status-pages/${page.id}`, {
      password: 'correct horse',
      language: 'de',
      sections: [{ name: 'Shop', monitorIds: [shop.id, job.id] }],
    }),
  )
  await attempt('a window that comes again', () =>
    need('POST', 'maintenance-windows', {
      name: 'Sunday night',
      cron: '0 2 * * 0',
      durationMinutes: 90,
      timezone: 'Europe/Prague',
      monitorIds: [shop.id],
    }),
  )
  await attempt('a declared incident', () =>
    need('POST', 'incidents', { title: 'The network is slow', severity: 'degraded' }),
  )
  await attempt('a second factor', async () => {
    const { cookie: theirs } = charlie
    const { otpauthUrl } = await daemon.need('POST', '/auth/totp', { cookie: theirs })
    const code = (OTPAuth.URI.parse(otpauthUrl) as OTPAuth.TOTP).generate({
      timestamp: clock.wallMs(),
    })
    return daemon.need('POST', '/auth/totp/confirm', { cookie: theirs, json: { code } })
  })
  await attempt('a reported error', () =>
    daemon.need('POST', '/system/errors', { cookie, json: { message: 'It broke' } }),
  )
  await attempt('a referral', async () => {
    const { code } = await need('POST', '/user/referrals/code', {})
    const json = { email: 'referred@example.com', password, referralCode: code }
    return daemon.need('POST', '/auth/register', { json })
  })
  await attempt('a subdomain', () =>
    need('PATCH', `status-pages/${page.id}/subdomain`, { subdomain: 'everything' }),
  )
  const push = (how: string) => daemon.need('GET', `/push/${job.pushToken}${how}`)
  await push('/ok')
  for (let hour = 0; hour < 30; hour += 1) {
    await pass(clock, 3_590_000, 10_000)
    await push('/ok')
    if (hour === 10) hook.always({ status: 503, body: 'no' })
    if (hour === 12) {
      const [incident] = await need('GET', 'incidents?state=open')
      await need('POST', `incidents/${incident.id}/updates`, { message: 'We look into it.' })
      await need('POST', `incidents/${incident.id}/acknowledge`)
      hook.always({ status: 200, body: 'ok' })
    }
  }
  if (cron) await daemon.need('GET', `/push/${cron.pushToken}/start`)
  if (cron) {
    await daemon.ask('POST', `/api/v1/push/${cron.pushToken}/fail`, {
      body: 'line 1\nno space left',
      headers: { 'content-type': 'text/plain' },
    })
  }
  await push('/error')
  await attempt('subscribers that have not confirmed', () =>
    need('POST', `status-pages/${things.statusPageId}/subscribers`, {
      emails: ['reader@example.com'],
    }),
  )
  await attempt('a letter that is owed', () =>
    daemon.need('POST', '/identity/oauth/login/magic-link/request', {
      json: { email: alice.email, redirectUri: '/' },
    }),
  )
  await attempt('an answer that can be repeated', () =>
    daemon.need('POST', `${org}/status-pages`, {
      cookie,
      json: { name: 'Once', slug: 'once' },
      headers: { 'idempotency-key': 'the-key-of-this-request' },
    }),
  )
  await pass(clock, 60_000, 1_000)
  const { openIncidentId } = await need('GET', `monitors/${job.id}`)
  return {
    channelId: channel.id,
    taggedChannelId: tagged?.id ?? null,
    jobId: job.id,
    shopId: shop.id,
    cronId: cron?.id ?? null,
    pageId: page.id,
    openIncidentId,
  }
}

/** What only comes about with other parties, such as providers and authorities. */
function addTheRest(store: Store, tx: Tx): void {
  const nowMs = clock.nowMs()
  const userId = asId('user', alice.userId)
  const orgId = asId('org', alice.orgId)
  const pageId = asId('page', things.statusPageId ?? '')
  const monitorId = asId('monitor', lived.shopId)
  if (!userId || !orgId || !pageId || !monitorId) throw new Error('the world has ids')
  const issuer = 'https://login.example.com'
  store.identities.put(tx, { issuer, subject: 'alice', userId, linkedAtMs: nowMs })
  store.spentFlows.put(tx, 'a-hash', { expiresAtMs: nowMs + 86_400_000, nowMs })
  store.kycCallbacks.put(tx, 'a-callback', nowMs + 86_400_000)
  store.dummyLetters.put(tx, 'sealed')
  store.hostCertificates.put(tx, newHostCertificate('stillup.test', nowMs))
  store.meta.putSentinels(tx, ['192.0.2.1:53'])
  const objective = { month: '2026-11', objectivePercent: 99.5, state: 'at_risk' } as const
  store.objectives.put(tx, orgId, monitorId, objective)
  store.subscribers.put(
    tx,
    makeSubscriber({ orgId, pageId, state: 'active', createdAtMs: nowMs, confirmedAtMs: nowMs }),
  )
}

/** The answers to every question that has one, by its path. */
async function answersOf(daemon: Daemon) {
  const found: Record<string, { status: number; data: unknown }> = {}
  const values: Record<string, readonly string[]> = {
    orgId: [alice.orgId],
    monitorId: [things.monitorId, lived.jobId, lived.shopId, lived.cronId].filter(Boolean),
    channelId: [things.channelId ?? '', lived.channelId],
    statusPageId: [things.statusPageId ?? '', lived.pageId],
    incidentId: [things.incidentId ?? '', lived.openIncidentId],
  }
  for (const [name, value] of Object.entries(things)) values[name] ??= [value]
  for (const { method, path } of apiRoutes) {
    if (method !== 'GET' || path.endsWith('/events')) continue
    for (const asked of filled(path.replace('/api/v1', ''), values)) {
      const who = asked.startsWith('/system/') ? { bearer: systemToken } : { cookie: alice.cookie }
      const headers = { 'auth-token': alice.cookie }
      const answer = await daemon.ask('GET', `/api/v1${asked}`, { ...who, headers })
      if (answer.status !== 200 || answer.json === undefined) continue
      found[asked] = { status: answer.status, data: answer.json.data ?? answer.json }
    }
  }
  return found
}

/** The path with each value of each of its parameters. */
function filled(path: string, values: Readonly<Record<string, readonly string[]>>): string[] {
  const name = /:(\w+)/.exec(path)?.[1]
  if (name === undefined) return [path]
  return (values[name] ?? []).flatMap((value) => filled(path.replace(`:${name}`, value), values))
}
