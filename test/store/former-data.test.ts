// A data directory of an earlier version: it opens, answers as it did there, and goes on.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gunzipSync } from 'node:zlib'
import { open } from 'lmdb'
import t, { type Test } from 'tap'
import { fieldsOfChecks } from '../../src/domain/monitors/monitor-fields.ts'
import type { Credential } from '../support/api-client.ts'
import { type Daemon, startDaemon } from '../support/daemon.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { startReceiver } from '../support/receiver.ts'
import { tamperWith } from '../support/tamper.ts'
import { until } from '../support/until.ts'

/** What `data/README.md` describes. */
interface FormerWorld {
  readonly endedAt: string
  readonly systemToken: string
  readonly alice: { cookie: string; key: string; org: string; email: string; password: string }
  readonly bob: { email: string; recoveryCodes: readonly string[] }
  readonly channelId: string
  readonly deadChannelId: string
  readonly shopId: string
  readonly jobToken: string
  readonly jobId: string
  readonly announcedIncidentId: string
  readonly pendingIncidentId: string
  /** How many records each table had. */
  readonly tables: Readonly<Record<string, number>>
}

interface FormerAnswers {
  /** By the path below /api/v1. */
  readonly answers: Readonly<Record<string, { status: number; data: unknown }>>
}

const data = join(import.meta.dirname, 'data/former')
const former: FormerWorld = JSON.parse(readFileSync(join(data, 'world.json'), 'utf8'))
const { answers }: FormerAnswers = JSON.parse(
  gunzipSync(readFileSync(join(data, 'answers.json.gz'))).toString(),
)
const { alice, bob } = former
const me = { cookie: alice.cookie }
const operator = { bearer: former.systemToken }
const env = {
  SYSTEM_TOKEN: former.systemToken,
  HTTP_BASE_URL: 'http://stillup.test',
  HTTP_RATE_AUTH_PER_MINUTE: '1000',
}

/** What the former version answered to this question. */
const answerOf = (path: string) => answers[path]?.data as { entries?: number } | undefined

class StoppableClock extends FakeClock {
  readonly stop = (): void => {}
}

/** A copy of the directory. */
function unpack(t: Test): string {
  // Not t.testdir(): that is gone before the daemon's last look for secrets.
  const dir = mkdtempSync(join(tmpdir(), 'stillup-'))
  t.teardown(() => rmSync(dir, { recursive: true }))
  writeFileSync(join(dir, 'data.mdb'), gunzipSync(readFileSync(join(data, 'data.mdb.gz'))))
  writeFileSync(join(dir, 'master.key'), readFileSync(join(data, 'master.key')), { mode: 0o600 })
  return dir
}

/** Today's daemon on a copy, at the moment when the former one stopped. */
async function reopen(t: Test) {
  const clock = new StoppableClock(Date.parse(former.endedAt))
  const daemon = await startDaemon(t, { dir: unpack(t), clock, env })
  return { clock, daemon, stop: () => during(clock, daemon.stop()) }
}

/** What takes simulated time besides real: little, so that nothing becomes old meanwhile. */
async function during<T>(clock: FakeClock, running: Promise<T>): Promise<T> {
  let isDone = false
  const ended = running.finally(() => {
    isDone = true
  })
  await until(async () => {
    await clock.advance(10)
    return isDone
  })
  return ended
}

/** The former version counted the second in which it stopped as uptime. */
const rounded = (answer: unknown) =>
  JSON.parse(JSON.stringify(answer), (name, value) => {
    const isUptime = ['24h', '7d', '30d', '90d'].includes(name)
    return isUptime && typeof value === 'number' ? Number(value.toFixed(4)) : value
  })

/** The paths of what was sent: no mail server is set, so that is files. */
function lettersIn(dir: string): string[] {
  const outbox = join(dir, 'outbox')
  const names = existsSync(outbox) ? readdirSync(outbox) : []
  return names.filter((name) => name.endsWith('.eml')).map((name) => join(outbox, name))
}

/** The public page, which is only shown at the host of the base URL. */
function pageOf({ url }: Daemon): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { host: new URL(env.HTTP_BASE_URL).host }
    get(`${url}/status/acme`, { headers }, (response) => resolve(text(response))).on(
      'error',
      reject,
    )
  })
}

function tablesIn(dir: string): Record<string, number> {
  const root = open<Buffer>({ path: dir, maxDbs: 256, encoding: 'binary', readOnly: true })
  const names = [...root.getKeys()].map(String)
  const counts = names.map((name) => {
    return [name, root.openDB<Buffer>({ name, encoding: 'binary' }).getCount()] as const
  })
  return Object.fromEntries(counts)
}

t.test('every table is still known, and no record gets lost on opening', async (t) => {
  const { daemon, stop } = await reopen(t)
  await stop()
  await tamperWith(daemon.dir, async ({ databases }) => {
    const unknown = Object.keys(former.tables).filter((name) => !databases.has(name))
    t.same(unknown, [], 'a table with another name would have lost its records')
  })
  const now = tablesIn(daemon.dir)
  const described = readFileSync(join(import.meta.dirname, '../../docs/store.md'), 'utf8')
  t.same(
    Object.keys(now).filter((name) => !described.includes(`\`${name}\``)),
    [],
    'docs/store.md names every table',
  )
  const cleaned = ['alive', 'audit', 'auditEnds', 'garbage', 'garbageOrgs']
  // Time goes on until the daemon has stopped, so the letter that is owed may be sent.
  const owedLetters = (now.owedLetters ?? 0) + lettersIn(daemon.dir).length
  const kept: Readonly<Record<string, number>> = { ...now, owedLetters }
  const fewer = Object.entries(former.tables).filter(([name, count]) => {
    return !cleaned.includes(name) && (kept[name] ?? 0) < count
  })
  t.same(fewer, [])
})

/**
 * The former answers in the present form: an error is one object everywhere, and a push monitor has
 * no fields of checks.
 */
function renamed(data: unknown): unknown {
  if (Array.isArray(data)) return data.map(renamed)
  if (typeof data !== 'object' || data === null) return data
  const { errorKind, ...all } = data as Readonly<Record<string, unknown>>
  const row =
    all.checkType === 'push'
      ? Object.fromEntries(Object.entries(all).filter(([name]) => !fieldsOfChecks.includes(name)))
      : all
  if ('kind' in row && 'phases' in row) {
    const { kind, phase: _, ...evidence } = row
    return { ...evidence, error: kind === null ? null : { kind } }
  }
  if (errorKind === undefined) {
    return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, renamed(value)]))
  }
  if (errorKind === null) return { ...row, error: null }
  return { ...row, error: { kind: errorKind, message: row.message }, message: null }
}

t.test('every question is answered as the former version answered it', async (t) => {
  const { daemon, stop } = await reopen(t)
  t.ok(Object.keys(answers).length > 40)
  for (const [path, { status, data }] of Object.entries(answers)) {
    const who: Credential = path.startsWith('/system/') ? operator : me
    const answer = await daemon.ask('GET', `/api/v1${path}`, who)
    t.equal(answer.status, status, path)
    // What a newer version says besides is no matter.
    t.has(rounded(answer.json.data ?? answer.json), rounded(renamed(data)), path)
  }
  const page = await pageOf(daemon)
  for (const shown of ['Shop', 'Backup', 'We look into it']) t.match(page, shown)
  t.notMatch(page, 'Queue', 'a monitor that is not public')
  t.equal((await daemon.ask('GET', `/api/v1${alice.org}/monitors`, { key: alice.key })).status, 200)
  await stop()
})

t.test('who could sign in still can, with a second factor where it was on', async (t) => {
  const { daemon, stop } = await reopen(t)
  const signIn = (json: object) => daemon.ask('POST', '/api/v1/auth/login', { json })
  t.equal((await signIn({ email: alice.email, password: alice.password })).status, 200)
  const wrong = { email: bob.email, password: alice.password }
  t.equal((await signIn(wrong)).status, 401, 'a password alone is not enough')
  t.equal((await signIn({ ...wrong, totp: bob.recoveryCodes[0] })).status, 200)
  await stop()
})

t.test('pending messages are sent, and the engine continues where it was', async (t) => {
  const { daemon, clock, stop } = await reopen(t)
  const hook = await startReceiver()
  t.teardown(() => hook.close())
  const need = (method: string, path: string, json?: object) =>
    daemon.need(method, `${alice.org}${path}`, { ...me, ...(json && { json }) })
  const passUntil = <T>(look: () => T | false | undefined | Promise<T | false | undefined>) =>
    until(async () => {
      await clock.advance(1_000)
      return look()
    })

  const deliveries = `/alert-channels/${former.deadChannelId}/deliveries`
  const [owed] = await need('GET', `${deliveries}?state=pending`)
  t.match(owed, { incidentId: former.pendingIncidentId, event: 'incident.opened' })
  for (const id of [former.deadChannelId, former.channelId]) {
    await need('PATCH', `/alert-channels/${id}`, { config: { url: hook.url } })
  }
  /** Each message once: it is sent again where time leapt over its answer. */
  const heard = () => [
    ...new Map(hook.requests.map((one) => [one.headers['webhook-id'], one])).values(),
  ]
  const [opened] = await passUntil(() => heard().length > 0 && heard())
  t.equal(opened?.headers['webhook-id'], owed.webhookId, 'under the id of its first attempt')
  t.match(opened?.headers['webhook-signature'], /^v1,/, 'signed with the stored secret')

  const letters = await passUntil(() => {
    const paths = lettersIn(daemon.dir)
    return paths.length > 0 && paths
  })
  t.equal(letters.length, 1, 'the letter that no mail server took')
  t.match(readFileSync(letters[0] ?? '', 'utf8'), /^To: .*carol@example\.com/m)

  await daemon.need('GET', `/push/${former.jobToken}/ok`)
  await daemon.need('GET', `/push/${former.jobToken}/ok`)
  const [, end] = await passUntil(() => heard().length > 1 && heard())
  const resolved = JSON.parse(end?.body ?? '{}')
  t.match(resolved, { type: 'incident.resolved' }, 'those who were told hear of the end')
  t.equal(resolved.data.incident.id, former.announcedIncidentId)
  t.match(await need('GET', `/monitors/${former.jobId}`), { state: 'up', openIncidentId: null })
  const { ok, entries } = await need('GET', '/audit-log/verify')
  t.ok(
    ok && entries > (answerOf(`${alice.org}/audit-log/verify`)?.entries ?? 0),
    'the chain goes on',
  )
  await stop()
})
