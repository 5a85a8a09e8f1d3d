// Opens a data directory with the program of one checkout, and writes down all that it shows.
//
// node scripts/same/ask.ts ROOT DIRECTORY OUT: DIRECTORY was made by scripts/golden.ts. The clock stands at
// the moment at which that program stopped.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import { open } from 'lmdb'
import type * as DaemonModule from '../../test/support/daemon.ts'
import type * as ClockModule from '../../test/support/fake-clock.ts'

interface GoldenWorld {
  readonly endedAt: string
  readonly systemToken: string
  readonly cookie: string
  readonly org: string
  readonly things: Readonly<Record<string, string>>
}

const [rootText = '', from = '', out = ''] = process.argv.slice(2)
if (out === '') throw new Error('usage: node scripts/same/ask.ts ROOT DIRECTORY OUT')
const root = resolve(rootText)
const load = async <Module>(path: string): Promise<Module> => import(join(root, path))
const { startDaemon } = await load<typeof DaemonModule>('test/support/daemon.ts')
const { FakeClock } = await load<typeof ClockModule>('test/support/fake-clock.ts')

class StoppableClock extends FakeClock {
  readonly stop = (): void => {}
}

const t = { teardown: () => {} } as never
const world: GoldenWorld = JSON.parse(readFileSync(join(from, 'world.json'), 'utf8'))
const dir = mkdtempSync(join(tmpdir(), 'stillup-'))
writeFileSync(join(dir, 'data.mdb'), brotliDecompressSync(readFileSync(join(from, 'data.mdb.br'))))
writeFileSync(join(dir, 'master.key'), readFileSync(join(from, 'master.key')), { mode: 0o600 })

const clock = new StoppableClock(Date.parse(world.endedAt))
const daemon = await startDaemon(t, {
  dir,
  clock,
  env: {
    SYSTEM_TOKEN: world.systemToken,
    HTTP_BASE_URL: 'http://stillup.test',
    HTTP_STATUS_DOMAIN: 'status.test',
    HTTP_RATE_AUTH_PER_MINUTE: '1000',
    MAIL_SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'stillup <up@stillup.test>',
  },
})

/** Figures of the process among the metrics: they depend on the machine. */
const ofThisProcess = /^(?:# \w+ )?(?:nodejs|process)_.*\n/gm

const shown: Record<string, string> = {}
async function ask(path: string): Promise<string> {
  const isOperator = path.startsWith('/api/v1/system/')
  const credential = isOperator
    ? { authorization: `Bearer ${world.systemToken}` }
    : { 'auth-token': world.cookie }
  const answer = await fetch(`${daemon.url}${path}`, { headers: credential, redirect: 'manual' })
  const text = await answer.text()
  const kind = `${answer.status} ${answer.headers.get('content-type')}`
  const lines = pretty(text).replace(ofThisProcess, '').split('\n')
  // Metrics stand in the order in which parts of the daemon registered them, which means nothing.
  if (path === '/metrics') lines.sort()
  shown[`GET ${path}`] = [kind, ...lines].join('\n')
  return text
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 1)
  } catch {
    return text
  }
}

/** The path with each known value of each of its parameters. */
function filled(path: string, values: ReadonlyMap<string, readonly string[]>): string[] {
  const name = /\{(\w+)\}/.exec(path)?.[1]
  if (name === undefined) return [path]
  return (values.get(name) ?? []).flatMap((value) =>
    filled(path.replace(`{${name}}`, value), values),
  )
}

const values = new Map<string, string[]>([['orgId', [world.org.replace('/orgs/', '')]]])
const add = (name: string, value: unknown) => {
  if (typeof value === 'string') values.set(name, [...(values.get(name) ?? []), value])
}
for (const [name, value] of Object.entries(world.things)) add(name, value)
const byPrefix: Readonly<Record<string, string>> = {
  mon: 'monitorId',
  chn: 'channelId',
  pag: 'statusPageId',
  inc: 'incidentId',
}
for (const value of Object.values(world)) {
  if (typeof value === 'string') add(byPrefix[value.slice(0, 3)] ?? '', value)
}

const document = JSON.parse(await ask('/api/v1/openapi.json'))
for (const [path, operations] of Object.entries<object>(document.paths)) {
  if (!('get' in operations) || path.endsWith('/events')) continue
  const full = path.startsWith('/api/') ? path : `/api/v1${path}`
  for (const one of filled(full, values)) await ask(one)
}
const slugs = [...JSON.stringify(shown).matchAll(/\/status\/([a-z0-9-]+)\b/g)].map(([, s]) => s)
for (const slug of new Set(slugs)) {
  const base = `/status/${slug}`
  const paths = ['', '/history', '/feed.atom', '/feed.rss', '/calendar.ics', '/badge.svg']
  const more = ['/embed', '/subscribe', '/api/v2/summary.json', '/api/v2/status.json']
  for (const path of [...paths, ...more]) await ask(`${base}${path}`)
}
for (const path of ['/', '/sign-in', '/register', '/docs', '/healthz', '/metrics']) await ask(path)

let isOver = false
const stopping = daemon.stop().finally(() => {
  isOver = true
})
while (!isOver) {
  await clock.advance(100)
  await sleep(2)
}
await stopping

const file = open<Buffer>({ path: dir, maxDbs: 256, encoding: 'binary', readOnly: true })
for (const name of [...file.getKeys()].map(String)) {
  // When it stopped: that depends on how long stopping took.
  if (name === 'alive') continue
  const sum = createHash('sha256')
  const table = file.openDB<Buffer>({ name, encoding: 'binary' })
  for (const { key, value } of table.getRange({})) sum.update(JSON.stringify(key)).update(value)
  shown[`table ${name}`] = `${table.getCount()} records ${sum.digest('hex')}`
}
await file.close()
rmSync(dir, { recursive: true })
writeFileSync(out, JSON.stringify(shown))
process.exit(0)
